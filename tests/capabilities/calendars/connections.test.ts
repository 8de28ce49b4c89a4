/** Connected calendars, both ways: the same for stand-ins of Google and Microsoft and for Radicale, a real CalDAV server (Rule 3.15). */
import { afterAll, expect, test } from "bun:test"
import { calendarStandIn } from "../../../script/calendar/standIn.ts"
import { hashOf } from "../../../src/services/uid.ts"
import { asDoctor } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { radicale, radicaleCalendar, radicaleUser } from "../../support/radicale.ts"
import { ownServer } from "../../support/server.ts"
import { adminOf, doctorOf } from "../../support/staff.ts"
import { recording } from "../../support/statements.ts"
import { DAY, inDays, makeWorld, random } from "../../support/world.ts"

const standIns = { google: calendarStandIn(), microsoft: calendarStandIn() }
afterAll(() => Promise.all(Object.values(standIns).map((one) => one.stop())))
const server = ownServer({
  SANDBOX: "true",
  ...standIns.google.settings,
  MICROSOFT_LOGIN_URL: standIns.microsoft.url,
  MICROSOFT_GRAPH_URL: standIns.microsoft.url
})
const dav = radicale()

const scene = async (options: Parameters<typeof makeWorld>[1] = {}) => {
  const world = await makeWorld(server.current, options)
  const bearer = await doctorOf(server.current, world)
  const ask = (method: string, below = "", body?: unknown) =>
    server.current.api(method, `/v1/doctor/calendar-connections${below}`, { bearer, body })
  return { world, bearer, ask }
}
type Scene = Awaited<ReturnType<typeof scene>>

/** The doctor's browser allows it at the provider's page. */
const allow = async ({ world }: Pick<Scene, "world">, provider: "google" | "microsoft") => {
  const browser = await asDoctor(server.current, world)
  const asked = await browser.ask(`/connect/calendar/${provider}`)
  expect(asked.status).toBe(303)
  const granted = await fetch(asked.location, { redirect: "manual" })
  const back = new URL(granted.headers.get("location") ?? "")
  return { browser, callback: back.pathname + back.search }
}

/** What the doctor sees and does in the calendar. */
interface There {
  readonly connect: (of: Scene) => Promise<string>
  readonly own: () => Promise<ReadonlyArray<{ readonly id: string; readonly start: number; readonly title: string }>>
  readonly add: (start: number, end: number) => Promise<unknown>
  readonly remove: (id: string) => Promise<unknown>
  readonly move: (id: string, start: number) => Promise<unknown>
  /** Pushes reach the service, or it asks by itself after five minutes. */
  readonly told: () => Promise<unknown>
}

const granting = (provider: "google" | "microsoft"): There => {
  const there = standIns[provider]
  return {
    connect: async (of) => {
      for (const { id } of [...there.entries.values()]) there.remove(id)
      const { browser, callback } = await allow(of, provider)
      return new URL((await browser.ask(callback)).location, "http://x").searchParams.get("connected") ?? ""
    },
    own: async () =>
      [...there.entries.values()].flatMap(({ id, key, start, title }) => (key === null ? [] : { id, start, title })),
    add: async (start, end) => there.set({ start, end }),
    remove: async (id) => there.remove(id),
    move: async (id, start) => {
      const one = there.entries.get(id)
      if (one !== undefined) there.set({ ...one, start, end: start + 1200 })
    },
    told: () => there.settled()
  }
}

const caldav = (): There => {
  const there = radicaleCalendar(dav, random("own"))
  return {
    connect: async ({ ask }) => {
      expect((await there.create()).status).toBe(201)
      const { status, body } = await ask("POST", "", { provider: "caldav", url: there.url, ...radicaleUser })
      expect(status).toBe(201)
      return body.uid
    },
    own: async () =>
      (await there.text()).split("BEGIN:VEVENT").flatMap((event) => {
        const [, id = ""] = /UID:(\w+)/.exec(event) ?? []
        const [, date = "", time = ""] = /DTSTART:(\d{8})T(\d{6})Z/.exec(event) ?? []
        const [, title = ""] = /SUMMARY:([^\r\n]*)/.exec(event) ?? []
        const wall = `${date.replace(/(....)(..)(..)/, "$1-$2-$3")}T${time.replace(/(..)(..)(..)/, "$1:$2:$3")}Z`
        return id.startsWith("spr") ? [{ id, title, start: Date.parse(wall) / 1000 }] : []
      }),
    add: (start, end) => there.put(random("foreign"), start, end),
    remove: there.remove,
    move: (id, start) => there.put(id, start, start + 1200, "Termin"),
    told: () => server.current.api("POST", "/v1/sandbox/clock", { body: { advance_seconds: 301 } })
  }
}

