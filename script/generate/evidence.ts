/**
 * Writes docs/compliance/protections.md: for each row of the tables of SECURITY.md and docs/attacks.md the tests that show it. A test says
 * so in a comment above it: `// Shows: ` and the row's first cell.
 */
import { readFileSync } from "node:fs"
import { Glob } from "bun"

export const EVIDENCE = "docs/compliance/protections.md"
const pages = [
  { path: "SECURITY.md", title: "Threats" },
  { path: "docs/attacks.md", title: "Attempted attacks" }
]

/** The first cells of a page's table. The tables of limits, which follow it, are shown as a whole. */
const rowsOf = (path: string) =>
  [...(readFileSync(path, "utf8").split("\n## Calls to other systems")[0] ?? "").matchAll(/^\| (.+?) \| /gm)]
    .map(([, first = ""]) => first)
    .slice(2)

interface Shown {
  readonly path: string
  readonly title: string
}

/** The tests that say that they show a row, by the row. */
const shownIn = (path: string, text: string): ReadonlyArray<readonly [row: string, Shown]> =>
  [...text.matchAll(/^\s*\/\/ Shows: (.+)$/gm)].map(({ 1: row = "", index }) => {
    const [, , title = ""] = /(?:\btest\w*|describe|\))\(\s*(["'`])(.*?)\1/.exec(text.slice(index)) ?? []
    return [row, { path, title }]
  })

/** The document, rows without a test, and tests that show no row. */
export const evidence = () => {
  const shown = [...new Glob("tests/**/*.test.ts").scanSync()]
    .sort()
    .flatMap((path) => shownIn(path, readFileSync(path, "utf8")))
  const tables = pages.map(({ path, title }) => ({ title, rows: rowsOf(path) }))
  const known = new Set(tables.flatMap(({ rows }) => rows))
  const testsOf = (row: string) => shown.flatMap(([of, test]) => (of === row ? [test] : []))
  const table = ({ title, rows }: (typeof tables)[number]) =>
    [
      `## ${title}`,
      "",
      "| row | tests |",
      "| --- | --- |",
      ...rows.map(
        (row) =>
          `| ${row} | ${testsOf(row)
            .map((one) => `\`${one.path}\` “${one.title}”`)
            .join("; ")} |`
      )
    ].join("\n")
  const head = `# Protections and their tests

For auditors: the rows of [SECURITY.md](../../SECURITY.md) and of the [attempted attacks](../attacks.md), and the tests that show them.
\`bun test FILE\` runs a test. Generated from the tests' comments by \`bun script/generate/evidence.ts\`.`
  return {
    document: `${[head, ...tables.map(table)].join("\n\n")}\n`,
    unshown: [...known].filter((row) => testsOf(row).length === 0),
    unknown: shown.flatMap(([row, { path }]) => (known.has(row) ? [] : [`${path}: ${row}`]))
  }
}

if (import.meta.main) await Bun.write(EVIDENCE, evidence().document)
