/**
 * A worker that routes payouts and kills itself (SIGKILL) at the point that DIE_AT names, if any. Runs in a
 * separate process, with the settings of the server whose database it uses.
 */
import { BunContext, BunRuntime } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { SettingsLive } from "../../src/config.ts"
import { RoutePayout } from "../../src/jobs/RoutePayout.ts"
import { BossLive } from "../../src/layers/Boss.ts"
import { CommonLive } from "../../src/layers/Common.ts"
import { DatabaseLive } from "../../src/layers/Database.ts"
import { PaymentsLive } from "../../src/layers/payments/Payments.ts"
import { SqlLive } from "../../src/layers/Sql.ts"
import { Payments } from "../../src/services/pharmacy/Payments.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { Jobs } from "../../src/services/queue/Jobs.ts"

const dieAt = (point: string) =>
  Effect.sync(() => {
    if (process.env.DIE_AT === point) process.kill(process.pid, "SIGKILL")
  })

let routes = 0
const faultyPayments = Layer.effect(
  Payments,
  Effect.map(Payments, (payments) => ({
    ...payments,
    route: (request) =>
      Effect.suspend(() => {
        routes += 1
        return dieAt(`before route ${routes}`)
      }).pipe(
        Effect.zipRight(payments.route(request)),
        Effect.tap(() => dieAt(`after route ${routes}`))
      )
  }))
).pipe(Layer.provide(PaymentsLive))

const faultyRouting = Layer.effect(
  Routing,
  Effect.map(Routing, (routing) =>
    Routing.make({
      ...routing,
      routeOrder: (...order) =>
        Effect.tap(routing.routeOrder(...order), () => (routes > 0 ? dieAt("all routed") : Effect.void))
    })
  )
).pipe(Layer.provide(Routing.Default))

const Doomed = RoutePayout.pipe(
  Layer.provide(faultyRouting),
  Layer.provide(Jobs.Default),
  Layer.provide([faultyPayments, BossLive]),
  Layer.provide(CommonLive),
  Layer.provide(SqlLive),
  Layer.provide(DatabaseLive),
  Layer.provide([SettingsLive, BunContext.layer])
)

BunRuntime.runMain(Layer.launch(Doomed), { disablePrettyLogger: true })
