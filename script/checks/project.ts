/** Checks that no other tool has: imports, domains, owners of tables, clocks, file lengths, texts, cited rules, metrics, migrations. */
import { existsSync, readFileSync } from "node:fs"
import { Glob } from "bun"
import { domainFaults } from "./domains.ts"
import { importFaults } from "./imports.ts"
import { metricFaults } from "./metrics.ts"
import { migrationFaults, unlistedFaults } from "./migrations.ts"
import { MIGRATIONS, RELEASED, releasedIn } from "./release.ts"
import { ruleFaults } from "./rules.ts"
import { sourceFaults } from "./sources.ts"
import { readFaults, tableFaults } from "./tables.ts"
import { textFaults } from "./texts.ts"
import { wordFaults } from "./words.ts"

const filesIn = (pattern: string) =>
  [...new Glob(pattern).scanSync(".")]
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))

const sources = filesIn("{src,tests,bench,script}/**/*.{ts,tsx}")
const migrations = filesIn(MIGRATIONS)
const pages = filesIn("docs/**/*.md")
const isSpecification = ({ path }: { readonly path: string }) => path.startsWith("docs/specification/")

const faults = [
  ...importFaults(sources),
  ...domainFaults(sources),
  ...tableFaults(sources),
  ...readFaults([...sources, ...filesIn("src/capabilities/*/layers/*.sql")], migrations),
  ...sourceFaults(sources),
  ...textFaults(sources),
  ...wordFaults([...sources, ...filesIn("src/**/*.{sql,css}")]),
  ...migrationFaults(migrations, releasedIn(readFileSync(RELEASED, "utf8"))),
  ...unlistedFaults(migrations, (path) => readFileSync(path, "utf8")),
  ...metricFaults(
    filesIn("src/**/services/metrics.ts")
      .map(({ text }) => text)
      .join("\n"),
    readFileSync("docs/metrics.md", "utf8"),
    existsSync("src/capabilities/process-reports")
  ),
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