const kinds = [
  ["Google", () => granting("google")],
  ["Microsoft", () => granting("microsoft")],
  ["Radicale", caldav]
] as const
for (const [name, make] of kinds)
  test(`${name}: busy times are read, appointments written, and what the doctor changes there is shown; Rules 3.15.2 to 3.15.5`, async () => {
    const of = await scene()
    const { world, bearer, ask } = of
    const there = make()
    const uid = await there.connect(of)
    const start = inDays(3, 9)
    await there.add(start, start + 1800)
    const tell = async () => {
      await there.told()
      return server.current.api("POST", "/v1/sandbox/clock", { key: world.key, body: { advance_seconds: 1 } })
    }
    const busy = async () => {
      await tell()
      return server.current.query<{ start: number }>(
        "SELECT extract(epoch FROM start_date)::int AS start FROM claims WHERE claimed_by = $1",
        [uid]
      )
    }
    const clock = () =>
      server.current.api("POST", "/v1/sandbox/clock", { key: world.key, body: { advance_seconds: 301 } })
    if (name === "Radicale") await clock()
    await eventually(busy, (found) => found.some((one) => one.start === start))

    const { calendars } = (await ask("GET", `/${uid}`)).body
    const chosen = await ask("PATCH", `/${uid}`, { calendars: [{ id: calendars[0].id, writes: true }] })
    expect(chosen.body.calendars).toMatchObject([{ reads: true, writes: true }])
    const appointment = await world.booked(inDays(2, 10))
    const stateOf = async (one: string) =>
      (await server.current.api("GET", `/v1/doctor/appointments/${one}`, { bearer })).body.calendar_entry
    await eventually(
      () => stateOf(appointment),
      (state) => state === "written"
    )
    expect(await there.own()).toMatchObject([{ start: inDays(2, 10), title: "Termin" }])

    // moved there: the appointment stays, and the doctor's day has a button for either side
    const [entry] = await there.own()
    await there.move(entry?.id ?? "", inDays(2, 15))
    const differing = async () => {
      if (name === "Radicale") await clock()
      await tell()
      return (await server.current.api("GET", "/v1/doctor/calendar-entries", { bearer })).body.data
    }
    await eventually(differing, ([one]) => one?.calendar_start_date === inDays(2, 15))
    expect(await stateOf(appointment)).toBe("written")
    const browser = await asDoctor(server.current, world)
    const day = await browser.ask("/console/doctor")
    expect(day.text).toContain(`/v1/doctor/calendar-entries/${appointment}/restore`)
    expect(day.text).toContain(`/console/doctor/appointments/${appointment}?move=true`)
    const restore = () => server.current.api("POST", `/v1/doctor/calendar-entries/${appointment}/restore`, { bearer })
    expect((await restore()).status).toBe(204)
    await eventually(there.own, ([one]) => one?.start === inDays(2, 10))

    // removed there: it is not made again, until the doctor asks for it
    await there.remove(entry?.id ?? "")
    await eventually(differing, ([one]) => one?.state === "missing")
    expect(await stateOf(appointment)).toBe("missing")
    expect(await there.own()).toEqual([])
    expect((await restore()).status).toBe(204)
    await eventually(there.own, (some) => some.length === 1)

    await world.api("POST", `/v1/management/scheduling/appointments/${appointment}/cancel`, { reason: "ill" })
    await eventually(there.own, (some) => some.length === 0)
    expect((await ask("DELETE", `/${uid}`)).status).toBe(204)
    expect(await busy()).toEqual([])
    if (name === "Google")
      await eventually(
        async () => standIns.google.revoked,
        (tokens) => tokens.includes("refresh")
      )
    if (name !== "Radicale")
      await eventually(
        async () => standIns.google.channels.size,
        (count) => count === 0
      )
  }, 120_000)

