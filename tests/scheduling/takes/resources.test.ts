/** Resources and further doctors that appointments take (section 18.2). */
import { describe, expect, test } from "bun:test"
import { isLong } from "../../support/scale.ts"
import { sandboxServer } from "../../support/server.ts"
import { makeScene, nine } from "./scene.ts"

const server = sandboxServer()
const taken = { status: 409, body: { code: "slot_taken" } }

describe("a room; Rules 18.2.2 and 18.2.5", () => {
  test("is taken with the doctor, and a start is offered only where one is free", async () => {
    const one = await makeScene(server.current, { rooms: 1 })
    const [first = "", second = ""] = one.doctors
    expect(await one.offeredAt(nine())).toEqual([first, second])
    const booked = await one.book(first, nine())
    expect(booked).toMatchObject({
      status: 201,
      body: { resources: [{ uid: one.rooms[0], kind: "room", name: "Room 1" }], further_doctors: [] }
    })
    expect(await one.offeredAt(nine())).toEqual([])
    expect(await one.offeredAt(nine(20))).toEqual([first, second])
    // a type of one seat and without a room has neither seats left nor a time closed by the room
    const plain = { appointment_type_uid: await one.otherType() }
    const others = await one.offered(nine(), nine(1), plain)
    expect(others).toMatchObject([{ doctor_uid: second }])
    expect(others[0]).not.toHaveProperty("seats_left")
    expect(await one.book(second, nine())).toMatchObject(taken)
    expect(await one.book(second, nine(), { doctor_uid: undefined })).toMatchObject(taken)
    // the record keeps what it took, which is free again
    expect((await one.cancel(booked.body.uid)).status).toBe(200)
    expect(await one.offeredAt(nine())).toEqual([first, second])
    const kept = await one.api("GET", `/v1/management/scheduling/appointments/${booked.body.uid}`)
    expect(one.roomsOf(kept)).toEqual([...one.rooms])
  })

  test("of a hold is given back when a later hold of the session replaces it", async () => {
    const one = await makeScene(server.current, { rooms: 1 })
    const [first = "", second = ""] = one.doctors
    const code = await one.session("anna")
    const hold = (start: number) => one.hold(code, start, { doctor_uid: first })
    expect((await hold(nine())).status).toBe(200)
    expect(await one.book(second, nine())).toMatchObject(taken)
    const later = await hold(nine(120))
    expect((await one.book(second, nine())).status).toBe(201)
    expect((await one.confirm(code, later.body.hold_uid)).status).toBe(200)
  })

  test("is the one with the fewest appointments on that day, then by uid; Rule 18.2.4", async () => {
    const one = await makeScene(server.current, {
      rooms: 3,
      doctors: 1,
      type_with: ({ rooms }) => ({ requirements: [{ resource_uids: rooms.toReversed() }] })
    })
    const [a = "", b = "", c = ""] = one.rooms
    const order: Array<string | undefined> = []
    for (const minutes of [0, 20, 40, 60]) order.push(...one.roomsOf(await one.book(one.doctor, nine(minutes))))
    order.push(...one.roomsOf(await one.book(one.doctor, nine(0, 4))))
    expect(order).toEqual([a, b, c, a, a])
  })

  test("that is inactive, closed or lost is not taken; Rules 18.1.3, 18.1.4 and 18.2.3", async () => {
    const one = await makeScene(server.current, { rooms: 2 })
    const [a = "", b = ""] = one.rooms
    const path = (uid: string) => `/v1/management/scheduling/resources/${uid}`
    const change = (uid: string, body: object) => server.current.api("PATCH", path(uid), { key: one.key, body })
    expect((await change(a, { active: false })).status).toBe(200)
    expect(one.roomsOf(await one.book(one.doctor, nine()))).toEqual([b])
    // the other has hours of its own: on that weekday from 10 to 11
    expect((await change(b, { always_available: false })).status).toBe(200)
    expect(await one.offeredAt(nine(60))).toEqual([])
    const weekday = (new Date(nine() * 1000).getUTCDay() + 6) % 7
    const rule = { weekday, start_time: 600, end_time: 660 }
    expect((await one.api("POST", `${path(b)}/availability-rules`, rule)).status).toBe(201)
    const starts = async () => [...new Set((await one.offered(nine(), nine(180))).map(({ start_date }) => start_date))]
    expect(await starts()).toEqual([nine(60), nine(80), nine(100)])
    const closed = { date: nine() - (nine() % 86_400), day_off: true }
    const off = await one.api("POST", `${path(b)}/availability-date-overrides`, closed)
    expect(off.status).toBe(201)
    expect(await starts()).toEqual([])
    expect(await one.book(one.doctor, nine(60))).toMatchObject(taken)
    await one.api("DELETE", `${path(b)}/availability-date-overrides/${off.body.uid}`)
    expect(await starts()).toHaveLength(3)
    expect((await change(b, { always_available: true })).status).toBe(200)
    expect((await starts()).length).toBeGreaterThan(3)
    expect((await one.api("DELETE", path(b))).status).toBe(204)
    expect(await starts()).toEqual([])
  })

  test("is kept by a move if it is free, also at an overlapping time", async () => {
    const one = await makeScene(server.current, {
      rooms: 2,
      doctors: 2,
      type_with: ({ rooms }) => ({ requirements: [{ resource_uids: rooms }], slot_step_minutes: 10 })
    })
    const [a = "", b = ""] = one.rooms
    const [first = "", second = ""] = one.doctors
    const other = await one.book(second, nine())
    const booked = await one.book(first, nine())
    expect([one.roomsOf(other), one.roomsOf(booked)]).toEqual([[a], [b]])
    await one.cancel(other.body.uid)
    const move = { new_start_date: nine(10), new_doctor_uid: first }
    const moved = await one.rebook(booked.body.uid, move)
    const record = await one.api("GET", `/v1/management/scheduling/appointments/${moved.body.appointment_uid}`)
    expect(one.roomsOf(record)).toEqual([b])
    // at another time it gives its room back
    expect((await one.rebook(moved.body.appointment_uid, { ...move, new_start_date: nine(120) })).status).toBe(200)
    const both = [await one.book(first, nine(10)), await one.book(second, nine(10))]
    expect(both.map(one.roomsOf).toSorted()).toEqual([[a], [b]])
  })

  test("of a lapsed hold is taken by others, and a late confirmation takes another one or is refused; Rule 4.5.3", async () => {
    const one = await makeScene(server.current, { rooms: 2, doctors: 3 })
    const [a = "", b = ""] = one.rooms
    const code = await one.session("anna")
    const { hold_uid } = (await one.hold(code, nine(), { doctor_uid: one.doctors[0] })).body
    await server.current.advance(601)
    expect(one.roomsOf(await one.book(one.doctors[1] ?? "", nine()))).toEqual([a])
    const third = await one.book(one.doctors[2] ?? "", nine())
    expect(one.roomsOf(third)).toEqual([b])
    expect(await one.confirm(code, hold_uid)).toMatchObject(taken)
    await one.cancel(third.body.uid)
    expect((await one.confirm(code, hold_uid)).status).toBe(200)
    const record = await one.api("GET", `/v1/management/scheduling/appointments/${hold_uid}`)
    expect(one.roomsOf(record)).toEqual([b])
  })
})

