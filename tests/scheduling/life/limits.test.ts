/** Limits of a patient's holds, appointments and sessions, and their cleanup (Rules 4.6, 4.4.4 and 4.3.8). */
import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { Client } from "pg"
import { Retention } from "../../../src/services/operation/Retention.ts"
import { ExpiredHolds } from "../../../src/services/scheduling/appointments/ExpiredHolds.ts"
import { seeingAll, waitingForLocks } from "../../support/citus.ts"
import { eventually } from "../../support/eventually.ts"
import type { Row } from "../../support/records.ts"
import { sandboxServer } from "../../support/server.ts"
import { DAY, inDays, makeWorld, type World } from "../../support/world.ts"

// without workers: they would finish appointments when the clock has moved
const server = sandboxServer({ ROLE: "http" })
const limits = (patient_live_holds_max?: number, patient_future_appointments_max?: number) => ({
  organisation: { patient_live_holds_max, patient_future_appointments_max }
})
const holdInNewSession = async (world: World, start: number, customer?: string, doctor = world.doctor) =>
  world.hold(await world.session(customer), start, { doctor_uid: doctor })
const byKey = (world: World, start_date: number) => world.holdByKey({ start_date })
const rows = (text: string) => server.current.query<Row>(text)
/** Copies of the patient's newest session, each a microsecond newer. */
const openMore = ({ organisation_uid }: World, count: number) =>
  server.current.query(
    `INSERT INTO booking_sessions SELECT (jsonb_populate_record(s, jsonb_build_object('uid', s.uid || n,
      'launch_code_hash', sha256((s.uid || n)::bytea)::text, 'created_at', s.created_at + n * later,
      'expires_at', s.expires_at + n * later, 'kept_until', s.kept_until + n * later))).*
    FROM booking_sessions s, generate_series(1, $2) n, (SELECT interval '1 microsecond' AS later) l
    WHERE organisation_uid = $1 AND created_at = (SELECT max(created_at) FROM booking_sessions
      WHERE organisation_uid = $1)`,
    [organisation_uid, count]
  )

describe("live holds of a patient", () => {
  // Shows: a patient who books every free time
  test("are limited to three by default, over all sessions; an ended one makes room", async () => {
    const world = await makeWorld(server.current, limits())
    const first = await holdInNewSession(world, inDays(2, 9))
    expect(first.status).toBe(200)
    for (const hour of [10, 11]) expect((await holdInNewSession(world, inDays(2, hour))).status).toBe(200)
    await server.current.advance(60)
    const refused = await holdInNewSession(world, inDays(2, 12))
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_holds" } })
    const wait = Number(refused.headers.get("retry-after"))
    expect(wait).toBeGreaterThan(500)
    expect(wait).toBeLessThanOrEqual(540)
    expect((await holdInNewSession(world, inDays(2, 12), "another")).status).toBe(200)
    const token = await world.token()
    await server.current.api("POST", `/v1/scheduling/appointments/${first.body.hold_uid}/cancel`, { token, body: {} })
    expect((await holdInNewSession(world, inDays(2, 13))).status).toBe(200)
  })

  test("count once per session, whose new hold replaces its earlier one", async () => {
    const world = await makeWorld(server.current, limits(1))
    const code = await world.session()
    for (const hour of [9, 10, 11]) expect((await world.hold(code, inDays(2, hour))).status).toBe(200)
    expect((await holdInNewSession(world, inDays(2, 12))).body.code).toBe("too_many_holds")
  })

  // Shows: one patient, or one mailbox with many names, that books all times of a practice
  // Shows: a patient who books every free time
  test("are counted under a lock: concurrent attempts with many doctors do not exceed the limit", async () => {
    const world = await makeWorld(server.current, { ...limits(3), doctors: 8 })
    const codes = await Promise.all(world.doctors.map(() => world.session()))
    const answers = await Promise.all(
      world.doctors.map((doctor_uid, i) => world.hold(codes[i] as string, inDays(2, 9), { doctor_uid }))
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ body }) => body.code === "too_many_holds")).toHaveLength(5)
  })

  test("do not bind an API key", async () => {
    const world = await makeWorld(server.current, limits(1, 1))
    for (const hour of [9, 10, 11]) expect((await byKey(world, inDays(2, hour))).status).toBe(200)
  })
})

