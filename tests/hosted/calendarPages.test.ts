/** Series and holidays on the patients' pages. */
import { expect, test } from "bun:test"
import { present } from "../support/body.ts"
import { issuedCode } from "../support/codes.ts"
import { worldWithPatient } from "../support/provisioned.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const read = async (path: string) => (await server.current.api("GET", path)).text
const text = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")

test("an appointment of a series says which it is and lists all, to the codes of own mails alone; Rule 5.5.16", async () => {
  const { world, patient_uid } = await worldWithPatient(server.current)
  const { body } = await world.api("POST", "/v1/management/scheduling/appointment-series", {
    shop_uid: world.shop_uid,
    patient_uid,
    doctor_uid: world.doctor,
    appointment_type_uid: world.type_uid,
    start_date: inDays(3, 9),
    count: 3,
    interval_weeks: 1
  })
  const [first, second, third] = body.appointments.map(({ uid }: { uid: string }) => uid)
  const shown = async (uid: string | undefined, kind: "page" | "join") =>
    text(await read(`/meet/appointment/${await issuedCode(server.current, world, present(uid), kind)}`))
  expect(await shown(second, "page")).toContain("Termin 2 von 3")
  expect(await shown(second, "join")).not.toContain("von 3")
  await world.api("POST", `/v1/management/scheduling/appointments/${third}/cancel`, { reason: "Ill" })
  const moved = await world.api("POST", `/v1/scheduling/appointments/${first}/rebook`, {
    new_doctor_uid: world.doctor,
    new_start_date: inDays(4, 10)
  })
  expect([moved.status, moved.body]).toEqual([200, expect.anything()])
  const list = await shown(second, "page")
  expect(list).toContain("Termin 2 von 3")
  expect(list.match(/\(abgesagt\)/g)).toHaveLength(1)
})

test("a day that is closed for a holiday is named; Rule 5.5.17", async () => {
  const date = new Date(inDays(3) * 1000).toISOString().slice(0, 10)
  const organisation = { extra_holidays: [{ date, name: "Betriebsausflug" }] }
  for (const closed_on_holidays of [true, false]) {
    const world = await makeWorld(server.current, { organisation, type: { closed_on_holidays } })
    const page = text(await read(`/meet/booking/${await world.session("p", { from: inDays(1), to: inDays(15) })}`))
    expect(page.includes("Betriebsausflug, keine Termine")).toBe(closed_on_holidays)
  }
})
