import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { UnixSeconds } from "../../../src/schemas/fields.ts"
import { AppointmentUid, OrganisationUid } from "../../../src/schemas/ids.ts"
import { LinkIssuer, MOVES_FOLLOWED } from "../../../src/services/scheduling/appointments/LinkIssuer.ts"
import { place, worldWithPatient } from "../../support/provisioned.ts"
import { eventsOf, stored } from "../../support/records.ts"
import { sandboxServer } from "../../support/server.ts"
import { adminOf } from "../../support/staff.ts"
import { DAY, inDays, makeWorld, random, type World } from "../../support/world.ts"

const server = sandboxServer()
const linkOf = async (world: World, uid: string, action: string): Promise<string> => {
  const path = `/v1/management/scheduling/appointments/${uid}/action-links`
  const answer = await world.api("POST", path, { action })
  expect(answer).toMatchObject({ status: 201, body: { action } })
  expect(answer.body.url).toEndWith(`/appointment/${answer.body.code}`)
  return answer.body.code
}
/** A link to a booked appointment of "anna". */
const linked = async (action: string, start: number, type: Readonly<Record<string, unknown>> = {}) => {
  const world = await makeWorld(server.current, { type })
  const uid = await world.booked(start, "anna")
  return { world, uid, code: await linkOf(world, uid, action) }
}
const look = (code: string) => server.current.api("GET", `/v1/scheduling/appointment-actions/${code}`)
const use = (code: string, what: string, body: unknown = {}) =>
  server.current.api("POST", `/v1/scheduling/appointment-actions/${code}/${what}`, { body })