test("an attempt is finished once, within ten minutes, by a session of its doctor; Rule 3.15.1", async () => {
  const of = await scene()
  const { callback } = await allow(of, "google")
  const stranger = await fetch(new URL(callback, server.current.url), { redirect: "manual" })
  expect(stranger.headers.get("location")).toStartWith("/console/sign-in")
  const other = await asDoctor(server.current, await makeWorld(server.current))
  expect((await other.ask(callback)).location).toContain("connected=false")
  const own = await allow(of, "google")
  expect((await own.browser.ask(own.callback)).location).toContain("connected=ccn_")
  expect((await own.browser.ask(own.callback)).location).toContain("connected=false")
  const late = await allow(of, "google")
  await server.current.api("POST", "/v1/sandbox/clock", { key: of.world.key, body: { advance_seconds: 601 } })
  expect((await late.browser.ask(late.callback)).location).toContain("connected=false")
})

test("what does not block, and a lost token: Rule 3.15.3", async () => {
  const there = standIns.microsoft
  for (const { id } of [...there.entries.values()]) there.remove(id)
  const of = await scene()
  const { browser, callback } = await allow(of, "microsoft")
  const uid = new URL((await browser.ask(callback)).location, "http://x").searchParams.get("connected")
  const start = inDays(4, 9)
  there.set({ start, end: start + 600, isFree: true })
  there.set({ start: start + 1200, end: start + 1800, isDeclined: true })
  there.set({ start: inDays(5), end: inDays(6), isAllDay: true })
  const kept = there.set({ start: start + 3600, end: start + 4200 })
  await there.settled()
  const busy = () =>
    server.current.query<{ start: number }>(
      "SELECT extract(epoch FROM start_date)::int AS start FROM claims WHERE claimed_by = $1 ORDER BY start_date",
      [uid]
    )
  const found = await eventually(busy, (some) => some.length === 2)
  expect(found[0]?.start).toBe(kept.start)
  expect(Math.abs((found[1]?.start ?? 0) - inDays(5))).toBeLessThan(DAY)
  there.loseTokens()
  there.remove(kept.id)
  await there.settled()
  await eventually(busy, (some) => some.length === 1)
})

/** A doctor with a connected calendar that is read, and written with `writes`. */
const connected = async (provider: "google" | "microsoft", of: Scene) => {
  const { browser, callback } = await allow(of, provider)
  const uid = new URL((await browser.ask(callback)).location, "http://x").searchParams.get("connected") ?? ""
  const read = async () => (await of.ask("GET", `/${uid}`)).body
  const advance = (seconds: number) =>
    server.current.api("POST", "/v1/sandbox/clock", { key: of.world.key, body: { advance_seconds: seconds } })
  const write = async () =>
    of.ask("PATCH", `/${uid}`, { calendars: [{ id: (await read()).calendars[0].id, writes: true }] })
  await eventually(read, (one) => one.status === "current")
  return { browser, uid, read, advance, write }
}
const cleared = (provider: "google" | "microsoft") => {
  for (const { id } of [...standIns[provider].entries.values()]) standIns[provider].remove(id)
  return standIns[provider]
}

