/** Moving the appointments of an absence. Rule 7.2.8. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { makeCalendarCache, withBusy } from "../../../src/capabilities/shared/services/free/CalendarCache.ts"
import { FirstStarts } from "../../../src/capabilities/shared/services/free/FirstStarts.ts"
import { UnixSeconds } from "../../../src/schemas/fields.ts"
import { AppointmentTypeUid, OrganisationUid } from "../../../src/schemas/ids.ts"
import { type Busy, busyTimes } from "../../../src/services/scheduling/slots/busy.ts"
import { mailTo } from "../../support/codes.ts"
import { eventually } from "../../support/eventually.ts"
import { place } from "../../support/provisioned.ts"
import { eventsOf, stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { recording } from "../../support/statements.ts"
import { inDays, makeWorld, type World } from "../../support/world.ts"

const server = testServer()

const move = (world: World, body: object) => world.api("POST", "/v1/management/scheduling/appointments/bulk-move", body)
const day = { from: inDays(2), to: inDays(3) }

interface Moved {
  readonly uid: string
  readonly new_uid: string
}

test("a bulk move keeps the time with another doctor if the type allows any doctor; each is one move with one event; Rule 7.2.8", async () => {
  const world = await makeWorld(server.current)
  const first = await world.booked(inDays(2, 9), "anna")
  const second = await world.booked(inDays(2, 9, 20), "berta")
  const others = await world.booked(inDays(2, 9), "carla", { doctor_uid: world.doctors[1] })
  const later = await world.booked(inDays(3, 9), "dora")
  const body = { ...day, doctor_uid: world.doctor }
  const seen = await move(world, { ...body, dry_run: true })
  const targets = [inDays(2, 9, 20), inDays(2, 9, 40)]
  expect(seen.body).toMatchObject({
    moved: [
      { uid: first, new_uid: null, new_doctor_uid: world.doctors[1], new_start_date: targets[0] },
      { uid: second, new_uid: null, new_doctor_uid: world.doctors[1], new_start_date: targets[1] }
    ],
    left: []
  })
  expect(await stored(server.current, first)).toMatchObject({ status: "confirmed" })

  const { status, body: done } = await move(world, body)
  expect([status, done.left]).toEqual([200, []])
  expect(done.moved.map(({ uid }: Moved) => uid)).toEqual([first, second])
  for (const [index, { uid, new_uid }] of done.moved.entries()) {
    expect(await stored(server.current, uid)).toMatchObject({ status: "cancelled" })
    const now = { status: "confirmed", doctor_uid: world.doctors[1], start_date: targets[index] }
    expect(await stored(server.current, new_uid)).toMatchObject(now)
    expect(await eventsOf(server.current, new_uid)).toMatchObject([
      { type: "rebooked", data: { previous_meeting_uid: uid } }
    ])
  }
  for (const uid of [others, later]) expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed" })
})

test("only doctors of the same specialty take over, unless all may; the message says that the practice moved it; Rule 7.2.8", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["rebooking"] } })
  const uid = await world.booked(inDays(2, 9), "anna-moved")
  const colleague = `/v1/management/doctors/${world.doctors[1]}`
  expect((await world.api("PATCH", colleague, { specialty_code: "AUGE" })).status).toBe(200)
  const body = { ...day, doctor_uid: world.doctor }
  const own = await move(world, { ...body, dry_run: true })
  expect(own.body.moved).toMatchObject([{ uid, new_doctor_uid: world.doctor, new_start_date: inDays(3) }])
  const any = await move(world, { ...body, any_specialty: true })
  expect(any.body.moved).toMatchObject([{ uid, new_doctor_uid: world.doctors[1], new_start_date: inDays(2, 9) }])
  const mail = await mailTo(server.current, "anna-moved@example.org")
  expect(mail?.text).toContain("jetzt mit")
  expect(mail?.text).toContain("wir bitten um Entschuldigung")
})

test("a bulk move keeps the doctor after the absence if the type demands it, whether or not patients may move; Rule 7.2.8", async () => {
  const type = { rebooking_mode: "same_doctor_only", allow_patient_rebooking: false }
  const world = await makeWorld(server.current, { type })
  const uid = await world.booked(inDays(2, 9), "anna")
  const { body } = await move(world, day)
  expect(body).toMatchObject({
    moved: [{ uid, new_doctor_uid: world.doctor, new_start_date: inDays(3) }],
    left: []
  })
})

test("an appointment without a free time stays, with the reason; Rule 7.2.8", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const uid = await world.booked(inDays(2, 9), "anna")
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, { active: false })
  const { body } = await move(world, day)
  expect(body).toEqual({ moved: [], left: [{ uid, code: "not_found" }] })
  expect(await stored(server.current, uid)).toMatchObject({ status: "confirmed" })
  expect((await move(world, { ...day, doctor_uid: "doc_other" })).status).toBe(404)
  expect((await move(world, { from: day.to, to: day.from })).status).toBe(400)
})

test("each patient gets one message; Rule 7.2.8", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["rebooking", "cancellation"] } })
  await world.booked(inDays(2, 9), "anna")
  await world.booked(inDays(2, 10), "berta")
  await move(world, { ...day, doctor_uid: world.doctor })
  const list = async () => (await world.api("GET", "/v1/management/messages?limit=50")).body.data
  const found = await eventually(list, (messages) => messages.length >= 2)
  expect(found.map(({ kind }) => kind)).toEqual(["rebooking", "rebooking"])
})

test("a started appointment stays, and at most a year is cleared at once; Rule 7.2.8", async () => {
  const world = await makeWorld(server.current)
  const now = Math.floor(Date.now() / 1000) // real time: of an appointment that is being held
  const patient = await world.booked(inDays(2, 9), "anna")
  const { patient_uid } = await stored(server.current, patient)
  await place(world, String(patient_uid), { status: "confirmed", start_date: now - 600 })
  const { body } = await move(world, { from: now - 1_000, to: inDays(1), dry_run: true })
  expect(body).toEqual({ moved: [], left: [] })
  for (const to of [inDays(2) + 366 * 86_400 + 1, 253_402_300_799]) {
    const refused = await move(world, { from: inDays(2), to, dry_run: true })
    expect([refused.status, refused.body.error]).toMatchObject([400, expect.anything()])
  }
})

test("a free time is searched from the first day on, up to a few results; Rule 7.2.8", async () => {
  const world = await makeWorld(server.current, { doctors: 3 })
  const { organisation_uid } = world
  const appointment_type_uid = AppointmentTypeUid.make(world.type_uid)
  const query = { appointment_type_uid, from: UnixSeconds.make(inDays(2)), to: UnixSeconds.make(inDays(33)) }
  const find = (accepts: (start: number) => boolean) =>
    server.current.run(
      Effect.gen(function* () {
        const { firstStarts } = yield* FirstStarts
        const wanted = ({ start_date }: { readonly start_date: number }) => accepts(start_date)
        const found = yield* firstStarts(OrganisationUid.make(organisation_uid), query, 5, wanted, makeCalendarCache())
        return found.map(({ doctor_uid, start_date }) => [doctor_uid, start_date])
      }).pipe(Effect.provide(FirstStarts.Default))
    )
  const first = inDays(2)
  const all = await find(() => true)
  expect(all.map(([, start]) => start)).toEqual([first, first, first, first + 1200, first + 1200])
  expect(new Set(all.slice(0, 3).map(([doctor]) => String(doctor)))).toEqual(new Set(world.doctors))

  const late = await find((start) => start >= inDays(20, 10))
  expect(late.map(([, start]) => start)).toEqual([0, 0, 0, 1200, 1200].map((more) => inDays(20, 10) + more))
  expect(await find(() => false)).toEqual([])
})

// Shows: moving an absence with thousands of doctors and a year of free times
test("the calendars are read once for the appointments of a day, and the doctors' own for each move; Rule 7.2.8", async () => {
  const world = await makeWorld(server.current)
  for (const minute of [0, 20, 40]) await world.booked(inDays(2, 9, minute), `patient-${minute}`)
  const request = () => move(world, { ...day, doctor_uid: world.doctor })
  const { result, statements } = await recording(request, server.current.databaseUrl)
  expect(result.body.moved.map(({ new_start_date }) => new_start_date)).toEqual(
    [0, 20, 40].map((minute) => inDays(2, 9, minute))
  )
  const own = statements.filter(({ values }) => values.includes(world.type_uid))
  expect(own.filter(({ text }) => text.includes("availability_rules"))).toHaveLength(1 + 3)
})

test("a dry run assigns no time twice, also to appointments of several days and types; Rule 7.2.8", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const other = await world.otherType()
  await world.booked(inDays(2, 9), "anna")
  const code = await world.session("berta", { appointment_type_uid: other })
  const held = await world.hold(code, inDays(3, 9), { appointment_type_uid: other })
  await world.confirm(code, held.body.hold_uid)
  const { body } = await move(world, { from: inDays(2), to: inDays(4), doctor_uid: world.doctor, dry_run: true })
  const starts = body.moved.map(({ new_start_date }) => new_start_date)
  expect(starts).toEqual([inDays(4), inDays(4, 0, 20)])
})

test("a move takes the type's present length, not the appointment's; Rule 7.2.8", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  await world.booked(inDays(2, 9), "anna")
  await world.booked(inDays(2, 10), "berta")
  await world.api("PATCH", `/v1/management/scheduling/appointment-types/${world.type_uid}`, {
    duration_minutes: 10,
    rebooking_mode: "same_doctor_only"
  })
  const startsOf = async (dry_run: boolean) =>
    (await move(world, { ...day, dry_run })).body.moved.map(({ new_start_date }) => new_start_date)
  const foreseen = await startsOf(true)
  expect(foreseen).toEqual([inDays(3), inDays(3, 0, 10)])
  expect(await startsOf(false)).toEqual(foreseen)
})

test("a change of a calendar that was read is seen by the next appointment; Rule 7.2.8", () => {
  const busy = busyTimes([10, 30], [20, 40])
  const times = ({ starts, ends }: Busy) => [...starts].map((start, at) => [start, ends[at]])
  expect(times(withBusy(busy, 18, 25))).toEqual([
    [10, 25],
    [30, 40]
  ])
  expect(times(withBusy(busy, 20, 30))).toEqual([[10, 40]])
})
