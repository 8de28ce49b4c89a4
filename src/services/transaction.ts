/** One unit of work against the database, retried as a whole when the database and not the work is at fault. */
import { SqlClient, SqlError } from "@effect/sql"
import { Effect, Option, Predicate, Schedule } from "effect"
import { sqlStateOf } from "./SqlErrors.ts"

const transientStates = new Set(["40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300"])
const transientCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT"])
const transientMessages = ["terminated unexpectedly", "not queryable", "Connection terminated"]

const isTransient = (error: unknown): boolean => {
  if (!(error instanceof SqlError.SqlError)) return false
  const state = sqlStateOf(error)
  if (state !== undefined && (transientStates.has(state) || state.startsWith("08") || transientCodes.has(state))) {
    return true
  }
  const message =
    Predicate.hasProperty(error.cause, "message") && typeof error.cause.message === "string" ? error.cause.message : ""
  return transientMessages.some((text) => message.includes(text))
}

const reconnect = Schedule.exponential("20 millis", 1.7).pipe(
  Schedule.jittered,
  Schedule.intersect(Schedule.recurs(14))
)

/**
 * Runs `body` in one transaction. BEGIN, COMMIT and ROLLBACK failing, deadlocks, serialisation failures and lost
 * connections run the whole body again, so it must be idempotent; it is not interrupted half-way. Every other failure of
 * SQL is a defect. Inside another transaction it is simply part of that one.
 */
export const transaction = <A, E, R>(
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError>, R | SqlClient.SqlClient> =>
  Effect.flatMap(Effect.serviceOption(SqlClient.TransactionConnection), (outer) =>
    Option.isSome(outer) ? body : whole(body)
  ).pipe(
    Effect.catchIf(
      (error): error is Extract<E, SqlError.SqlError> | SqlError.SqlError => error instanceof SqlError.SqlError,
      (error) => Effect.die(error)
    )
  ) as Effect.Effect<A, Exclude<E, SqlError.SqlError>, R | SqlClient.SqlClient> // a generic E does not narrow

const whole = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(body)).pipe(
    Effect.catchAllDefect((defect) => (defect instanceof SqlError.SqlError ? Effect.fail(defect) : Effect.die(defect))),
    Effect.uninterruptible,
    Effect.retry({ while: isTransient, schedule: reconnect })
  )
