/**
 * `bun run bench [--short]`: the cost of each kind of request, and of a bare handler that sends the same statements. Writes
 * `bench/results.md` and the figures of docs/performance.md that are between its markers. Compare the ratios: times depend on the machine.
 */
import { cpus, totalmem } from "node:os"
import { join } from "node:path"
import { setStage } from "./harness/stage.ts"
import { type Cost, measureCrowd, measureTable } from "./table.ts"

const isShort = process.argv.includes("--short")
const print = (what: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)

const pair = (cost: Cost | undefined) =>
  cost === undefined ? "" : `${cost.service.toFixed(2)} + ${cost.database.toFixed(2)}`
const sum = ({ service, database }: Cost) => service + database
const ratio = (ours: Cost, bare: Cost | undefined) =>
  bare === undefined ? "" : `× ${(sum(ours) / sum(bare)).toFixed(1)}`

const tableOf = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")

const stage = await setStage()
const { rows: versions } = await stage.database.query<{ server_version: string }>("SHOW server_version")
const { lines, bare } = await measureTable(stage, isShort ? 2 : 5, isShort ? 0.5 : 1, print)
print("200 clients on one slot")
const crowd = await measureCrowd(stage)
await stage.stop(bare)

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
const head = [
  "work",
  "statements",
  "service + PostgreSQL",
  "bare",
  "to bare",
  "bare, plans chosen",
  "to these",
  "median",
  "spread"
]
const results = `# What requests cost

\`bun run bench${isShort ? " --short" : ""}\` on ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC: ${machine}, Bun ${Bun.version},
PostgreSQL ${versions[0]?.server_version}. Milliseconds of processor time a request, of the process that answers and of PostgreSQL; medians of
interleaved runs with 16 connections. A bare handler is \`Bun.serve\` and a pool that sends the statements
which the service was seen to send, as the service sends them: prepared, in as many round trips, with BEGIN and COMMIT, the tenant's role and
settings, and the mode of planning. It reads the body as JSON and looks up the API key by its hash. It leaves out checking bodies, tokens and
signatures, sealing, computing slots, limits, metrics and the form of the answer: it answers with the last rows. *Plans chosen* is the same
handler where PostgreSQL chooses between a generic plan and planning anew, which it does for most of these statements: it compares modes of
planning, not work. Ratios published before 30 November 2026 were to such a handler, which also set no tenant. *Median* is the time to the answer in milliseconds, *spread* half the
distance of the quarters in percent of the processor time. The requests recorded for the bare handlers are their caller's second
ones, and their statements as many as \`tests/support/statementBudgets.ts\` says.

${tableOf(
  head,
  lines.map((line) => [
    line.work,
    String(line.statements ?? ""),
    pair(line.ours),
    pair(line.same),
    ratio(line.ours, line.same),
    pair(line.auto),
    ratio(line.ours, line.auto),
    line.ours.latency.toFixed(1),
    `${line.spread.toFixed(0)} %`
  ])
)}

## 200 clients on one slot

Answers: ${crowd.statuses}. An unrelated GET took ${crowd.quiet.toFixed(2)} ms when it was quiet (median), and meanwhile ${crowd.crowded.toFixed(2)} ms
(median; the slowest ${crowd.worst.toFixed(0)} ms).
`
/** The figures of docs/performance.md, from the same run. */
const figures = `The last run, on ${new Date().toISOString().slice(0, 10)}: processor time of the service and of PostgreSQL, times that of the bare
handler with the same mode of planning. ${lines
  .flatMap(({ work, ours, same, statements: sent }) =>
    sent === undefined ? [] : [`${work} ${ratio(ours, same)} with ${sent} statement${sent === 1 ? "" : "s"}`]
  )
  .join("; ")}.`
const guide = join(import.meta.dir, "../docs/performance.md")
const marked = /(<!-- from the run -->\n)[\s\S]*?(\n<!-- end of the run -->)/
await Bun.write(
  guide,
  (await Bun.file(guide).text()).replace(marked, (_, begin, end) => `${begin}${figures}${end}`)
)

const place = join(import.meta.dir, "results.md")
await Bun.write(place, results)
Bun.spawnSync([process.execPath, "run", "--silent", "biome", "format", "--write", place], { stderr: "inherit" })
console.log(results)
process.exit(0)
