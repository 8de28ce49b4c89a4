/** Checks that no other tool has: imports, domains, owners of tables, clocks, file lengths, texts, cited rules, metrics, migrations. */
import { readFileSync } from "node:fs"
import { Glob } from "bun"
import { domainFaults } from "./domains.ts"
import { importFaults } from "./imports.ts"
import { metricFaults } from "./metrics.ts"
import { migrationFaults } from "./migrations.ts"
import { ruleFaults } from "./rules.ts"
import { sourceFaults } from "./sources.ts"
import { tableFaults } from "./tables.ts"
import { textFaults } from "./texts.ts"

const filesIn = (pattern: string) =>
  [...new Glob(pattern).scanSync(".")]
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))

const sources = filesIn("{src,tests,bench,script}/**/*.{ts,tsx}")
const pages = filesIn("docs/**/*.md")
const isSpecification = ({ path }: { readonly path: string }) => path.startsWith("docs/specification/")

const faults = [
  ...importFaults(sources),
  ...domainFaults(sources),
  ...tableFaults(sources),
  ...sourceFaults(sources),
  ...textFaults(sources),
  ...migrationFaults(
    filesIn("src/layers/migrations/*.sql"),
    readFileSync("src/layers/migrations/released.txt", "utf8")
      .split("\n")
      .filter((line) => /^\d/.test(line))
  ),
  ...metricFaults(readFileSync("src/services/metrics.ts", "utf8"), readFileSync("docs/metrics.md", "utf8")),
  ...ruleFaults(
    [
      ...sources.filter(({ path }) => path !== "tests/toolchain/checks.test.ts"),
      ...pages.filter((page) => !isSpecification(page))
    ],
    pages.filter(isSpecification)
  )
]
for (const fault of faults) console.error(fault)
process.exit(faults.length === 0 ? 0 : 1)
