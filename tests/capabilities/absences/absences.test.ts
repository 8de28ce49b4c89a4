/** Absences: one transaction closes the time, a job settles what is booked in it. Rule 3.14. */
import { expect, test } from "bun:test"
import type { DoctorUid } from "../../../src/schemas/ids.ts"
import { eventually } from "../../support/eventually.ts"
import { testServer } from "../../support/server.ts"
import { HOUR, inDays, makeWorld, type World } from "../../support/world.ts"

const server = testServer()
const PATH = "/v1/management/scheduling/absences"

/** The absence, once none of its appointments waits to be settled. */
const settledIn = (world: World, uid: string) =>
  eventually(
    async () => (await world.api("GET", `${PATH}/${uid}`)).body,
    ({ appointments }) => appointments.waiting === 0
  )

const settledAs = (moved: number, offered: number, cancelled: number, left: number) => ({
  waiting: 0,
  moved,
  offered,
  cancelled,
  left
})

const scene = async () => {
  const world = await makeWorld(server.current, { type: { rebooking_mode: "same_doctor_only" } })
  /** By default the first doctor's. */
  const absent = (body: Readonly<Record<string, unknown>>) =>
    world.api("POST", PATH, { doctor_uid: world.doctor, ...body })
  const free = async (from: number, to: number, doctor_uid = world.doctor) =>
    (await world.search({ from, to, doctor_uid })).body.slots.length
  const settled = (uid: string) => settledIn(world, uid)
  const one = async (uid: string) => (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body
  return { world, absent, free, settled, one }
}

test("closes hours of a day for search and holds, of one doctor, and opens them again; Rules 3.14.1 and 3.14.4", async () => {
  const { world, absent, free } = await scene()
  const [from, to] = [inDays(5, 9), inDays(5, 12)]
  const all = await free(inDays(5), inDays(6))
  const made = await absent({ from, to, kind: "illness" })
  expect([made.status, made.body.appointments]).toEqual([201, settledAs(0, 0, 0, 0)])
  expect([await free(from, to), await free(inDays(5), from)]).toEqual([0, 27])
  expect(await free(from, to, world.doctors[1])).toBe(9)
  const code = await world.session("late")
  expect((await world.hold(code, from)).body.code).toBe("slot_taken")
  const listed = await world.api("GET", `${PATH}?doctor_uid=${world.doctor}`)
  expect(listed.body.data.map(({ uid }) => uid)).toEqual([made.body.uid])
  const calendar = await world.api("GET", `/v1/management/scheduling/calendar?from=${inDays(5)}&to=${inDays(6)}`)
  const own = calendar.body.subjects.find(({ uid }) => uid === world.doctor)
  expect(own?.absences).toEqual([{ uid: made.body.uid, kind: "illness", from, to }])

  const uid = made.body.uid
  expect((await world.api("PATCH", `${PATH}/${uid}`, { to: from + HOUR })).body.to).toBe(from + HOUR)
  expect(await free(from, to)).toBe(6)
  expect((await world.api("PATCH", `${PATH}/${uid}`, { from: to, to: from })).status).toBe(400)
  expect((await world.api("DELETE", `${PATH}/${uid}`)).status).toBe(204)
  expect((await world.api("DELETE", `${PATH}/${uid}`)).status).toBe(404)
  expect(await free(inDays(5), inDays(6))).toBe(all)
})

test("moves to doctors of another specialty where all may take over; Rule 3.14.7", async () => {
  const world = await makeWorld(server.current)
  const [own, colleague] = world.doctors
  await world.api("PATCH", `/v1/management/doctors/${colleague}`, { specialty_code: "AUGE" })
  const takers = async (day: number, body: Readonly<Record<string, unknown>>) => {
    await world.booked(inDays(day, 9), `patient-${day}`)
    const absence = { doctor_uid: own, from: inDays(day), to: inDays(day + 1), appointments: "move", ...body }
    const made = await world.api("POST", PATH, absence)
    expect((await settledIn(world, made.body.uid)).appointments).toEqual(settledAs(1, 0, 0, 0))
    const range = `from=${inDays(day)}&to=${inDays(day + 2)}&status=confirmed`
    const { body: found } = await world.api("GET", `/v1/management/scheduling/appointments?${range}`)
    return found.data.map(({ doctor_uid, start_date }) => [doctor_uid, start_date])
  }
  expect(await takers(5, {})).toEqual([[own, inDays(6)]])
  expect(await takers(8, { any_specialty: true })).toEqual([[colleague, inDays(8, 9)]])
})

test("settles each appointment as chosen, and says why one was left; Rules 3.14.2 and 3.14.3", async () => {
  const { world, absent, settled, one } = await scene()
  const moved = await world.booked(inDays(6, 9), "a")
  const cancelled = await world.booked(inDays(6, 10), "b")
  const kept = await world.booked(inDays(6, 11), "c")
  const outside = await world.booked(inDays(7, 9), "d")
  const absence = { from: inDays(6), to: inDays(7), message: "Fortbildung", appointments: "move" }
  const choices = [
    { appointment_uid: cancelled, step: "cancel" },
    { appointment_uid: kept, step: "keep" }
  ]
  const wrong = await absent({ ...absence, choices, expected: 2 })
  expect([wrong.status, wrong.body.code]).toEqual([409, "number_changed"])
  const made = await absent({ ...absence, choices, expected: 3 })
  expect(made.status).toBe(201)
  const { appointments } = await settled(made.body.uid)
  expect(appointments).toEqual(settledAs(1, 0, 1, 0))
  expect([(await one(cancelled)).cancellation_reason, (await one(kept)).status, (await one(outside)).status]).toEqual([
    "Fortbildung",
    "confirmed",
    "confirmed"
  ])
  const { data } = (await world.api("GET", "/v1/management/scheduling/appointments")).body
  const next = data.find((found) => found.previous_meeting_uid === moved)
  expect(next?.start_date).toBeGreaterThanOrEqual(inDays(7))
  const rows = (await world.api("GET", `${PATH}/${made.body.uid}/appointments`)).body.data
  expect(rows.map((row) => [row.appointment.uid, row.step, row.status])).toEqual([
    [moved, "move", "moved"],
    [cancelled, "cancel", "cancelled"]
  ])

  // without any hours after the absence nothing can be moved
  const busy = await world.booked(inDays(8, 9), "e")
  await absent({ from: inDays(9), to: inDays(60) })
  const full = await absent({ from: inDays(8), to: inDays(9), appointments: "move" })
  expect((await settled(full.body.uid)).appointments).toEqual(settledAs(0, 0, 0, 1))
  const [left] = (await world.api("GET", `${PATH}/${full.body.uid}/appointments`)).body.data
  expect([left.appointment.uid, left.status, left.code]).toEqual([busy, "left", "slot_taken"])
})

test("leaves what its type no longer offers in its format, also as a trial of a move; Rules 3.14.3 and 7.3.5", async () => {
  const { world, absent, settled } = await scene()
  const uid = await world.booked(inDays(6, 9), "video")
  const type = `/v1/management/scheduling/appointment-types/${world.type_uid}`
  expect((await world.api("PATCH", type, { formats: ["IN_PERSON"] })).status).toBe(200)
  const move = { from: inDays(6), to: inDays(7), doctor_uid: world.doctor }
  for (const dry_run of [true, false]) {
    const { body } = await world.api("POST", "/v1/management/scheduling/appointments/bulk-move", { ...move, dry_run })
    expect([dry_run, body]).toMatchObject([dry_run, { moved: [], left: [{ uid, code: "invalid_request" }] }])
  }
  const made = await absent({ from: inDays(6), to: inDays(7), appointments: "move" })
  expect((await settled(made.body.uid)).appointments).toEqual(settledAs(0, 0, 0, 1))
  const [left] = (await world.api("GET", `${PATH}/${made.body.uid}/appointments`)).body.data
  expect([left.appointment.uid, left.appointment.status, left.code]).toEqual([uid, "confirmed", "invalid_request"])
})

test("asks patients to choose another time, and says whom that is not possible for; Rule 3.14.5", async () => {
  const { world, absent, settled, one } = await scene()
  const asked = await world.booked(inDays(6, 9), "asked")
  const silent = await world.booked(inDays(6, 10), "silent")
  const { patient_uid } = await one(silent)
  await world.api("PATCH", `/v1/management/patients/${patient_uid}`, { profile: { email: null, phone: null } })
  const made = await absent({ from: inDays(6), to: inDays(7), appointments: "offer" })
  expect((await settled(made.body.uid)).appointments).toEqual(settledAs(0, 1, 0, 1))
  const rows = async () =>
    (await world.api("GET", `${PATH}/${made.body.uid}/appointments`)).body.data.map((row) => [
      row.appointment.uid,
      row.appointment.status,
      row.status,
      row.code
    ])
  expect(await rows()).toEqual([
    [silent, "confirmed", "left", "no_address"],
    [asked, "confirmed", "offered", null]
  ])
  const events = await world.api("GET", "/v1/management/events?type=scheduling.times_offered")
  expect(events.body.data).toMatchObject([{ data: { appointment: { uid: asked }, actor: { kind: "api_key" } } }])
  const messages = await world.api("GET", "/v1/management/messages")
  expect(messages.body.data).toMatchObject([{ kind: "times_offered", appointment_uid: asked, channel: "email" }])

  const moved = await world.api("POST", "/v1/management/scheduling/appointments/bulk-move", {
    doctor_uid: world.doctor,
    from: inDays(6, 9),
    to: inDays(6, 10)
  })
  expect(moved.body.moved).toMatchObject([{ uid: asked }])
  expect(await rows()).toContainEqual([asked, "cancelled", "offered", null])
})

test("asks those again who have not answered, and nobody else; Rule 3.14.6", async () => {
  const { world, absent, settled } = await scene()
  const silent = await world.booked(inDays(6, 9), "silent")
  const moved = await world.booked(inDays(6, 10), "moved")
  const cancelled = await world.booked(inDays(6, 11), "cancelled")
  const made = await absent({ from: inDays(6), to: inDays(7), appointments: "offer" })
  expect((await settled(made.body.uid)).appointments.offered).toBe(3)
  const appointments = "/v1/management/scheduling/appointments"
  await world.api("POST", `${appointments}/bulk-move`, {
    doctor_uid: world.doctor,
    from: inDays(6, 10),
    to: inDays(6, 11)
  })
  await world.api("POST", `${appointments}/${cancelled}/cancel`, { reason: "answered" })

  const again = `${PATH}/${made.body.uid}/ask-again`
  const wrong = await world.api("POST", again, { expected: 3 })
  expect([wrong.status, wrong.body.code]).toEqual([409, "number_changed"])
  // two presses at once ask once
  const presses = await Promise.all([1, 2].map(() => world.api("POST", again, { expected: 1 })))
  expect(presses.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await settled(made.body.uid)).appointments).toMatchObject({ waiting: 0, offered: 3, left: 0 })
  const { body } = await world.api("GET", "/v1/management/events?type=scheduling.times_offered")
  const asked = body.data.map(({ data }) => data.appointment.uid)
  expect(asked.sort()).toEqual([silent, silent, moved, cancelled].sort())
})

