/** What the waiting list costs those who do not use it, and what searches see while times are freed. */
import { expect, test } from "bun:test"
import { Array as Arr, Effect } from "effect"
import { sized } from "../../support/scale.ts"
import { ownServer } from "../../support/server.ts"
import { recording } from "../../support/statements.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = ownServer({ SANDBOX: "true" })
const PATH = "/v1/management/scheduling/waitlist-entries"

test("a cancellation where nobody waits sends one statement for the waiting list alone, and asks with the changes", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(5, 9))
  const cancelling = () => world.api("POST", `/v1/scheduling/appointments/${uid}/cancel`, { reason: null })
  const { result, statements } = await recording(cancelling, server.current.databaseUrl)
  expect(result.status).toBe(200)
  const own = statements.filter(
    ({ text, values }) => text.includes("waitlist") && values.includes(world.organisation_uid)
  )
  expect(own.map(({ text }) => text.trim().slice(0, 29))).toEqual([
    "WITH changed AS (UPDATE appoi", // the appointment
    "WITH changed AS (UPDATE appoi", // holds that were to replace it
    "DELETE FROM waitlist_openings"
  ])
})

/** Times that are freed while searches poll, and how many at once. */
const [FREED, AT_ONCE] = [sized(12, 1_000), 16]
const DOCTORS = 4

test("searches that poll never show a time that is offered", async () => {
  const world = await makeWorld(server.current, { doctors: DOCTORS })
  const times = Array.from({ length: FREED }, (_, at) => ({
    doctor_uid: world.doctors[at % DOCTORS] as string,
    start_date: inDays(6, 8, 20 * Math.floor(at / DOCTORS))
  }))
  const patients = times.map(() => random("pat"))
  const { organisation_uid, shop_uid } = world
  for (const some of Arr.chunksOf(patients, 200))
    await world.provision({
      patients: some.map((uid) => ({ uid, organisation_uid, shop_uid, shop_customer_id: uid, profile: {} }))
    })
  const some = <A>(work: (one: (typeof times)[number], at: number) => Promise<A>) =>
    Effect.runPromise(Effect.forEach(times, (one, at) => Effect.promise(() => work(one, at)), { concurrency: AT_ONCE }))
  const booked = await some(async ({ doctor_uid, start_date }) => {
    const { status, body } = await world.bookByKey({ shop_customer_id: "booker", doctor_uid, start_date })
    expect(status).toBe(201)
    return body.uid as string
  })
  await some(async ({ doctor_uid, start_date }, at) => {
    const wish = { doctor_uids: [doctor_uid], from: start_date, to: start_date + 1 }
    const body = { patient_uid: patients[at], appointment_type_uid: world.type_uid, ...wish }
    expect((await world.api("POST", PATH, body)).status).toBe(201)
  })
  let isDone = false
  const seen = new Set<string>()
  const poll = async () => {
    let searches = 0
    while (!isDone) {
      const { body } = await world.search({ from: times[0]?.start_date, to: (times.at(-1)?.start_date ?? 0) + 1 })
      for (const { doctor_uid, start_date } of body.slots) seen.add(`${doctor_uid} ${start_date}`)
      searches++
    }
    return searches
  }
  const polling = [poll(), poll()]
  await some(async (_, at) => {
    const path = `/v1/scheduling/appointments/${booked[at]}/cancel`
    expect((await world.api("POST", path, { reason: null })).status).toBe(200)
  })
  isDone = true
  for (const searches of await Promise.all(polling)) expect(searches).toBeGreaterThan(0)
  expect([...seen]).toEqual([])
  // what a transaction left because of another one's lock, the job has offered or will: it is closed to search until then
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 1 })
  const [offers] = await server.current.query<{ made: number }>(
    "SELECT count(DISTINCT (doctor_uid, start_date))::int AS made FROM waitlist_offers WHERE organisation_uid = $1",
    [organisation_uid]
  )
  expect(offers).toEqual({ made: FREED })
}, 600_000)
