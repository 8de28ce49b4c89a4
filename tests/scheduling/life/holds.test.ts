/** The session of a hold, its release and its confirmation (Rules 4.4.5, 4.4.8, 4.5.3, 4.5.4 and 4.7.4). */
import { describe, expect, test } from "bun:test"
import { stored } from "../../support/records.ts"
import { sandboxServer } from "../../support/server.ts"
import { DAY, inDays, makeWorld, type World } from "../../support/world.ts"

const server = sandboxServer()

/** A second appointment type of 20 minutes. */
const secondType = (world: World) =>
  world.otherType({ meeting_type: "FOLLOW_UP", rebooking_mode: "any_doctor_same_organisation" })

describe("a hold is bound to its session", () => {
  // Shows: a launch code for another type or another time
  test("by type and by range, and both faults are named", async () => {
    const world = await makeWorld(server.current)
    const appointment_type_uid = await secondType(world)
    const code = await world.session("anna", { from: inDays(40), to: inDays(41) })
    const refused = await world.hold(code, inDays(41), { appointment_type_uid })
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_request" } })
    expect(refused.body.error).toEqual([
      expect.stringMatching(/^appointment_type_uid: /),
      expect.stringMatching(/^start_date: /)
    ])
    expect((await world.hold(code, inDays(39, 12))).body.error).toEqual([expect.stringMatching(/^start_date: /)])
    expect((await world.hold(code, inDays(40))).status).toBe(200)
  })

  test("except for the type when an appointment is moved", async () => {
    const world = await makeWorld(server.current)
    const appointment_type_uid = await secondType(world)
    const uid = await world.booked(inDays(42, 9), "anna")
    const code = await world.session("anna", {
      mode: "rebooking",
      appointment_uid: uid,
      appointment_type_uid: undefined,
      from: inDays(42),
      to: inDays(43)
    })
    expect((await world.hold(code, inDays(42, 10), { appointment_type_uid })).status).toBe(200)
    expect((await world.hold(code, inDays(43, 10))).body.error).toEqual([expect.stringMatching(/^start_date: /)])
  })
})

test("a repeated idempotent hold returns its current state", async () => {
  const world = await makeWorld(server.current)
  const code = await world.session("anna", { from: inDays(44), to: inDays(45) })
  const first = await world.hold(code, inDays(44, 9), { visit_reason: "cough" }, "key")
  const again = () => world.hold(code, inDays(44, 9), { visit_reason: "cough" }, "key")
  expect((await again()).body).toEqual(first.body)
  await world.confirm(code, first.body.hold_uid)
  expect(await again()).toMatchObject({ status: 200, body: { ...first.body, status: "confirmed" } })
  const token = await world.token("anna")
  await server.current.api("POST", `/v1/scheduling/appointments/${first.body.hold_uid}/cancel`, { token, body: {} })
  expect(await again()).toMatchObject({ status: 200, body: { hold_uid: first.body.hold_uid, status: "cancelled" } })
})

test("a repeated idempotent hold by API key reports its expiry", async () => {
  const world = await makeWorld(server.current)
  const hold = () => world.holdByKey({ start_date: inDays(46, 9) }, "key")
  const first = await hold()
  await server.current.advance(700)
  expect(await hold()).toMatchObject({ status: 200, body: { ...first.body, status: "expired" } })
})

test("a key confirms its own holds, with a reason, and no hold of a session", async () => {
  const world = await makeWorld(server.current)
  const confirm = (uid: string) =>
    world.api("POST", `/v1/scheduling/holds/${uid}/confirm`, { visit_reason: "check-up" })
  const own = await world.holdByKey({ start_date: inDays(46, 9), visit_reason: "  " })
  expect(own.body.visit_reason).toBeNull()
  expect(await confirm(own.body.hold_uid)).toMatchObject({ status: 200, body: { visit_reason: "check-up" } })
  const ofSession = await world.hold(await world.session(), inDays(2, 12))
  expect((await confirm(ofSession.body.hold_uid)).status).toBe(404)
})

test("a patient releases an own hold at any time, even inside the cancellation notice", async () => {
  const world = await makeWorld(server.current, { type: { cancellation_min_notice_minutes: 500_000 } })
  const { hold_uid } = (await world.hold(await world.session("anna"), inDays(2, 9))).body
  const answer = await server.current.api("POST", `/v1/scheduling/appointments/${hold_uid}/cancel`, {
    token: await world.token("anna"),
    body: {}
  })
  expect(answer).toMatchObject({ status: 200, body: { status: "cancelled" } })
})

