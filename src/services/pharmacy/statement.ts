/** A payout statement as CSV (RFC 4180): one line per row, then a total for every status and currency. */
import { Chunk, Effect, Ref, Stream } from "effect"
import type { Payout } from "../../schemas/pharmacy/Payout.ts"

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

/** Prefixes text that a spreadsheet would interpret as a formula. */
const withoutFormula = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const cell = (value: string | number | null): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const text = withoutFormula(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const line = (cells: ReadonlyArray<string | number | null>) => `${cells.map(cell).join(",")}\r\n`

type Totals = ReadonlyMap<string, number>

const keyOf = ({ status, currency }: Payout) => `total ${status},${currency}`

const add = (totals: Totals, rows: Chunk.Chunk<Payout>): Totals => {
  const sums = new Map(totals)
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.amount)
  return sums
}

const totalLines = (totals: Totals) =>
  [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, amount]) => {
      const [label, currency] = key.split(",")
      return line([label ?? "", amount, currency ?? "", ...columns.slice(3).map(() => null)])
    })
    .join("")

/** Streams the statement; a truncated one has no totals. */
export const statementCsv = <E, R>(rows: Stream.Stream<Payout, E, R>): Stream.Stream<string, E, R> =>
  Stream.unwrap(
    Effect.map(Ref.make<Totals>(new Map()), (totals) =>
      Stream.make(line(columns)).pipe(
        Stream.concat(
          rows.pipe(
            Stream.chunks,
            Stream.tap((chunk) => Ref.update(totals, (sums) => add(sums, chunk))),
            Stream.map((chunk) =>
              Chunk.toReadonlyArray(chunk)
                .map((row) => line(columns.map((column) => row[column])))
                .join("")
            )
          )
        ),
        Stream.concat(Stream.fromEffect(Effect.map(Ref.get(totals), totalLines)))
      )
    )
  )
