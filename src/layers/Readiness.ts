import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { Readiness } from "../services/operation/Readiness.ts"
import { isCurrent } from "./Migrate.ts"

export const ReadinessLive = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
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
)