describe("a late confirmation; Rule 4.5.3", () => {
  /** A world with a hold of its first start that has expired. */
  const expiredHold = async (buffer_minutes = 0) => {
    const world = await makeWorld(server.current)
    await server.current.sql`UPDATE availability_rules SET buffer_minutes = ${buffer_minutes}
      WHERE organisation_uid = ${world.organisation_uid}`
    const code = await world.session("anna")
    const start = inDays(4)
    const { hold_uid } = (await world.hold(code, start)).body
    await server.current.advance(700)
    return { world, start, confirm: () => world.confirm(code, hold_uid) }
  }

  test("is refused if another appointment lies within the buffer", async () => {
    const { world, start, confirm } = await expiredHold(10)
    const other = await world.session("berta")
    expect((await world.hold(other, start + 1800)).status).toBe(200)
    const moved = (to: number) => server.current.sql`UPDATE appointments
      SET start_date = to_timestamp(${to}), end_date = to_timestamp(${to + 1200})
      WHERE organisation_uid = ${world.organisation_uid} AND status = 'held' AND hold_expires_at > to_timestamp(${inDays(0)})
        AND start_date > to_timestamp(${start})`
    // meanwhile the practice has moved that appointment into the buffer
    await moved(start + 1500)
    expect(await confirm()).toMatchObject({ status: 409, body: { code: "slot_taken" } })
    await moved(start + 1800)
    expect((await confirm()).status).toBe(200)
  })

  test("is refused if the doctor is absent since, and not for a notice", async () => {
    const { world, start, confirm } = await expiredHold()
    const path = `/v1/management/scheduling/doctors/${world.doctor}/availability-date-overrides`
    const absent = await world.api("POST", path, { date: start - (start % 86_400), day_off: true })
    expect(absent.status).toBe(201)
    expect(await confirm()).toMatchObject({ status: 409, body: { code: "slot_taken" } })
    expect((await world.api("DELETE", `${path}/${absent.body.uid}`)).status).toBe(204)
    await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, {
      booking_min_notice_minutes: 30 * 1440
    })
    expect((await confirm()).status).toBe(200)
  })
})

test("a hold cannot be confirmed once its appointment's end has passed; a repeated confirmation still answers", async () => {
  const world = await makeWorld(server.current, { type: { hold_ttl_seconds: 86_400 } })
  const [late, done] = [await world.session("anna"), await world.session("berta")]
  const start = inDays(2, 9)
  const held = await world.hold(late, start)
  const kept = await world.hold(done, start + 1200)
  expect((await world.confirm(done, kept.body.hold_uid)).status).toBe(200)
  for (const [uid, before] of [
    [held.body.hold_uid, start - 10 * DAY],
    [kept.body.hold_uid, start + 1200 - 10 * DAY]
  ] as const)
    await server.current
      .sql`UPDATE appointments SET start_date = to_timestamp(${before}), end_date = to_timestamp(${before + 1200})
          WHERE organisation_uid = ${world.organisation_uid} AND uid = ${uid}`
  expect(await world.confirm(late, held.body.hold_uid)).toMatchObject({
    status: 409,
    body: { code: "not_confirmable" }
  })
  expect(await stored(server.current, held.body.hold_uid)).toMatchObject({ status: "held" })
  expect((await world.confirm(done, kept.body.hold_uid)).status).toBe(200)
})

test("a live hold of a patient who was restricted since is not confirmed, in a rebooking neither; Rules 4.5.4 and 12.2.9", async () => {
  const world = await makeWorld(server.current)
  const uid = await world.booked(inDays(2, 9))
  const token = await world.token()
  const body = { mode: "rebooking", appointment_uid: uid }
  const rebooking = (await server.current.api("POST", "/v1/scheduling/booking-sessions", { token, body })).body
  const codes = [await world.session(), rebooking.booking_launch_code]
  const holds: Array<readonly [string, string]> = []
  for (const code of codes) holds.push([code, (await world.hold(code, inDays(2, 10 + holds.length))).body.hold_uid])
  const { patient_uid } = await stored(server.current, uid)
  const restrict = (restricted: boolean) =>
    world.api("POST", `/v1/management/patients/${patient_uid}/restrict`, { restricted })
  expect((await restrict(true)).status).toBe(200)
  for (const [code, hold] of holds)
    expect(await world.confirm(code, hold)).toMatchObject({ status: 409, body: { code: "not_confirmable" } })
  expect((await stored(server.current, uid)).status).toBe("confirmed")
  await restrict(false)
  for (const [code, hold] of holds) expect((await world.confirm(code, hold)).status).toBe(200)
})
