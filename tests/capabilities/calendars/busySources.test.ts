/** Calendars kept elsewhere: management, reading, failures; Radicale as a real CalDAV server (Rule 3.12). */
import { afterAll, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { BusySourceUid } from "../../../src/capabilities/calendars/schemas/BusySource.ts"
import { BusySources } from "../../../src/capabilities/calendars/services/BusySources.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { Database } from "../../../src/services/database/Database.ts"
import { onlyOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { arrived, eventually } from "../../support/eventually.ts"
import { radicale } from "../../support/radicale.ts"
import { ownServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { DAY, inDays, makeWorld, random } from "../../support/world.ts"

const server = ownServer({ SANDBOX: "true" })

const stamp = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, "")
const calendarOf = (...events: ReadonlyArray<ReadonlyArray<string>>) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", ...events.flat(), "END:VCALENDAR", ""].join("\r\n")
const timed = (start: number, end: number, uid = random("event"), ...more: ReadonlyArray<string>) => [
  "BEGIN:VEVENT",
  `UID:${uid}`,
  "DTSTAMP:20260101T000000Z",
  `DTSTART:${stamp(start)}`,
  `DTEND:${stamp(end)}`,
  ...more,
  "END:VEVENT"
]

/** What each path answers, and the requests that it got. */
const answers = new Map<string, () => Response | Promise<Response>>()
const requests: Array<{ readonly path: string; readonly headers: Headers }> = []
const web = Bun.serve({
  port: 0,
  fetch: (request) => {
    const path = new URL(request.url).pathname
    requests.push({ path, headers: request.headers })
    return answers.get(path)?.() ?? new Response("Not here", { status: 404 })
  }
})
afterAll(() => web.stop(true))

const scene = async () => {
  const world = await makeWorld(server.current)
  const doctor = world.doctors[0] ?? ""
  const path = `/${random("calendar")}.ics`
  const base = `/v1/management/scheduling/doctors/${doctor}/busy-sources`
  const create = (changes: Readonly<Record<string, unknown>> = {}) =>
    world.api("POST", base, { kind: "ics", name: "Hospital", url: `http://127.0.0.1:${web.port}${path}`, ...changes })
  const read = async (uid: string) => (await world.api("GET", `${base}/${uid}`)).body
  const settled = (uid: string, status: string) =>
    eventually(
      () => read(uid),
      (source) => source.status === status
    )
  const rangesOf = (uid: string) =>
    server.current.query(
      `SELECT extract(epoch FROM start_date)::int AS start, extract(epoch FROM end_date)::int AS end
       FROM claims WHERE claimed_by = $1 AND claimant = 'calendar' ORDER BY start_date`,
      [uid]
    )
  return { world, doctor, path, base, create, read, settled, rangesOf }
}

/** Of real time: only the last tests ask the moved clock. */
const tomorrow = () => inDays(1)

test("a source is read at once, keeps only its times, and is asked with its tag", async () => {
  const { path, create, settled, rangesOf, world, base } = await scene()
  const start = tomorrow() + 9 * 3600
  answers.set(path, () => new Response(calendarOf(timed(start, start + 1800)), { headers: { etag: '"one"' } }))
  const created = await create({ username: "anna", password: "secret" })
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ status: "waiting", username: "anna", when_stale: "keep", all_day_blocks: true })
  expect(created.body).not.toHaveProperty("password")
  const source = await settled(created.body.uid, "current")
  expect(source).toMatchObject({ last_error: null, events: 1, all_day_events: 0 })
  // ten minutes from the beginning of the reading to the next one
  expect(source.next_read_at - source.last_success_at).toBeWithin(540, 601)
  expect(await rangesOf(source.uid)).toEqual([{ start, end: start + 1800 }])
  const asked = requests.filter((one) => one.path === path)
  expect(asked[0]?.headers.get("authorization")).toBe(`Basic ${btoa("anna:secret")}`)

  answers.set(path, () => new Response(null, { status: 304 }))
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 601 })
  expect(requests.findLast((one) => one.path === path)?.headers.get("if-none-match")).toBe('"one"')
  expect(await rangesOf(source.uid)).toHaveLength(1)
  expect((await world.api("DELETE", `${base}/${source.uid}`)).status).toBe(204)
  expect(await rangesOf(source.uid)).toEqual([])
  expect((await world.api("DELETE", `${base}/${source.uid}`)).status).toBe(404)
})