test("the seats of a group time are one entry, which goes with the last of them; Rule 3.15.4", async () => {
  const there = cleared("google")
  const own = async () => [...there.entries.values()].filter(({ key }) => key !== null)
  const { world, bearer, ask } = await scene({ type: { seats: 3 } })
  const start = inDays(2, 10)
  const seat = async (start_date: number) => {
    const patient_uid = await world.patient()
    const { status, body } = await world.bookByKey({ doctor_uid: world.doctor, start_date, patient_uid })
    expect(status).toBe(201)
    return body.uid
  }
  // one that is there already, and those that come
  const first = await seat(start)
  const second = await seat(start)
  const { write } = await connected("google", { world, bearer, ask })
  await write()
  const third = await seat(start)
  const path = "/v1/management/scheduling/appointments"
  const states = async () =>
    Promise.all(
      [first, second, third].flatMap((uid) => [
        world.api("GET", `${path}/${uid}`).then(({ body }) => body.calendar_entry),
        server.current.api("GET", `/v1/doctor/appointments/${uid}`, { bearer }).then(({ body }) => body.calendar_entry)
      ])
    )
  await eventually(states, (all) => all.every((state) => state === "written"))
  expect(await own()).toMatchObject([{ start }])
  // the one that the link opens goes: the others' entry stays
  const cancel = (uid: string) => world.api("POST", `${path}/${uid}/cancel`, { reason: "ill" })
  expect((await cancel(first)).body).toMatchObject({ status: "cancelled", calendar_entry: "none" })
  await eventually(states, (all) => all.join() === "none,none,written,written,written,written")
  expect(await own()).toMatchObject([{ start }])
  // a seat that is moved is an entry at its new time, beside that of the others
  const moved = await server.current.api("POST", `/v1/doctor/appointments/${second}/move`, {
    bearer,
    body: { new_start_date: inDays(2, 15) }
  })
  expect(moved.body.calendar_entry).toBe("waiting")
  const starts = async () => (await own()).map((one) => one.start).toSorted()
  await eventually(starts, (all) => all.join() === `${start},${inDays(2, 15)}`)
  // the group is full again where it was, with the entry of the one that stayed; its doctor moves it there, and a later seat that goes
  // leaves it where it is
  const fourth = await seat(start)
  const entry = (await own()).find((one) => one.start === start)
  if (entry === undefined) throw new Error("no entry")
  there.set({ ...entry, start: start + 600 })
  await eventually(
    () => server.current.api("GET", "/v1/doctor/calendar-entries", { bearer }),
    ({ body }) => body.data.some((one: { calendar_start_date: number }) => one.calendar_start_date === start + 600)
  )
  await cancel(fourth)
  const later = await seat(inDays(2, 17))
  await eventually(starts, (all) => all.join() === `${start + 600},${inDays(2, 15)},${inDays(2, 17)}`)
  await cancel(later)
  await seat(start)
  await cancel(third)
  await cancel(moved.body.appointment_uid)
  await eventually(starts, (all) => all.length === 1)
})

test("a permission by which another doctor of the practice is connected to the account is not revoked; Rule 3.15.7", async () => {
  cleared("google")
  const world = await makeWorld(server.current, { doctors: 2 })
  const connections = await Promise.all(
    world.doctors.map(async (doctor) => {
      const bearer = await doctorOf(server.current, world, doctor)
      const { browser, callback } = await allow({ world: { ...world, doctor } }, "google")
      const { location } = await browser.ask(callback)
      const uid = new URL(location, "http://x").searchParams.get("connected") ?? ""
      return { bearer, uid }
    })
  )
  const removed = async ({ bearer, uid }: (typeof connections)[number]) => {
    const path = `/v1/doctor/calendar-connections/${uid}`
    expect((await server.current.api("DELETE", path, { bearer })).status).toBe(204)
    await eventually(
      () => server.current.query("SELECT FROM calendar_connections WHERE uid = $1 AND access_sealed IS NULL", [uid]),
      ({ length }) => length === 1
    )
    return standIns.google.revoked.length
  }
  const before = standIns.google.revoked.length
  const counts: Array<number> = []
  for (const one of connections) counts.push(await removed(one))
  expect(counts).toEqual([before, before + 1])
})

test("answers about appointments have the entry's state, the doctor's and the practice's; Rule 3.15.5", async () => {
  cleared("google")
  const of = await scene()
  const { world, bearer } = of
  const { write } = await connected("google", of)
  await write()
  const path = "/v1/management/scheduling/appointments"
  const patient_uid = await world.patient()
  const { body: booked } = await world.bookByKey({ doctor_uid: world.doctor, start_date: inDays(2, 9), patient_uid })
  expect(booked.calendar_entry).toBe("waiting")
  const list = async (of: string) =>
    (of === path ? world.api("GET", path) : server.current.api("GET", of, { bearer })).then(
      ({ body }) => body.data[0].calendar_entry
    )
  await eventually(
    () => Promise.all([path, "/v1/doctor/appointments"].map(list)),
    (all) => all.join() === "written,written"
  )
  const cancelled = await server.current.api("POST", `/v1/doctor/appointments/${booked.uid}/cancel`, {
    bearer,
    body: { reason: "ill" }
  })
  expect(cancelled.body).toMatchObject({ status: "cancelled", calendar_entry: "none" })
})

