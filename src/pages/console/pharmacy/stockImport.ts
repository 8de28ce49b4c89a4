/** Compares rows that were pasted from a spreadsheet or read from a CSV file with the current stock. */
import type { PharmacySku } from "../../../schemas/pharmacy/PharmacySku.ts"

interface RowChange {
  readonly uid: string
  readonly stock?: number
  readonly price?: number
}

export interface StockChange {
  readonly line: string
  /** Null if the line names no article of the pharmacy. */
  readonly sku: PharmacySku | null
  /** Null if nothing would change. */
  readonly change: RowChange | null
}

const cellsOf = (line: string) => {
  const separator = line.includes("\t") ? "\t" : line.includes(";") ? ";" : ","
  return line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"))
}

const centsOf = (text: string) => {
  const amount = Number(text.replace(/\s|€/g, "").replace(",", "."))
  return text === "" || !Number.isFinite(amount) ? undefined : Math.round(amount * 100)
}
const stockOf = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : undefined)

const linesOf = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== "")

/** The names in the lines, without duplicates. */
export const namesIn = (text: string): ReadonlyArray<string> => [
  ...new Set(linesOf(text).map((line) => cellsOf(line)[0] ?? ""))
]

/** One row per article; a first line without numbers is a header. */
export const readStock = (text: string, skus: ReadonlyArray<PharmacySku>): ReadonlyArray<StockChange> => {
  const byName = new Map(
    skus.flatMap((one) => [one.uid, one.external_id, one.sku.pzn ?? one.uid].map((name) => [name, one] as const))
  )
  const lines = linesOf(text)
  const [first = ""] = lines
  const rows = /\d/.test(first) ? lines : lines.slice(1)
  return rows.map((line) => {
    const [name = "", stockText = "", priceText = ""] = cellsOf(line)
    const sku = byName.get(name) ?? null
    const [stock, price] = [stockOf(stockText), centsOf(priceText)]
    const changes = {
      ...(stock !== undefined && stock !== sku?.stock && { stock }),
      ...(price !== undefined && price !== sku?.price && { price })
    }
    const changesNothing = sku === null || Object.keys(changes).length === 0
    return { line, sku, change: changesNothing ? null : { uid: sku.uid, ...changes } }
  })
}
