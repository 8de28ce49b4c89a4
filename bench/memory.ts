/**
 * `bun run bench:memory [requests]`: resident memory of a service process (`ROLE=all`, from the bundle) after 10,000, 100,000, …
 * requests, by default up to 500,000: under load, and after ten idle seconds and a garbage collection. Fails if it ends more
 * than a fifth above its value after 10,000.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SERVICE } from "../tests/support/processes.ts"
import { inLanes } from "./harness/measure.ts"
import { CONNECTIONS, setStage } from "./harness/stage.ts"
import { requestsOf } from "./table.ts"

const LAST = Number(process.argv[2] ?? 500_000)
const FIRST = 10_000
const STEP = 100_000

const [runtime = "", ...rest] = SERVICE
const stage = await setStage([runtime, "--preload", join(import.meta.dir, "harness/collect.ts"), ...rest], "all")
const requests = requestsOf(stage)

/** Requests of each kind per hundred; cheap ones dominate, as in practice. A booking is three requests. */
const SHARES = { health: 45, types: 34, search: 8, session: 5, feed: 5 } as const
const mix = Object.entries(SHARES).flatMap(([work, share]) =>
  Array.from({ length: share }, () => requests[work as keyof typeof SHARES])
)
mix.push(requests.whole)

/** Resident memory in MiB. */
const resident = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stage.service.pid}/status`, "utf8"))?.[1]) / 1024

const settled = async () => {
  await Bun.sleep(10_000)
  process.kill(stage.service.pid, "SIGUSR2")
  await Bun.sleep(2_000)
  return resident()
}

console.log("| requests | at work | at rest |\n| --- | --- | --- |")
const line = (name: string, busy: number, quiet: number) =>
  console.log(`| ${name} | ${busy.toFixed(0)} MiB | ${quiet.toFixed(0)} MiB |`)
line("0", resident(), await settled())
let done = 0
let level = Number.NaN
for (const mark of [FIRST, ...Array.from({ length: Math.floor(LAST / STEP) }, (_, index) => (index + 1) * STEP)]) {
  await inLanes(
    Math.round(((mark - done) / 100) * mix.length),
    CONNECTIONS,
    (index) => mix[(index * 37) % mix.length]?.() ?? Promise.resolve()
  )
  done = mark
  const busy = resident()
  const quiet = await settled()
  line(mark.toLocaleString("en"), busy, quiet)
  if (mark === FIRST) level = quiet
}
const growth = resident() / level - 1
console.log(`${(growth * 100).toFixed(0)} % above the level after ${FIRST.toLocaleString("en")}`)
await stage.stop([])
process.exit(growth > 0.2 ? 1 : 0)