test("so have series, bulk moves, what an absence settles, and administrators' answers; Rule 3.15.5", async () => {
  cleared("google")
  const of = await scene({ type: { rebooking_mode: "same_doctor_only" } })
  const { world } = of
  const { write } = await connected("google", of)
  await write()
  const path = "/v1/management/scheduling"
  const states = (records: Iterable<{ readonly calendar_entry: string }>) =>
    Array.from(records, ({ calendar_entry }) => calendar_entry)
  const patient_uid = await world.patient()
  const series = {
    ...{ shop_uid: world.shop_uid, patient_uid, appointment_type_uid: world.type_uid, doctor_uid: world.doctor },
    ...{ start_date: inDays(2, 9), count: 2, interval_weeks: 1 }
  }
  const planned = await world.api("POST", `${path}/appointment-series`, { ...series, dry_run: true })
  expect(states(planned.body.appointments)).toEqual(["none", "none"])
  const headers = { "idempotency-key": random("key") }
  const book = () => server.current.api("POST", `${path}/appointment-series`, { key: world.key, headers, body: series })
  const booked = await book()
  expect([booked.status, ...states(booked.body.appointments)]).toEqual([201, "waiting", "waiting"])
  const [first] = booked.body.appointments

  const bearer = await adminOf(server.current, world)
  const admin = (method: string, below: string, body?: unknown) =>
    server.current.api(method, `/v1/admin/scheduling/appointments${below}`, { bearer, body })
  await eventually(
    async () => states((await admin("GET", "")).body.data),
    (all) => all.join() === "written,written"
  )
  const day = { from: inDays(2), to: inDays(3), doctor_uid: world.doctor }
  const seen = await world.api("POST", `${path}/appointments/bulk-move`, { ...day, dry_run: true })
  expect(seen.body.moved).toMatchObject([{ uid: first.uid, new_uid: null, calendar_entry: "written" }])
  const { body: moved } = await world.api("POST", `${path}/appointments/bulk-move`, day)
  expect(moved.moved).toMatchObject([{ uid: first.uid, new_doctor_uid: world.doctor, calendar_entry: "waiting" }])
  // the first answer again, with what there is now: the entry went with the appointment that was moved
  expect(states((await book()).body.appointments)).toEqual(["none", "waiting"])

  const absence = await world.api("POST", `${path}/absences`, {
    ...{ doctor_uid: world.doctor, from: inDays(8), to: inDays(10), kind: "vacation", appointments: "cancel" }
  })
  const settled = await eventually(
    () => world.api("GET", `${path}/absences/${absence.body.uid}/appointments`),
    ({ body }) => body.data.length === 1 && body.data[0].status !== "waiting"
  )
  expect(settled.body.data).toMatchObject([{ status: "cancelled", appointment: { calendar_entry: "none" } }])
  const cancelled = await admin("POST", `/${moved.moved[0].new_uid}/cancel`, { reason: "ill" })
  expect(cancelled.body).toMatchObject({ status: "cancelled", calendar_entry: "none" })
})

test("after a calendar is disconnected nothing is said of the entries that stay in it; Rule 3.15.7", async () => {
  const there = cleared("google")
  const of = await scene({ type: { rebooking_mode: "same_doctor_only" } })
  const { world, bearer, ask } = of
  const { uid, advance, write } = await connected("google", of)
  await write()
  const appointment = await world.booked(inDays(2, 10))
  const stateOf = async (one: string) =>
    (await server.current.api("GET", `/v1/doctor/appointments/${one}`, { bearer })).body.calendar_entry
  await eventually(
    () => stateOf(appointment),
    (state) => state === "written"
  )
  expect((await ask("DELETE", `/${uid}`)).status).toBe(204)
  expect(await stateOf(appointment)).toBe("none")
  const moved = await server.current.api("POST", `/v1/doctor/appointments/${appointment}/move`, {
    bearer,
    body: { new_start_date: inDays(2, 15) }
  })
  expect(moved.body.calendar_entry).toBe("none")
  await advance(3601)
  expect((await server.current.api("GET", "/v1/doctor/calendar-entries", { bearer })).body.data).toEqual([])
  const path = `/v1/doctor/calendar-entries/${moved.body.appointment_uid}/restore`
  expect((await server.current.api("POST", path, { bearer })).status).toBe(404)
  expect([...there.entries.values()].map(({ start }) => start)).toEqual([inDays(2, 10)])
})