describe("future appointments of a patient", () => {
  // Shows: one patient, or one mailbox with many names, that books all times of a practice
  test("are limited; moving one is not", async () => {
    const world = await makeWorld(server.current, limits(3, 2))
    const uid = await world.booked(inDays(2, 9))
    expect((await holdInNewSession(world, inDays(3, 9))).status).toBe(200)
    await world.booked(inDays(2, 10))
    const refused = {
      status: 400,
      body: { code: "too_many_appointments", error: [expect.stringMatching(/^start_date: /)] }
    }
    expect(await holdInNewSession(world, inDays(2, 11))).toMatchObject(refused)
    const booking = `/v1/scheduling/booking-sessions/${await world.session()}/appointments`
    expect(await server.current.api("POST", booking, { body: { start_date: inDays(2, 11) } })).toMatchObject(refused)
    const token = await world.token()
    const body = { new_start_date: inDays(2, 11), new_doctor_uid: world.doctor }
    expect(
      (await server.current.api("POST", `/v1/scheduling/appointments/${uid}/rebook`, { token, body })).status
    ).toBe(200)
    expect((await byKey(world, inDays(2, 12))).status).toBe(200)
  })

  test("may be cancelled and rebooked, or moved, up to five times the limit within a day", async () => {
    const world = await makeWorld(server.current, limits(3, 1))
    const token = await world.token()
    const on = (uid: string, action: string, body: object) =>
      server.current.api("POST", `/v1/scheduling/appointments/${uid}/${action}`, { token, body })
    for (const hour of [9, 10, 11])
      expect((await on(await world.booked(inDays(2, hour)), "cancel", {})).status).toBe(200)
    const uid = await world.booked(inDays(2, 12))
    const moved = await on(uid, "rebook", { new_start_date: inDays(2, 13), new_doctor_uid: world.doctor })
    expect(moved.status).toBe(200)
    const again = await on(moved.body.appointment_uid, "rebook", {
      new_start_date: inDays(2, 14),
      new_doctor_uid: world.doctor
    })
    expect(again).toMatchObject({
      status: 400,
      body: { code: "too_many_appointments", error: [expect.stringMatching(/^new_start_date: /)] }
    })
    expect((await on(moved.body.appointment_uid, "cancel", {})).status).toBe(200)
    expect((await holdInNewSession(world, inDays(2, 15))).body.code).toBe("too_many_appointments")
    await server.current.advance(DAY)
    expect((await holdInNewSession(world, inDays(4, 9))).status).toBe(200)
  })

  test("cannot be exceeded by confirming expired holds late", async () => {
    const world = await makeWorld(server.current, limits(3, 1))
    const [one, two] = [await world.session(), await world.session()]
    const first = await world.hold(one, inDays(3, 9))
    await server.current.advance(700)
    const second = await world.hold(two, inDays(3, 10))
    expect([first.status, second.status]).toEqual([200, 200])
    expect((await world.confirm(two, second.body.hold_uid)).status).toBe(200)
    expect(await world.confirm(one, first.body.hold_uid)).toMatchObject({
      status: 400,
      body: { code: "too_many_appointments" }
    })
  })
})

// Shows: a patient who books every free time
test("a patient has at most 50 live sessions without a live hold: one more ends the oldest of them", async () => {
  const world = await makeWorld(server.current)
  const held = await world.session("anna")
  await world.hold(held, inDays(4, 9))
  await server.current.advance(1)
  const oldest = await world.session("anna")
  await openMore(world, 49)
  const look = async (code: string) =>
    (await server.current.api("GET", `/v1/scheduling/booking-sessions/${code}`)).status
  expect([await look(held), await look(oldest)]).toEqual([200, 200])
  await world.session("anna")
  expect([await look(held), await look(oldest)]).toEqual([200, 404])
})

// Shows: a patient who books every free time
test("a patient has at most 50 live sessions, also when several are opened at the same time; Rule 4.3.8", async () => {
  const world = await makeWorld(server.current)
  await world.session("anna")
  await openMore(world, 49)
  const own = `FROM booking_sessions WHERE organisation_uid = '${world.organisation_uid}'`
  const url = seeingAll(server.current.databaseUrl)
  const [database, observer] = [new Client({ connectionString: url }), new Client({ connectionString: url })]
  await Promise.all([database.connect(), observer.connect()])
  // Each request ends the oldest session: here all of them have looked for it before one of them has
  await database.query("BEGIN")
  await database.query(`SELECT 1 ${own} FOR UPDATE`)
  const opening = Promise.all(["anna", "anna", "anna"].map((customer) => world.session(customer)))
  await eventually(
    () => waitingForLocks(observer),
    (waiting) => waiting >= 3
  )
  await database.query("COMMIT")
  await opening
  await Promise.all([database.end(), observer.end()])
  // one that was ended expired when it was, by the domain's clock
  expect(await rows(`SELECT 1 ${own} AND expires_at >= created_at + interval '30 minutes'`)).toHaveLength(50)
})

test("released holds are deleted after a day, expired ones after their end; everything that was confirmed stays", async () => {
  const world = await makeWorld(server.current)
  const code = await world.session()
  for (const hour of [9, 10, 11]) await world.hold(code, inDays(5, hour))
  const late = (await byKey(world, inDays(5, 14))).body.hold_uid
  const uid = await world.booked(inDays(5, 12))
  await world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "ill" })
  const tidy = () =>
    server.current.run(
      Effect.gen(function* () {
        yield* (yield* ExpiredHolds).expireOverdue()
        yield* (yield* Retention).deleteExpired()
      })
    )
  const statuses = async () =>
    (await rows(`SELECT status FROM appointments WHERE organisation_uid = '${world.organisation_uid}'`)).map(
      ({ status }) => status
    )
  await tidy()
  expect(await statuses()).toHaveLength(5)
  await server.current.advance(DAY + 1000)
  await tidy()
  expect((await statuses()).sort()).toEqual(["cancelled", "expired", "expired"])
  // two days later an expired hold is listed and, by key, still confirmed
  const listed = await world.api("GET", "/v1/management/scheduling/appointments?status=expired&from=0")
  expect(listed.body.data.map(({ start_date }: Row) => start_date)).toEqual([inDays(5, 11), inDays(5, 14)])
  expect((await world.api("POST", `/v1/scheduling/holds/${late}/confirm`, {})).body.status).toBe("confirmed")
  await server.current.advance(6 * DAY)
  await tidy()
  expect((await statuses()).sort()).toEqual(["cancelled", "confirmed"])
})
