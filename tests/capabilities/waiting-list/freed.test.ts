/** What frees time beyond an own appointment's: rooms, further doctors, resources, provisioning; and what stops offers. Section 19. */
import { expect, test } from "bun:test"
import { makeScene, type Scene } from "../../scheduling/takes/scene.ts"
import { sandboxServer } from "../../support/server.ts"
import { DAY, HOUR, random } from "../../support/world.ts"

const server = sandboxServer()
const PATH = "/v1/management/scheduling/waitlist-entries"

const sceneWith = async (scene: Scene) => {
  const made = await makeScene(server.current, scene)
  const now = await server.current.now()
  const start = Math.floor(now / DAY + 6) * DAY + 10 * HOUR
  const wait = async (wish: Readonly<Record<string, unknown>> = {}) => {
    const body = {
      patient_uid: await made.patient(),
      appointment_type_uid: made.type_uid,
      from: start,
      to: start + 1,
      ...wish
    }
    const { status, body: entry } = await made.api("POST", PATH, body)
    expect(status).toBe(201)
    return entry.uid as string
  }
  const statusOf = async (uid: string) => (await made.api("GET", `${PATH}/${uid}`)).body.status as string
  const offersOf = async (uid: string) => (await made.api("GET", `${PATH}/${uid}/offers`)).body
  return { ...made, start, wait, statusOf, offersOf }
}

test("a room that an appointment gives back is offered with another doctor, and is closed to search until it is", async () => {
  const { doctors, start, book, cancel, wait, statusOf, offersOf, offeredAt } = await sceneWith({
    doctors: 2,
    rooms: 1
  })
  const [a = "", b = ""] = doctors
  const taken = await book(a, start)
  expect(await offeredAt(start)).toEqual([])
  const uid = await wait({ doctor_uids: [b] })
  await cancel(taken.body.uid)
  expect(await statusOf(uid)).toBe("offered")
  expect((await offersOf(uid)).offers).toMatchObject([{ doctor_uid: b, start_date: start, status: "offered" }])
  expect(await offeredAt(start)).toEqual([])
})

test("a room that is given back in a practice of many doctors with a fine grid is offered at its last start too", async () => {
  const { doctors, start, book, cancel, wait, statusOf } = await sceneWith({
    doctors: 30,
    rooms: 1,
    type: { duration_minutes: 60 },
    type_with: ({ rooms }) => ({ requirements: [{ resource_uids: rooms }], slot_step_minutes: 5 })
  })
  const taken = await book(doctors[0] ?? "", start)
  expect(taken.status).toBe(201)
  const last = start + 55 * 60
  const uid = await wait({ from: last, to: last + 1 })
  await cancel(taken.body.uid)
  expect(await statusOf(uid)).toBe("offered")
})

test("a time that was free before is not offered: another room was there", async () => {
  const { doctors, start, book, cancel, wait, statusOf } = await sceneWith({ doctors: 2, rooms: 2 })
  const [a = "", b = ""] = doctors
  const taken = await book(a, start)
  const uid = await wait({ doctor_uids: [b] })
  const own = await wait({ doctor_uids: [a] })
  await cancel(taken.body.uid)
  expect(await statusOf(uid)).toBe("waiting")
  expect(await statusOf(own)).toBe("offered")
})

test("a further doctor who is free again is offered as the booked doctor, and beside another", async () => {
  const scene = {
    doctors: 3,
    type_with: ({ doctors }: { doctors: ReadonlyArray<string> }) => ({
      requirements: [{ doctor_uids: doctors.slice(2) }]
    })
  }
  const { doctors, start, book, cancel, wait, statusOf, offersOf, otherType } = await sceneWith(scene)
  const [a = "", b = "", c = ""] = doctors
  const plain = await otherType()
  const first = await book(a, start)
  expect(first.status).toBe(201)
  const beside = await wait({ doctor_uids: [b] })
  await cancel(first.body.uid)
  expect((await offersOf(beside)).offers).toMatchObject([{ doctor_uid: b, start_date: start }])
  const later = start + 3600
  const second = await book(a, later)
  const alone = await wait({ appointment_type_uid: plain, doctor_uids: [c], from: later, to: later + 1 })
  await cancel(second.body.uid)
  expect(await statusOf(alone)).toBe("offered")
})

