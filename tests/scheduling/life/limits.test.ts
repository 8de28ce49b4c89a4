/** Limits of a patient's holds, appointments and sessions, and their cleanup (Rules 4.6, 4.4.4 and 4.3.8). */
import { describe, expect, test as plain } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Client } from "pg"
import { Retention } from "../../../src/capabilities/retention/services/Retention.ts"
import { DomainClock } from "../../../src/services/DomainClock.ts"
import { OverdueAppointments } from "../../../src/services/scheduling/appointments/OverdueAppointments.ts"
import { Bookings } from "../../../src/services/scheduling/booking/Bookings.ts"
import { seeingAll, waitingForLocks } from "../../support/citus.ts"
import { eventually } from "../../support/eventually.ts"
import { rowsAt } from "../../support/postgres.ts"
import { DAY, inDays, makePractice, type Practice } from "../../support/practice.ts"
import { sandboxLayers } from "../../support/server.ts"

const layers = sandboxLayers()
const { test } = layers
const advance = (seconds: number) => Effect.flatMap(DomainClock, (clock) => clock.advance(seconds))
const limits = (patient_live_holds_max?: number, patient_future_appointments_max?: number) => ({
  organisation: { patient_live_holds_max, patient_future_appointments_max }
})
const holdInNewSession = ({ session, hold, doctor }: Practice, start: number, customer?: string, doctor_uid = doctor) =>
  Effect.flatMap(session(customer), (code) => hold(code, start, { doctor_uid }))
/** Copies of the patient's newest session, each a microsecond newer. Row-level security refuses them on a cluster, where they are a COPY. */
const openMore = ({ organisation_uid }: Practice, count: number) =>
  rowsAt(
    seeingAll(layers.current.databaseUrl),
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
  test("are limited to three by default, over all sessions; an ended one makes room", function* () {
    const practice = yield* makePractice(limits())
    const first = yield* holdInNewSession(practice, inDays(2, 9))
    for (const hour of [10, 11]) yield* holdInNewSession(practice, inDays(2, hour))
    yield* advance(60)
    const refused = yield* Effect.flip(holdInNewSession(practice, inDays(2, 12)))
    if (refused._tag !== "TooManyHolds") throw refused
    expect(refused.retry_after_seconds).toBeGreaterThan(500)
    expect(refused.retry_after_seconds).toBeLessThanOrEqual(540)
    yield* holdInNewSession(practice, inDays(2, 12), "another")
    yield* practice.cancel(first.hold_uid, yield* practice.asCustomer())
    yield* holdInNewSession(practice, inDays(2, 13))
  })

  test("count once per session, whose new hold replaces its earlier one", function* () {
    const practice = yield* makePractice(limits(1))
    const code = yield* practice.session()
    for (const hour of [9, 10, 11, 11]) yield* practice.hold(code, inDays(2, hour))
    expect((yield* Effect.flip(holdInNewSession(practice, inDays(2, 12))))._tag).toBe("TooManyHolds")
  })

  // Shows: one patient, or one mailbox with many names, that books all times of a practice
  // Shows: a patient who books every free time
  test("are counted under a lock: concurrent attempts with many doctors do not exceed the limit", function* () {
    const practice = yield* makePractice({ ...limits(3), doctors: 8 })
    const codes = yield* Effect.forEach(practice.doctors, (doctor_uid) =>
      Effect.map(practice.session(), (code) => ({ code, doctor_uid }))
    )
    const [refused, held] = yield* Effect.partition(
      codes,
      ({ code, doctor_uid }) => practice.hold(code, inDays(2, 9), { doctor_uid }),
      { concurrency: "unbounded" }
    )
    expect(held).toHaveLength(3)
    expect(refused.map(({ _tag }) => _tag)).toEqual(Array(5).fill("TooManyHolds"))
  })

  test("do not bind an API key", function* () {
    const practice = yield* makePractice(limits(1, 1))
    for (const hour of [9, 10, 11]) yield* practice.holdByKey({ start_date: inDays(2, hour) })
  })
})

