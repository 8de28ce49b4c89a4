/**
 * What one replica does in a second, and what watching it costs: the service in a process of its own on the embedded
 * database, asked over HTTP; the same twice, with and without a collector, round by round in one run.
 */
import { readFileSync } from "node:fs"
import { buildPages } from "../src/pages/build.ts"
import { startTestServer } from "../tests/support/postgres.ts"
import { type Service, startService, temporaryFolder } from "../tests/support/processes.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld } from "../tests/support/world.ts"

const ROUNDS = 9
const AT_ONCE = 16
const seconds = Number(process.env.BENCH_SECONDS ?? 2)

await startTestServer()
const folder = temporaryFolder()
/** Takes everything and looks at nothing: what a collector does with it is not ours to measure. */
const collector = Bun.serve({ port: 0, fetch: () => new Response() })
const admin = await startServer({ ROLE: "http" })
const world = await makeWorld(admin, { doctors: 8 })
const common = { DATABASE_URL: admin.databaseUrl, ROLE: "http" }
await buildPages()
const plain = await startService({ ...common, DATA_DIR: `${folder.path}/plain` })
const watched = await startService({
  ...common,
  DATA_DIR: `${folder.path}/watched`,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.origin
})

const post = async (url: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

let start = 0
/** Every booking takes the next free time of one of the doctors. */
const nextTime = () => {
  const index = start++
  return { doctor_uid: world.doctors[index % 8], start_date: inDays(1) + Math.floor(index / 8) * 1200 }
}

const token = await world.token("bench")
const range = { appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) }
const works = {
  "appointment types": (url: string) =>
    fetch(`${url}/v1/scheduling/appointment-types?shop_uid=${world.shop_uid}`).then((answer) => answer.text()),
  "slot search, 8 doctors, 1 day": (url: string) =>
    post(`${url}/v1/scheduling/slots/search`, { shop_uid: world.shop_uid, ...range }),
  "booking: session, hold, confirm": async (url: string) => {
    const sessions = `${url}/v1/scheduling/booking-sessions`
    const session = (await post(sessions, { mode: "booking", ...range }, { "x-service-booking-token": token })) as {
      booking_launch_code: string
    }
    const holds = `${sessions}/${session.booking_launch_code}/holds`
    const hold = (await post(holds, { appointment_type_uid: world.type_uid, ...nextTime() })) as { hold_uid: string }
    return post(`${holds}/${hold.hold_uid}/confirm`, {})
  }
}

/** Processor time of a process so far, in seconds: unlike its throughput it says the same on a busy machine. */
const processorOf = (pid: number) => {
  const [utime = 0, stime = 0] =
    readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13).map(Number) ?? []
  return (utime + stime) / 100
}

const measure = async (work: (url: string) => Promise<unknown>, { pid, url }: Service) => {
  const before = processorOf(pid)
  const until = performance.now() + seconds * 1000
  let done = 0
  const lane = async () => {
    while (performance.now() < until) {
      await work(url)
      done++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return { rate: done / seconds, processor: ((processorOf(pid) - before) * 1000) / done }
}

const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

type Measured = Awaited<ReturnType<typeof measure>>

const show = (what: keyof Measured, all: ReadonlyArray<Measured>) => median(all.map((one) => one[what]))

for (const [name, work] of Object.entries(works)) {
  const [off, on]: [Array<Measured>, Array<Measured>] = [[], []]
  await measure(work, plain)
  await measure(work, watched)
  for (let round = 0; round < ROUNDS; round++) {
    off.push(await measure(work, plain))
    on.push(await measure(work, watched))
  }
  const [cheap, dear] = [show("processor", off), show("processor", on)]
  const rates = `${show("rate", off).toFixed(0)}/s, traced ${show("rate", on).toFixed(0)}/s`
  const times = `${cheap.toFixed(2)} ms of processor each, traced ${dear.toFixed(2)} ms`
  console.log(`${name}: ${rates}; ${times} (${((dear / cheap - 1) * 100).toFixed(0)} % more)`)
}

await Promise.all([plain.stop(), watched.stop()])
await admin.stop()
await collector.stop(true)
folder.remove()
process.exit(0)
