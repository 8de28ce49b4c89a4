/** Compares rows that were pasted from a spreadsheet or read from a CSV file with the current stock. Pure. */
import type { PharmacySku } from "../../../../schemas/pharmacy/PharmacySku.ts"
import type { Language } from "../../../../texts/language.ts"

/**
 * Why a row is not applied: an unknown article, an unreadable number, a price without cents that is more than ten times the present one or
 * less than a tenth, the same article in another row, more cells than columns.
 */
export type RowFault = "unknown" | "stock" | "price" | "jump" | "twice" | "cells"

export interface StockChange {
  readonly line: string
  /** Null if the line names no article of the pharmacy. */
  readonly sku: PharmacySku | null
  /** Null if nothing would change, or the row has a fault. */
  readonly change: { readonly uid: string; readonly stock?: number; readonly price?: number } | null
  readonly fault: RowFault | null
}

/** A price that moves further is meant only if it has its cents: `1.299` may be 1299 euros or 1.299. */
const JUMP = 10
/** Digits of a pharmaceutical number: spreadsheets drop its leading zeros. */
const PZN_DIGITS = 8
const padded = (name: string) => (/^\d{1,8}$/.test(name) ? name.padStart(PZN_DIGITS, "0") : name)

/** Columns of a row: the article, its stock, its price. Further ones are left out, unless a comma may stand within a number. */
const COLUMNS = 3
/** Characters of a row; a longer one has too many cells. */
const LINE_LENGTH = 500
const STOCK_MAX = 2_147_483_647
/** Cents, as the interface allows. */
const PRICE_MAX = 10_000_000_000

const linesOf = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== "")

/** One separator for the whole file, so that a comma within a number of a file with semicolons is no separator. */
const separatorOf = (lines: ReadonlyArray<string>) =>
  ["\t", ";"].find((separator) => lines.some((line) => line.includes(separator))) ?? ","

/** The cells of a line; a quoted cell may contain the separator, and quotes twice. */
const cellsOf = (line: string, separator: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  let rest = line
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest)
    const end = quoted === null ? rest.indexOf(separator) : quoted[0].length
    const isLast = end < 0 || end >= rest.length
    cells.push(
      quoted === null ? rest.slice(0, isLast ? undefined : end).trim() : (quoted[1] ?? "").replaceAll('""', '"')
    )
    // further ones are a fault, however many they are
    if (isLast || cells.length > COLUMNS) return cells
    rest = rest.slice(end + separator.length)
  }
}

const rowsOf = (text: string) => {
  const lines = linesOf(text)
  const separator = separatorOf(lines)
  return lines.map((line) => {
    const all = cellsOf(line.slice(0, LINE_LENGTH), separator)
    const cells = separator === "," ? all : all.slice(0, COLUMNS)
    return { line, cells: line.length > LINE_LENGTH ? [cells[0] ?? "", ...Array<string>(COLUMNS).fill("")] : cells }
  })
}

/** The names in the lines, without duplicates. */
export const namesIn = (text: string): ReadonlyArray<string> => [
  ...new Set(rowsOf(text).flatMap(({ cells: [name = ""] }) => [name, padded(name)]))
]

/** How a language writes numbers: whole ones with groups of three, and amounts. */
const numerals = {
  de: {
    whole: /^(?:\d+|\d{1,3}(?:\.\d{3})+)$/,
    amount: /^(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d{1,2})?$/,
    group: ".",
    point: ","
  },
  en: {
    whole: /^(?:\d+|\d{1,3}(?:,\d{3})+)$/,
    amount: /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/,
    group: ",",
    point: "."
  }
} as const
type Numerals = (typeof numerals)[keyof typeof numerals]

/** Characters of a price; a longer text is none. */
const PRICE_LENGTH = 32
const withoutCurrency = (text: string) =>
  text.length > PRICE_LENGTH ? "?" : text.replace(/^(?:€|EUR)\s*|\s*(?:€|EUR)$/g, "").trim()

/**
 * The language of the file's numbers: one that only its amounts with cents fit (`5,99` or `5.99`), else the page's. `1.299` alone says
 * nothing: it is 1299 euros in German, and no amount in English.
 */
const numeralsOf = (prices: ReadonlyArray<string>, language: Language): Numerals => {
  const isGerman = prices.some((price) => /,\d{1,2}$/.test(price))
  const isEnglish = prices.some((price) => /\.\d{1,2}$/.test(price))
  if (isGerman !== isEnglish) return isGerman ? numerals.de : numerals.en
  return language === "en" ? numerals.en : numerals.de
}

const plain = (text: string, { group, point }: Numerals) => text.replaceAll(group, "").replace(point, ".")

/** Undefined for an empty cell, null for an unreadable one. */
const stockOf = (text: string, form: Numerals) => {
  if (text === "") return undefined
  const stock = form.whole.test(text) ? Number(plain(text, form)) : Number.NaN
  return stock <= STOCK_MAX ? stock : null
}
const centsOf = (text: string, form: Numerals) => {
  if (text === "") return undefined
  const cents = form.amount.test(text) ? Math.round(Number(plain(text, form)) * 100) : Number.NaN
  return cents <= PRICE_MAX ? cents : null
}

const isJump = (price: number, before: number) => before > 0 && (price > before * JUMP || price * JUMP < before)

/**
 * One row per line; a first line that names no article and has no digit is a header. A row with a fault changes nothing, whatever the
 * others do; an article in two rows has a fault in both.
 */
export const readStock = (
  text: string,
  skus: ReadonlyArray<PharmacySku>,
  language: Language
): ReadonlyArray<StockChange> => {
  const byName = new Map(
    skus.flatMap((one) => [one.uid, one.external_id, one.sku.pzn ?? one.uid].map((name) => [name, one] as const))
  )
  const all = rowsOf(text)
  const isHeader = all[0] !== undefined && !/\d/.test(all[0].line) && !byName.has(all[0].cells[0] ?? "")
  const rows = (isHeader ? all.slice(1) : all).map(({ line, cells }) => {
    const [name = "", stock = "", price = ""] = cells
    return {
      line,
      sku: byName.get(name) ?? byName.get(padded(name)) ?? null,
      stock,
      price: withoutCurrency(price),
      cells: cells.length
    }
  })
  const form = numeralsOf(
    rows.map(({ price }) => price),
    language
  )
  const times = Map.groupBy(rows, ({ sku }) => sku?.uid)
  return rows.map(({ line, sku, cells, ...typed }) => {
    const [stock, price] = [stockOf(typed.stock, form), centsOf(typed.price, form)]
    const refused = (fault: RowFault): StockChange => ({ line, sku, change: null, fault })
    if (sku === null) return refused("unknown")
    if (cells > COLUMNS) return refused("cells")
    if ((times.get(sku.uid)?.length ?? 0) > 1) return refused("twice")
    if (stock === null) return refused("stock")
    if (price === null) return refused("price")
    if (price !== undefined && isJump(price, sku.price) && !/[.,]\d{1,2}$/.test(typed.price)) return refused("jump")
    const changes = {
      ...(stock !== undefined && stock !== sku.stock && { stock }),
      ...(price !== undefined && price !== sku.price && { price })
    }
    const changesNothing = Object.keys(changes).length === 0
    return { line, sku, change: changesNothing ? null : { uid: sku.uid, ...changes }, fault: null }
  })
}
