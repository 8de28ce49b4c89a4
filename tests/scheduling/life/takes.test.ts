/** What appointments take, by HTTP: rooms, further doctors, buffers, the grid, limits, groups. Sections 18.2 to 18.5. */
import { describe, expect, test } from "bun:test"
import { present } from "../../support/body.ts"
import { type Answer, testServer } from "../../support/server.ts"
import { CONSULTATION, DAY, HOUR, inDays, makeWorld, random, type World } from "../../support/world.ts"

const server = testServer({ RATE_LIMIT_PER_SECOND: "0" })
const scheduling = "/v1/management/scheduling"

const roomOf = async (world: World, body: object = {}): Promise<string> =>
  (await world.api("POST", `${scheduling}/resources`, { kind: "room", name: "Room", ...body })).body.uid
const typeOf = async (world: World, body: object = {}): Promise<string> => {
  const answer = await world.api("POST", `${scheduling}/appointment-types`, {
    name: "Type",
    ...CONSULTATION,
    rebooking_mode: "any_doctor_same_organisation",
    allow_patient_rebooking: true,
    ...body
  })
  expect(answer.status).toBe(201)
  return answer.body.uid
}

interface Slot {
  readonly doctor_uid: string
  readonly start_date: number
  readonly seats_left?: number
}
const slotsOf = async (world: World, type: string, day: number, body: object = {}): Promise<ReadonlyArray<Slot>> => {
  const answer = await world.search({ appointment_type_uid: type, from: inDays(day), to: inDays(day + 1), ...body })
  expect(answer.status).toBe(200)
  return answer.body.slots
}
/** Whether a search offers the doctor at the start. */
const isOffered = async (world: World, type: string, doctor_uid: string, start_date: number) =>
  (await slotsOf(world, type, Math.floor((start_date - inDays(0)) / DAY))).some(
    (slot) => slot.doctor_uid === doctor_uid && slot.start_date === start_date
  )

let customers = 0
/** Books by key in one request, for a new customer unless one is named. */
const book = (world: World, type: string, doctor_uid: string, start_date: number, body: object = {}): Promise<Answer> =>
  world.api("POST", `${scheduling}/appointments`, {
    shop_uid: world.shop_uid,
    shop_customer_id: `customer-${customers++}`,
    doctor_uid,
    appointment_type_uid: type,
    start_date,
    ...body
  })
const booked = async (...parameters: Parameters<typeof book>) => {
  const answer = await book(...parameters)
  expect([answer.status, answer.body.error]).toEqual([201, undefined])
  return answer.body
}
const isTaken = (answer: Answer) => expect(answer).toMatchObject({ status: 409, body: { code: "slot_taken" } })
const cancel = (world: World, uid: string) =>
  world.api("POST", `${scheduling}/appointments/${uid}/cancel`, { reason: "x" })
const record = async (world: World, uid: string) => (await world.api("GET", `${scheduling}/appointments/${uid}`)).body

const doctorsOf = ({ doctors }: World) => {
  const [first = "", second = "", third = ""] = doctors
  return [first, second, third] as const
}