// Shows: a stored password sent to another server
test("a password does not follow to another server's address, by the interface or a provisioning file; Rule 3.12.8", async () => {
  const { create, settled, world, base, doctor } = await scene()
  const seen = new Map<string, string | null>()
  const serve = () =>
    Bun.serve({
      port: 0,
      fetch: ({ url, headers }) => {
        seen.set(url, headers.get("authorization"))
        return new Response(calendarOf())
      }
    })
  const [one, other] = [serve(), serve()]
  const patch = (uid: string, sent: object): Promise<unknown> => world.api("PATCH", `${base}/${uid}`, sent)
  /** The user name that is shown, and what the calendar at a new address is asked with, after a change of a source with a password. */
  const askedAfter = async (at: typeof one, changes: object, change = patch) => {
    const source = await create({ url: `${one.url}${random("old")}`, username: "anna", password: "secret" })
    await settled(source.body.uid, "current")
    const url = `${at.url}${random("new")}`
    await change(source.body.uid, { url, ...changes })
    await arrived(() => [...seen.keys()].filter((key) => key === url))
    return [(await world.api("GET", `${base}/${source.body.uid}`)).body.username, seen.get(url)]
  }
  const basic = (credentials: string) => `Basic ${btoa(credentials)}`
  expect(await askedAfter(one, {})).toEqual(["anna", basic("anna:secret")])
  expect(await askedAfter(other, {})).toEqual([null, null])
  expect(await askedAfter(other, { username: "anna" })).toEqual(["anna", basic("anna:")])
  expect(await askedAfter(other, { password: "new" })).toEqual([null, null])
  expect(await askedAfter(other, { username: "eva", password: "new" })).toEqual(["eva", basic("eva:new")])
  const provisioned = (uid: string, sent: object) =>
    world.provision({ busy_sources: [{ uid, doctor_uid: doctor, kind: "ics", name: "Rota", ...sent }] })
  expect(await askedAfter(other, {}, provisioned)).toEqual([null, null])
  await Promise.all([one.stop(true), other.stop(true)])
})

const dav = radicale()

test("Radicale: a collection is read with its series and exceptions, again when it changes, and not without the password", async () => {
  const collection = `${dav}ada/${random("rota")}/`
  const ask = async (method: string, path = "", body = "") => {
    const headers = { authorization: `Basic ${btoa("ada:correct horse")}`, "content-type": "text/calendar" }
    return (await fetch(collection + path, { method, body, headers })).status
  }
  const put = (name: string, ...events: ReadonlyArray<ReadonlyArray<string>>) =>
    ask("PUT", `${name}.ics`, calendarOf(...events))
  expect(await ask("MKCALENDAR")).toBe(201)
  const start = tomorrow() + 9 * 3600
  const half = (uid: string, at: number, ...more: ReadonlyArray<string>) => timed(at, at + 1800, uid, ...more)
  const third = start + 2 * DAY
  const series = half("series", start, "RRULE:FREQ=DAILY;COUNT=4", `EXDATE:${stamp(start + DAY)}`)
  expect(await put("series", series, half("series", third + 7200, `RECURRENCE-ID:${stamp(third)}`))).toBe(201)
  expect(await put("single", half("single", start + 3600))).toBe(201)
  const { create, settled, rangesOf, world, base } = await scene()
  const { uid } = (await create({ kind: "caldav", url: collection, username: "ada", password: "correct horse" })).body
  expect(await settled(uid, "current")).toMatchObject({ last_error: null, events: 4 })
  const starts = async () => (await rangesOf(uid)).map((range) => range.start)
  /** Reads again, until these are the starts. */
  const becomes = async (...expected: ReadonlyArray<number>) => {
    expect((await world.api("POST", `${base}/${uid}/refresh`)).status).toBe(202)
    await eventually(starts, (found) => JSON.stringify(found) === JSON.stringify(expected))
  }
  const later = [third + 7200, start + 3 * DAY]
  expect(await starts()).toEqual([start, start + 3600, ...later])
  // nothing has changed: the tag is the same
  await becomes(start, start + 3600, ...later)
  expect(await put("another", half("another", start + 9000))).toBe(201)
  await becomes(start, start + 3600, start + 9000, ...later)
  expect(await ask("DELETE", "single.ics")).toBe(200)
  await becomes(start, start + 9000, ...later)
  await world.api("PATCH", `${base}/${uid}`, { password: "wrong" })
  expect((await settled(uid, "failing")).last_error).toMatch(/password/)
  expect(await starts()).toHaveLength(4)
})

