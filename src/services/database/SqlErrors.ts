/** Meanings of PostgreSQL's error codes. Any other failure is a defect. */
import { SqlError } from "@effect/sql"
import { Data, Effect, Predicate } from "effect"

export const UNIQUE_VIOLATION = "23505"
export const EXCLUSION_VIOLATION = "23P01"
export const FOREIGN_KEY_VIOLATION = "23503"

// In a parameter, and in JSON.
const unstorable = new Set(["22021", "22P05"])

export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof SqlError.SqlError &&
  Predicate.hasProperty(error.cause, "code") &&
  typeof error.cause.code === "string"
    ? error.cause.code
    : undefined

/** One of several nodes names the constraint only in the message; an index has its shard's number appended. */
const NAMED = /violates (?:\w+ )*constraint "(.+?)(?:_\d{6,})?"/

/** The constraint or unique index that a statement violates. */
export const constraintOf = (error: unknown): string | undefined => {
  if (!(error instanceof SqlError.SqlError)) return undefined
  const { cause } = error
  if (Predicate.hasProperty(cause, "constraint") && typeof cause.constraint === "string") return cause.constraint
  return NAMED.exec(textOf(cause, "message"))?.[1]
}

// 25006: the former primary has become a standby, and the address of the new one is not switched yet
const transientStates = new Set(["25006", "40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300"])
const transientCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  // network and DNS failures
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN"
])
// the last one: a backend that dies while waiting for other nodes
const transientMessages = [
  "terminated unexpectedly",
  "not queryable",
  "Connection terminated",
  "timeout expired", // the driver's, for establishing a connection
  "postmaster was shut down"
]

const textOf = (cause: unknown, key: "code" | "message") =>
  Predicate.hasProperty(cause, key) && typeof cause[key] === "string" ? cause[key] : ""

/** As `isTransient`, for an error of the driver. */
export const isTransientCause = (cause: unknown): boolean => {
  const code = textOf(cause, "code")
  if (transientStates.has(code) || transientCodes.has(code) || code.startsWith("08")) return true
  return transientMessages.some((text) => textOf(cause, "message").includes(text))
}

/** Whether the process's database user may not assume the role that the statement needs: a choice of the installation, not a fault. */
export const isRoleRefused = (error: unknown): boolean =>
  sqlStateOf(error) === "42501" &&
  error instanceof SqlError.SqlError &&
  textOf(error.cause, "message").startsWith("permission denied to set role")

/**
 * Whether a row that a new row refers to is gone, or missing on the node after a failover, though it was read before: the client can
 * retry the same request.
 */
export const isReferenceGone = (error: unknown): boolean =>
  sqlStateOf(error) === FOREIGN_KEY_VIOLATION &&
  error instanceof SqlError.SqlError &&
  textOf(error.cause, "message").startsWith("insert or update on table")

const REMOTE_NODE = /(?:remote node (?:\S*@)?|connections to the node )(\S+:\d+)/

/** The node, as host:port, to which a database of several nodes has no connection; undefined for every other failure. */
export const nodeAwayIn = (error: unknown): string | undefined =>
  error instanceof SqlError.SqlError && isTransient(error)
    ? REMOTE_NODE.exec(textOf(error.cause, "message"))?.[1]
    : undefined

/** Whether the failure is the database's and not the statement's, so that a retry may succeed. */
export const isTransient = (error: unknown): boolean =>
  error instanceof SqlError.SqlError && isTransientCause(error.cause)

export const DISK_FULL = "53100"

/** SQLSTATEs of a database that works but lacks a resource, with their names in metrics. The service itself cancels no statement. */
export const FAILING_STATES = {
  [DISK_FULL]: "disk_full",
  "53200": "out_of_memory",
  "58030": "disk_error",
  "57014": "timeout"
} as const

/**
 * Whether the database works, but cannot do this: its disk or memory is full, its disk fails, or it takes longer than it may. Not retried
 * within the request, since that would add to the load; the caller may retry.
 */
export const isDatabaseFailing = (error: unknown): boolean => Object.hasOwn(FAILING_STATES, sqlStateOf(error) ?? "")

/** Whether no connection was established, so that the statement was not sent. */
export const isConnecting = (error: unknown): boolean =>
  error instanceof SqlError.SqlError && error.message.startsWith("Failed to acquire connection")

/** A defect: work was queued so long that its caller has given up, or the queue was full. Nothing was done. */
export class Overloaded extends Data.TaggedError("Overloaded") {}

/** A defect: a lost COMMIT whose outcome the database did not tell. Its transaction may be committed, so it does not run again. */
export class Unsettled extends SqlError.SqlError {}

/** Whether it failed because a queue, for a connection or a bulkhead, is full or timed out. */
export const isOverload = (error: unknown): boolean =>
  error instanceof Overloaded ||
  (error instanceof SqlError.SqlError &&
    (textOf(error.cause, "code") === "QUEUE_FULL" ||
      textOf(error.cause, "message").includes("timeout exceeded when trying to connect")))

/**
 * Whether it failed for text with U+0000, which PostgreSQL cannot store. Free text with it is rejected earlier; what remains are
 * identifiers, and no record has such a one.
 */
export const isUnstorableText = (error: unknown): boolean => unstorable.has(sqlStateOf(error) ?? "")

/** Maps the violation of a constraint to a domain error; every other failure is unchanged. */
export const onConstraint =
  <E2>(constraint: string, to: () => E2) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.catchIf(
      self,
      (error) => constraintOf(error) === constraint,
      () => Effect.fail(to())
    )

/** Turns SQL failures into defects. */
export const sqlErrorsDie = <A, E, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catchAll(
    self,
    (error) =>
      error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>) // the cast: a generic E does not narrow
  )

/**
 * Maps one SQLSTATE to a domain error; every other SQL failure is a defect. Inside a transaction the failed statement has aborted it: the
 * caller must fail, not go on.
 */
export const onSqlState =
  <E2>(state: string, to: () => E2) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E2 | Exclude<E, SqlError.SqlError>, R> =>
    sqlErrorsDie(
      Effect.catchIf(
        self,
        (error) => sqlStateOf(error) === state,
        () => Effect.fail(to())
      )
    )

/** An instant as a parameter of `sql.insert` and `sql.update`, which accept no SQL expressions. */
export const timestamp = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1000))

/** A UTC midnight, in Unix seconds up to the year 9999, as the text of a `date`. */
export const calendarDate = (midnight: number): string => new Date(midnight * 1000).toISOString().slice(0, 10)
