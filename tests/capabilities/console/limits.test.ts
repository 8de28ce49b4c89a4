/** A page of staff takes of the limit of its person, whose requests it sends: many work behind one address. Rules 2.7.2 and 2.7.10. */
import { expect, test } from "bun:test"
import { asDoctor } from "../../support/console.ts"
import { ownServer } from "../../support/server.ts"
import { inDays, makeWorld } from "../../support/world.ts"

const server = ownServer({ RATE_LIMIT_PER_SECOND: "10", RATE_LIMIT_KEY_PER_SECOND: "1000" })

test("cards of patients, which search for free times, are opened by many doctors of one address at a time", async () => {
  const world = await makeWorld(server.current)
  const patient = await world.patient()
  const booking = { doctor_uid: world.doctor, start_date: inDays(2, 9), patient_uid: patient }
  expect((await world.bookByKey(booking)).status).toBe(201)
  const browser = await asDoctor(server.current, world)
  const asked = await Promise.all(Array.from({ length: 30 }, () => browser.ask(`/console/doctor/patients/${patient}`)))
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200))
})
