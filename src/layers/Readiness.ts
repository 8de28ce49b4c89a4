import { Reactivity } from "@effect/experimental"
import { SqlClient, SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Predicate, Redacted, Ref } from "effect"
import { singleFlight } from "../services/bulkhead.ts"
import { sqlStateOf } from "../services/database/SqlErrors.ts"
import { kindOf } from "../services/errorKinds.ts"
import { Readiness } from "../services/operation/Readiness.ts"
import { MasterKeyCanary, WrongMasterKey } from "../services/sealing/MasterKeyCanary.ts"
import { asLogin, withoutOwner } from "../services/tenancy/Tenancy.ts"
import { DatabaseUrl } from "./Database.ts"
import { isCurrent } from "./Migrate.ts"
import { connectionTo } from "./postgres/hosts.ts"
import { close, looseTypes, poolTo } from "./Sql.ts"

const NO_ANSWER = "The database does not answer"

/** What the database said to one of the check's statements, which contain no data of anybody. */
const reasonOf = (failure: unknown): string => {
  if (typeof failure === "string") return failure
  if (failure instanceof WrongMasterKey) return failure.message
  if (!(failure instanceof SqlError.SqlError)) return `The check failed: ${kindOf(failure)}`
  const { cause } = failure
  const code = Predicate.hasProperty(cause, "code") ? ` (${cause.code})` : ""
  return sqlStateOf(failure)?.length === 5 && Predicate.hasProperty(cause, "message")
    ? `The database refuses what this process needs${code}: ${cause.message}`
    : `${NO_ANSWER}${code}`
}

export const ReadinessLive = Layer.scoped(
  Readiness,
  Effect.gen(function* () {
    const url = yield* DatabaseUrl
    // A separate connection: with a busy pool the service is slow, but ready. In the same roles as requests
    const to = connectionTo(Redacted.value(url))
    const pool = yield* Effect.acquireRelease(poolTo(to, "sprechstunde readiness", 1), close)
    const sql = yield* PgClient.fromPool({
      acquire: Effect.succeed(pool),
      applicationName: "sprechstunde readiness",
      types: looseTypes
    })
    const canary = yield* Effect.provide(MasterKeyCanary, MasterKeyCanary.Default).pipe(
      Effect.provideService(SqlClient.SqlClient, sql)
    )
    const migrated = Effect.filterOrFail(
      asLogin(isCurrent),
      (current) => current,
      () => "Migrations are pending: run `bun run cli migrate`"
    )
    const last = yield* Ref.make<string | undefined>(undefined)
    /** Logs the reason when it changes, and that the process is ready again. */
    const changedTo = Effect.fnUntraced(function* (reason: string | undefined) {
      const before = yield* Ref.getAndSet(last, reason)
      if (before === reason) return
      yield* reason === undefined ? Effect.logInfo("Ready again") : Effect.logWarning(`Not ready. ${reason}`)
    })
    const statements = Effect.zipRight(migrated, withoutOwner(canary.open)).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.timeoutFail({ duration: "3 seconds", onTimeout: () => NO_ANSWER }),
      Effect.mapError(reasonOf),
      Effect.catchAllDefect((defect) => Effect.fail(reasonOf(defect)))
    )
    const check = statements.pipe(
      Effect.tapBoth({ onSuccess: () => changedTo(undefined), onFailure: changedTo }),
      Effect.asVoid,
      // The route needs no credential and has no rate limit
      singleFlight
    )
    return { check }
  })
).pipe(Layer.provide(Reactivity.layer))