const quotas = {
  google: ["rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"].map(
    (reason) => () =>
      Response.json({ error: { code: 403, errors: [{ domain: "usageLimits", reason }] } }, { status: 403 })
  ),
  microsoft: [() => new Response(null, { status: 429, headers: { "retry-after": "60" } })]
}
for (const provider of ["google", "microsoft"] as const)
  test(`${provider}: an answer about a quota has its account alone rest; Rule 3.15.6`, async () => {
    const there = standIns[provider]
    for (const answer of quotas[provider]) {
      cleared(provider)
      const [one, other] = [await scene(), await scene()]
      const limited = await connected(provider, one)
      const free = await connected(provider, other)
      there.channels.clear()
      const before = there.requests.length
      there.instead.push(answer)
      await limited.write()
      await eventually(limited.read, (found) => found.last_error?.includes("fewer requests") === true)
      const token = there.requests[before]?.token ?? null
      const asked = () => there.requests.filter((request) => request.token === token).length
      const count = asked()
      await free.write()
      await other.world.booked(inDays(2, 11))
      await one.world.booked(inDays(2, 12))
      await eventually(
        async () => (await other.world.api("GET", "/v1/management/scheduling/appointments")).body.data[0],
        (found) => found.calendar_entry === "written"
      )
      await limited.advance(50)
      expect(asked()).toBe(count)
      await limited.advance(11)
      await eventually(limited.read, (found) => found.status === "current")
      expect(asked()).toBeGreaterThan(count)
    }
  })

test("many pushes at a time are all accepted, and stored together; Rule 3.15.3", async () => {
  const there = standIns.google
  there.channels.clear()
  const of = await scene()
  const { uid } = await connected("google", of)
  const [address = ""] = await eventually(
    async () => [...there.channels.values()],
    (all) => all.length > 0
  )
  const askedOf = async () =>
    (
      await server.current.query<{ asked: number }>("SELECT asked::int FROM calendar_connections WHERE uid = $1", [uid])
    )[0]?.asked ?? 0
  const before = await askedOf()
  const push = (to: string) => fetch(to, { method: "POST", body: "{}" }).then(({ status }) => status)
  const unknown = address.replace(/.{6}$/, "abcdef")
  const statuses = await Promise.all([push(unknown), ...Array.from({ length: 300 }, () => push(address))])
  expect(statuses).toEqual([404, ...Array.from({ length: 300 }, () => 202)])
  expect((await askedOf()) - before).toBeLessThan(150)
})

test("pushes of two connections in one batch are stored together, and ask for both of them alone; Rule 3.15.3", async () => {
  const of = await scene()
  const other = await connected("google", await scene())
  for (const there of Object.values(standIns)) there.channels.clear()
  const both = [await connected("google", of), await connected("microsoft", of)]
  const addressesOf = async () => [...standIns.google.channels.values(), ...standIns.microsoft.channels.values()]
  const addresses = await eventually(addressesOf, (all) => all.length === 2)
  const askedOf = async () => {
    const rows = await server.current.query<{ uid: string; asked: number }>(
      "SELECT uid, asked::int FROM calendar_connections"
    )
    return [...both, other].map(({ uid }) => rows.find((row) => row.uid === uid)?.asked ?? 0)
  }
  const before = await askedOf()
  const push = (to: string) => fetch(to, { method: "POST", body: "{}" }).then(({ status }) => status)
  const unknown = addresses.map((address) => address.replace(/.{6}$/, "abcdef"))
  const some = Array.from({ length: 40 }, () => [...addresses, ...unknown]).flat()
  const { result, statements } = await recording(() => Promise.all(some.map(push)), server.current.databaseUrl)
  expect(result).toEqual(some.map((address) => (unknown.includes(address) ? 404 : 202)))
  const hashes = addresses.map((address) => hashOf(new URL(address).pathname.split("/").at(-1) ?? "").toString("hex"))
  const batches = statements
    .filter(({ text }) => text.includes("push_hash IN"))
    .map(({ values }) => values.flatMap((value) => (Buffer.isBuffer(value) ? value.toString("hex") : [])))
  expect(batches.some((batch) => hashes.every((hash) => batch.includes(hash)))).toBe(true)
  const grown = (await askedOf()).map((asked, at) => asked - (before[at] ?? 0))
  expect(grown).toEqual([expect.any(Number), expect.any(Number), 0])
  for (const asked of grown.slice(0, 2)) expect(asked).toBeWithin(1, batches.length + 1)
})