/** Where the buffer of twenty minutes comes from: the types of the booking and of the entries, or the doctor's hours. */
const buffered = {
  "of the booked type": async ({ change, type_uid }: Buffered) => {
    await change({ slot_step_minutes: 20, buffer_after_minutes: 20 })
    return type_uid
  },
  "of the type that is waited for": async ({ change, otherType }: Buffered) => {
    await change({ slot_step_minutes: 20 })
    return otherType({ slot_step_minutes: 20, buffer_before_minutes: 20, buffer_after_minutes: 20 })
  },
  "of the hours": async ({ change, api, doctors, type_uid }: Buffered) => {
    await change({ slot_step_minutes: 20 })
    const rules = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
      weekday,
      start_time: 0,
      end_time: 1440,
      buffer_minutes: 20
    }))
    const path = `/v1/management/scheduling/doctors/${doctors[0]}/availability-rules`
    expect((await api("PUT", path, { rules })).status).toBe(200)
    return type_uid
  }
}
type Buffered = Awaited<ReturnType<typeof sceneWith>>

test.each(Object.entries(buffered))(
  "starts that only a buffer had closed are offered, and none that was free before: a buffer %s; Rule 19.2.1",
  async (_, setBuffer) => {
    const made = await sceneWith({ doctors: 1 })
    const { api, doctors, start, book, cancel, wait, statusOf, search } = made
    const appointment_type_uid = await setBuffer(made)
    const step = 20 * 60
    const first = start - 4 * step
    const query = { appointment_type_uid, from: first, to: start + 4 * step }
    const free = async () => (await search(query)).body.slots.map((one) => (one.start_date - start) / step)
    const before = await free()
    const waitAt = (at: number) => wait({ appointment_type_uid, from: start + at * step, to: start + at * step + 1 })
    for (const side of [-1, 1]) {
      const taken = await book(doctors[0] ?? "", start)
      expect(taken.status).toBe(201)
      const left = await free()
      expect(before.filter((at: number) => !left.includes(at))).toEqual([-1, 0, 1])
      const was = await waitAt(2 * side)
      const opened = await waitAt(side)
      await cancel(taken.body.uid)
      expect([side, await statusOf(was), await statusOf(opened)]).toEqual([side, "waiting", "offered"])
      for (const uid of [was, opened]) await api("PATCH", `${PATH}/${uid}`, { status: "ended" })
    }
  }
)

test("a resource that opens, is added to a type or gets hours opens times", async () => {
  const { api, change, rooms, doctors, start, wait, statusOf } = await sceneWith({ doctors: 1, rooms: 1 })
  const [room = ""] = rooms
  const at = `/v1/management/scheduling/resources/${room}`
  await api("PATCH", at, { active: false })
  const opened = await wait()
  await api("PATCH", at, { active: true })
  expect(await statusOf(opened)).toBe("offered")

  await api("PATCH", at, { always_available: false })
  const later = start + DAY
  const hours = await wait({ from: later, to: later + 1 })
  const weekday = (Math.floor(later / DAY) + 3) % 7
  const rule = await api("POST", `${at}/availability-rules`, { weekday, start_time: 540, end_time: 720 })
  expect(rule.status).toBe(201)
  expect(await statusOf(hours)).toBe("offered")

  const third = start + 2 * DAY
  const added = await wait({ from: third, to: third + 1 })
  const other = await api("POST", "/v1/management/scheduling/resources", { kind: "room", name: "Another" })
  expect(await statusOf(added)).toBe("waiting")
  await change({ requirements: [{ resource_uids: [room, other.body.uid] }] })
  expect(await statusOf(added)).toBe("offered")
  expect(doctors).toHaveLength(1)
})

test("provisioning that adds hours, or a doctor with hours, offers in its transaction", async () => {
  const { provision, api, doctors, organisation_uid, start, wait, statusOf, offersOf } = await sceneWith({ doctors: 1 })
  const date = Math.floor(start / DAY) * DAY
  const off = { uid: random("ovr"), doctor_uid: doctors[0], date, day_off: true }
  await provision({ availability_date_overrides: [off] })
  const first = await wait()
  await provision({ availability_date_overrides: [{ ...off, day_off: false, start_time: 540, end_time: 720 }] })
  expect(await statusOf(first)).toBe("offered")

  const uid = random("doc")
  const second = await wait({ doctor_uids: doctors, from: start, to: start + 1 })
  await api("PATCH", `${PATH}/${second}`, { doctor_uids: [] })
  await provision({
    doctors: [{ uid, organisation_uid, display_name: "Dr. New" }],
    availability_rules: [
      { uid: random("rul"), doctor_uid: uid, weekday: (date / DAY + 3) % 7, start_time: 540, end_time: 720 }
    ]
  })
  expect((await offersOf(second)).offers).toMatchObject([{ doctor_uid: uid, start_date: start }])
})

