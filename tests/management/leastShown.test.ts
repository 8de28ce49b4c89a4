/** Responses to keys with write but without read permission. */
import { expect, test } from "bun:test"
import { openAppointment } from "../support/meetings.ts"
import { testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()

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