describe("rooms", () => {
  test("one room for two doctors: the second is not offered at that time, and is again after the cancellation", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const room = await roomOf(world, { name: "Room 1" })
    const type = await typeOf(world, { requirements: [{ resource_uids: [room] }] })
    const start = inDays(3, 9)
    const first = await booked(world, type, a, start)
    expect(first.resources).toEqual([{ uid: room, kind: "room", name: "Room 1" }])
    expect(first.further_doctors).toEqual([])
    expect(await isOffered(world, type, b, start)).toBe(false)
    expect(await isOffered(world, type, b, start + 1200)).toBe(true)
    isTaken(await book(world, type, b, start))
    // a type that needs no room is not affected
    expect(await isOffered(world, world.type_uid, b, start)).toBe(true)
    await cancel(world, first.uid)
    expect((await booked(world, type, b, start)).resources).toMatchObject([{ uid: room }])
  })

  test("holds take rooms too, and give them back when a later hold of the session replaces them", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const room = await roomOf(world)
    const type = await typeOf(world, { requirements: [{ resource_uids: [room] }] })
    const start = inDays(3, 9)
    const code = await world.session("anna", { appointment_type_uid: type })
    const hold = (doctor_uid: string, start_date: number) =>
      world.hold(code, start_date, { doctor_uid, appointment_type_uid: type })
    expect((await hold(a, start)).status).toBe(200)
    isTaken(await book(world, type, b, start))
    const moved = await hold(a, start + 2 * HOUR)
    expect(moved.status).toBe(200)
    await booked(world, type, b, start)
    expect((await world.confirm(code, moved.body.hold_uid)).status).toBe(200)
  })

  test("count of several, different for each requirement", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const [one, two, three] = [await roomOf(world), await roomOf(world), await roomOf(world)]
    const both = await typeOf(world, {
      requirements: [{ resource_uids: [one, two], count: 2 }]
    })
    const each = await typeOf(world, {
      requirements: [{ resource_uids: [one] }, { resource_uids: [one, three] }]
    })
    const start = inDays(3, 9)
    const first = await booked(world, both, a, start)
    expect(new Set(first.resources.map(({ uid }: { uid: string }) => uid))).toEqual(new Set([one, two]))
    isTaken(await book(world, each, b, start))
    const second = await booked(world, each, b, start + HOUR)
    expect(new Set(second.resources.map(({ uid }: { uid: string }) => uid))).toEqual(new Set([one, three]))
  })

  test("the unit with the fewest appointments on the day is taken, then the first uid", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const { organisation_uid } = world
    const [one, two] = [`${random("res")}_1`, `${random("res")}_2`].toSorted() as [string, string]
    await world.provision({
      resources: [one, two].map((uid) => ({ uid, organisation_uid, kind: "room", name: uid }))
    })
    const type = await typeOf(world, { requirements: [{ resource_uids: [two, one] }] })
    const takenAt = async (doctor: string, start: number) =>
      (await booked(world, type, doctor, start)).resources.map(({ uid }: { uid: string }) => uid)
    expect(await takenAt(a, inDays(3, 9))).toEqual([one])
    expect(await takenAt(a, inDays(3, 10))).toEqual([two])
    expect(await takenAt(a, inDays(3, 11))).toEqual([one])
    expect(await takenAt(b, inDays(3, 11))).toEqual([two])
    expect(await takenAt(a, inDays(4, 11))).toEqual([one])
  })

  test("hours, days off and inactivity of a room close it", async () => {
    const world = await makeWorld(server.current)
    const [a] = doctorsOf(world)
    const room = await roomOf(world, { always_available: false })
    const path = `${scheduling}/resources/${room}`
    const type = await typeOf(world, { requirements: [{ resource_uids: [room] }] })
    expect(await slotsOf(world, type, 3)).toEqual([])
    const weekday = (new Date(inDays(3) * 1000).getUTCDay() + 6) % 7
    await world.api("POST", `${path}/availability-rules`, { weekday, start_time: 540, end_time: 600 })
    const starts = async () =>
      (await slotsOf(world, type, 3, { doctor_uid: a })).map(({ start_date }) => (start_date - inDays(3)) / 60)
    expect(await starts()).toEqual([540, 560, 580])
    const off = await world.api("POST", `${path}/availability-date-overrides`, { date: inDays(3), day_off: true })
    expect(await starts()).toEqual([])
    await world.api("DELETE", `${path}/availability-date-overrides/${off.body.uid}`)
    expect(await starts()).toHaveLength(3)
    await world.api("PATCH", path, { active: false })
    expect(await starts()).toEqual([])
    await world.api("PATCH", path, { active: true, always_available: true })
    expect((await starts()).length).toBeGreaterThan(3)
    await world.api("DELETE", path)
    expect(await starts()).toEqual([])
    const refused = await book(world, type, a, inDays(3, 9))
    expect([400, 409]).toContain(refused.status)
  })

  test("a move takes the room of its new time, gives back the old one, and may overlap itself", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const room = await roomOf(world)
    const type = await typeOf(world, { requirements: [{ resource_uids: [room] }], slot_step_minutes: 10 })
    const start = inDays(3, 9)
    const first = await booked(world, type, a, start)
    const move = (uid: string, new_start_date: number) =>
      world.api("POST", `/v1/scheduling/appointments/${uid}/rebook`, { new_doctor_uid: a, new_start_date })
    const overlapping = await move(first.uid, start + 600)
    expect(overlapping.status).toBe(200)
    isTaken(await book(world, type, b, start))
    const later = await move(overlapping.body.uid ?? overlapping.body.appointment_uid ?? "", start + 2 * HOUR)
    expect(later.status).toBe(200)
    await booked(world, type, b, start)
    isTaken(await book(world, type, b, start + 2 * HOUR))
  })

  test("statistics count the use of each room by week, the seats of a group once", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const [room, idle] = [await roomOf(world, { name: "A" }), await roomOf(world, { name: "B" })]
    const type = await typeOf(world, { seats: 3, requirements: [{ resource_uids: [room] }] })
    const start = inDays(3, 9)
    await booked(world, type, a, start)
    await booked(world, type, a, start)
    const other = await booked(world, type, b, start + HOUR)
    const rows = async () =>
      (await world.api("GET", `/v1/management/statistics/resources?from=${start}&to=${start}`)).body.data
    expect(await rows()).toMatchObject([
      { resource_uid: room, kind: "room", name: "A", booked: 2, booked_minutes: 40 },
      { resource_uid: idle, kind: "room", name: "B", booked: 0, booked_minutes: 0 }
    ])
    await cancel(world, other.uid)
    expect((await rows())[0]).toMatchObject({ booked: 1, booked_minutes: 20 })
  })

  test("40 bookings at once of one room: as many as there are rooms", async () => {
    const world = await makeWorld(server.current, { doctors: 10 })
    const rooms = [await roomOf(world), await roomOf(world), await roomOf(world)]
    const type = await typeOf(world, { requirements: [{ resource_uids: rooms }] })
    const answers = await Promise.all(world.doctors.map((doctor) => book(world, type, doctor, inDays(3, 9))))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
    const taken = answers.flatMap(({ body }) => (body.resources ?? []).map(({ uid }: { uid: string }) => uid))
    expect(new Set(taken)).toEqual(new Set(rooms))
  })
})