test("a source that was read meanwhile is not read again by its job, but for a refresh", async () => {
  const { path, create, settled, world, base } = await scene()
  answers.set(path, () => new Response(calendarOf()))
  const { uid } = (await create()).body
  await settled(uid, "current")
  const readings = () => requests.filter((one) => one.path === path).length
  const owner = OrganisationUid.make(world.organisation_uid)
  await server.current.run(
    Effect.flatMap(BusySources, (sources) => onlyOwner(owner)(sources.read(owner, BusySourceUid.make(uid))))
  )
  expect(readings()).toBe(1)
  expect((await world.api("POST", `${base}/${uid}/refresh`)).status).toBe(202)
  expect(
    await eventually(
      async () => readings(),
      (count) => count > 1
    )
  ).toBe(2)
})

test("busy times count in search and hold, not for the confirmation of a hold", async () => {
  const { path, create, settled, world, base } = await scene()
  const start = tomorrow() + 9 * 3600
  const other = start + 3600
  const code = await world.session("customer-1")
  const held = await world.hold(code, other)
  expect(held.status).toBe(200)
  answers.set(path, () => new Response(calendarOf(timed(start, start + 1200), timed(other, other + 1200))))
  const { uid } = (await create()).body
  await settled(uid, "current")
  const found = async () =>
    (await world.search({ from: start, to: other + 1 })).body.slots
      .filter(({ doctor_uid }) => doctor_uid === world.doctor)
      .map(({ start_date }) => start_date)
  expect(await found()).toEqual([start + 1200, start + 2400])
  expect((await world.hold(await world.session("customer-2"), start)).status).toBe(409)
  expect((await world.confirm(code, held.body.hold_uid)).status).toBe(200)
  await world.api("PATCH", `${base}/${uid}`, { active: false })
  expect(await found()).toEqual([start, start + 1200, start + 2400])
})

test("a calendar that is not read for a day closes its doctor where that is wanted", async () => {
  const { path, create, settled, world, doctor } = await scene()
  answers.set(path, () => new Response(calendarOf()))
  const { uid } = (await create({ when_stale: "close" })).body
  await settled(uid, "current")
  answers.set(path, () => new Response("No", { status: 500 }))
  const found = async () => {
    const now = await server.current.now()
    const { slots } = (await world.search({ from: now, to: now + DAY })).body
    return slots.some((slot) => slot.doctor_uid === doctor)
  }
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 23 * 3600 })
  expect(await found()).toBe(true)
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 2 * 3600 })
  expect(await found()).toBe(false)
})

