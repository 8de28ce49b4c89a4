/** Limits of searches with many slots, and of the records that define them. Rules 3.8.6 and 3.8.7. */
import { expect, test } from "bun:test"
import { Effect, Layer, Schema } from "effect"
import { UnixSeconds } from "../../src/schemas/fields.ts"
import { AppointmentTypeUid, OrganisationUid } from "../../src/schemas/ids.ts"
import { SlotSearch } from "../../src/schemas/scheduling/Booking.ts"
import { DomainClock } from "../../src/services/DomainClock.ts"
import { type CalendarQuery, CalendarsRepo } from "../../src/services/scheduling/booking/Calendars.ts"
import { SlotEngine } from "../../src/services/scheduling/booking/SlotEngine.ts"
import { testServer } from "../support/server.ts"
import { CONSULTATION, DAY, dayOf, inDays, makeWorld, type World } from "../support/world.ts"

const server = testServer()

/** A month of one-minute slots, day and night. */
const from = inDays(2)
const month = { from, to: from + 31 * DAY }
const OF_ONE = 31 * 1440

// Shows: a slot search that takes seconds or gigabytes
// Shows: a slot search that costs seconds or gigabytes
test("a search that finds more slots than an answer may have is refused, and answered with a limit", async () => {
  const world = await makeWorld(server.current, { doctors: 6, type: { duration_minutes: 1 } })
  expect(await world.search(month)).toMatchObject({
    status: 400,
    body: { error: ["to: more than 250000 slots: narrow the range or the doctors, or send a limit"] }
  })
  const { slots } = (await world.search({ ...month, limit: 9 })).body
  const starts = slots.map(({ start_date }) => start_date)
  expect(starts).toEqual([0, 0, 0, 0, 0, 0, 60, 60, 60].map((after) => from + after))
})

// Shows: a slot search that costs seconds or gigabytes
test.each(["br", "gzip", "identity"])("a large answer is streamed completely, also as %s", async (coding) => {
  const world = await makeWorld(server.current, { doctors: 1, type: { duration_minutes: 1 } })
  const { shop_uid, type_uid: appointment_type_uid } = world
  const body = JSON.stringify({ shop_uid, appointment_type_uid, timezone: "UTC", ...month })
  const answer = await fetch(`${server.current.url}/v1/scheduling/slots/search`, {
    method: "POST",
    headers: { "content-type": "application/json", "accept-encoding": coding },
    body
  })
  expect(answer.headers.get("content-length")).toBeNull()
  expect(answer.headers.get("vary")).toContain("accept-encoding")
  const { slots } = (await answer.json()) as { slots: ReadonlyArray<{ start_date: number }> }
  expect(slots).toHaveLength(OF_ONE)
  expect(slots.every(({ start_date }, i) => start_date === from + 60 * i)).toBeTrue()
})

test("an answer of more than 5,000 slots is written while it is sent, so that memory holds one chunk; Rule 3.8.6", async () => {
  const world = await makeWorld(server.current, { doctors: 1, type: { duration_minutes: 1 } })
  const isWhole = Effect.fnUntraced(function* (days: number) {
    const { search } = yield* SlotEngine
    const range = { shop_uid: world.shop_uid, appointment_type_uid: world.type_uid, from, to: from + days * DAY }
    return "bytes" in (yield* search(yield* Schema.decodeUnknown(SlotSearch)(range)))
  })
  const found = Effect.all([isWhole(3), isWhole(4)]).pipe(Effect.provide(SlotEngine.Default))
  expect(await server.current.run(found)).toEqual([true, false])
})

