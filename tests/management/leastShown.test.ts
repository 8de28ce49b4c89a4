/** Updates without changes, and responses to keys with write but without read permission. */
import { expect, test } from "bun:test"
import { openAppointment } from "../support/meetings.ts"
import { testServer } from "../support/server.ts"
import { makeWorld, random } from "../support/world.ts"

const server = testServer()

const LONG_AGO = 1_000_000_000

test("an empty PATCH returns the unchanged record, including its time of change; Rule 2.1.10", async () => {
  const world = await makeWorld(server.current)
  const { api } = server.current
  const { key, organisation_uid } = world
  const patient = (
    await api("POST", "/v1/management/patients", {
      key,
      body: { shop_uid: world.shop_uid, shop_customer_id: random("customer") }
    })
  ).body.uid
  const records = [
    ["appointment_types", "uid", world.type_uid, `scheduling/appointment-types/${world.type_uid}`],
    ["doctors", "uid", world.doctor, `doctors/${world.doctor}`],
    ["shops", "uid", world.shop_uid, `shops/${world.shop_uid}`],
    ["patients", "uid", patient, `patients/${patient}`],
    ["organisations", "organisation_uid", organisation_uid, "organisation"]
  ] as const
  for (const [table, column, uid, path] of records) {
    await server.current.query(`UPDATE ${table} SET updated_at = to_timestamp(${LONG_AGO}) WHERE ${column} = $1`, [uid])
    const answer = await api("PATCH", `/v1/management/${path}`, { key, body: {} })
    expect([table, answer.status, answer.body.uid, answer.body.updated_at]).toEqual([table, 200, uid, LONG_AGO])
  }
})

test.each(["complete", "no-show"])(
  "%s answers a key that may not read without the patient's name and reasons; Rule 7.2.7",
  async (action) => {
    const world = await makeWorld(server.current)
    const finished = async (...permissions: ReadonlyArray<string>) => {
      const uid = await openAppointment(world, "Testa", { visit_reason: "a cough", ...times() })
      const key = await world.keyWith("scheduling:admin", ...permissions)
      const path = `/v1/management/scheduling/appointments/${uid}/${action}`
      const { status, body } = await server.current.api("POST", path, { key })
      return [status, body.uid === uid, body.patient_display_name, "patient_display_name" in body, body.visit_reason]
    }
    expect(await finished("scheduling:read")).toEqual([200, true, "Testa Patient", true, "a cough"])
    expect(await finished()).toEqual([200, true, undefined, false, null])
  }
)

/** One minute apart, so that none overlaps another one of the doctor. */
let made = 0
const times = () => {
  const start_date = Math.floor(Date.now() / 1000) - 3_600 + 60 * made++
  return { start_date, end_date: start_date + 60 }
}