test("a calendar that cannot be read keeps its times, says why, and is announced once", async () => {
  const { path, create, settled, rangesOf, world } = await scene()
  const start = tomorrow() + 9 * 3600
  answers.set(path, () => new Response(calendarOf(timed(start, start + 1800))))
  const { uid } = (await create()).body
  await settled(uid, "current")
  const faults = [
    [() => new Response("No", { status: 500 }), /error/],
    [() => new Response("<html>Sign in</html>"), /not to a calendar/],
    [() => new Response(calendarOf(timed(start, start + 60)).slice(0, -30)), /incomplete/],
    [() => Response.redirect("http://127.0.0.1/"), /another/]
  ] as const
  for (const [answer, reason] of faults) {
    answers.set(path, answer)
    await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 601 })
    expect(await settled(uid, "failing")).toMatchObject({ last_error: expect.stringMatching(reason) })
  }
  expect(await rangesOf(uid)).toHaveLength(1)
  const events = await world.api("GET", "/v1/management/events?type=busy_source.failing")
  expect(events.body.data).toMatchObject([{ data: { busy_source_uid: uid, name: "Hospital" } }])
})

test("an odd event is left out, counted and named, and the rest is current; Rule 3.12.9", async () => {
  const { path, create, settled, rangesOf, world } = await scene()
  const start = tomorrow() + 9 * 3600
  const odd = (...lines: ReadonlyArray<string>) => [
    ...["BEGIN:VEVENT", "UID:odd", `DTSTART:${stamp(start + DAY)}`],
    ...[...lines, "SUMMARY:Anna is ill", "END:VEVENT"]
  ]
  const good = timed(start, start + 1800)
  answers.set(path, () => new Response(calendarOf(good, odd("DURATION:P"), odd("DTEND:noon"))))
  const { uid } = (await create()).body
  const source = await settled(uid, "current")
  const at = stamp(start + DAY).slice(0, -1)
  expect(source).toMatchObject({
    skipped_events: 2,
    last_error: `Some events could not be read and may not be busy; the first: DURATION, ${at}`
  })
  expect(await rangesOf(uid)).toEqual([{ start, end: start + 1800 }])

  const zoned = timed(start, start + 1800).map((line) => line.replace(/(DT\w+):(.*T.*)Z/, "$1;TZID=Lummerland:$2"))
  answers.set(path, () => new Response(calendarOf(zoned)))
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 601 })
  expect(await settled(uid, "current")).toMatchObject({
    skipped_events: 0,
    last_error: "A time zone is not known and is taken for the doctor's own: Lummerland"
  })
  answers.set(path, () => new Response(calendarOf(good)))
  await world.api("POST", "/v1/sandbox/clock", { advance_seconds: 601 })
  expect(await settled(uid, "current")).toMatchObject({ skipped_events: 0, last_error: null })
  const events = await world.api("GET", "/v1/management/events?type=busy_source.failing")
  expect(events.body.data).toEqual([])
})

test("webcal is https; Rule 3.12.4", async () => {
  const { create, world, base } = await scene()
  const created = await create({ url: "webcal://127.0.0.1:9/published/abc.ics?x=1" })
  expect(created).toMatchObject({ status: 201, body: { url: "https://127.0.0.1:9/published/abc.ics?x=1" } })
  const changed = await world.api("PATCH", `${base}/${created.body.uid}`, { url: "WebCals://127.0.0.1:9/b.ics" })
  expect(changed).toMatchObject({ status: 200, body: { url: "https://127.0.0.1:9/b.ics" } })
})

test("a change is read at once, and a version is not ended by a reading", async () => {
  const { path, create, settled, base, world } = await scene()
  answers.set(path, () => new Response(calendarOf()))
  const { uid } = (await create()).body
  const before = await world.api("GET", `${base}/${uid}`)
  await settled(uid, "current")
  const headers = { "if-match": before.headers.get("etag") ?? "" }
  const patch = (body: unknown) => server.current.api("PATCH", `${base}/${uid}`, { key: world.key, body, headers })
  const changed = await patch({ name: "Rota" })
  expect(changed).toMatchObject({ status: 200, body: { name: "Rota" } })
  expect((await patch({ name: "Again" })).status).toBe(412)
  const off = await world.api("PATCH", `${base}/${uid}`, { active: false })
  expect(off.body).toMatchObject({ active: false, next_read_at: null })
})

