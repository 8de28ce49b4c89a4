import { expect } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** Cells of Markdown tables by column heading; the first cell names the row. */
const rowsOf = (markdown: string) => {
  const cells = (line: string) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim())
  const tables = markdown.match(/(^\|.*\|\n)+/gm) ?? []
  return tables.flatMap((table) => {
    const [head = "", , ...lines] = table.trim().split("\n")
    const columns = cells(head)
    return lines.map((line) => {
      const [name = "", ...values] = cells(line)
      return { name, values: new Map(values.map((value, at) => [columns[at + 1] ?? "", value])) }
    })
  })
}

/** The documentation's table contains the given figures, with a relative tolerance of `tolerance`. */
export const expectWritten = (
  name: string,
  figures: Readonly<Record<string, number>>,
  file = "docs/performance.md",
  tolerance = 0.1
) => {
  const row = rowsOf(readFileSync(join(import.meta.dir, "../..", file), "utf8")).find((one) => one.name === name)
  const written = (column: string) => Number(row?.values.get(column)?.replaceAll(",", ""))
  const off = Object.entries(figures).filter(
    ([column, counted]) => !(Math.abs(written(column) - counted) <= tolerance * counted)
  )
  expect({ file, name, counted: Object.fromEntries(off) }).toEqual({ file, name, counted: {} })
}
