import { Reactivity } from "@effect/experimental"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { singleFlight } from "../services/bulkhead.ts"
import { Readiness } from "../services/operation/Readiness.ts"
import { MasterKeyCanary } from "../services/sealing/MasterKeyCanary.ts"
import { DatabaseUrl } from "./Database.ts"
import { isCurrent } from "./Migrate.ts"
import { clientTo } from "./postgres/hosts.ts"

const NO_ANSWER = "The database does not answer"

export const ReadinessLive = Layer.scoped(
  Readiness,
  Effect.gen(function* () {
    const url = yield* DatabaseUrl
    // A separate connection: with a busy pool the service is slow, but ready
    const sql = yield* PgClient.make({ ...clientTo(url), maxConnections: 1, applicationName: "sprechstunde readiness" })
    const canary = yield* Effect.provide(MasterKeyCanary, MasterKeyCanary.Default).pipe(
      Effect.provideService(SqlClient.SqlClient, sql)
    )
    const migrated = Effect.filterOrFail(
      isCurrent,
      (current) => current,
      () => "Migrations are pending: run `bun run cli migrate`"
    )
    const check = Effect.zipRight(migrated, canary.open).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.timeoutFail({ duration: "3 seconds", onTimeout: () => NO_ANSWER }),
      Effect.catchTags({
        SqlError: () => Effect.fail(NO_ANSWER),
        WrongMasterKey: ({ message }) => Effect.fail(message)
      }),
      Effect.catchAllDefect(() => Effect.fail(NO_ANSWER)),
      Effect.asVoid,
      // The route needs no credential and has no rate limit
      singleFlight
    )
    return { check }
  })
).pipe(Layer.provide(Reactivity.layer))