test("doctors manage their own, and see nobody else's", async () => {
  const { path, base, world, doctor } = await scene()
  answers.set(path, () => new Response(calendarOf()))
  const token = await doctorOf(server.current, world, doctor)
  const other = await doctorOf(server.current, world, world.doctors[1] ?? "")
  const url = `http://127.0.0.1:${web.port}${path}`
  const call = (bearer: string, method: string, at: string, body?: unknown) =>
    server.current.api(method, at, { bearer, body })
  const created = await call(token, "POST", "/v1/doctor/busy-sources", { kind: "ics", name: "Mine", url })
  expect(created.status).toBe(201)
  const at = `/v1/doctor/busy-sources/${created.body.uid}`
  expect((await call(token, "POST", `${at}/refresh`)).status).toBe(202)
  expect((await call(other, "GET", at)).status).toBe(404)
  expect((await call(other, "GET", "/v1/doctor/busy-sources")).body).toEqual({ data: [], next: null })
  expect((await world.api("GET", base)).body.data).toHaveLength(1)
})

test("bad addresses and unknown doctors are refused", async () => {
  const { create, world } = await scene()
  expect(await create({ url: "ftp://example.org/a.ics" })).toMatchObject({
    status: 400,
    body: { error: [expect.stringContaining("url")] }
  })
  const nobody = "/v1/management/scheduling/doctors/doc_nobody/busy-sources"
  expect((await world.api("GET", nobody)).status).toBe(404)
})

test("bookings beside a calendar that changes: none is made at a time that was read as busy", async () => {
  const { path, create, settled, rangesOf, world, base } = await scene()
  // other tests have moved the clock
  const day = Math.floor((await server.current.now()) / DAY + 2) * DAY
  const starts = Array.from({ length: 12 }, (_, at) => day + 8 * 3600 + at * 1200)
  const first = starts[0] as number
  answers.set(path, () => new Response(calendarOf(timed(first, first + 1200))))
  const { uid } = (await create()).body
  await settled(uid, "current")
  /** Times that a reading has stored as busy. */
  const busy = new Set([first])
  const wrong: Array<number> = []
  let isDone = false
  const booking = async (at: number) => {
    for (let turn = at; !isDone; turn += 5) {
      const start_date = starts[turn % starts.length] as number
      const wasBusy = busy.has(start_date)
      const { status } = await world.hold(await world.session(`customer-${at}`), start_date)
      if (status === 200 && wasBusy) wrong.push(start_date)
    }
  }
  const bookers = [1, 2, 3].map(booking)
  for (const start of starts.slice(1)) {
    const all = [...busy, start]
    answers.set(path, () => new Response(calendarOf(...all.map((one) => timed(one, one + 1200)))))
    expect((await world.api("POST", `${base}/${uid}/refresh`)).status).toBe(202)
    await eventually(
      () => rangesOf(uid),
      (found) => found.some(({ end }) => (end as number) >= start + 1200)
    )
    busy.add(start)
  }
  isDone = true
  await Promise.all(bookers)
  expect(wrong).toEqual([])
  for (const start_date of starts)
    expect((await world.hold(await world.session("customer-late"), start_date)).status).toBe(409)
})

test("a source that is switched off frees its times for the waiting list", async () => {
  const { path, create, settled, world, base } = await scene()
  const start = Math.floor((await server.current.now()) / DAY + 5) * DAY + 9 * 3600
  answers.set(path, () => new Response(calendarOf(timed(start, start + 1200))))
  const { uid } = (await create()).body
  await settled(uid, "current")
  const entries = "/v1/management/scheduling/waitlist-entries"
  const entry = await world.api("POST", entries, {
    patient_uid: await world.patient(),
    appointment_type_uid: world.type_uid,
    doctor_uids: [world.doctor],
    from: start,
    to: start + 1
  })
  expect((await world.api("PATCH", `${base}/${uid}`, { active: false })).status).toBe(200)
  expect((await world.api("GET", `${entries}/${entry.body.uid}`)).body).toMatchObject({ status: "offered" })
})