test("several requirements take different subjects, and a start is offered wherever that is possible; Rule 18.2.2", async () => {
  const one = await makeScene(server.current, {
    rooms: 3,
    doctors: 1,
    // the preferred room of the first requirement is the only one of the second
    type_with: ({ rooms: [a, b, c] }) => ({
      requirements: [{ resource_uids: [a, b] }, { resource_uids: [a] }, { resource_uids: [b, c] }]
    })
  })
  const [a = "", b = "", c = ""] = one.rooms
  expect(one.roomsOf(await one.book(one.doctor, nine()))).toEqual([a, b, c])
  expect((await one.change({ requirements: [{ resource_uids: [a, c], count: 2 }] })).status).toBe(200)
  expect(one.roomsOf(await one.book(one.doctor, nine(20))).toSorted()).toEqual([a, c])
  // all three are needed
  expect(
    (await one.change({ requirements: [{ resource_uids: [a, b], count: 2 }, { resource_uids: [b] }] })).status
  ).toBe(200)
  expect(await one.offeredAt(nine(40))).toEqual([])
})

describe("a further doctor; Rules 18.2.2 and 18.2.3", () => {
  const pair = () =>
    makeScene(server.current, {
      doctors: 3,
      type_with: ({ doctors: [, second, third] }) => ({ requirements: [{ doctor_uids: [second, third] }] })
    })

  test("is taken beside the booked one, who is never their own", async () => {
    const one = await pair()
    const [first = "", second = "", third = ""] = one.doctors
    const booked = await one.book(first, nine())
    expect(booked.body.further_doctors).toEqual([{ uid: second, display_name: `Dr. ${second}` }])
    // the third is free, but would need another one
    expect(await one.offeredAt(nine())).toEqual([])
    expect(await one.book(third, nine())).toMatchObject(taken)
    const plain = { appointment_type_uid: await one.otherType() }
    expect(await one.book(second, nine(), plain)).toMatchObject(taken)
    await one.cancel(booked.body.uid)
    expect((await one.book(second, nine(), plain)).status).toBe(201)
    const own = await one.book(second, nine(20))
    expect(own.body.further_doctors.map(({ uid }) => uid)).toEqual([third])
  })

  test("must have open hours, and nothing else at that time; their limits do not count", async () => {
    const one = await pair()
    const [first = "", second = "", third = ""] = one.doctors
    await one.api("PATCH", `/v1/management/doctors/${third}`, { limits: [{ per: "day", max: 1 }] })
    expect((await one.book(third, nine(-60))).status).toBe(201)
    const absent = (doctor: string) =>
      one.api("POST", `/v1/management/scheduling/doctors/${doctor}/availability-date-overrides`, {
        date: nine() - (nine() % 86_400),
        day_off: true
      })
    expect((await absent(second)).status).toBe(201)
    expect((await one.book(first, nine())).body.further_doctors[0].uid).toBe(third)
    expect((await absent(third)).status).toBe(201)
    expect(await one.offeredAt(nine(20))).toEqual([])
  })
})

