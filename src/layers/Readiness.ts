import { Reactivity } from "@effect/experimental"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Readiness } from "../services/operation/Readiness.ts"
import { DatabaseUrl } from "./Database.ts"
import { isCurrent } from "./Migrate.ts"

export const ReadinessLive = Layer.scoped(
  Readiness,
  Effect.gen(function* () {
    const url = yield* DatabaseUrl
    // A connection of its own: while all others are busy the service is slow, but ready
    const sql = yield* PgClient.make({ url, maxConnections: 1, applicationName: "sprechstunde readiness" })
    const check = isCurrent.pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.timeoutFail({ duration: "3 seconds", onTimeout: () => "The database does not answer" }),
      Effect.mapError((error) => (typeof error === "string" ? error : "The database does not answer")),
      Effect.filterOrFail(
        (current) => current,
        () => "Migrations are pending: run `bun run cli migrate`"
      ),
      Effect.asVoid
    )
    return { check }
  })
).pipe(Layer.provide(Reactivity.layer))