// Shows: a slot search that costs seconds or gigabytes
test("neither a search nor a booking without a doctor reads calendars of the past, whatever the range", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const read: Array<CalendarQuery> = []
  const noted = Layer.effect(
    CalendarsRepo,
    Effect.map(CalendarsRepo, (calendars) =>
      CalendarsRepo.make({
        ...calendars,
        read: Effect.fnUntraced(function* (query: CalendarQuery) {
          read.push(query)
          return yield* calendars.read(query)
        })
      })
    )
  ).pipe(Layer.provide(CalendarsRepo.Default))
  const now = Math.floor(Date.now() / 1_000)
  const engine = SlotEngine.DefaultWithoutDependencies.pipe(Layer.provide([noted, DomainClock.Default]))
  await server.current.run(
    Effect.gen(function* () {
      const { find, freeDoctors } = yield* SlotEngine
      const appointment_type_uid = AppointmentTypeUid.make(world.type_uid)
      for (const days of [-40, -10])
        yield* find({
          owner: { shop_uid: world.shop_uid },
          appointment_type_uid,
          from: UnixSeconds.make(now + days * DAY),
          to: UnixSeconds.make(now + (days + 20) * DAY)
        })
      const organisation_uid = OrganisationUid.make(world.organisation_uid)
      const past = { organisation_uid, appointment_type_uid, start_date: now - 40 * DAY, now }
      expect(yield* Effect.flip(freeDoctors(past, "start_date"))).toMatchObject({ _tag: "SlotNotOffered" })
    }).pipe(Effect.provide(engine))
  )
  expect(read.map(({ from, to }) => [from >= now, Math.round((to - now) / DAY)])).toEqual([
    [true, 0],
    [true, 10],
    [true, 0]
  ])
})

/** Never conflicts: without the clause Citus uses COPY, which row-level security rejects. */
const BY_ROWS = "ON CONFLICT DO NOTHING"

/** Inserts this many copies of the organisation's only record, each with its own uid. */
const copy = (world: World, table: string, columns: string, count: number) =>
  server.current.query(
    `INSERT INTO ${table} (organisation_uid, uid, created_at, updated_at, ${columns})
          SELECT organisation_uid, gen_random_uuid(), created_at, updated_at, ${columns}
          FROM (SELECT * FROM ${table} WHERE organisation_uid = $1 LIMIT 1) one, generate_series(1, $2::integer)
          ${BY_ROWS}`,
    [world.organisation_uid, count]
  )

/** Moves the overrides of one date to another. */
const moveAll = (world: World, from: number, to: number) =>
  server.current.sql`UPDATE availability_date_overrides SET date = ${dayOf(to)}
    WHERE organisation_uid = ${world.organisation_uid} AND date = ${dayOf(from)}`

/** The answer's status, or the faults of a bad request. */
const posting = (world: World) => async (path: string, body: object) => {
  const { status, body: answer } = await world.api("POST", `/v1/management${path}`, body)
  return status === 400 ? answer.error : status
}

// Shows: a slot search that takes seconds or gigabytes
// Shows: a slot search that costs seconds or gigabytes
test("a doctor's rules and overrides, and an organisation's doctors, have a maximum", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const post = posting(world)
  const doctor = `/scheduling/doctors/${world.doctor}`
  const hours = { start_time: 60, end_time: 120 }
  const addRule = () => post(`${doctor}/availability-rules`, { weekday: 0, ...hours })
  await copy(world, "availability_rules", "doctor_uid, weekday, start_time, end_time, buffer_minutes, active", 192)
  expect(await addRule()).toBe(201)
  expect(await addRule()).toEqual(["weekday: there are 200 rules of this doctor already: delete some first"])
  const override = (day: number, fields: object = hours) =>
    post(`${doctor}/availability-date-overrides`, { date: inDays(day), ...fields })
  const copyOverrides = (count: number) =>
    copy(world, "availability_date_overrides", "doctor_uid, date, start_time, end_time, buffer_minutes", count)
  expect(await override(9)).toBe(201)
  await copyOverrides(49)
  expect(await override(9)).toEqual(["date: there are 50 hours of the doctor on this date already: delete some first"])
  expect(await override(10)).toBe(201)
  // nor can one be moved there; a day off replaces all of them
  const path = `/v1/management${doctor}/availability-date-overrides`
  const [{ uid }] = (await world.api("GET", `${path}?from=${inDays(10)}&to=${inDays(10)}`)).body.data
  const change = async (fields: object) => (await world.api("PATCH", `${path}/${uid}`, fields)).status
  expect(await change({ date: inDays(9) })).toBe(400)
  // an override that keeps its date may change, however many provisioning has inserted
  await copyOverrides(2)
  await moveAll(world, inDays(9), inDays(10))
  expect(await change({ date: inDays(10), end_time: 180 })).toBe(200)
  expect(await override(9, { day_off: true })).toBe(201)
  // overrides of dates within the search range are counted together
  await copyOverrides(20_000)
  await moveAll(world, inDays(10), inDays(-2))
  expect(await override(11)).toEqual([
    expect.stringMatching(/^date: there are 20\d+ overrides of all doctors and resources already: delete some first$/)
  ])
  await copy(world, "doctors", "display_name, timezone, languages", 1_999)
  expect(await post("/doctors", { display_name: "Dr. A" })).toEqual([
    "display_name: there are 2000 doctors already: delete some first"
  ])
})