test("PostgreSQL refuses each kind of overlap, whatever the code does; Rule 18.2.6", async () => {
  const one = await makeScene(server.current, {
    rooms: 1,
    doctors: 3,
    type_with: ({ rooms, doctors: [, , third] }) => ({
      requirements: [{ resource_uids: rooms }, { doctor_uids: [third] }]
    })
  })
  const [first = "", second = "", third = ""] = one.doctors
  const { uid } = (await one.book(first, nine())).body
  const copied = (changes: object) => one.copied(uid, changes)
  const nothing = { resource_uids: [], further_doctor_uids: [] }
  const refused = /Failed to execute/
  await expect(copied(nothing)).rejects.toThrow(refused) // the doctor
  await expect(copied({ ...nothing, doctor_uid: second, resource_uids: one.rooms })).rejects.toThrow(refused)
  await expect(copied({ ...nothing, doctor_uid: second, further_doctor_uids: [third] })).rejects.toThrow(refused)
  await expect(copied({ ...nothing, doctor_uid: third })).rejects.toThrow(refused) // booked and further
  await expect(copied({ ...nothing, doctor_uid: second, further_doctor_uids: [first] })).rejects.toThrow(refused)
  const [kept] = await copied({ ...nothing, doctor_uid: second })
  for (const [column, uids] of Object.entries({ resource_uids: one.rooms, further_doctor_uids: [third] })) {
    const statement = `UPDATE appointments SET ${column} = $1 WHERE uid = $2`
    await expect(server.current.query(statement, [uids, kept?.uid])).rejects.toThrow(refused)
  }
})

if (isLong)
  test("a closed room of a practice with five hundred doctors: an appointment keeps its time with its own doctor; Rule 7.2.8", async () => {
    const { api, book, rooms, doctors } = await makeScene(server.current, {
      doctors: 510,
      rooms: 2,
      type: { rebooking_mode: "any_doctor_same_organisation" }
    })
    const own = doctors.at(-1) ?? ""
    expect((await book(own, nine())).status).toBe(201)
    const closed = { resource_uid: rooms[0], from: nine(-60), to: nine(180), dry_run: true }
    const seen = await api("POST", "/v1/management/scheduling/appointments/bulk-move", closed)
    expect(seen.body).toMatchObject({ moved: [{ new_doctor_uid: own, new_start_date: nine() }], left: [] })
  })

test("a closed room: its appointments keep their times with another, or get the first that is free, by one bulk move; Rule 7.2.8", async () => {
  const { api, book, rooms, doctors, roomsOf } = await makeScene(server.current, { doctors: 2, rooms: 2 })
  const [a = "", b = ""] = doctors
  const [room = "", other = ""] = rooms
  const first = await book(a, nine())
  const [second, third] = [await book(a, nine(60)), await book(b, nine(60))]
  expect([first, second, third].map(roomsOf)).toEqual([[room], [other], [room]])
  const closed = { resource_uid: room, from: nine(-60), to: nine(180) }
  const path = "/v1/management/scheduling/appointments/bulk-move"
  const seen = await api("POST", path, { ...closed, dry_run: true })
  // at the time of the third the other room is taken: it goes on to the next time
  const moved = [
    { uid: first.body.uid, new_doctor_uid: a, new_start_date: nine() },
    { uid: third.body.uid, new_doctor_uid: expect.any(String), new_start_date: nine(80) }
  ]
  expect(seen).toMatchObject({ status: 200, body: { moved, left: [] } })
  const done = await api("POST", path, closed)
  expect(done).toMatchObject({ status: 200, body: { moved, left: [] } })
  for (const { new_uid } of done.body.moved)
    expect(roomsOf(await api("GET", `/v1/management/scheduling/appointments/${new_uid}`))).toEqual([other])
  const kept = await api("GET", `/v1/management/scheduling/appointments/${second.body.uid}`)
  expect(kept.body).toMatchObject({ status: "confirmed" })
  expect((await api("POST", path, closed)).body).toEqual({ moved: [], left: [] })
  expect((await api("POST", path, { ...closed, resource_uid: "res_unknown" })).status).toBe(404)
})

