/**
 * Inserts that depend on another change or on rows of the same owner, in the caller's transaction: here with it in one statement. A port, since a
 * database whose tables are on several nodes takes them one after the other.
 */
import type { SqlError, Statement } from "@effect/sql"
import { Context, type Effect } from "effect"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"
import type { Sql } from "./Sql.ts"

type Rows = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError, CurrentTenant>

export interface ConditionalInsert {
  /** WITH queries that come first, separated by commas. They may change rows. */
  readonly first: Statement.Fragment
  /** A FROM clause over them, of one row or none: the answer. */
  readonly from: Statement.Fragment
  /** The condition on the answer under which the row is inserted. */
  readonly where: Statement.Fragment
  readonly insert: Statement.Fragment
  readonly values: Statement.Fragment
  /** What to answer of the inserted row. Default: nothing. */
  readonly answers?:
    | {
        readonly select: (row: Statement.Fragment) => Statement.Fragment
        /** A SELECT of the row, for a later statement. */
        readonly stored: Statement.Fragment
      }
    | undefined
}

export interface InsertForEach {
  /** An INSERT into `table`. */
  readonly change: Statement.Fragment
  readonly table: string
  /** The uid of its rows. */
  readonly uid: string
  readonly insert: Statement.Fragment
  /** A SELECT of the rows to insert, from what `change` has inserted `AS e`, restricted to `where`. */
  readonly rows: (inserted: Statement.Fragment, where: Statement.Fragment) => Statement.Fragment
  /** Columns of these rows to answer with. */
  readonly returning: Statement.Fragment
}

export interface InsertOfSelected {
  readonly insert: Statement.Fragment
  /** A SELECT of the rows to insert, by the names of their columns. */
  readonly rows: Statement.Fragment
  /** Columns of these rows to answer with. */
  readonly returning: Statement.Fragment
}

export interface InsertsPort {
  /** Returns the answer, whether or not the row was inserted, and if it was, also what `answers` selects. */
  readonly ifAllowed: (sql: Sql, insert: ConditionalInsert) => Rows
  readonly forEach: (sql: Sql, insert: InsertForEach) => Rows
  readonly ofSelected: (sql: Sql, insert: InsertOfSelected) => Rows
}

export class Inserts extends Context.Reference<Inserts>()("services/Inserts", {
  defaultValue: (): InsertsPort => ({
    ifAllowed: (sql, { first, from, where, insert, values, answers }) => {
      const inserted = sql`${insert} SELECT ${values} FROM ${from} WHERE ${where}`
      return answers === undefined
        ? sql`WITH ${first}, inserted AS (${inserted}) SELECT * FROM ${from}`
        : sql`WITH ${first}, inserted AS (${inserted} RETURNING *)
            SELECT * FROM ${from} LEFT JOIN (${answers.select(sql`inserted`)}) answered ON true`
    },
    forEach: (sql, { change, insert, rows, returning }) =>
      sql`WITH changed AS (${change} RETURNING *) ${insert} ${rows(sql`changed`, sql`true`)} RETURNING ${returning}`,
    ofSelected: (sql, { insert, rows, returning }) => sql`${insert} ${rows} RETURNING ${returning}`
  })
}) {}
