/**
 * Rows of statements, decoded by schema (`schemas/compiled.ts`). A failing statement is a defect; a violation mapped to an
 * error (`onSqlState`, `onConstraint`) stays an error.
 */
import type { Statement } from "@effect/sql"
import { Effect, Option, Schema, SchemaAST } from "effect"
import type { addedFields } from "../../schemas/addedFields.ts"
import { decoderOf } from "../../schemas/compiled.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import type { Sql } from "./Sql.ts"
import { sqlErrorsDie } from "./SqlErrors.ts"

type Selected<E, R> = Effect.Effect<ReadonlyArray<unknown>, E, R>
type Opening = <E, R>(statement: Selected<E, R>) => Selected<E, R | CurrentTenant>

/**
 * Readers for one row schema, made once per repository: `all` returns every row, `first` an Option of the first one, `firstOr` fails
 * without one, `one` is for statements that always return a row, such as INSERT … RETURNING. `opened` decrypts sealed columns
 * (`Envelope.openRows`).
 */
export const rowsOf = <A, I>(schema: Schema.Schema<A, I>, opened: Opening = (statement) => statement) => {
  const decode = decoderOf(schema)

  const all = <E, R>(statement: Selected<E, R>) =>
    Effect.map(sqlErrorsDie(opened(statement)), (rows) => rows.map(decode))

  const first = <E, R>(statement: Selected<E, R>) =>
    Effect.map(sqlErrorsDie(opened(statement)), ([row]) =>
      row === undefined ? Option.none() : Option.some(decode(row))
    )

  const firstOr = <E, R, E2>(statement: Selected<E, R>, missing: () => E2) =>
    Effect.flatMap(
      first(statement),
      Option.match({ onNone: () => Effect.fail(missing()), onSome: (row) => Effect.succeed(row) })
    )

  const one = <E, R>(statement: Selected<E, R>) =>
    Effect.flatMap(
      first(statement),
      Option.match({
        onNone: () => Effect.dieMessage("the statement gave no row"),
        onSome: (row) => Effect.succeed(row)
      })
    )

  return { all, first, firstOr, one } as const
}

const counts = rowsOf(Schema.Struct({ count: Schema.Number }))

/** The column `count` of a statement's only row, as SELECT count(*) names it. */
export const countOf = <E, R>(statement: Selected<E, R>) => Effect.map(counts.one(statement), ({ count }) => count)

/** For statements whose rows do not matter, such as UPDATE … RETURNING uid: whether there are any. */
export const any = <E, R>(statement: Selected<E, R>) => Effect.map(sqlErrorsDie(statement), (rows) => rows.length > 0)

/** The same for those that fail without rows. */
export const anyOr = <E, R, E2>(statement: Selected<E, R>, missing: () => E2) =>
  Effect.flatMap(any(statement), (found) => (found ? Effect.void : Effect.fail(missing())))

/** Runs a statement whose rows do not matter. */
export const done = <E, R>(statement: Selected<E, R>) => Effect.asVoid(sqlErrorsDie(statement))

/** Names of a schema's fields as a list of columns, e.g. `a.uid, a.status`. */
export const columnsOf = (schema: Schema.Schema.AnyNoContext, alias?: string): string =>
  SchemaAST.getPropertySignatures(schema.ast)
    .map(({ name }) => (alias === undefined ? String(name) : `${alias}.${String(name)}`))
    .join(", ")

/** These columns and the fields that capabilities add, of the column `added`. Made on use, when every field is known. */
export const withAdded = (sql: Sql, columns: Statement.Fragment, { all }: ReturnType<typeof addedFields>) =>
  Object.entries(all()).reduce(
    (some, [name, { absent }]) =>
      sql`${some}, coalesce(added -> ${name}, ${JSON.stringify(absent)}::jsonb) AS ${sql(name)}`,
    columns
  )