describe("further doctors", () => {
  test("a second doctor is taken for the whole appointment, and the appointment is in their day", async () => {
    const world = await makeWorld(server.current, { doctors: 3 })
    const [a, b, c] = doctorsOf(world)
    const type = await typeOf(world, { requirements: [{ doctor_uids: [b] }] })
    const start = inDays(3, 9)
    const first = await booked(world, type, a, start)
    expect(first.further_doctors).toEqual([{ uid: b, display_name: `Dr. ${b}` }])
    expect(await isOffered(world, world.type_uid, b, start)).toBe(false)
    isTaken(await book(world, world.type_uid, b, start))
    expect(await isOffered(world, type, c, start)).toBe(false)
    // the further doctor is another one than the booked doctor
    expect(await isOffered(world, type, b, inDays(4, 9))).toBe(false)
    await cancel(world, first.uid)
    await booked(world, world.type_uid, b, start)
  })

  test("a further doctor's absence closes the start; their limits do not count", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const type = await typeOf(world, { requirements: [{ doctor_uids: [b] }] })
    await world.api("PATCH", `/v1/management/doctors/${b}`, { limits: [{ per: "day", max: 1 }] })
    await booked(world, world.type_uid, b, inDays(3, 8))
    expect(await isOffered(world, type, a, inDays(3, 9))).toBe(true)
    await world.api("POST", `${scheduling}/doctors/${b}/availability-date-overrides`, {
      date: inDays(3),
      day_off: true
    })
    expect(await slotsOf(world, type, 3, { doctor_uid: a })).toEqual([])
    expect(await slotsOf(world, type, 4, { doctor_uid: a })).not.toBeEmpty()
  })
})

