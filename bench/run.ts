/**
 * `bun run bench [--short]`: the cost of each kind of request, and of a bare handler that sends the same statements. Writes
 * `bench/results.md` and the figures of docs/performance.md that are between its markers. Compare the ratios: times depend on the machine.
 */
import { cpus, totalmem } from "node:os"
import { join } from "node:path"
import { setStage } from "./harness/stage.ts"
import { type Cost, type Line, measureCrowd, measureTable } from "./table.ts"

const isShort = process.argv.includes("--short")
const print = (what: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`)

const pair = (cost: Cost | undefined) =>
  cost === undefined ? "" : `${cost.service.toFixed(2)} + ${cost.database.toFixed(2)}`
const sum = ({ service, database }: Cost) => service + database
const ratio = ({ ours, prepared }: Line) =>
  prepared === undefined ? "" : `× ${(sum(ours) / sum(prepared)).toFixed(1)}`

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
  "bare sends",
  "service + PostgreSQL",
  "bare",
  "bare, prepared",
  "to prepared",
  "median",
  "spread"
]
const results = `# What requests cost

\`bun run bench${isShort ? " --short" : ""}\` on ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC: ${machine}, Bun ${Bun.version},
PostgreSQL ${versions[0]?.server_version}. Milliseconds of processor time a request, of the process that answers and of PostgreSQL; medians of
interleaved runs with 16 connections. A bare handler is \`Bun.serve\` and a pool that sends the statements
which the service was seen to send, and nothing else. *Median* is the time to the answer in milliseconds, *spread* half the
distance of the quarters in percent of the processor time. The requests recorded for the bare handlers are their caller's second
ones, and their statements as many as \`tests/support/statementBudgets.ts\` says; a bare handler sends BEGIN by itself.

${tableOf(
  head,
  lines.map((line) => [
    line.work,
    line.statements === undefined ? "" : String(line.statements.service),
    line.statements === undefined ? "" : String(line.statements.bare),
    pair(line.ours),
    pair(line.plain),
    pair(line.prepared),
    ratio(line),
    line.ours.latency.toFixed(1),
    `${line.spread.toFixed(0)} %`
  ])
)}

## 200 clients on one slot

Answers: ${crowd.statuses}. An unrelated GET took ${crowd.quiet.toFixed(2)} ms when it was quiet (median), and meanwhile ${crowd.crowded.toFixed(2)} ms
(median; the slowest ${crowd.worst.toFixed(0)} ms).
`
/** The figures of docs/performance.md, from the same run. */
const figures = `The last run, on ${new Date().toISOString().slice(0, 10)}: processor time of the service and of PostgreSQL, times that of the prepared bare
handler. ${lines
  .flatMap((line) => (line.statements === undefined ? [] : [{ ...line, sent: line.statements }]))
  .map((line) => `${line.work} ${ratio(line)} with ${line.sent.service} statement${line.sent.service === 1 ? "" : "s"}`)
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
