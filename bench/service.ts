/**
 * What one replica does in a second, and what watching it costs: the service in a process of its own on the embedded
 * database, asked over HTTP; the same twice, with and without a collector, round by round in one run.
 */
import { startTestServer } from "../tests/support/postgres.ts"
import { startService, temporaryFolder } from "../tests/support/processes.ts"
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

const rate = async (work: (url: string) => Promise<unknown>, url: string) => {
  const until = performance.now() + seconds * 1000
  let done = 0
  const lane = async () => {
    while (performance.now() < until) {
      await work(url)
      done++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return done / seconds
}

const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

for (const [name, work] of Object.entries(works)) {
  const rates = { plain: [] as Array<number>, watched: [] as Array<number> }
  await rate(work, plain.url)
  await rate(work, watched.url)
  for (let round = 0; round < ROUNDS; round++) {
    rates.plain.push(await rate(work, plain.url))
    rates.watched.push(await rate(work, watched.url))
  }
  const [off, on] = [median(rates.plain), median(rates.watched)]
  console.log(`${name}: ${off.toFixed(0)}/s, traced ${on.toFixed(0)}/s (${((1 - on / off) * 100).toFixed(1)} % less)`)
}

await Promise.all([plain.stop(), watched.stop()])
await admin.stop()
await collector.stop(true)
folder.remove()
process.exit(0)