describe("an action link", () => {
  test("shows exactly the fields that the page needs, and two more for a rebook link", async () => {
    const type = { rebooking_mode: "same_doctor_only" }
    const { world, uid, code } = await linked("cancel", inDays(200, 9), type)
    const cancel = await look(code)
    expect(cancel).toMatchObject({
      status: 200,
      body: {
        action: "cancel",
        appointment_start: inDays(200, 9),
        appointment_end: inDays(200, 9, 20),
        doctor_display_name: `Dr. ${world.doctor}`,
        appointment_type_name: "Consultation",
        join_window: { state: "too_early", opens_at: inDays(200, 8, 50) },
        rebook_allowed: true,
        cancel_allowed: true,
        already_actioned: false
      }
    })
    expect(Object.keys(cancel.body)).toHaveLength(9)
    const rebook = await look(await linkOf(world, uid, "rebook"))
    expect(rebook.body).toMatchObject({ doctor_uid: world.doctor, rebooking_mode: "same_doctor_only" })
    expect(Object.keys(rebook.body)).toHaveLength(11)
  })

  test("states what its appointment still allows", async () => {
    const type = { cancellation_min_notice_minutes: 500_000, allow_patient_rebooking: false }
    const { world, uid, code } = await linked("join", inDays(201, 9), type)
    expect((await look(code)).body).toMatchObject({ cancel_allowed: false, rebook_allowed: false })
    expect(await use(await linkOf(world, uid, "cancel"), "cancel")).toMatchObject({ status: 409 })
    expect(await use(await linkOf(world, uid, "rebook"), "rebook-session")).toMatchObject({ status: 409 })
    expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed" })
  })

  test("does not offer to move an appointment whose type can no longer be booked", async () => {
    const { world, code } = await linked("rebook", inDays(209, 9))
    const path = `/v1/management/scheduling/appointment-types/${world.type_uid}`
    for (const change of [() => world.api("PATCH", path, { active: false }), () => world.api("DELETE", path)]) {
      await change()
      expect((await look(code)).body).toMatchObject({ rebook_allowed: false, appointment_type_name: "Consultation" })
      expect(await use(code, "rebook-session")).toMatchObject({ status: 409, body: { code: "not_possible_any_more" } })
    }
  })

  test("names the kind of an appointment that has no type", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const fields = { appointment_type_uid: null, meeting_type: "FOLLOW_UP" }
    const uid = await place(world, patient_uid, { status: "confirmed", start_date: inDays(210, 9), fields })
    expect((await look(await linkOf(world, uid, "cancel"))).body.appointment_type_name).toBe("Follow-up")
  })

  // Shows: a stolen booking token or code
  test("is valid for one action only", async () => {
    const { code } = await linked("cancel", inDays(202, 9))
    for (const answer of [
      await use(code, "join"),
      await use(code, "rebook-session"),
      await use("aac_unknown", "cancel"),
      await look(`${code}x`)
    ])
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } })
  })

  test("cancels once, with its reason, and publishes an event", async () => {
    const { uid, code } = await linked("cancel", inDays(203, 9))
    expect(await use(code, "cancel", { reason: "travelling" })).toMatchObject({
      status: 200,
      body: { appointment_uid: uid, status: "cancelled" }
    })
    expect((await use(code, "cancel")).status).toBe(409)
    expect((await look(code)).body).toMatchObject({ already_actioned: true, cancel_allowed: false })
    expect(await stored(server.current, uid)).toMatchObject({ cancellation_reason: "travelling" })
    const [, event] = await eventsOf(server.current, uid)
    expect(event).toMatchObject({ data: { change: "cancelled", actor: { kind: "action_link" } } })
  })

  test("to cancel counts as done however the appointment was cancelled", async () => {
    const { world, uid, code } = await linked("cancel", inDays(204, 9))
    const bearer = await adminOf(server.current, world)
    const path = `/v1/admin/scheduling/appointments/${uid}/cancel`
    expect((await server.current.api("POST", path, { bearer, body: { reason: "closed" } })).status).toBe(200)
    expect((await look(code)).body.already_actioned).toBe(true)
  })

  test("to rebook returns the same session until it expires, even concurrently", async () => {
    const { world, code } = await linked("rebook", inDays(205, 9))
    const sessions = await Promise.all(Array.from({ length: 5 }, () => use(code, "rebook-session")))
    const codes = new Set(sessions.map(({ body }) => body.booking_launch_code))
    expect([...codes]).toHaveLength(1)
    const [launch = ""] = codes
    const session = await server.current.api("GET", `/v1/scheduling/booking-sessions/${launch}`)
    expect(session.body).toMatchObject({ mode: "rebooking", return_url: null })
    expect((await look(code)).body.already_actioned).toBe(false)

    await server.current.advance(1801)
    expect((await server.current.api("GET", `/v1/scheduling/booking-sessions/${launch}`)).status).toBe(404)
    const later = (await use(code, "rebook-session")).body.booking_launch_code
    expect(later).not.toBe(launch)

    const held = await world.hold(later, inDays(20, 9))
    expect((await world.confirm(later, held.body.hold_uid)).status).toBe(200)
    expect((await look(code)).body).toMatchObject({ already_actioned: true, rebook_allowed: true })
    const again = await use(code, "rebook-session")
    expect(again.status).toBe(200)
    expect(again.body.booking_launch_code).not.toBe(later)
    const [event] = await eventsOf(server.current, held.body.hold_uid)
    expect(event).toMatchObject({ type: "rebooked", data: { actor: { kind: "action_link" } } })
  })

  test.each([1, 60])("opens times until 90 days after an appointment in %d days; Rule 5.4.17", async (days) => {
    const { world, code } = await linked("rebook", inDays(days, 9))
    const launch = (await use(code, "rebook-session")).body.booking_launch_code
    const { body } = await server.current.api("GET", `/v1/scheduling/booking-sessions/${launch}`)
    const now = await server.current.now()
    expect(body.start_from).toBeWithin(now - 60, now + 1)
    // the sandbox's clock may be past the appointment of tomorrow
    expect(body.start_to).toBeWithin(
      Math.max(now - 60, inDays(days, 9)) + 90 * DAY,
      Math.max(now, inDays(days, 9)) + 90 * DAY + 1
    )
    expect((await world.hold(launch, inDays(days + 61, 9))).status).toBe(200)
  })

  test("acts on the replacement after a move, by interface as on its page; Rule 5.4.18", async () => {
    const { world, uid, code: cancel } = await linked("cancel", inDays(211, 9))
    const [rebook, own, join] = [
      await linkOf(world, uid, "rebook"),
      await linkOf(world, uid, "rebook"),
      await linkOf(world, uid, "join")
    ]
    const launch = (await use(own, "rebook-session")).body.booking_launch_code
    const held = await world.hold(launch, inDays(212, 9))
    const first = (await world.confirm(launch, held.body.hold_uid)).body.uid
    const move = { new_start_date: inDays(213, 9), new_doctor_uid: world.doctors[1] }
    const moved = (await world.api("POST", `/v1/scheduling/appointments/${first}/rebook`, move)).body.appointment_uid
    const replacement = {
      appointment_start: inDays(213, 9),
      appointment_end: inDays(213, 9, 20),
      doctor_display_name: `Dr. ${world.doctors[1]}`,
      join_window: { state: "too_early", opens_at: inDays(213, 8, 50) },
      rebook_allowed: true,
      cancel_allowed: true
    }
    for (const code of [cancel, join])
      expect((await look(code)).body).toMatchObject({ ...replacement, already_actioned: false })
    // only its own session's move counts
    for (const [code, already_actioned] of [
      [rebook, false],
      [own, true]
    ] as const)
      expect((await look(code)).body).toMatchObject({ ...replacement, already_actioned, doctor_uid: world.doctors[1] })
    const later = (await use(rebook, "rebook-session")).body.booking_launch_code
    const there = await world.hold(later, inDays(213, 9, 20), { doctor_uid: world.doctors[1] })
    const last = (await world.confirm(later, there.body.hold_uid)).body.uid
    expect(await stored(server.current, last)).toMatchObject({ previous_meeting_uid: moved, status: "confirmed" })
    expect((await look(rebook)).body.already_actioned).toBe(true)
    expect(await use(cancel, "cancel")).toMatchObject({ status: 200, body: { appointment_uid: last } })
    expect(await stored(server.current, last)).toMatchObject({ status: "cancelled" })
    expect((await look(cancel)).body).toMatchObject({ already_actioned: true, cancel_allowed: false })
    expect((await use(cancel, "cancel")).status).toBe(409)
    expect((await use(own, "rebook-session")).status).toBe(409)
  })

  test("joins the replacement in its window; Rule 5.4.18", async () => {
    const { world, uid, code } = await linked("join", inDays(2, 9))
    const moved = await place(world, String((await stored(server.current, uid)).patient_uid), {
      status: "confirmed",
      start_date: (await server.current.now()) + 300
    })
    await server.current.sql`UPDATE appointments SET previous_meeting_uid = ${uid} WHERE uid = ${moved}`
    expect((await use(code, "join")).status).toBe(200)
    expect((await stored(server.current, moved)).patient_joined_at).toBeNumber()
  })

  test("joins any number of times while the room is open, and records the first time", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const now = await server.current.now()
    const uid = await place(world, patient_uid, { status: "confirmed", start_date: now + 300 })
    const code = await linkOf(world, uid, "join")
    const first = await use(code, "join")
    expect(first).toMatchObject({ status: 200, body: { room_name: expect.any(String), token: expect.any(String) } })
    const joined = (await stored(server.current, uid)).patient_joined_at
    expect(joined).toBeNumber()
    expect((await use(code, "join")).status).toBe(200)
    expect(await stored(server.current, uid)).toMatchObject({ patient_joined_at: joined })
    expect((await look(code)).body.already_actioned).toBe(false)
  })

  test("is valid until a week after its appointment", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const now = await server.current.now()
    const start_date = now - 7 * DAY - 1200 + 60
    const uid = await place(world, patient_uid, { status: "confirmed", start_date })
    const code = await linkOf(world, uid, "join")
    expect((await look(code)).body).toMatchObject({ join_window: { state: "too_late" } })
    await server.current.advance(61)
    expect((await look(code)).status).toBe(404)
  })

  // Shows: an appointment moved repeatedly, so that each move walks the whole chain
  test("is extended along at most a hundred moves; Rule 5.4.13", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const { organisation_uid, doctor: doctor_uid, type_uid: appointment_type_uid } = world
    const moved = Array.from({ length: MOVES_FOLLOWED + 1 }, (_, n) => ({
      uid: `${random("apt")}_${n}`,
      organisation_uid,
      doctor_uid,
      patient_uid,
      appointment_type_uid,
      status: "cancelled",
      start_date: inDays(210),
      end_date: inDays(210, 1)
    }))
    await world.provision({ appointments: moved })
    const uids = moved.map(({ uid }) => AppointmentUid.make(uid))
    const owner = OrganisationUid.make(organisation_uid)
    const prolonged = await server.current.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { issueAll, extend } = yield* LinkIssuer
        const ends = uids
          .slice(0, 2)
          .map((uid) => ({ organisation_uid: owner, uid, end_date: UnixSeconds.make(inDays(210, 1)) }))
        yield* issueAll(ends.map((appointment) => ({ appointment, actions: ["join"] })))
        yield* sql`UPDATE appointments a SET previous_meeting_uid = k.before
          FROM unnest(${uids.slice(1)}::text[], ${uids.slice(0, -1)}::text[]) AS k(uid, before)
          WHERE a.organisation_uid = ${owner} AND a.uid = k.uid`
        yield* extend(owner, uids.at(-1) ?? AppointmentUid.make(""), inDays(250))
        return yield* sql<{ uid: string }>`SELECT appointment_uid AS uid FROM action_links
          WHERE organisation_uid = ${owner} AND expires_at > to_timestamp(${inDays(240)})`
      }).pipe(Effect.provide(LinkIssuer.Default))
    )
    expect(prolonged.map(({ uid }) => uid)).toEqual(uids.slice(1, 2))
  })

  // Shows: a stolen database or backup
  test("is not stored in the database", async () => {
    const { code } = await linked("join", inDays(207, 9))
    const dump = await server.current.sql`SELECT to_jsonb(l)::text AS row FROM action_links l`
    expect(JSON.stringify(dump)).not.toContain(code)
  })
})