const readNow = (owner: string, uid: string) =>
  server.current.run(
    onlyOwner(owner)(
      Effect.flatMap(BusySources, ({ read }) => read(OrganisationUid.make(owner), BusySourceUid.make(uid)))
    )
  )
const makeDue = (uid: string) =>
  server.current.sql`UPDATE busy_sources SET next_read_at = created_at WHERE uid = ${uid}`

// Shows: a calendar changed twice is read a minute later
test("a source whose row is locked is read once it is free: Rule 3.12.2", async () => {
  const { path, create, settled, world } = await scene()
  answers.set(path, () => new Response(calendarOf()))
  const { uid } = (await create()).body
  await settled(uid, "current")
  await makeDue(uid)
  requests.length = 0
  let isRead = false
  const locked = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`SELECT FROM busy_sources WHERE uid = ${uid} FOR NO KEY UPDATE`
    const reading = readNow(world.organisation_uid, uid).then(() => {
      isRead = true
    })
    const waiting = () => server.current.query("SELECT FROM pg_locks WHERE NOT granted", [])
    yield* Effect.promise(() => eventually(waiting, ({ length }) => isRead || length > 0))
    return { reading }
  })
  const { reading } = await server.current.run(Effect.flatMap(Database, ({ transaction }) => transaction(locked)))
  await reading
  expect(requests.filter((one) => one.path === path)).toHaveLength(1)
})

// Shows: times of the former address stored as those of the new one
test("what was read of a former address is not stored, though it was changed within the same second", async () => {
  const { path, create, settled, rangesOf, world, base } = await scene()
  const start = tomorrow() + 9 * 3600
  answers.set(path, () => new Response(calendarOf()))
  const { uid } = (await create()).body
  await settled(uid, "current")
  const { promise, resolve } = Promise.withResolvers<Response>()
  answers.set(path, () => promise)
  await makeDue(uid)
  requests.length = 0
  const reading = readNow(world.organisation_uid, uid)
  await arrived(() => requests.filter((one) => one.path === path))
  const other = `/${random("other")}.ics`
  answers.set(other, () => new Response(calendarOf(timed(start, start + 1800))))
  const [before] = await server.current
    .sql`SELECT extract(epoch FROM updated_at)::int AS at FROM busy_sources WHERE uid = ${uid}`
  await world.api("PATCH", `${base}/${uid}`, { url: `http://127.0.0.1:${web.port}${other}` })
  await eventually(
    () => rangesOf(uid),
    (ranges) => ranges.length === 1
  )
  await server.current.sql`UPDATE busy_sources SET updated_at = to_timestamp(${before?.at}) WHERE uid = ${uid}`
  resolve(new Response(calendarOf()))
  await reading
  expect(await rangesOf(uid)).toEqual([{ start, end: start + 1800 }])
})

test("a changed address waits for its first reading, without what was said of the former one: Rule 3.12.5", async () => {
  const { path, create, settled, world, base } = await scene()
  answers.set(path, () => new Response(calendarOf()))
  const { uid } = (await create({ when_stale: "close" })).body
  await settled(uid, "current")
  answers.delete(path)
  await makeDue(uid)
  await readNow(world.organisation_uid, uid)
  expect(await settled(uid, "failing")).toMatchObject({ last_error: expect.any(String) })
  const other = `/${random("other")}.ics`
  const { promise, resolve } = Promise.withResolvers<Response>()
  answers.set(other, () => promise)
  const changed = await world.api("PATCH", `${base}/${uid}`, { url: `http://127.0.0.1:${web.port}${other}` })
  expect(changed.body).toMatchObject({ status: "waiting", last_error: null, last_success_at: null })
  // it counts as stale only a day after the change
  await server.current.sql`UPDATE busy_sources SET created_at = created_at - interval '3 days' WHERE uid = ${uid}`
  const start = Math.floor((await server.current.now()) / DAY + 2) * DAY + 9 * 3600
  expect((await world.hold(await world.session("customer-1"), start)).status).toBe(200)
  resolve(new Response(calendarOf()))
  await settled(uid, "current")
})
