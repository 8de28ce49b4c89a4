/**
 * Guards remote calls, which can be slow: within a transaction each would hold a pooled connection, and locked rows, for as long as the
 * remote side takes.
 */
import { SqlClient } from "@effect/sql"
import { Context, Effect, Option, Stream } from "effect"

const ensureNoTransaction = (operation: string) =>
  Effect.flatMap(Effect.serviceOption(SqlClient.TransactionConnection), (transaction) =>
    Option.isSome(transaction)
      ? Effect.dieMessage(`${operation} may call another machine: not within a transaction`)
      : Effect.void
  )

const guarded = (operation: string, value: unknown): unknown => {
  if (Option.isOption(value)) return value // an Option is an effect too, without a remote call
  if (Effect.isEffect(value)) return Effect.zipRight(ensureNoTransaction(operation), value)
  if (typeof value === "object" && value !== null && Stream.StreamTypeId in value)
    // The cast: the type id has been checked
    return Stream.unwrap(Effect.as(ensureNoTransaction(operation), value as Stream.Stream<unknown>))
  return value
}

/** The same operations, each of which is a defect within a transaction. */
export const outsideTransactions = <S extends object>(name: string, operations: S): S =>
  new Proxy(operations, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      const operation = `${name}.${String(key)}`
      return typeof value === "function"
        ? (...given: ReadonlyArray<unknown>) => guarded(operation, Reflect.apply(value, target, given))
        : guarded(operation, value)
    }
  })

/** As `outsideTransactions`, for all of these services. */
export const allOutsideTransactions = <I>(services: Context.Context<I>): Context.Context<I> =>
  Context.unsafeMake(
    new Map([...services.unsafeMap].map(([key, operations]) => [key, outsideTransactions(key, operations)]))
  )