test("statistics count the use of each room by week, the seats of a group once", async () => {
  const one = await makeScene(server.current, {
    rooms: 2,
    type_with: ({ rooms }) => ({ seats: 3, requirements: [{ resource_uids: rooms.slice(0, 1) }] })
  })
  const [first = "", second = ""] = one.doctors
  for (const _ of [1, 2]) expect((await one.book(first, nine())).status).toBe(201)
  const other = await one.book(second, nine(60))
  const rows = async () =>
    (await one.api("GET", `/v1/management/statistics/resources?from=${nine()}&to=${nine()}`)).body.data
  const [used, idle] = one.rooms.map((resource_uid, at) => ({ resource_uid, kind: "room", name: `Room ${at + 1}` }))
  expect(await rows()).toMatchObject([
    { ...used, booked: 2, booked_minutes: 40 },
    { ...idle, booked: 0, booked_minutes: 0 }
  ])
  await one.cancel(other.body.uid)
  expect((await rows())[0]).toMatchObject({ booked: 1, booked_minutes: 20 })
})

test("previews of a resource have the starts that appear and disappear, and see adjacent windows as one; Rule 18.1.5", async () => {
  const { api, book, rooms, type_uid, offered } = await makeScene(server.current, { doctors: 1, rooms: 1 })
  const [room = ""] = rooms
  const at = `/v1/management/scheduling/resources/${room}`
  const startsOf = async (from: number, to: number) => (await offered(from, to)).map(({ start_date }) => start_date)
  const day = nine(-9 * 60)
  const all = await startsOf(day, day + 86_400)
  const preview = async (path: string, body: object) => (await api("POST", `${at}${path}`, body)).body
  const gone = await preview("/preview", { changes: { active: false } })
  const within = (starts: ReadonlyArray<{ readonly start_date: number }>) =>
    starts.map(({ start_date }) => start_date).filter((start) => start >= day && start < day + 86_400)
  expect(within(gone.disappearing)).toEqual(all)
  expect([gone.appearing, gone.disappearing[0].appointment_type_uid]).toEqual([[], type_uid])
  expect(within((await preview("/preview", {})).disappearing)).toEqual(all)

  // two windows that touch are open for an appointment across both
  await api("PATCH", at, { always_available: false })
  const weekday = (Math.floor(day / 86_400) + 3) % 7
  for (const [start_time, end_time] of [
    [480, 550],
    [550, 720]
  ])
    expect((await api("POST", `${at}/availability-rules`, { weekday, start_time, end_time })).status).toBe(201)
  const across = await book((await offered(nine(), nine() + 1))[0]?.doctor_uid ?? "", nine())
  expect(across.status).toBe(201)
  const off = await preview("/availability-date-overrides/preview", { override: { date: day, day_off: true } })
  expect(off.hit).toEqual([across.body.uid])
  expect(off.disappearing.map(({ start_date }) => start_date)).toEqual(await startsOf(day, day + 86_400))
  const longer = { date: day, start_time: 480, end_time: 780 }
  const more = await preview("/availability-date-overrides/preview", { override: longer })
  expect(more).toMatchObject({ hit: [], disappearing: [] })
  expect(more.appearing.map(({ start_date }) => start_date)).toEqual([nine(180), nine(200), nine(220)])
})

test("a preview of a doctor's dates knows what types take, and types whose further doctor it is; Rule 7.6.6", async () => {
  const { api, book, doctors, type_uid, offered } = await makeScene(server.current, {
    doctors: 2,
    rooms: 1,
    type_with: ({ rooms, doctors }) => ({ requirements: [{ resource_uids: rooms }, { doctor_uids: doctors.slice(1) }] })
  })
  const [a = "", b = ""] = doctors
  await book(a, nine())
  const day = nine(-9 * 60)
  const before = (await offered(day, day + 86_400)).map(({ start_date }) => start_date)
  expect(before).not.toContain(nine())
  for (const doctor of [a, b]) {
    const path = `/v1/management/scheduling/doctors/${doctor}/availability-date-overrides/preview`
    const { body } = await api("POST", path, { override: { date: day, day_off: true } })
    expect(body.appearing).toEqual([])
    expect(body.disappearing).toEqual(before.map((start_date) => ({ appointment_type_uid: type_uid, start_date })))
  }
})