test("a provider that asks for a pause is not asked before; a lost permission is told once; Rule 3.15.6", async () => {
  const there = cleared("google")
  const of = await scene()
  const { world, ask } = of
  const { browser, callback } = await allow(of, "google")
  const uid = new URL((await browser.ask(callback)).location, "http://x").searchParams.get("connected") ?? ""
  const read = async () => (await ask("GET", `/${uid}`)).body
  const advance = (seconds: number) =>
    server.current.api("POST", "/v1/sandbox/clock", { key: world.key, body: { advance_seconds: seconds } })
  await eventually(read, (one) => one.status === "current")
  const { calendars } = await read()
  there.instead.push(() => new Response(null, { status: 429, headers: { "retry-after": "120" } }))
  await ask("PATCH", `/${uid}`, { calendars: [{ id: calendars[0].id, writes: true }] })
  await eventually(read, (one) => one.last_error?.includes("fewer requests") === true)
  const asked = there.requests.length
  await world.booked(inDays(2, 11))
  await advance(60)
  expect(there.requests.length).toBe(asked)
  await advance(61)
  await eventually(read, (one) => one.status === "current")

  there.withdraw()
  await world.booked(inDays(2, 12))
  await eventually(read, (one) => one.last_error?.includes("withdrawn") === true)
  await advance(3600)
  const { data } = (await world.api("GET", "/v1/management/events?type=calendar_connection.failing")).body
  expect(data).toHaveLength(1)
  const mails = (await world.api("GET", "/v1/management/messages")).body.data
  expect(mails.filter(({ kind }: { readonly kind: string }) => kind === "calendar_lost")).toHaveLength(1)
  const day = await browser.ask("/console/doctor")
  expect(day.text).toContain("/console/doctor/calendars#connections")
  // the doctor connects it again: the same connection, with its choices
  const again = await allow(of, "google")
  expect((await again.browser.ask(again.callback)).location).toContain(uid)
  expect((await eventually(read, (one) => one.status === "current")).calendars).toMatchObject([{ writes: true }])
  await eventually(
    async () => [...there.entries.values()].filter(({ key }) => key !== null).length,
    (count) => count >= 2
  )
})

for (const provider of ["google", "microsoft"] as const)
  test(`${provider}: calendars on all pages of the account's list can be chosen; Rule 3.15.2`, async () => {
    const there = cleared(provider)
    there.calendars.push("Team", "Rota")
    const { read } = await connected(provider, await scene())
    there.calendars.splice(1)
    const names = (await read()).calendars.map(({ name }: { readonly name: string }) => name)
    expect(names).toEqual(["Calendar", "Team", "Rota"])
  })

test("a calendar that is gone is said to be, and a refused client is no lost permission; Rule 3.15.6", async () => {
  const there = cleared("microsoft")
  // of other doctors, who would get the answers below
  there.channels.clear()
  const of = await scene()
  const { read, advance } = await connected("microsoft", of)
  there.instead.push(() => new Response(null, { status: 404 }))
  there.set({ start: inDays(6, 9), end: inDays(6, 10) })
  await eventually(read, (one) => one.last_error?.includes("no longer there") === true)
  await advance(301)
  await eventually(read, (one) => one.status === "current")
  // the operator's secret has run out
  there.instead.push(
    () => new Response(null, { status: 401 }),
    () => Response.json({ error: "invalid_client" }, { status: 401 })
  )
  there.set({ start: inDays(6, 11), end: inDays(6, 12) })
  await eventually(read, (one) => one.last_error?.includes("refuses") === true)
  const failing = await of.world.api("GET", "/v1/management/events?type=calendar_connection.failing")
  expect(failing.body.data).toEqual([])
  await advance(61)
  await eventually(read, (one) => one.status === "current")
})

