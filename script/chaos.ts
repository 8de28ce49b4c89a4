/**
 * `bun run chaos --faults 500 --seed 1 --rate 3`: injects faults into a production-like installation on this machine.
 * Needs root, and Debian's packages postgresql-15, patroni, etcd-server, haproxy and nginx. Exits with 1 if
 * anything acknowledged was lost or done twice, or if a response was wrong.
 */
import { parseArgs } from "node:util"
import { runChaos } from "./chaos/run.ts"

const { values } = parseArgs({
  options: {
    faults: { type: "string", default: "50" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
    rate: { type: "string", default: "3" }
  }
})
const seed = Number(values.seed)
const report = await runChaos({
  faults: Number(values.faults),
  seed,
  rate: Number(values.rate),
  progress: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)
})

const table = (entries: ReadonlyArray<readonly [string, string | number]>) =>
  entries.map(([name, value]) => `| ${name} | ${value} |`).join("\n")
const byCount = (counts: ReadonlyMap<string | number, number>) =>
  [...counts].sort(([, one], [, other]) => other - one).map(([name, count]) => [String(name), count] as const)

console.log(`
seed ${seed}, ${Math.round(report.seconds)} s

| fault | times |
| --- | --- |
${table(byCount(report.faults))}

| attempts answered with | count |
| --- | --- |
${table(byCount(new Map([...report.attempts].map(([status, count]) => [status === 0 ? "nothing" : status, count]))))}

| outcome | count |
| --- | --- |
${table([
  ["requests answered", report.answers],
  ["longest wait, seconds", (report.longestMs / 1_000).toFixed(1)],
  ...Object.entries(report.counts),
  ["acknowledged and lost", report.lost.length],
  ["done twice", report.twice.length],
  ["answered untruly", report.untrue.length],
  ["never answered", report.unanswered.length],
  ["not recovered from within 3 minutes", report.unhealed.length]
])}
${report.broken.map((attempt) => `${attempt}\n`).join("")}`)
const faults = [...report.lost, ...report.twice, ...report.untrue, ...report.unanswered, ...report.unhealed]
for (const fault of faults) console.error(fault)
process.exit(faults.length === 0 ? 0 : 1)