test("a paused list and a type without it make no offers, and their times go to search", async () => {
  const { api, change, doctors, start, book, cancel, wait, statusOf, offeredAt, type_uid, patient } = await sceneWith({
    doctors: 1
  })
  const [doctor = ""] = doctors
  const uid = await wait()
  await api("PATCH", "/v1/management/organisation", { waitlist_paused: true })
  await cancel((await book(doctor, start)).body.uid)
  expect([await statusOf(uid), await offeredAt(start)]).toEqual(["waiting", doctors])
  await api("PATCH", "/v1/management/organisation", { waitlist_paused: false })
  await change({ waitlist: false })
  await cancel((await book(doctor, start)).body.uid)
  expect([await statusOf(uid), await offeredAt(start)]).toEqual(["waiting", doctors])
  const refused = await api("POST", PATH, { patient_uid: await patient(), appointment_type_uid: type_uid })
  expect(refused).toMatchObject({ status: 400, body: { error: [expect.stringContaining("appointment_type_uid")] } })
  await change({ waitlist: true })
  await cancel((await book(doctor, start)).body.uid)
  expect([await statusOf(uid), await offeredAt(start)]).toEqual(["offered", []])
})

test("the time of a hold that lapses is closed to search while somebody waits, and at once open while the list is paused; Rules 19.2.1, 19.2.12", async () => {
  const { api, doctors, start, wait, session, hold, offeredAt } = await sceneWith({ doctors: 1 })
  const lapse = async () => {
    const { body } = await hold(await session(), start)
    await server.current.sql`UPDATE appointments SET hold_expires_at = to_timestamp(${(await server.current.now()) - 1})
      WHERE uid = ${body.hold_uid}`
  }
  await lapse()
  expect(await offeredAt(start)).toEqual(doctors)
  await wait()
  expect(await offeredAt(start)).toEqual([])
  await api("PATCH", "/v1/management/organisation", { waitlist_paused: true })
  expect(await offeredAt(start)).toEqual(doctors)
  await api("PATCH", "/v1/management/organisation", { waitlist_paused: false })
  expect(await offeredAt(start)).toEqual([])
})

test("why somebody else was asked first is data: need, age, an open offer, a pause; a reason of need is kept", async () => {
  const { api, doctors, start, book, cancel, wait, offersOf } = await sceneWith({ doctors: 1 })
  const [doctor = ""] = doctors
  const free = async (at = start) => cancel((await book(doctor, at)).body.uid)
  const old = await wait({ to: start + 4 * DAY })
  const young = await wait({ to: start + 4 * DAY, need_reason: "Fever for three days" })
  expect((await api("GET", `${PATH}/${young}`)).body.need_reason).toBe("Fever for three days")
  await free()
  expect(await offersOf(young)).toMatchObject({
    offers: [],
    passed_over: [{ waitlist_entry_uid: old, because: "waits_longer", start_date: start }]
  })
  const urgent = await wait({ to: start + 4 * DAY, need: "urgent" })
  await free(start + DAY)
  expect((await offersOf(young)).passed_over).toMatchObject([
    { waitlist_entry_uid: urgent, because: "more_need" },
    { waitlist_entry_uid: old, because: "waits_longer" }
  ])
  await free(start + 2 * DAY)
  const [first] = (await offersOf(old)).passed_over
  expect(first).toMatchObject({ waitlist_entry_uid: young, because: "had_offer" })
  await api("PATCH", `${PATH}/${young}`, { need: "soon", need_reason: null })
  expect((await api("GET", `${PATH}/${young}`)).body).toMatchObject({ need: "soon", need_reason: null })
})

const HALF = 30 * 60
/** A full period: two appointments of one day, the limit, and somebody who waits for another time of it. */
const fullDay = async (scene: Scene, more: Readonly<Record<string, unknown>> = {}) => {
  const made = await sceneWith(scene)
  const [doctor = ""] = made.doctors
  const first = await made.book(doctor, made.start, more)
  await made.book(doctor, made.start + HOUR, more)
  const date = Math.floor(made.start / DAY) * DAY
  const ofDay = async (days = 0) =>
    (await made.offered(date + days * DAY, date + (days + 1) * DAY)).map(({ doctor_uid }) => doctor_uid)
  return { ...made, doctor, first: first.body.uid as string, ofDay, later: made.start + 2 * HOUR }
}

