import { describe, expect, test } from "bun:test"
import { eventsOf, stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld } from "../../support/world.ts"

const server = testServer()
const cancel = (uid: string, ask: Parameters<typeof server.current.api>[2] = {}) =>
  server.current.api("POST", `/v1/scheduling/appointments/${uid}/cancel`, ask)

describe("cancelling", () => {
  test("by its patient frees the time at once and publishes what happened, by whom and why", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(2, 9), "anna")
    const answer = await cancel(uid, { token: await world.token("anna"), body: { reason: "  ill " } })
    expect(answer).toMatchObject({ status: 200, body: { appointment_uid: uid, status: "cancelled" } })
    expect(Object.keys(answer.body).sort()).toEqual(["appointment_uid", "status"])
    const row = await stored(server.current, uid)
    expect(row).toMatchObject({ status: "cancelled", cancellation_reason: "ill" })
    const [, event] = await eventsOf(server.current, uid)
    expect(event).toMatchObject({
      type: "patient_doctor_meeting_updated",
      data: {
        change: "cancelled",
        appointment: { uid, status: "cancelled", cancellation_reason: "ill" },
        actor: { kind: "patient", uid: row.patient_uid }
      }
    })
    expect((await world.hold(await world.session("berta"), inDays(2, 9))).status).toBe(200)
  })

  test("inside the notice is refused to the patient by the field's name, and allowed to the practice", async () => {
    const world = await makeWorld(server.current, { type: { cancellation_min_notice_minutes: 3 * 24 * 60 } })
    const uid = await world.booked(inDays(2, 9), "anna")
    const refused = await cancel(uid, { token: await world.token("anna"), body: {} })
    expect(refused.status).toBe(400)
    expect(refused.body.error[0]).toStartWith("cancellation_min_notice_minutes:")
    expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed", cancelled_at: null })
    expect((await cancel(uid, { key: world.key })).status).toBe(200)
  })

  test("a hold publishes no event", async () => {
    const world = await makeWorld(server.current)
    const held = await world.hold(await world.session("anna"), inDays(2, 9))
    expect((await cancel(held.body.hold_uid, { token: await world.token("anna") })).status).toBe(200)
    expect(await eventsOf(server.current, held.body.hold_uid)).toEqual([])
  })
})
