/** The session of a hold, its release and its confirmation (Rules 4.4.5, 4.4.8, 4.5.3, 4.5.4 and 4.7.4). */
import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { Retention } from "../../../src/capabilities/retention/services/Retention.ts"
import { oneBehindTheOther, testInOrder } from "../../support/behind.ts"
import { stored } from "../../support/records.ts"
import { sandboxServer } from "../../support/server.ts"
import { DAY, inDays, makeWorld, random, type World } from "../../support/world.ts"

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
  const start = inDays(4, 9)
  /** A world whose first doctor's start is held by a session. */
  const held = async (type: Readonly<Record<string, unknown>> = {}) => {
    const world = await makeWorld(server.current, { type })
    const code = await world.session("anna")
    const { hold_uid } = (await world.hold(code, start)).body
    return { world, code, hold_uid, confirm: () => world.confirm(code, hold_uid) }
  }
  const lapse = () => server.current.advance(700)
  const typeOf = (world: World) => `/v1/management/scheduling/appointment-types/${world.type_uid}`
  const doctorOf = (world: World) => `/v1/management/scheduling/doctors/${world.doctor}`
  const from = inDays(4)

  const changes: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    "a neighbour within the buffer": async (world) => {
      await server.current
        .sql`UPDATE availability_rules SET buffer_minutes = 60 WHERE organisation_uid = ${world.organisation_uid}`
      const neighbour = { status: "confirmed", start_date: start + 1200 }
      await world.run(world.practice.place(await world.patient(), neighbour))
    },
    "buffers of the type": async (world) => {
      const neighbour = { status: "confirmed", start_date: start - 1200 }
      await world.run(world.practice.place(await world.patient(), neighbour))
      await world.api("PATCH", typeOf(world), { buffer_before_minutes: 30, buffer_after_minutes: 30 })
    },
    "a day off": (world) =>
      world.api("POST", `${doctorOf(world)}/availability-date-overrides`, { date: from, day_off: true }),
    "hours that no longer cover it": (world) =>
      server.current
        .sql`UPDATE availability_rules SET active = false WHERE organisation_uid = ${world.organisation_uid}`,
    "an absence": (world) =>
      world.api("POST", "/v1/management/scheduling/absences", {
        doctor_uid: world.doctor,
        from,
        to: from + DAY,
        kind: "illness"
      }),
    "the notice": (world) => world.api("PATCH", typeOf(world), { booking_min_notice_minutes: 30 * 1440 }),
    "the grid": (world) => world.api("PATCH", typeOf(world), { duration_minutes: 37, slot_step_minutes: 35 }),
    "a limit": async (world) => {
      await world.run(world.practice.place(await world.patient(), { status: "confirmed", start_date: start + 3600 }))
      await world.api("PATCH", typeOf(world), { limits: [{ per: "day", max: 1 }] })
    },
    "a type that is not active": (world) => world.api("PATCH", typeOf(world), { active: false }),
    "a doctor who offers it no more": (world) =>
      world.api("PUT", `${doctorOf(world)}/appointment-type-settings/${world.type_uid}`, { active: false })
  }

  test.each(Object.entries(changes))("is not refused for %s, and neither is one in time", async (_, change) => {
    for (const late of [true, false]) {
      const { world, confirm } = await held()
      if (late) await lapse()
      await change(world)
      expect([late, (await confirm()).status]).toEqual([late, 200])
    }
  })

  test("is refused for an appointment or a live hold that overlaps, and for nothing beside it", async () => {
    const { world, confirm } = await held()
    const longer = await world.otherType({ duration_minutes: 60 })
    await lapse()
    const body = { appointment_type_uid: longer, doctor_uid: world.doctor }
    const other = await world.holdByKey({ ...body, start_date: start })
    expect(other.status).toBe(200)
    expect(await confirm()).toMatchObject({ status: 409, body: { code: "slot_taken" } })
    await lapse()
    expect((await world.bookByKey({ ...body, start_date: start + 3600 })).status).toBe(201)
    expect((await confirm()).status).toBe(200)
    expect((await world.api("POST", `/v1/scheduling/holds/${other.body.hold_uid}/confirm`)).body.code).toBe(
      "slot_taken"
    )
  })

  test("is not confirmable once the type is deleted", async () => {
    const { world, confirm } = await held()
    await lapse()
    expect((await world.api("DELETE", typeOf(world))).status).toBe(204)
    expect(await confirm()).toMatchObject({ status: 409, body: { code: "not_confirmable" } })
  })

  test("is not confirmable once the doctor is deleted", async () => {
    const { world, confirm } = await held()
    await lapse()
    expect((await world.api("DELETE", `/v1/management/doctors/${world.doctor}`)).status).toBe(204)
    expect(await confirm()).toMatchObject({ status: 409, body: { code: "not_confirmable" } })
  })

  // a hold that lasts as long as its session, and one that outlives it
  test.each([600, 1800, 3600])("by launch code works until the end of the appointment, ttl %d", async (ttl) => {
    const world = await makeWorld(server.current, { type: { hold_ttl_seconds: ttl } })
    const now = await server.current.now()
    const start = (Math.floor(now / 1200) + 9) * 1200
    const [code, other] = [await world.session("anna"), await world.session("berta")]
    const first = (await world.hold(code, start)).body.hold_uid
    const second = (await world.hold(other, start + 1200)).body.hold_uid
    await server.current.advance(3700)
    await server.current.run(Effect.flatMap(Retention, ({ deleteExpired }) => deleteExpired()))
    const once = { headers: { "idempotency-key": "once" }, body: {} }
    const path = `/v1/scheduling/booking-sessions/${code}`
    for (let time = 0; time < 2; time++) {
      expect(await server.current.api("POST", `${path}/holds/${first}/confirm`, once)).toMatchObject({
        status: 200,
        body: { uid: first, status: "confirmed" }
      })
      expect((await world.confirm(code, first)).status).toBe(200)
    }
    // everything else of the ended session is 404
    expect((await server.current.api("GET", path)).status).toBe(404)
    expect((await world.hold(code, start + 7200)).status).toBe(404)
    expect((await world.hold(code, start + 7200, {}, "once")).status).toBe(404)
    expect((await world.confirm(code, second)).status).toBe(404)
    expect((await world.confirm(other, first)).status).toBe(404)
    await server.current.advance(start + 2400 - (await server.current.now()))
    expect((await world.confirm(other, second)).status).toBe(404)
  })

  testInOrder("by launch code after the session's end is 404 if the hold was cancelled, also meanwhile", async () => {
    const { world, hold_uid, confirm } = await held()
    expect((await confirm()).status).toBe(200)
    await server.current.advance(5000)
    const token = await world.token("anna")
    const cancel = () =>
      server.current.api("POST", `/v1/scheduling/appointments/${hold_uid}/cancel`, { token, body: {} })
    // the confirmation has found its session, and stops before it has the doctor
    const doctor = `${world.organisation_uid}/${world.doctor}`
    const lock = `SELECT pg_advisory_xact_lock(hashtextextended('${doctor}', 0))`
    const [meanwhile, cancelled] = await oneBehindTheOther(server.current.databaseUrl, lock, confirm, cancel)
    expect([cancelled.status, meanwhile.status, (await confirm()).status]).toEqual([200, 404, 404])
  })

  test("by the page of an ended session too", async () => {
    const { code, hold_uid } = await held()
    await server.current.advance(2000)
    const body = new URLSearchParams({ hold_uid })
    await server.current.api("POST", `/meet/booking/${code}/confirm`, { body })
    expect(await stored(server.current, hold_uid)).toMatchObject({ status: "confirmed" })
  })

  test("takes another room or further doctor in place of one that is taken, whatever their hours", async () => {
    const { world, hold_uid, confirm } = await makeWorld(server.current, { doctors: 4 }).then(async (world) => {
      const rooms = [random("res"), random("res")].toSorted()
      const { organisation_uid } = world
      const room = { organisation_uid, kind: "room", always_available: true }
      await world.provision({ resources: rooms.map((uid) => ({ ...room, uid, name: uid })) })
      const [, ...others] = world.doctors
      const requirements = [{ resource_uids: rooms }, { doctor_uids: others }]
      await world.api("PATCH", typeOf(world), { requirements })
      const code = await world.session("anna")
      const { hold_uid } = (await world.hold(code, start)).body
      return { world, hold_uid, confirm: () => world.confirm(code, hold_uid) }
    })
    const before = await stored(server.current, hold_uid)
    await lapse()
    const [further = ""] = before.further_doctor_uids as ReadonlyArray<string>
    const [room = ""] = before.resource_uids as ReadonlyArray<string>
    const other = { appointment_type_uid: await world.otherType(), doctor_uid: further, shop_customer_id: "berta" }
    expect((await world.bookByKey({ ...other, start_date: start })).status).toBe(201)
    // the room stays, though it is closed and out of use
    await world.api("PATCH", `/v1/management/scheduling/resources/${room}`, { always_available: false, active: false })
    expect((await confirm()).status).toBe(200)
    const after = await stored(server.current, hold_uid)
    expect(after.resource_uids).toEqual([room])
    expect(after.further_doctor_uids).toHaveLength(1)
    expect(after.further_doctor_uids).not.toContain(further)
  })

  test("is refused where no other room is free", async () => {
    const world = await makeWorld(server.current)
    const room = random("res")
    const { organisation_uid } = world
    await world.provision({ resources: [{ uid: room, organisation_uid, kind: "room", name: "One" }] })
    await world.api("PATCH", typeOf(world), { requirements: [{ resource_uids: [room] }] })
    const code = await world.session("anna")
    const { hold_uid } = (await world.hold(code, start)).body
    await lapse()
    const other = await world.bookByKey({ doctor_uid: world.doctors[1], start_date: start, shop_customer_id: "b" })
    expect(other.status).toBe(201)
    expect(await world.confirm(code, hold_uid)).toMatchObject({ status: 409, body: { code: "slot_taken" } })
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
