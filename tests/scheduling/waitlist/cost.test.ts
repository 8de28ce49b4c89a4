/** What the waiting list costs those who do not use it, and what searches see while times are freed. */
import { expect, test } from "bun:test"
import { ownServer } from "../../support/server.ts"
import { recording } from "../../support/statements.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"

const server = ownServer({ SANDBOX: "true" })
const PATH = "/v1/management/scheduling/waitlist-entries"

test("a cancellation where nobody waits sends one statement for the waiting list: a look into an empty index", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(5, 9))
  const cancelling = () => world.api("POST", `/v1/scheduling/appointments/${uid}/cancel`, { reason: null })
  const { result, statements } = await recording(cancelling, server.current.databaseUrl)
  expect(result.status).toBe(200)
  const own = statements.filter(
    ({ text, values }) => text.includes("waitlist") && values.includes(world.organisation_uid)
  )
  expect(own.map(({ text }) => text.trim().slice(0, 29))).toEqual(["DELETE FROM waitlist_openings"])
})

test("searches that poll never show a time that is offered", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const patient = async () =>
    (
      await world.api("POST", "/v1/management/patients", {
        shop_uid: world.shop_uid,
        shop_customer_id: random("customer"),
        profile: { first_name: "Ada" }
      })
    ).body.uid as string
  const times = Array.from({ length: 12 }, (_, at) => inDays(6, 8, 20 * at))
  const booked: Array<string> = []
  for (const start_date of times) booked.push(await world.booked(start_date))
  for (const start_date of times)
    await world.api("POST", PATH, {
      patient_uid: await patient(),
      appointment_type_uid: world.type_uid,
      from: start_date,
      to: start_date + 1
    })
  let isDone = false
  const seen = new Set<number>()
  const poll = async () => {
    let searches = 0
    while (!isDone) {
      const { body } = await world.search({ from: times[0], to: (times.at(-1) as number) + 1 })
      for (const { start_date } of body.slots) seen.add(start_date)
      searches++
    }
    return searches
  }
  const polling = [poll(), poll()]
  await Promise.all(
    booked.map(async (uid) =>
      expect((await world.api("POST", `/v1/scheduling/appointments/${uid}/cancel`, { reason: null })).status).toBe(200)
    )
  )
  isDone = true
  for (const searches of await Promise.all(polling)) expect(searches).toBeGreaterThan(0)
  expect([...seen]).toEqual([])
  // what a transaction left because of another one's lock, the job has offered or will: it is closed to search until then
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 1 })
  const offered = await world.api("GET", `${PATH}?status=offered&limit=200`)
  expect(offered.body.data).toHaveLength(times.length)
})
