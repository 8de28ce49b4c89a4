/** Reading, bulk cancellation, and lists of changed appointments (Rules 7.2). */
import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { DomainClock } from "../../src/services/DomainClock.ts"
import { eventually } from "../support/eventually.ts"
import { using } from "../support/postgres.ts"
import { place, worldWithPatient } from "../support/provisioned.ts"
import { eventsOf, openedEvents, stored } from "../support/records.ts"
import { sandboxServer } from "../support/server.ts"
import { doctorOf } from "../support/staff.ts"
import { inDays, makeWorld, random, type World } from "../support/world.ts"

const server = sandboxServer()
const BASE = "/v1/management/scheduling/appointments"
const list = async (world: World, query: string) => {
  const { status, body } = await world.api("GET", `${BASE}?${query}`)
  expect(status).toBe(200)
  return body.data as ReadonlyArray<{ uid: string; updated_at: number; status: string }>
}
const uidsIn = async (world: World, query: string) => (await list(world, query)).map(({ uid }) => uid)
const clock = () => server.current.run(Effect.flatMap(DomainClock, ({ now }) => now))

describe("lists", () => {
  test("up to a time in the past show history", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const now = await clock()
    const past = await place(world, patient_uid, { status: "confirmed", start_date: now - 7200 })
    await place(world, patient_uid, { status: "confirmed", start_date: now + 7200 })
    expect(await uidsIn(world, `to=${now - 3600}`)).toEqual([past])
    const bearer = await doctorOf(server.current, world)
    const own = await server.current.api("GET", `/v1/doctor/appointments?to=${now - 3600}`, { bearer })
    expect(own.body.data).toMatchObject([{ uid: past }])
    expect(await uidsIn(world, `to=${now + 3600}`)).toEqual([])
  })

  test("of changes since a time include expiry", async () => {
    const world = await makeWorld(server.current)
    const before = await world.booked(inDays(60, 9))
    const { hold_uid } = (await world.hold(await world.session(), inDays(3, 9))).body
    await server.current.advance(100)
    const moment = await clock()
    await server.current.advance(10)
    const since = `status=all&from=0&updated_after=${moment}`
    expect(await uidsIn(world, since)).toEqual([])
    await world.api("POST", `${BASE}/${before}/cancel`, { reason: "ill" })
    const [changed] = await list(world, since)
    expect(changed).toMatchObject({ uid: before, status: "cancelled" })
    expect(changed?.updated_at).toBeGreaterThan(moment)
    await server.current.advance(600)
    expect((await uidsIn(world, since)).toSorted()).toEqual([before, hold_uid].toSorted())
    expect((await list(world, "status=expired"))[0]?.updated_at).toBeGreaterThan(moment)
  })
})