describe("future appointments of a patient", () => {
  // Shows: one patient, or one mailbox with many names, that books all times of a practice
  test("are limited; moving one is not", function* () {
    const practice = yield* makePractice(limits(3, 2))
    const { booked, session, doctor } = practice
    const uid = yield* booked(inDays(2, 9))
    yield* holdInNewSession(practice, inDays(3, 9))
    yield* booked(inDays(2, 10))
    const refused = { _tag: "TooManyAppointments", field: "start_date" }
    const start_date = inDays(2, 11)
    expect(yield* Effect.flip(holdInNewSession(practice, start_date))).toMatchObject(refused)
    expect(yield* Effect.flip(practice.book(yield* session(), { start_date }))).toMatchObject(refused)
    const moved = { new_start_date: start_date, new_doctor_uid: doctor }
    yield* practice.rebook(uid, moved, yield* practice.asCustomer())
    yield* practice.holdByKey({ start_date: inDays(2, 12) })
  })

  test("may be cancelled and rebooked, or moved, up to five times the limit within a day", function* () {
    const practice = yield* makePractice(limits(3, 1))
    const customer = yield* practice.asCustomer()
    const to = (hour: number) => ({ new_start_date: inDays(2, hour), new_doctor_uid: practice.doctor })
    for (const hour of [9, 10, 11]) yield* practice.cancel(yield* practice.booked(inDays(2, hour)), customer)
    const uid = yield* practice.booked(inDays(2, 12))
    const moved = yield* practice.rebook(uid, to(13), customer)
    expect(yield* Effect.flip(practice.rebook(moved.appointment_uid, to(14), customer))).toMatchObject({
      _tag: "TooManyAppointments",
      field: "new_start_date"
    })
    yield* practice.cancel(moved.appointment_uid, customer)
    expect((yield* Effect.flip(holdInNewSession(practice, inDays(2, 15))))._tag).toBe("TooManyAppointments")
    yield* advance(DAY)
    yield* holdInNewSession(practice, inDays(4, 9))
  })

  test("cannot be exceeded by confirming expired holds late", function* () {
    const { session, hold, confirm } = yield* makePractice(limits(3, 1))
    const [one, two] = [yield* session(), yield* session()]
    const first = yield* hold(one, inDays(3, 9))
    yield* advance(700)
    const second = yield* hold(two, inDays(3, 10))
    yield* confirm(two, second.hold_uid)
    expect((yield* Effect.flip(confirm(one, first.hold_uid)))._tag).toBe("TooManyAppointments")
  })
})

// Shows: a patient who books every free time
test("a patient has at most 50 live sessions without a live hold: one more ends the oldest of them", function* () {
  const practice = yield* makePractice()
  const held = yield* practice.session("anna")
  yield* practice.hold(held, inDays(4, 9))
  yield* advance(1)
  const oldest = yield* practice.session("anna")
  yield* Effect.promise(() => openMore(practice, 49))
  const look = (code: string) =>
    Effect.match(
      Effect.flatMap(Bookings, ({ session }) => session(code)),
      { onFailure: ({ _tag }) => _tag, onSuccess: () => "live" }
    )
  expect([yield* look(held), yield* look(oldest)]).toEqual(["live", "live"])
  yield* practice.session("anna")
  expect([yield* look(held), yield* look(oldest)]).toEqual(["live", "BookingSessionNotFound"])
})

// Shows: a patient who books every free time
plain("a patient has at most 50 live sessions, also when several are opened at the same time; Rule 4.3.8", async () => {
  const { run, databaseUrl, query } = layers.current
  const practice = await run(makePractice())
  await run(practice.session("anna"))
  await openMore(practice, 49)
  const own = `FROM booking_sessions WHERE organisation_uid = '${practice.organisation_uid}'`
  const url = seeingAll(databaseUrl)
  const [database, observer] = [new Client({ connectionString: url }), new Client({ connectionString: url })]
  await Promise.all([database.connect(), observer.connect()])
  // Each request ends the oldest session: here all of them have looked for it before one of them has
  await database.query("BEGIN")
  await database.query(`SELECT 1 ${own} FOR UPDATE`)
  const opening = Promise.all(["anna", "anna", "anna"].map((customer) => run(practice.session(customer))))
  await eventually(
    () => waitingForLocks(observer),
    (waiting) => waiting >= 3
  )
  await database.query("COMMIT")
  await opening
  await Promise.all([database.end(), observer.end()])
  // one that was ended expired when it was, by the domain's clock
  expect(await query(`SELECT 1 ${own} AND expires_at >= created_at + interval '30 minutes'`)).toHaveLength(50)
})

test("released holds are deleted after a day, expired ones after their end; everything that was confirmed stays", function* () {
  const sql = yield* SqlClient.SqlClient
  const { organisation_uid, ...practice } = yield* makePractice()
  const code = yield* practice.session()
  for (const hour of [9, 10, 11]) yield* practice.hold(code, inDays(5, hour))
  const late = (yield* practice.holdByKey({ start_date: inDays(5, 14) })).hold_uid
  yield* practice.cancel(yield* practice.booked(inDays(5, 12)))
  const tidy = Effect.gen(function* () {
    yield* (yield* OverdueAppointments).expireHolds()
    yield* (yield* Retention).deleteExpired()
  })
  const statuses = Effect.map(
    sql<{
      status: string
    }>`SELECT status FROM appointments WHERE organisation_uid = ${organisation_uid} ORDER BY status`,
    (rows) => rows.map(({ status }) => status)
  )
  yield* tidy
  expect(yield* statuses).toHaveLength(5)
  yield* advance(DAY + 1000)
  yield* tidy
  expect(yield* statuses).toEqual(["cancelled", "expired", "expired"])
  // two days later an expired hold is listed and, by key, still confirmed
  const listed = yield* practice.list({ status: "expired", from: "0" })
  expect(listed.data.map(({ start_date }) => start_date)).toEqual([inDays(5, 11), inDays(5, 14)])
  expect((yield* practice.confirmByKey(late)).status).toBe("confirmed")
  yield* advance(6 * DAY)
  yield* tidy
  expect(yield* statuses).toEqual(["cancelled", "confirmed"])
})
