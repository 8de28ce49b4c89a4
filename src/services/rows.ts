/** Rows of statements, decoded by schema. A failing statement and a row that does not fit its schema are defects. */
import type { SqlError } from "@effect/sql"
import { Effect, Option, Schema, SchemaAST } from "effect"

type Statement<R> = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError, R>

/**
 * Readers of one kind of row, made once beside the statements:
 * `all` gives every row, `first` an Option of the first one, `firstOr` fails without one, `one` is for statements that
 * always give a row, such as INSERT … RETURNING.
 */
export const rowsOf = <A, I>(schema: Schema.Schema<A, I>) => {
  const decodeAll = Schema.decodeUnknown(Schema.Array(schema))
  const decodeOne = Schema.decodeUnknown(schema)

  const all = <R>(statement: Statement<R>) => Effect.orDie(Effect.flatMap(statement, (rows) => decodeAll(rows)))

  const first = <R>(statement: Statement<R>): Effect.Effect<Option.Option<A>, never, R> =>
    Effect.orDie(
      Effect.flatMap(statement, ([row]) => (row === undefined ? Effect.succeedNone : Effect.asSome(decodeOne(row))))
    )

  const firstOr = <R, E>(statement: Statement<R>, missing: () => E): Effect.Effect<A, E, R> =>
    Effect.flatMap(
      first(statement),
      Option.match({ onNone: () => Effect.fail(missing()), onSome: (row) => Effect.succeed(row) })
    )

  const one = <R>(statement: Statement<R>): Effect.Effect<A, never, R> =>
    firstOr(statement, () => "the statement gave no row").pipe(Effect.catchAll((text) => Effect.dieMessage(text)))

  return { all, first, firstOr, one } as const
}

/** For statements whose rows do not matter, such as UPDATE … RETURNING uid: fails when there were none. */
export const anyOr = <R, E>(statement: Statement<R>, missing: () => E): Effect.Effect<void, E, R> =>
  Effect.flatMap(Effect.orDie(statement), (rows) => (rows.length > 0 ? Effect.void : Effect.fail(missing())))

/** Names of a schema's fields as a list of columns, e.g. `a.uid, a.status`. */
export const columnsOf = (schema: Schema.Schema.AnyNoContext, alias?: string): string =>
  SchemaAST.getPropertySignatures(schema.ast)
    .map(({ name }) => (alias === undefined ? String(name) : `${alias}.${String(name)}`))
    .join(", ")