test("what could not be written for an hour is failing, and on the doctor's day; Rule 3.15.5", async () => {
  const there = standIns.google
  const of = await scene()
  const { world, ask, bearer } = of
  const { browser, callback } = await allow(of, "google")
  const uid = new URL((await browser.ask(callback)).location, "http://x").searchParams.get("connected") ?? ""
  const read = async () => (await ask("GET", `/${uid}`)).body
  await eventually(read, (one) => one.status === "current")
  const appointment = await world.booked(inDays(2, 14))
  there.instead.push(() => new Response(null, { status: 503, headers: { "retry-after": "7200" } }))
  await ask("PATCH", `/${uid}`, { calendars: [{ id: (await read()).calendars[0].id, writes: true }] })
  await eventually(read, (one) => one.status === "failing")
  const stateOf = async () =>
    (await server.current.api("GET", `/v1/doctor/appointments/${appointment}`, { bearer })).body.calendar_entry
  expect(await stateOf()).toBe("waiting")
  await server.current.api("POST", "/v1/sandbox/clock", { key: world.key, body: { advance_seconds: 3601 } })
  expect(await stateOf()).toBe("failing")
  expect((await browser.ask("/console/doctor")).text).toContain(`/calendar-entries/${appointment}/restore`)
  await server.current.api("POST", "/v1/sandbox/clock", { key: world.key, body: { advance_seconds: 3600 } })
  await eventually(stateOf, (state) => state === "written")
})

test("the title is the organisation's, with initials where it wants them; Rule 3.15.4", async () => {
  const there = standIns.google
  for (const { id } of [...there.entries.values()]) there.remove(id)
  const of = await scene()
  const { world, ask } = of
  const settings = { calendar_entry_title: "Video", calendar_entry_details: "initials" }
  const set = await world.api("PATCH", "/v1/management/organisation", settings)
  expect(set.body).toMatchObject(settings)
  const { browser, callback } = await allow(of, "google")
  const uid = new URL((await browser.ask(callback)).location, "http://x").searchParams.get("connected") ?? ""
  const { calendars } = (await ask("GET", `/${uid}`)).body
  await world.booked(inDays(2, 13))
  await ask("PATCH", `/${uid}`, { calendars: [{ id: calendars[0].id, writes: true }] })
  const [entry] = await eventually(
    async () => [...there.entries.values()],
    (some) => some.length > 0
  )
  expect(entry).toMatchObject({ isPrivate: true, isFree: false })
  expect(entry?.title).toMatch(/^Video( \S{1,3})?$/)
})

test("a page of the practice only reads; a provider without settings is not offered; Rule 3.15.1", async () => {
  const of = await scene()
  const { world, ask, bearer } = of
  const offered = await server.current.api("GET", "/v1/doctor/calendar-providers", { bearer })
  expect(offered.body.data.map(({ provider }: { readonly provider: string }) => provider)).toEqual([
    "microsoft",
    "google"
  ])
  const path = `/v1/management/scheduling/doctors/${world.doctor}/calendar-connections`
  expect((await world.api("POST", path, { provider: "google" })).status).toBe(405)
  const { body } = await ask("POST", "", { provider: "google" })
  expect(new URL(body.authorize_url).searchParams.get("code_challenge_method")).toBe("S256")
  expect((await ask("GET")).body.data).toEqual([])
})

// last: they move the clock by days
for (const provider of ["google", "microsoft"] as const)
  test(`${provider}: a subscription is renewed before it ends, and the one before it is given up; Rule 3.15.3`, async () => {
    const there = standIns[provider]
    const of = await scene()
    const others = new Set(there.channels.values())
    const { uid, read, advance } = await connected(provider, of)
    const [[first = "", address = ""] = []] = await eventually(
      async () => [...there.channels].filter(([, to]) => !others.has(to)),
      (all) => all.length === 1
    )
    const channels = async () => [...there.channels].filter(([, to]) => to === address)
    const { now } = (await advance(1)).body
    const [{ until } = { until: 0 }] = await eventually(
      () =>
        server.current.query<{ until: number }>(
          "SELECT extract(epoch FROM subscription_until)::int AS until FROM connected_calendars WHERE connection_uid = $1",
          [uid]
        ),
      ([one]) => one?.until !== null
    )
    const readAt = (await read()).last_read_at
    await advance(until - now - 7 * 3600)
    await eventually(read, (one) => one.last_read_at > readAt)
    expect(await channels()).toEqual([[first, address]])
    await advance(2 * 3600)
    await eventually(channels, (all) => all.length === 1 && all[0]?.[0] !== first)
    const { id } = there.set({ start: now + 12 * DAY, end: now + 12 * DAY + 1800 })
    await there.settled()
    await eventually(
      () => server.current.query("SELECT 1 FROM connected_times WHERE entry_id = $1", [id]),
      (found) => found.length > 0
    )
  }, 60_000)
