import { Reactivity } from "@effect/experimental"
import { SqlClient, SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Predicate, Redacted, Ref } from "effect"
import { Capabilities } from "../declarations.ts"
import { singleFlight } from "../services/bulkhead.ts"
import { DISK_FULL, sqlStateOf } from "../services/database/SqlErrors.ts"
import { kindOf } from "../services/errorKinds.ts"
import { Readiness } from "../services/operation/Readiness.ts"
import { within } from "../services/outgoing.ts"
import { MasterKeyCanary, WrongMasterKey } from "../services/sealing/MasterKeyCanary.ts"
import { asLogin, withoutOwner } from "../services/tenancy/Tenancy.ts"
import { DatabaseUrl } from "./Database.ts"
import { isCurrent } from "./Migrate.ts"
import { connectionTo } from "./postgres/hosts.ts"
import { close, looseTypes, Primary, poolTo } from "./Sql.ts"

const INSUFFICIENT_PRIVILEGE = "42501"
const DISK_IS_FULL = "The database's disk is full"
/** Rows of a kilobyte, too short to be compressed, that the disk must have room for to count as not full. */
const PROBE_ROWS = 1_000

/** Writes to a temporary table where the tables are, which takes new space, unlike most rows. */
const write = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.all(
      [
        sql`SET LOCAL temp_tablespaces = ''`,
        sql`CREATE TEMPORARY TABLE space_probe (filling text) ON COMMIT DROP`,
        sql`INSERT INTO space_probe SELECT repeat('x', 1000) FROM generate_series(1, ${PROBE_ROWS})`
      ],
      { discard: true }
    )
  )
})

const NO_ANSWER = "The database does not answer"

/** What the database said to one of the check's statements, which contain no data of anybody. */
const reasonOf = (failure: unknown): string => {
  if (typeof failure === "string") return failure
  if (failure instanceof WrongMasterKey) return failure.message
  if (!(failure instanceof SqlError.SqlError)) return `The check failed: ${kindOf(failure)}`
  const { cause } = failure
  if (sqlStateOf(failure) === DISK_FULL) return `${DISK_IS_FULL} (${DISK_FULL}): changes are refused`
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
    /** Logs the reason when it changes, and that the process is ready again. An outage of the database is logged elsewhere. */
    const changedTo = Effect.fnUntraced(function* (reason: string | undefined, failure?: unknown) {
      const before = yield* Ref.getAndSet(last, reason)
      if (before === reason) return
      yield* reason === undefined ? Effect.logInfo("Ready again") : Effect.logWarning(`Not ready. ${reason}`, failure)
    })
    const primary = yield* Primary
    /** After a statement failed for a full disk: whether it has space again. A login without TEMPORARY cannot find out. */
    const space = Effect.suspend(() =>
      primary.isDiskFull
        ? write.pipe(
            Effect.catchIf(
              (error) => sqlStateOf(error) === INSUFFICIENT_PRIVILEGE,
              () => Effect.void
            ),
            Effect.tap(() => {
              primary.isDiskFull = false
            })
          )
        : Effect.void
    )
    const statements = Effect.all([migrated, withoutOwner(canary.open), withoutOwner(space)], { discard: true }).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      // A statement that is too late is left to finish: to cancel it by its backend could hit the next one there
      Effect.uninterruptible,
      within(3, () => NO_ANSWER),
      Effect.catchAllDefect((defect) => Effect.fail(defect))
    )
    const check = statements.pipe(
      Effect.tapBoth({
        onSuccess: () => changedTo(undefined),
        onFailure: (failure) => changedTo(reasonOf(failure), failure)
      }),
      Effect.mapError(reasonOf),
      Effect.asVoid,
      Effect.provideService(Capabilities, yield* Capabilities),
      // The route needs no credential and has no rate limit
      singleFlight
    )
    return { check }
  })
).pipe(Layer.provide(Reactivity.layer))
