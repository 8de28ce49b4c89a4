/** A payout statement as CSV (RFC 4180): one line per row, then a total for every status and currency. */
import { Effect, Ref, Schema, Stream } from "effect"
import type { Payout } from "../../schemas/pharmacy/Payout.ts"
import type { Sql } from "../database/Sql.ts"

const columns = [
  "status",
  "amount",
  "currency",
  "component_type",
  "routing_description",
  "provider_route_id",
  "pharmacy_order_uid",
  "pharmacy_order_name",
  "pharmacy_order_created_at",
  "routing_created_at"
] as const satisfies ReadonlyArray<keyof Payout>

/** Columns whose text others choose. */
const texts: ReadonlyArray<string> = [
  "routing_description",
  "provider_route_id",
  "pharmacy_order_uid",
  "pharmacy_order_name"
]

/** Lines of a part of the statement, made by the database, and the sums of their amounts. */
export const StatementPart = Schema.Struct({
  lines: Schema.String,
  totals: Schema.Array(Schema.Struct({ status: Schema.String, currency: Schema.String, amount: Schema.Number }))
})
export type StatementPart = typeof StatementPart.Type

// Regular expressions of PostgreSQL
/** Text that a spreadsheet would interpret as a formula. */
const FORMULA = String.raw`'^[=+\-@\t\r]'`
const QUOTED = String.raw`'[",\r\n]'`
/** Either of them, in texts that are each preceded by U+001F. */
const SPECIAL = String.raw`'\x1f[=+\-@\t\r]|[",\r\n]'`

const joined = (cells: ReadonlyArray<string>) => `concat(${cells.join(", ',', ")}, chr(13), chr(10))`
const plain = (column: string) => (column.endsWith("_at") ? `date_part('epoch', ${column})::bigint` : column)
const escaped = (column: string) => {
  if (!texts.includes(column)) return plain(column)
  const text = `CASE WHEN ${column} ~ ${FORMULA} THEN chr(39) || ${column} ELSE ${column} END`
  return `CASE WHEN ${column} ~ ${QUOTED} THEN '"' || replace(${text}, '"', '""') || '"' ELSE ${text} END`
}

/** The line of a row, as SQL: most rows have no text that needs escaping, which one comparison finds. */
export const lineIn = (sql: Sql) =>
  sql.literal(`CASE WHEN concat_ws(chr(31), '', ${texts.join(", ")}) ~ ${SPECIAL}
    THEN ${joined(columns.map(escaped))} ELSE ${joined(columns.map(plain))} END`)

type Totals = ReadonlyMap<string, number>

const add = (totals: Totals, part: StatementPart): Totals => {
  const sums = new Map(totals)
  for (const { status, currency, amount } of part.totals) {
    const key = `${status},${currency}`
    sums.set(key, (sums.get(key) ?? 0) + amount)
  }
  return sums
}

const header = `${columns.join(",")}\r\n`

const totalLines = (totals: Totals) =>
  [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, amount]) => {
      const [status, currency] = key.split(",")
      return `total ${status},${amount},${currency}${",".repeat(columns.length - 3)}\r\n`
    })
    .join("")

/** Streams the statement; a truncated one has no totals. */
export const statementCsv = <E, R>(parts: Stream.Stream<StatementPart, E, R>): Stream.Stream<string, E, R> =>
  Stream.unwrap(
    Effect.map(Ref.make<Totals>(new Map()), (totals) =>
      Stream.make(header).pipe(
        Stream.concat(
          parts.pipe(
            Stream.tap((part) => Ref.update(totals, (sums) => add(sums, part))),
            Stream.map(({ lines }) => lines)
          )
        ),
        Stream.concat(Stream.fromEffect(Effect.map(Ref.get(totals), totalLines)))
      )
    )
  )