test("what patients may not move is left when they would be asked; Rule 3.14.5", async () => {
  const world = await makeWorld(server.current, { type: { allow_patient_rebooking: false } })
  await world.booked(inDays(6, 9))
  const made = await world.api("POST", PATH, { from: inDays(6), to: inDays(7), appointments: "offer" })
  await settledIn(world, made.body.uid)
  const { data } = (await world.api("GET", `${PATH}/${made.body.uid}/appointments`)).body
  expect(data).toMatchObject([{ status: "left", code: "rebooking_blocked" }])
})

test("appointments that the absent doctor only joins are listed and settled, with another one where one is free", async () => {
  const world = await makeWorld(server.current, { doctors: 4 })
  const [main, absent, other, busy] = world.doctors as [DoctorUid, DoctorUid, DoctorUid, DoctorUid]
  const PATCH = `/v1/management/scheduling/appointment-types/${world.type_uid}`
  const requirements = (doctor_uids: ReadonlyArray<string>) => ({ requirements: [{ doctor_uids, count: 1 }] })
  const book = async (doctor_uid: string, start_date: number) => {
    const booked = await world.bookByKey({ patient_uid, doctor_uid, start_date })
    expect(booked.status).toBe(201)
    return booked.body
  }
  const patient_uid = await world.patient({ first_name: "Ada", last_name: "Meyer", email: "ada@example.org" })
  await world.api("PATCH", PATCH, requirements([absent]))
  const joined = await book(main, inDays(6, 9))
  expect(joined.further_doctors.map(({ uid }) => uid)).toEqual([absent])
  await book(busy, inDays(6, 12))
  await world.api("PATCH", PATCH, requirements([absent, other]))

  const list = (query: string) =>
    world.api("GET", `/v1/management/scheduling/appointments?doctor_uid=${absent}&limit=200${query}`)
  expect((await list("")).body.data).toEqual([])
  expect((await list("&including_further=true")).body.totalRegistries).toBe(2)
  const range = { doctor_uid: absent, from: inDays(6), to: inDays(7) }
  const plan = await world.api("POST", "/v1/management/scheduling/appointments/bulk-move", {
    ...range,
    including_further: true,
    dry_run: true
  })
  expect(plan.body.moved.map(({ new_start_date }) => new_start_date)).toEqual([inDays(6, 9), inDays(6, 12)])
  const made = await world.api("POST", PATH, { ...range, appointments: "move", expected: 2 })
  const { appointments } = await settledIn(world, made.body.uid)
  expect(appointments).toMatchObject({ moved: 2, left: 0 })
  const { data } = (await world.api("GET", "/v1/management/scheduling/appointments?limit=200")).body
  const next = data.find((one) => one.previous_meeting_uid === joined.uid)
  expect(next).toMatchObject({ start_date: inDays(6, 9), doctor_uid: main, further_doctors: [{ uid: other }] })
})

test("of all doctors; Rule 3.14.1", async () => {
  const { world, free } = await scene()
  const [from, to] = [inDays(5), inDays(6)]
  const made = await world.api("POST", PATH, { from, to, kind: "other" })
  expect([made.status, made.body.doctor_uid]).toEqual([201, null])
  for (const doctor of world.doctors) expect(await free(from, to, doctor)).toBe(0)
  expect((await world.api("POST", PATH, { from, to: from + 367 * 24 * HOUR })).status).toBe(400)
})
