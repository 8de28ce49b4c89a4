/** Appointments with resources and further doctors: their record, the doctors' days, the room. Sections 18.5 and 18.6. */
import { expect, test } from "bun:test"
import { decodeJwt } from "jose"
import { place, worldWithPatient } from "../../support/provisioned.ts"
import { sandboxServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { DAY, inDays, random, type World } from "../../support/world.ts"

const server = sandboxServer()

/** A confirmed appointment of the first doctor that also takes a room and the second doctor. */
const scene = async (start_date: number) => {
  const { world, patient_uid } = await worldWithPatient(server.current)
  const [, further = ""] = world.doctors
  const room = random("res")
  const { organisation_uid } = world
  await world.provision({
    resources: [{ uid: room, organisation_uid, kind: "room", name: "Room 7", site: "Main Street 1" }]
  })
  const uid = await place(world, patient_uid, { status: "confirmed", start_date })
  await server.current.sql`UPDATE appointments SET resource_uids = ${[room]}, further_doctor_uids = ${[further]}
    WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
  return { world, patient_uid, uid, room, further }
}
const asDoctor = async (world: World, doctor: string, method: string, path: string, body?: unknown) =>
  server.current.api(method, `/v1/doctor${path}`, { bearer: await doctorOf(server.current, world, doctor), body })

test("the record names resources and further doctors, in lists and in events", async () => {
  const { world, uid, room, further } = await scene(inDays(3, 9))
  const parts = {
    resources: [{ uid: room, kind: "room", name: "Room 7" }],
    further_doctors: [{ uid: further, display_name: `Dr. ${further}` }]
  }
  const path = "/v1/management/scheduling/appointments"
  expect((await world.api("GET", `${path}/${uid}`)).body).toMatchObject(parts)
  expect((await world.api("GET", path)).body.data).toMatchObject([{ uid, ...parts }])
  await world.api("POST", `${path}/${uid}/cancel`, { reason: "no" })
  const events = (await world.api("GET", "/v1/management/events")).body.data
  expect(events.at(-1)?.data.appointment).toMatchObject({ uid, ...parts })
})

test("a further doctor sees the appointment in their day, and others do not", async () => {
  const { world, uid, further } = await scene(inDays(3, 9))
  const list = async (doctor: string, query = "") =>
    (await asDoctor(world, doctor, "GET", `/appointments${query}`)).body
  for (const doctor of [world.doctor, further]) {
    expect(await list(doctor)).toMatchObject({ data: [{ uid }], totalRegistries: 1 })
    expect(await list(doctor, "?status=all&from=0")).toMatchObject({ data: [{ uid }], totalRegistries: 1 })
    expect((await asDoctor(world, doctor, "GET", `/appointments/${uid}`)).status).toBe(200)
  }
  const stranger = random("doc")
  const { organisation_uid } = world
  await world.provision({ doctors: [{ uid: stranger, organisation_uid, display_name: "Dr. Stranger" }] })
  expect(await list(stranger)).toMatchObject({ data: [], totalRegistries: 0 })
  expect((await asDoctor(world, stranger, "GET", `/appointments/${uid}`)).status).toBe(404)
})

test("an ended appointment is in a further doctor's history, counted once", async () => {
  const { world, uid, further } = await scene((await server.current.now()) - 10 * DAY)
  await world.api("POST", `/v1/management/scheduling/appointments/${uid}/complete`)
  for (const status of ["completed", "all"]) {
    const answer = await asDoctor(world, further, "GET", `/appointments?status=${status}&from=0`)
    expect(answer.body).toMatchObject({ data: [{ uid, status: "completed" }], totalRegistries: 1, totalPages: 1 })
  }
})

test("a further doctor joins as moderator; completion, no-show and the note are the booked doctor's", async () => {
  const { world, uid, further } = await scene((await server.current.now()) - 60)
  const own = await asDoctor(world, world.doctor, "POST", `/appointments/${uid}/join`)
  const joined = await asDoctor(world, further, "POST", `/appointments/${uid}/join`)
  expect(joined.body.room_name).toBe(own.body.room_name)
  expect(decodeJwt(joined.body.token)).toMatchObject({
    moderator: true,
    context: { user: { id: further, name: `Dr. ${further}`, role: "doctor" } }
  })
  const refused = async (method: string, path: string, body?: object) =>
    expect(await asDoctor(world, further, method, `/appointments/${uid}/${path}`, body)).toMatchObject({ status: 404 })
  for (const path of ["complete", "no-show"]) await refused("POST", path)
  await refused("GET", "note")
  await refused("PUT", "note", { note: "mine" })
  expect((await asDoctor(world, world.doctor, "POST", `/appointments/${uid}/complete`)).status).toBe(200)
})

test("a further doctor's absence previews the appointment, and they cannot be deleted before it has ended", async () => {
  const { world, uid, further } = await scene(inDays(3, 9))
  const at = `/v1/management/scheduling/doctors/${further}/availability-date-overrides/preview`
  const preview = await world.api("POST", at, { override: { date: inDays(3), day_off: true } })
  expect(preview.body.hit).toEqual([uid])
  expect((await world.api("DELETE", `/v1/management/doctors/${further}`)).status).toBe(409)
})

test("the calendar feed of a further doctor has the appointment", async () => {
  const { world, uid, further } = await scene(inDays(3, 9))
  const { url } = (await asDoctor(world, further, "POST", "/calendar-feed")).body
  expect(await (await fetch(url)).text()).toContain(uid)
})

test("previews of a resource's removal, closing and day off name its appointments and cancel nothing", async () => {
  const { world, uid, room } = await scene(inDays(3, 9))
  const base = `/v1/management/scheduling/resources/${room}`
  const hit = async (path: string, body: object) => {
    const answer = await world.api("POST", `${base}${path}`, body)
    expect(answer.status).toBe(200)
    return answer.body.hit
  }
  const dayOff = { override: { date: inDays(3), day_off: true } }
  expect(await hit("/preview", {})).toEqual([uid])
  expect(await hit("/preview", { changes: { active: false } })).toEqual([uid])
  expect(await hit("/preview", { changes: { name: "Room 8" } })).toEqual([])
  // it has no hours yet
  expect(await hit("/preview", { changes: { always_available: false } })).toEqual([uid])
  // a day off counts for a room that is always available, too; Rule 18.1.3
  expect(await hit("/availability-date-overrides/preview", dayOff)).toEqual([uid])
  const weekday = (new Date(inDays(3) * 1000).getUTCDay() + 6) % 7
  await world.api("POST", `${base}/availability-rules`, { weekday, start_time: 0, end_time: 1440 })
  expect(await hit("/preview", { changes: { always_available: false } })).toEqual([])
  await world.api("PATCH", base, { always_available: false })
  expect(await hit("/availability-date-overrides/preview", dayOff)).toEqual([uid])
  const { uid: override_uid } = (await world.api("POST", `${base}/availability-date-overrides`, dayOff.override)).body
  expect(await hit("/availability-date-overrides/preview", { override_uid })).toEqual([])
  expect((await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body).toMatchObject({
    status: "confirmed",
    resources: [{ uid: room }]
  })
  for (const [path, body] of [
    ["/availability-date-overrides/preview", { override_uid: "unknown" }],
    ["/availability-date-overrides/preview", { override: { ...dayOff.override, appointment_type_uid: "unknown" } }]
  ] as const)
    expect((await world.api("POST", `${base}${path}`, body)).status).toBe(404)
  expect((await world.api("POST", "/v1/management/scheduling/resources/unknown/preview", {})).status).toBe(404)
})

test("a removed resource stays in the record of an appointment that took it", async () => {
  const { world, uid, room } = await scene(inDays(3, 9))
  expect((await world.api("DELETE", `/v1/management/scheduling/resources/${room}`)).status).toBe(204)
  expect((await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body.resources).toEqual([
    { uid: room, kind: "room", name: "Room 7" }
  ])
})

test("the seats of a group share a room, and the join tokens of their patients have a number and no name", async () => {
  const { world } = await worldWithPatient(server.current, {
    type: { seats: 3, slot_step_minutes: 5, duration_minutes: 5 }
  })
  const start_date = Math.ceil((await server.current.now()) / 300 + 0.1) * 300
  const seat = async (customer: string) => {
    const { uid } = (await world.bookByKey({ shop_customer_id: customer, doctor_uid: world.doctor, start_date })).body
    const token = await world.token(customer)
    return { uid, join: () => server.current.api("POST", `/v1/scheduling/appointments/${uid}/join`, { token }) }
  }
  const [anna, berta] = [await seat("anna"), await seat("berta")]
  const [first, second] = [await anna.join(), await berta.join()]
  expect(second.body.room_name).toBe(first.body.room_name)
  const doctor = await asDoctor(world, world.doctor, "POST", `/appointments/${berta.uid}/join`)
  expect(doctor.body.room_name).toBe(first.body.room_name)
  for (const [index, { body }] of [first, second].entries()) {
    expect(decodeJwt(body.token)).toMatchObject({
      group: true,
      moderator: false,
      context: { user: { name: `Participant ${index + 1}`, role: "patient" } }
    })
    expect(JSON.stringify(decodeJwt(body.token))).not.toMatch(/Anna|Muster|Testa/)
  }
  const page = await fetch(`${server.current.url}/meet/meeting/${first.body.room_name}?jwt=${first.body.token}`)
  expect(await page.text()).toContain("data-group")
})
