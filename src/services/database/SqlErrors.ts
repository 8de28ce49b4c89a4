/** What PostgreSQL's error codes mean to us. Whatever is not named here is a defect. */
import { SqlError } from "@effect/sql"
import { Data, Effect, Predicate } from "effect"

export const UNIQUE_VIOLATION = "23505"
export const EXCLUSION_VIOLATION = "23P01"
export const FOREIGN_KEY_VIOLATION = "23503"

// As a parameter of its own, and within JSON.
const unstorable = new Set(["22021", "22P05"])

export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof SqlError.SqlError &&
  Predicate.hasProperty(error.cause, "code") &&
  typeof error.cause.code === "string"
    ? error.cause.code
    : undefined

/** As a node of a cluster names it: in the message alone, an index with its shard's number. */
const NAMED = /violates (?:\w+ )*constraint "(.+?)(?:_\d{6,})?"/

/** The constraint or unique index that a statement breaks. */
export const constraintOf = (error: unknown): string | undefined => {
  if (!(error instanceof SqlError.SqlError)) return undefined
  const { cause } = error
  if (Predicate.hasProperty(cause, "constraint") && typeof cause.constraint === "string") return cause.constraint
  return NAMED.exec(textOf(cause, "message"))?.[1]
}

// 25006: what was the primary has become a standby, and the way to the new one is not changed yet
const transientStates = new Set(["25006", "40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300"])
const transientCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  // a network that is cut, and a name server that is
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN"
])
// the last: a coordinator's process that waits for its workers when it dies
const transientMessages = [
  "terminated unexpectedly",
  "not queryable",
  "Connection terminated",
  "postmaster was shut down"
]

const textOf = (cause: unknown, key: "code" | "message") =>
  Predicate.hasProperty(cause, key) && typeof cause[key] === "string" ? cause[key] : ""

/** The same for an error of the driver. */
export const isTransientCause = (cause: unknown): boolean => {
  const code = textOf(cause, "code")
  if (transientStates.has(code) || transientCodes.has(code) || code.startsWith("08")) return true
  return transientMessages.some((text) => textOf(cause, "message").includes(text))
}

/** Whether the process's database user may not take the role that the statement needs: an installation's choice, no fault. */
export const isRoleRefused = (error: unknown): boolean =>
  sqlStateOf(error) === "42501" &&
  error instanceof SqlError.SqlError &&
  textOf(error.cause, "message").startsWith("permission denied to set role")

/**
 * Whether what a new row refers to is gone, or not there on the node that has taken over, though it was read before: the same
 * request, made anew, reads it again.
 */
export const isReferenceGone = (error: unknown): boolean =>
  sqlStateOf(error) === FOREIGN_KEY_VIOLATION &&
  error instanceof SqlError.SqlError &&
  textOf(error.cause, "message").startsWith("insert or update on table")

/** Whether the database and not the statement is at fault, so that the same work may succeed when it is run again. */
export const isTransient = (error: unknown): boolean =>
  error instanceof SqlError.SqlError && isTransientCause(error.cause)

/** A defect: work waited so long for its turn that its caller has gone. Nothing was done. */
export class Overloaded extends Data.TaggedError("Overloaded") {}

/** Whether it failed because too many wait, for a connection or their turn, or because one waited too long. */
export const isOverload = (error: unknown): boolean =>
  error instanceof Overloaded ||
  (error instanceof SqlError.SqlError &&
    (textOf(error.cause, "code") === "QUEUE_FULL" ||
      textOf(error.cause, "message").includes("timeout exceeded when trying to connect")))

/**
 * Whether it failed for text with U+0000 in it, which PostgreSQL cannot hold. Free text is refused before it gets there;
 * what is left are identifiers, and no record is called so.
 */
export const isUnstorableText = (error: unknown): boolean => unstorable.has(sqlStateOf(error) ?? "")

/** A constraint that a statement breaks becomes a domain error; every other failure stays what it is. */
export const onConstraint =
  <E2>(constraint: string, to: () => E2) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | E2, R> =>
    Effect.catchIf(
      self,
      (error) => constraintOf(error) === constraint,
      () => Effect.fail(to())
    )

/** A failing statement is a defect. */
export const sqlErrorsDie = <A, E, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R> =>
  Effect.catchAll(
    self,
    (error) =>
      error instanceof SqlError.SqlError ? Effect.die(error) : Effect.fail(error as Exclude<E, SqlError.SqlError>) // the cast: a generic E does not narrow
  )

/**
 * One SQLSTATE becomes a domain error; every other failure of the query is a defect. Inside a transaction the statement
 * has spoilt it: fail, do not go on.
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

/** An instant as a parameter of `sql.insert` and `sql.update`, which take no SQL expressions. */
export const timestamp = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1000))

/** A UTC midnight, in Unix seconds up to the year 9999, as the text of a `date`. */
export const calendarDate = (midnight: number): string => new Date(midnight * 1000).toISOString().slice(0, 10)
