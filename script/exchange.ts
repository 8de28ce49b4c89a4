/**
 * `bun run exchange --rate 10`: replaces three replicas and switches over the primary under load, and prints the responses
 * that callers got. Needs root, and Debian's packages postgresql-15, patroni, etcd-server, haproxy and nginx.
 */
import { parseArgs } from "node:util"
import { type Phase, runExchange } from "./chaos/exchange.ts"

const { values } = parseArgs({
  options: { rate: { type: "string", default: "10" }, around: { type: "string", default: "100" } }
})
const { exchanged, handedOver, moved, booked, found } = await runExchange({
  rate: Number(values.rate),
  around: Number(values.around)
})

const statuses = ({ attempts }: Phase) => [...attempts].map(([status, count]) => `${count} × ${status}`).join(", ")
const row = (what: string, phase: Phase) =>
  `| ${what} | ${phase.answers} | ${statuses(phase)} | ${phase.failed.length} | ${Math.round(phase.medianMs)} ms | ${(phase.longestMs / 1_000).toFixed(1)} s |`

console.log(`| what | answered | attempts by status | failed | median wait | longest wait |
| --- | --- | --- | --- | --- | --- |
${row("three replicas exchanged", exchanged)}
${row("primary handed over", handedOver)}

booked ${booked}, found ${found}; ${moved ? "another member is primary" : "the primary has not changed"}`)
for (const fault of [...exchanged.failed, ...handedOver.failed]) console.error(fault)
process.exit(exchanged.failed.length + handedOver.failed.length === 0 && moved && booked === found ? 0 : 1)
