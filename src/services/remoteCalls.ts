/**
 * Guards remote calls, which can be slow: within a transaction each would hold a pooled connection, and locked rows, for as long as the
 * remote side takes.
 */
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Option, Stream } from "effect"

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

/** The layer of a service whose operations are each a defect within a transaction. */
export const remote = <I, S extends object, E, R>(tag: Context.Tag<I, S>, live: Layer.Layer<I, E, R>) =>
  Layer.map(live, (context) => Context.make(tag, outsideTransactions(tag.key, Context.get(context, tag))))