test("where a type's limit was full, other times of the day are offered, and are closed to search; Rule 19.2.1", async () => {
  const limits = [{ per: "day", max: 2 }]
  const { first, later, cancel, wait, statusOf, offersOf, ofDay, api } = await fullDay({
    doctors: 1,
    type: { limits }
  })
  expect(await ofDay()).toEqual([])
  const uid = await wait({ from: later, to: later + 1 })
  const next = await wait({ from: later + HALF, to: later + 2 * HOUR })
  const tomorrow = await wait({ from: later + DAY, to: later + DAY + 1 })
  await cancel(first)
  expect((await offersOf(uid)).offers).toMatchObject([{ start_date: later, status: "offered" }])
  // the one place of the day is held
  expect([await ofDay(), await statusOf(next), await statusOf(tomorrow)]).toEqual([[], "waiting", "waiting"])
  // it goes on to the next, for another time of the day
  await api("PATCH", `${PATH}/${uid}`, { status: "ended" })
  expect([await ofDay(), await statusOf(next), await statusOf(tomorrow)]).toEqual([[], "offered", "waiting"])
  await api("PATCH", `${PATH}/${next}`, { status: "ended" })
  expect((await ofDay()).length).toBeGreaterThan(1)
})

test("where a limit was not full, nothing else became free", async () => {
  const limits = [{ per: "day", max: 3 }]
  const { first, later, start, cancel, wait, statusOf } = await fullDay({ doctors: 1, type: { limits } })
  const other = await wait({ from: later, to: later + 1 })
  const same = await wait({ from: start, to: start + 1 })
  await cancel(first)
  expect([await statusOf(other), await statusOf(same)]).toEqual(["waiting", "offered"])
})

test("a doctor's limit frees the times of every type; the organisation's those of every doctor", async () => {
  const one = await fullDay({ doctors: 1 })
  const plain = await one.otherType()
  const limited = await one.api("PATCH", `/v1/management/doctors/${one.doctor}`, {
    limits: [{ per: "week", max: 2 }]
  })
  expect(limited.status).toBe(200)
  expect(await one.ofDay()).toEqual([])
  const uid = await one.wait({ appointment_type_uid: plain, from: one.later, to: one.later + 1 })
  await one.cancel(one.first)
  expect((await one.offersOf(uid)).offers).toMatchObject([{ start_date: one.later }])

  const limits = [{ per: "month", max: 2, scope: "organisation" }]
  const all = await fullDay({ doctors: 2, type: { limits } })
  expect(await all.ofDay()).toEqual([])
  const [, b = ""] = all.doctors
  const waits = await all.wait({ doctor_uids: [b], from: all.later, to: all.later + 1 })
  await all.cancel(all.first)
  expect((await all.offersOf(waits)).offers).toMatchObject([{ doctor_uid: b, start_date: all.later }])
  expect(await all.ofDay()).toEqual([])
})

test("a hold that lapses gives back its place in a full day; near ones are offered to five, once for all times", async () => {
  const limits = [{ per: "day", max: 1 }]
  const made = await sceneWith({ doctors: 1, type: { hold_ttl_seconds: 60, limits } })
  const { start, wait, statusOf, offersOf, api, session, hold, offered } = made
  const date = Math.floor(start / DAY) * DAY
  const code = await session(undefined, { from: date, to: date + DAY })
  expect((await hold(code, start)).status).toBe(200)
  const later = start + 2 * HOUR
  const uid = await wait({ from: later, to: later + 1 })
  const advance = (advance_seconds: number) => api("POST", "/v1/sandbox/clock", { advance_seconds })
  await advance(61)
  expect(await offered(date, date + DAY)).toEqual([])
  expect((await offersOf(uid)).offers).toMatchObject([{ start_date: later, status: "offered" }])
  await api("PATCH", `${PATH}/${uid}`, { status: "ended" })

  const [doctor = ""] = made.doctors
  const taken = await made.book(doctor, start)
  await advance(start - 4 * HOUR - (await server.current.now()))
  const near: Array<string> = []
  for (let at = 0; at < 7; at++)
    near.push(await wait({ from: later + (at % 3) * HALF, to: later + (at % 3) * HALF + 1_800 }))
  await made.cancel(taken.body.uid)
  const statuses = () => Promise.all(near.map(statusOf))
  expect(await statuses()).toEqual([...Array(5).fill("offered"), "waiting", "waiting"])
  await api("PATCH", `${PATH}/${near[0]}`, { status: "ended" })
  expect(await statuses()).toEqual(["ended", ...Array(5).fill("offered"), "waiting"])
})