describe("bulk cancellation", () => {
  const bulk = (world: World, body: Readonly<Record<string, unknown>>, key = world.key) =>
    server.current.api("POST", `${BASE}/bulk-cancel`, {
      key,
      body: { from: inDays(70), to: inDays(71), reason: "The doctor is ill", ...body }
    })

  test("cancels appointments that start in the range, of one doctor if one is named", async () => {
    const world = await makeWorld(server.current)
    const [one, two] = world.doctors
    const mine = [await world.booked(inDays(70, 9)), await world.booked(inDays(70, 8))].reverse()
    const other = await world.booked(inDays(70, 9), "berta", { doctor_uid: two })
    const later = await world.booked(inDays(71), "anna")
    const dry = await bulk(world, { doctor_uid: one, dry_run: true })
    expect(dry).toMatchObject({ status: 200, body: { cancelled: mine, skipped: [] } })
    expect(await stored(server.current, mine[0] as string)).toMatchObject({ status: "confirmed" })
    expect((await bulk(world, { doctor_uid: one })).body).toEqual({ cancelled: mine, skipped: [] })
    const row = await stored(server.current, mine[0] as string)
    expect(row).toMatchObject({ status: "cancelled", cancellation_reason: "The doctor is ill" })
    expect((await eventsOf(server.current, mine[1] as string)).at(-1)).toMatchObject({ data: { change: "cancelled" } })
    expect((await bulk(world, {})).body).toEqual({ cancelled: [other], skipped: [] })
    expect(await stored(server.current, later)).toMatchObject({ status: "confirmed" })
  })

  test("needs a range and a reason", async () => {
    const world = await makeWorld(server.current)
    const refused = await bulk(world, { from: inDays(71), reason: " " })
    expect(refused.body.error).toEqual([expect.stringMatching(/^reason: /), expect.stringMatching(/^to: /)])
  })

  /** Provisions appointments of ten minutes on the range's day, the latest first; returns their uids by start. */
  const placeMany = async (count: number, heldAt?: number) => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const { organisation_uid, doctor: doctor_uid, type_uid: appointment_type_uid } = world
    const appointments = Array.from({ length: count }, (_, index) => ({
      ...{ uid: random("apt"), organisation_uid, doctor_uid, patient_uid, appointment_type_uid },
      status: index === heldAt ? "held" : "confirmed",
      start_date: inDays(70) + index * 600,
      end_date: inDays(70) + (index + 1) * 600
    }))
    await world.provision({ appointments: appointments.toReversed() })
    return { world, uids: appointments.map(({ uid }) => uid) }
  }
  const cancellationsOf = async (world: World) => {
    const events = await openedEvents(server.current, (sql) => sql`owner_uid = ${world.organisation_uid}`)
    return events.filter(({ data }) => data.change === "cancelled")
  }

  // Shows: bulk cancellation of a thousand appointments
  test("of more than one transaction takes has an event and an audit entry for each, in order of start", async () => {
    const { world, uids } = await placeMany(105, 3)
    expect((await bulk(world, {})).body).toEqual({ cancelled: uids, skipped: [] })
    const events = await cancellationsOf(world)
    expect(events.map(({ subject }) => subject)).toEqual(uids.filter((_, index) => index !== 3))
    const { cancelled_at, updated_at } = await stored(server.current, uids[104] as string)
    expect(events.at(-1)?.data).toMatchObject({
      appointment: { status: "cancelled", cancellation_reason: "The doctor is ill", cancelled_at, updated_at },
      actor: { kind: "api_key" }
    })
    const auditor = await world.keyWith("audit:read")
    const log = await server.current.api("GET", "/v1/management/audit-log?limit=500", { key: auditor })
    const all: ReadonlyArray<{ readonly action: string; readonly subject: string }> = log.body.data
    const entries = all.filter(({ action }) => action === "management.appointment_actions.bulk_cancel")
    expect(entries.map(({ subject }) => subject).toSorted()).toEqual(uids.toSorted())
  })

  test("releases holds that were to replace the appointments", async () => {
    const world = await makeWorld(server.current)
    const uid = await world.booked(inDays(2, 9), "anna")
    const { body } = await server.current.api("POST", "/v1/scheduling/booking-sessions", {
      token: await world.token("anna"),
      body: { mode: "rebooking", appointment_uid: uid }
    })
    const held = await world.hold(body.booking_launch_code, inDays(3, 9))
    expect((await bulk(world, { from: inDays(2), to: inDays(3) })).body).toEqual({ cancelled: [uid], skipped: [] })
    expect(await stored(server.current, held.body.hold_uid)).toMatchObject({
      status: "cancelled",
      cancellation_reason: "superseded"
    })
  })

  // Shows: bulk cancellation of a thousand appointments
  test("and cancellations by others at the same time cancel each appointment once", async () => {
    const { world, uids } = await placeMany(105)
    const single = (uid: string) => world.api("POST", `${BASE}/${uid}/cancel`, { reason: "ill" })
    const [one, two, ...others] = await Promise.all([
      bulk(world, {}),
      bulk(world, { doctor_uid: world.doctor }),
      ...uids.filter((_, index) => index % 4 === 0).map(single)
    ])
    expect([one, two].map(({ status }) => status)).toEqual([200, 200])
    const cancelled = [...one.body.cancelled, ...two.body.cancelled]
    expect(others.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(cancelled.length + others.filter(({ status }) => status === 200).length).toBe(uids.length)
    expect((await cancellationsOf(world)).map(({ subject }) => subject).toSorted()).toEqual(uids.toSorted())
  })

  test("lists the appointments that it could not cancel", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const uid = await place(world, patient_uid, { status: "confirmed", start_date: inDays(70, 9) })
    const other_uid = await place(world, patient_uid, { status: "confirmed", start_date: inDays(70, 10) })
    const locked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    // completed by another request while the list is being processed
    const other = server.current.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`UPDATE appointments SET status = 'completed' WHERE uid = ${uid}`
            locked.resolve()
            yield* Effect.promise(() => release.promise)
          })
        )
      )
    )
    await locked.promise
    const answer = bulk(world, {})
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await using(server.current.databaseUrl, (client) =>
      eventually(
        () => client.query(waiting),
        ({ rowCount }) => rowCount !== 0
      )
    )
    release.resolve()
    await other
    expect((await answer).body).toEqual({
      cancelled: [other_uid],
      skipped: [{ uid, code: "appointment_completed" }]
    })
  })
})
