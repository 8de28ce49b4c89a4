import { describe, expect, test } from "bun:test"
import { eventsOf, stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { inDays, makeWorld, type World } from "../../support/world.ts"

const server = testServer()
type Ask = NonNullable<Parameters<typeof server.current.api>[2]>
const rebook = (uid: string, ask: Ask) => server.current.api("POST", `/v1/scheduling/appointments/${uid}/rebook`, ask)

const sameDoctor = { type: { rebooking_mode: "same_doctor_only" } }

describe("rebooking", () => {
  test("moves the appointment in one step, frees its time and publishes one event", async () => {
    const world = await makeWorld(server.current, sameDoctor)
    const uid = await world.booked(inDays(2, 9), "anna", { visit_reason: "Back pain" })
    const token = await world.token("anna")
    const offGrid = await rebook(uid, { token, body: { new_start_date: inDays(3, 9, 7) } })
    expect(offGrid.body.error[0]).toStartWith("new_start_date:")
    const answer = await rebook(uid, { token, body: { new_start_date: inDays(3, 10) } })
    expect(answer).toMatchObject({ status: 200, body: { status: "confirmed" } })
    const moved = answer.body.appointment_uid
    expect(await stored(server.current, uid)).toMatchObject({ status: "cancelled" })
    expect(await stored(server.current, moved)).toMatchObject({
      status: "confirmed",
      previous_meeting_uid: uid,
      doctor_uid: world.doctor,
      start_date: inDays(3, 10),
      end_date: inDays(3, 10, 20),
      visit_reason: "Back pain"
    })
    expect(await eventsOf(server.current, moved)).toMatchObject([
      { type: "rebooked", data: { previous_meeting_uid: uid, appointment: { uid: moved, start_date: inDays(3, 10) } } }
    ])
    expect(await eventsOf(server.current, uid)).toHaveLength(1)
    expect((await world.hold(await world.session("berta"), inDays(2, 9))).status).toBe(200)
  })

  test("follows the type's mode for the choice of doctor", async () => {
    const fixed = await makeWorld(server.current, sameDoctor)
    const uid = await fixed.booked(inDays(2, 9), "anna")
    const token = await fixed.token("anna")
    const other = { new_start_date: inDays(3, 9), new_doctor_uid: fixed.doctors[1] }
    const refused = await rebook(uid, { token, body: other })
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.body.error[0]).toStartWith("new_doctor_uid:")
    expect((await rebook(uid, { key: fixed.key, body: other })).status).toBe(400)
    expect((await rebook(uid, { token, body: { ...other, new_doctor_uid: fixed.doctor } })).status).toBe(200)

    const free = await makeWorld(server.current)
    const another = await free.booked(inDays(2, 9), "anna")
    const without = await rebook(another, { token: await free.token("anna"), body: { new_start_date: inDays(3, 9) } })
    expect(without.body.error[0]).toStartWith("new_doctor_uid:")
    const body = { new_start_date: inDays(3, 9), new_doctor_uid: free.doctors[1] }
    expect((await rebook(another, { token: await free.token("anna"), body })).status).toBe(200)
  })

  for (const [what, type, field] of [
    ["a type that does not allow it", { allow_patient_rebooking: false }, "allow_patient_rebooking"],
    ["the notice", { rebooking_min_notice_minutes: 5 * 24 * 60 }, "rebooking_min_notice_minutes"]
  ] as const) {
    test(`is blocked for patients by ${what}, and not for the practice`, async () => {
      const world = await makeWorld(server.current, { type: { ...sameDoctor.type, ...type } })
      const uid = await world.booked(inDays(2, 9), "anna")
      const body = { new_start_date: inDays(3, 9) }
      const refused = await rebook(uid, { token: await world.token("anna"), body })
      expect(refused.status).toBe(400)
      expect(refused.body.error[0]).toStartWith(`${field}:`)
      expect((await rebook(uid, { key: world.key, body })).status).toBe(200)
    })
  }

  test("of an appointment whose type can no longer be booked asks for another type", async () => {
    const world = await makeWorld(server.current, sameDoctor)
    const other = await world.otherType()
    const uid = await world.booked(inDays(2, 9), "anna")
    await world.api("DELETE", `/v1/management/scheduling/appointment-types/${world.type_uid}`)
    const token = await world.token("anna")
    const body = { new_start_date: inDays(3, 9) }
    expect(await rebook(uid, { token, body })).toMatchObject({
      status: 400,
      body: { error: ["appointment_type_uid: is required: the appointment's own can no longer be booked"] }
    })
    const named = (appointment_type_uid: string) => rebook(uid, { token, body: { ...body, appointment_type_uid } })
    expect([(await named(world.type_uid)).status, (await named(other)).status]).toEqual([404, 200])
  })
})

describe("a rebooking session", () => {
  const open = async (world: World, customer: string, body: Record<string, unknown>) =>
    server.current.api("POST", "/v1/scheduling/booking-sessions", {
      token: await world.token(customer),
      body: { mode: "rebooking", ...body }
    })

  test("keeps the visit's reason and format, unless the new hold or its confirmation says otherwise", async () => {
    const world = await makeWorld(server.current)
    const original = async (hour: number) => {
      const visit = { shop_customer_id: "anna", meeting_format: "IN_PERSON", visit_reason: "Back pain" }
      const { hold_uid } = (await world.holdByKey({ ...visit, start_date: inDays(2, hour) })).body
      await world.api("POST", `/v1/scheduling/holds/${hold_uid}/confirm`)
      return hold_uid as string
    }
    const moved = async (hour: number, holding: Record<string, unknown>, confirming: Record<string, unknown>) => {
      const session = await open(world, "anna", { appointment_uid: await original(hour) })
      const code = session.body.booking_launch_code
      const held = await world.hold(code, inDays(3, hour), holding)
      const confirmed = await world.confirm(code, held.body.hold_uid, confirming)
      expect(await stored(server.current, confirmed.body.uid)).toMatchObject({ meeting_format: "IN_PERSON" })
      return [held.body.visit_reason, confirmed.body.visit_reason]
    }
    expect(await moved(8, {}, {})).toEqual(["Back pain", "Back pain"])
    expect(await moved(9, { visit_reason: "Neck pain" }, {})).toEqual(["Neck pain", "Neck pain"])
    expect(await moved(10, { visit_reason: " " }, {})).toEqual([null, null])
    expect(await moved(11, {}, { visit_reason: "" })).toEqual(["Back pain", null])
  })

  test("is refused for somebody else's, a cancelled and a blocked appointment", async () => {
    const world = await makeWorld(server.current, { type: { rebooking_min_notice_minutes: 3 * 24 * 60 } })
    const late = await world.booked(inDays(2, 9), "anna")
    const gone = await world.booked(inDays(9, 9), "anna")
    await world.api("POST", `/v1/scheduling/appointments/${gone}/cancel`)
    expect((await open(world, "berta", { appointment_uid: late })).status).toBe(404)
    expect((await open(world, "anna", { appointment_uid: gone })).status).toBe(409)
    expect((await open(world, "anna", {})).body.error[0]).toStartWith("appointment_uid:")
    expect((await open(world, "anna", { appointment_uid: late })).body.error[0]).toStartWith(
      "rebooking_min_notice_minutes:"
    )
  })
})
