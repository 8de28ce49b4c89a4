/** The calendar of all doctors and resources. Rule 7.2.9. */
import { expect, test } from "bun:test"
import { present } from "../../support/body.ts"
import { testServer } from "../../support/server.ts"
import { DAY, dayOf, HOUR, inDays, makeWorld, random } from "../../support/world.ts"

const server = testServer()

test("hours, busy times, days off and holidays of doctors and resources; Rule 7.2.9", async () => {
  const world = await makeWorld(server.current, { doctors: 3 })
  const [from, to] = [inDays(10), inDays(12)]
  const [first = "", second = "", third = ""] = world.doctors
  const date = dayOf(from)
  const doctors = "/v1/management/scheduling/doctors"
  const overrides = (doctor: string) => `${doctors}/${doctor}/availability-date-overrides`
  await world.api("POST", overrides(first), { date: from, start_time: 540, end_time: 720 })
  await world.api("POST", overrides(first), { date: from, start_time: 700, end_time: 780 })
  await world.api("POST", overrides(second), { date: from, day_off: true })
  await world.api("PATCH", `/v1/management/doctors/${third}`, { extra_holidays: [{ date, name: "Betriebsausflug" }] })
  const room = random("res")
  const source = random("bsy")
  await world.provision({
    resources: [{ uid: room, organisation_uid: world.organisation_uid, kind: "room", name: "Zimmer 1" }]
  })
  const made = await world.api("POST", `${doctors}/${first}/busy-sources`, {
    kind: "ics",
    name: source,
    url: "http://127.0.0.1:9/calendar.ics"
  })
  expect(made.status).toBe(201)
  const calendar = (query: string) => world.api("GET", `/v1/management/scheduling/calendar?${query}`)
  const { status, body } = await calendar(`from=${from}&to=${to}`)
  expect(status).toBe(200)
  const of = (uid: string) => present(body.subjects.find((one) => one.uid === uid))
  // two windows of the date are one time, and the next date has its weekly hours
  expect(of(first).open).toEqual([
    { from: from + 9 * HOUR, to: from + 13 * HOUR },
    { from: from + DAY, to: from + 2 * DAY }
  ])
  expect([of(second).days_off, of(second).open]).toEqual([[from], [{ from: from + DAY, to: from + 2 * DAY }]])
  expect(of(third).holidays).toEqual([{ date, name: "Betriebsausflug" }])
  expect(of(third).open[0]?.from).toBe(from + DAY)
  expect([of(room).kind, of(room).open]).toEqual(["room", [{ from, to }]])
  expect(body.presence).toEqual([])
  const one = await calendar(`from=${from}&to=${to}&doctor_uid=${first}`)
  expect(one.body.subjects.map(({ uid }) => uid)).toEqual([first])
  expect((await calendar(`from=${from}&to=${from + 33 * DAY}`)).status).toBe(400)
  expect((await calendar(`from=${to}&to=${from}`)).status).toBe(400)
})