// Shows: a slot search that costs seconds or gigabytes
test("an organisation's types of appointment, their reminders, and its shops have a maximum", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const post = posting(world)
  const reminders = `/scheduling/appointment-types/${world.type_uid}/reminders`
  const reminder = (minutes_before: number) => ({ recipient_role: "patient", minutes_before, send_email: true })
  expect(await post(reminders, reminder(60))).toBe(201)
  const sql = (text: string) => server.current.query(text, [world.organisation_uid])
  const copyReminders = (count: number, deleted: string) =>
    sql(`INSERT INTO reminders (organisation_uid, uid, appointment_type_uid, recipient_role, minutes_before, send_email, send_sms, active,
        created_at, updated_at, effective_from, deleted_at)
      SELECT organisation_uid, gen_random_uuid(), appointment_type_uid, recipient_role, 100 + n, send_email, send_sms, active,
        created_at, updated_at, effective_from, ${deleted}
      FROM (SELECT * FROM reminders WHERE organisation_uid = $1 LIMIT 1) one, generate_series(1, ${count}) n
      ${BY_ROWS}`)
  await copyReminders(98, "NULL")
  await copyReminders(3, "created_at") // deleted ones do not count
  expect(await post(reminders, reminder(70))).toBe(201)
  expect(await post(reminders, reminder(71))).toEqual([
    "minutes_before: there are 100 reminders of this type already: delete some first"
  ])
  const type = { name: "T", ...CONSULTATION }
  expect(await post("/scheduling/appointment-types", type)).toBe(201)
  await sql(`INSERT INTO appointment_types SELECT (jsonb_populate_record(NULL::appointment_types,
      to_jsonb(one) || jsonb_build_object('uid', gen_random_uuid()))).*
    FROM (SELECT * FROM appointment_types WHERE organisation_uid = $1 LIMIT 1) one, generate_series(1, 198)
    ${BY_ROWS}`)
  expect(await post("/scheduling/appointment-types", type)).toEqual([
    "name: there are 200 appointment types already: delete some first"
  ])
  const secrets = { admin_access_token: "a", storefront_access_token: "b", webhook_secret: "c" }
  const storefront = { kind: "shopify", shop_domain: "a.example", ...secrets }
  await sql(`INSERT INTO shops SELECT (jsonb_populate_record(one, jsonb_build_object('uid', gen_random_uuid(),
      'shop_identifier', gen_random_uuid()))).*
    FROM shops one, generate_series(1, 999) WHERE organisation_uid = $1
    ${BY_ROWS}`)
  expect(await post("/shops", { shop_identifier: "one-more", name: "S", storefront })).toEqual([
    "shop_identifier: there are 1000 shops already: delete some first"
  ])
  const admins = (from: number) =>
    Array.from({ length: 600 }, (_, n) => ({ uid: `adm_${from + n}`, display_name: "A", email: null, phone: null }))
  const name = (from: number) => world.api("PATCH", "/v1/management/organisation", { admins: admins(from) })
  expect([(await name(0)).status, (await name(100)).status]).toEqual([200, 200])
  expect((await name(500)).body.error).toEqual([
    "admins: there are 500 other administrators already: delete some first"
  ])
})
