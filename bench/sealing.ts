/**
 * The cost of sealing: alternating rounds with and without sealed visit reasons, as processor time of this process, which runs
 * the service and its caller. A search seals nothing. Then the single operations.
 */
import { randomBytes } from "node:crypto"
import { boundTo, openBytes, sealBytes } from "../src/services/sealing/Envelope.ts"
import { startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld } from "../tests/support/world.ts"

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20)
const REASON = "Husten seit drei Wochen, kein Fieber"

await startTestServer()
const server = await startServer({ ROLE: "http" })
const worlds = { without: await makeWorld(server, { doctors: 8 }), sealed: await makeWorld(server, { doctors: 8 }) }
const kinds = ["without", "sealed"] as const
let start = 0

const book = async (kind: (typeof kinds)[number]) => {
  const world = worlds[kind]
  const index = start++
  const { status, body } = await server.api("POST", "/v1/management/scheduling/appointments", {
    key: world.key,
    body: {
      shop_uid: world.shop_uid,
      shop_customer_id: `customer-${index}`,
      appointment_type_uid: world.type_uid,
      doctor_uid: world.doctors[index % 8],
      start_date: inDays(1) + Math.floor(index / 8) * 1200,
      ...(kind === "sealed" && { visit_reason: REASON })
    }
  })
  if (status !== 201) throw new Error(`no booking: ${status} ${JSON.stringify(body)}`)
}
const list = async (kind: (typeof kinds)[number]) => {
  const { body } = await server.api("GET", "/v1/management/scheduling/appointments?limit=50", { key: worlds[kind].key })
  if (body.data.length < 50) throw new Error("too few")
}

const compare = async (name: string, each: number, work: (kind: (typeof kinds)[number]) => Promise<void>) => {
  const times: Record<(typeof kinds)[number], Array<number>> = { without: [], sealed: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const before = process.cpuUsage()
      for (let turn = 0; turn < each; turn++) await work(kind)
      const { user, system } = process.cpuUsage(before)
      times[kind].push((user + system) / 1000 / each)
    }
  const [without, sealed] = [Math.min(...times.without), Math.min(...times.sealed)]
  console.log(name, `${without.toFixed(2)} ms`, `${sealed.toFixed(2)} ms`, `ratio ${(sealed / without).toFixed(3)}`)
}

for (let turn = 0; turn < 60; turn++) for (const kind of kinds) await book(kind)
await compare("booking", 6, book)
await compare("list of 50", 10, list)

const key = { id: "0123456789ab", bytes: randomBytes(32) }
const bound = boundTo({ table: "appointments", column: "visit_reason_encrypted", row: ["org", "apt"] })
const text = Buffer.from(REASON)
const sealed = sealBytes(key, bound, text)
for (const [name, one] of [
  ["seal", () => sealBytes(key, bound, text)],
  ["open", () => openBytes(key, bound, sealed)]
] as const) {
  const before = process.cpuUsage()
  for (let turn = 0; turn < 100_000; turn++) one()
  const { user, system } = process.cpuUsage(before)
  console.log(name, `${((user + system) / 100_000).toFixed(2)} µs`)
}
await server.stop()
process.exit(0)