describe("buffers and grid", () => {
  test("the gap is after + before of the neighbours' types, or the rule's buffer if that is larger", async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const [a] = doctorsOf(world)
    const long = await typeOf(world, { buffer_before_minutes: 10, buffer_after_minutes: 20, slot_step_minutes: 5 })
    const plain = await typeOf(world, { slot_step_minutes: 5 })
    const nine = inDays(3, 9)
    await booked(world, long, a, nine) // 9:00 to 9:20
    const minutes = async (type: string) =>
      (await slotsOf(world, type, 3))
        .map(({ start_date }) => (start_date - nine) / 60)
        .filter((minute) => minute > -60 && minute < 90)
    const free = (from: number, to: number) => (minute: number) => minute <= from || minute >= to
    const all = Array.from({ length: 29 }, (_, i) => i * 5 - 55)
    // after + before between two of the kind: 30 minutes
    expect(await minutes(long)).toEqual(all.filter(free(-50, 50)))
    // before it 10 minutes, after it 20
    expect(await minutes(plain)).toEqual(all.filter(free(-30, 40)))
  })

  test("slot_step_minutes starts at multiples from the window's start", async () => {
    const world = await makeWorld(server.current, { doctors: 0 })
    const doctor = random("doc")
    const { organisation_uid } = world
    const weekday = (new Date(inDays(3) * 1000).getUTCDay() + 6) % 7
    await world.provision({
      doctors: [{ uid: doctor, organisation_uid, display_name: "Dr. Step", timezone: "UTC" }],
      availability_rules: [{ uid: random("rul"), doctor_uid: doctor, weekday, start_time: 550, end_time: 600 }]
    })
    const starts = async (type: string) =>
      (await slotsOf(world, type, 3)).map(({ start_date }) => (start_date - inDays(3)) / 60)
    expect(await starts(await typeOf(world, { slot_step_minutes: 15 }))).toEqual([550, 565, 580])
    expect(await starts(await typeOf(world))).toEqual([550, 570])
    const off = await book(world, await typeOf(world, { slot_step_minutes: 15 }), doctor, inDays(3) + 570 * 60)
    expect(off.status).toBe(400)
    expect(off.body.error[0]).toStartWith("start_date:")
  })
})

