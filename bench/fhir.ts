/**
 * `bun bench/fhir.ts [rounds [sizes]]`: what a search for 10,000 slots costs by FHIR and by the interface, in alternating rounds, and their ratio.
 * Milliseconds of processor time, service + PostgreSQL, without compression.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fhirWorld } from "../tests/capabilities/fhir/support.ts"
import { runFolder, startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays } from "../tests/support/world.ts"
import { familyProcessorOf, median } from "./harness/measure.ts"

const [rounds = "15", sizes = "100,1000,10000"] = process.argv.slice(2)
const SIZES = sizes.split(",").map(Number)
/** Requests of a measurement, since the system counts PostgreSQL's time in steps of 10 ms. */
const requestsOf = (size: number) => Math.max(6, Math.ceil(10_000 / (size + 100)))

await startTestServer()
const postmaster = Number(readFileSync(join(runFolder(), "data", "postmaster.pid"), "utf8").split("\n")[0])
const server = await startServer({ ROLE: "http", RATE_LIMIT_PER_SECOND: "0", RATE_LIMIT_KEY_PER_SECOND: "0" })
const world = await fhirWorld(server, { doctors: 20 })
const [from, to] = [inDays(2), inDays(12)]

/** Asked by another process, one after the other, which pays for reading the answers. */
const costOf = async ([url = "", ...options]: ReadonlyArray<string>, times: number) => {
  const [own, postgres] = [process.cpuUsage(), familyProcessorOf(postmaster)]
  const targets = Array.from({ length: times }, () => ["-o", "/dev/null", url]).flat()
  const curl = Bun.spawn(["curl", "-sf", "-w", "%{size_download}\n", ...options, ...targets])
  const bytes = Number.parseInt(await new Response(curl.stdout).text(), 10)
  if ((await curl.exited) !== 0) throw new Error("refused")
  const { user, system } = process.cpuUsage(own)
  return { bytes, cost: ((user + system) / 1000 + familyProcessorOf(postmaster) - postgres) / times }
}

const instant = (seconds: number) => new Date(seconds * 1000).toISOString()
const key = ["-H", `X-API-Key: ${world.key}`]
const ways = (limit: number) => {
  const { shop_uid, type_uid: appointment_type_uid } = world
  const search = `${world.base}/Slot?start=ge${instant(from)}&start=lt${instant(to)}&_count=${limit}`
  return {
    interface: [
      `${server.url}/v1/scheduling/slots/search`,
      "-H",
      "content-type: application/json",
      "-d",
      JSON.stringify({ shop_uid, appointment_type_uid, from, to, limit })
    ],
    "FHIR, JSON": [`${search}&status=free`, ...key],
    "FHIR, XML": [`${search}&status=free&_format=xml`, ...key],
    "FHIR, busy too": [search, ...key]
  }
}

for (const size of SIZES) {
  const costs = new Map<string, Array<number>>()
  const sizes = new Map<string, number>()
  for (let round = 0; round < Number(rounds) + 3; round++)
    for (const [name, options] of Object.entries(ways(size))) {
      const { bytes, cost } = await costOf(options, requestsOf(size))
      sizes.set(name, bytes)
      if (round >= 3) costs.set(name, [...(costs.get(name) ?? []), cost])
    }
  const base = median(costs.get("interface") ?? [])
  console.table(
    [...costs].map(([name, all]) => ({
      slots: size,
      way: name,
      "median (ms)": +median(all).toFixed(1),
      KB: Math.round((sizes.get(name) ?? 0) / 1000),
      ratio: +(median(all) / base).toFixed(2)
    }))
  )
}
await server.stop()
process.exit(0)