describe("limits", () => {
  test("a type's limit by day counts each doctor's; a full day is not offered, and a cancellation frees it", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const type = await typeOf(world, { limits: [{ per: "day", max: 2 }] })
    const first = await booked(world, type, a, inDays(3, 8))
    await booked(world, type, a, inDays(3, 9))
    expect(await slotsOf(world, type, 3, { doctor_uid: a })).toEqual([])
    expect(await slotsOf(world, type, 4, { doctor_uid: a })).not.toBeEmpty()
    isTaken(await book(world, type, a, inDays(3, 10)))
    await booked(world, type, b, inDays(3, 10))
    // moving within the full day is exempt
    const moved = await world.api("POST", `/v1/scheduling/appointments/${first.uid}/rebook`, {
      new_doctor_uid: a,
      new_start_date: inDays(3, 11)
    })
    expect(moved.status).toBe(200)
    const { data } = (await world.api("GET", `${scheduling}/appointments?doctor_uid=${a}`)).body
    for (const { uid } of data.slice(0, 2)) await cancel(world, uid)
    await booked(world, type, a, inDays(3, 15))
  })

  test("scope organisation counts all doctors together; a week begins on Monday", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const type = await typeOf(world, { limits: [{ per: "week", max: 1, scope: "organisation" }] })
    const days = Array.from({ length: 14 }, (_, i) => i + 2)
    const monday = days.find((day) => new Date(inDays(day) * 1000).getUTCDay() === 1) ?? 0
    await booked(world, type, a, inDays(monday, 9))
    for (const [doctor, day] of [
      [a, monday],
      [b, monday + 6]
    ] as const) {
      expect(await slotsOf(world, type, day, { doctor_uid: doctor })).toEqual([])
      isTaken(await book(world, type, doctor, inDays(day, 12)))
    }
    await booked(world, type, b, inDays(monday + 7, 0))
  })

  test("a doctor's limit counts every type; holds count", async () => {
    const world = await makeWorld(server.current)
    const [a] = doctorsOf(world)
    await world.api("PATCH", `/v1/management/doctors/${a}`, { limits: [{ per: "day", max: 2 }] })
    const other = await typeOf(world)
    await booked(world, other, a, inDays(3, 8))
    const code = await world.session("anna")
    expect((await world.hold(code, inDays(3, 9))).status).toBe(200)
    isTaken(await book(world, other, a, inDays(3, 10)))
    expect(await slotsOf(world, world.type_uid, 3, { doctor_uid: a })).toEqual([])
  })

  test("20 at once for the last two places: two", async () => {
    const world = await makeWorld(server.current)
    const [a] = doctorsOf(world)
    const type = await typeOf(world, { limits: [{ per: "day", max: 2 }] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => book(world, type, a, inDays(3, 1) + i * HOUR))
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(answers.filter(({ body }) => body.code === "slot_taken")).toHaveLength(18)
  })
})

describe("groups", () => {
  test("patients share a start until the seats are taken; the last one that goes gives the time back", async () => {
    const world = await makeWorld(server.current)
    const [a, b] = doctorsOf(world)
    const room = await roomOf(world)
    const type = await typeOf(world, { seats: 3, requirements: [{ resource_uids: [room] }] })
    const start = inDays(3, 9)
    const left = async () =>
      (await slotsOf(world, type, 3, { doctor_uid: a })).find(({ start_date }) => start_date === start)?.seats_left
    expect(await left()).toBe(3)
    const seats = [await booked(world, type, a, start), await booked(world, type, a, start)]
    expect(await left()).toBe(1)
    // the doctor and the room are taken for everything else
    isTaken(await book(world, world.type_uid, a, start))
    expect(await isOffered(world, type, b, start)).toBe(false)
    seats.push(await booked(world, type, a, start))
    expect(await left()).toBeUndefined()
    isTaken(await book(world, type, a, start))
    for (const seat of seats) expect((await record(world, seat.uid)).resources).toMatchObject([{ uid: room }])
    await cancel(world, present(seats[0]).uid)
    expect(await left()).toBe(1)
    for (const seat of seats.slice(1)) await cancel(world, seat.uid)
    await booked(world, type, b, start)
  })

  test("a patient has one seat; slots of a type with one seat have no seats_left", async () => {
    const world = await makeWorld(server.current)
    const [a] = doctorsOf(world)
    const type = await typeOf(world, { seats: 5 })
    const start = inDays(3, 9)
    await booked(world, type, a, start, { shop_customer_id: "anna" })
    isTaken(await book(world, type, a, start, { shop_customer_id: "anna" }))
    for (const slot of await slotsOf(world, world.type_uid, 3)) expect(slot).not.toHaveProperty("seats_left")
  })

  test("40 at once for 4 seats: four", async () => {
    const world = await makeWorld(server.current)
    const [a] = doctorsOf(world)
    const type = await typeOf(world, { seats: 4 })
    const answers = await Promise.all(Array.from({ length: 40 }, () => book(world, type, a, inDays(3, 9))))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    expect(answers.filter(({ body }) => body.code === "slot_taken")).toHaveLength(36)
  })
})
