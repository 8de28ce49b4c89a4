import { describe, expect, test } from "bun:test"
import { Effect } from "effect"
import { decodeJwt } from "jose"
import { OverdueAppointments } from "../../../src/services/scheduling/appointments/OverdueAppointments.ts"
import { eventually } from "../../support/eventually.ts"
import { place, worldWithPatient } from "../../support/provisioned.ts"
import { eventsOf, openedEvents, stored } from "../../support/records.ts"
import { sized } from "../../support/scale.ts"
import { sandboxServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { DAY, inDays, makeWorld, type World } from "../../support/world.ts"

const server = sandboxServer()
const join = async (world: World, uid: string) =>
  server.current.api("POST", `/v1/scheduling/appointments/${uid}/join`, { token: await world.token("anna") })

describe("joining", () => {
  test("is open from ten minutes before the start to an hour after the end", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const present = await server.current.now()
    const at = (start_date: number) => place(world, patient_uid, { status: "confirmed", start_date, minutes: 10 })
    const early = await at(present + 3600)
    const late = await at(present - 3 * 3600)
    const open = await at(present - 2400)
    const soon = await at(present + 540)
    expect((await join(world, early)).body.error).toEqual([expect.stringMatching(/^start_date:/)])
    expect((await join(world, late)).body.error).toEqual([expect.stringMatching(/^end_date:/)])
    expect((await join(world, open)).status).toBe(200)
    expect((await join(world, soon)).status).toBe(200)
  })

  test("opens the room to a waiting patient and a moderating doctor, and records both arrivals", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const uid = await place(world, patient_uid, { status: "confirmed", start_date: (await server.current.now()) + 60 })
    const patient = await join(world, uid)
    expect(await stored(server.current, uid)).toMatchObject({ doctor_joined_at: null })
    const bearer = await doctorOf(server.current, world)
    const doctor = await server.current.api("POST", `/v1/doctor/appointments/${uid}/join`, { bearer })
    expect(doctor.status).toBe(200)
    expect(doctor.body.room_name).toBe(patient.body.room_name)
    expect(decodeJwt(patient.body.token)).toMatchObject({
      room: patient.body.room_name,
      moderator: false,
      context: { user: { id: patient_uid, role: "patient" } }
    })
    expect(decodeJwt(doctor.body.token)).toMatchObject({
      room: patient.body.room_name,
      moderator: true,
      context: { user: { id: world.doctor, name: `Dr. ${world.doctor}`, role: "doctor" } }
    })
    expect(await stored(server.current, uid)).toMatchObject({
      patient_joined_at: expect.any(Number),
      doctor_joined_at: expect.any(Number)
    })
  })

  test("is refused unless the appointment is confirmed, digital and the caller's own", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const start_date = (await server.current.now()) + 60
    const cancelled = await place(world, patient_uid, { status: "cancelled", start_date })
    const fields = { meeting_format: "IN_PERSON" }
    const inPerson = await place(world, patient_uid, { status: "confirmed", start_date, fields })
    expect((await join(world, cancelled)).status).toBe(400)
    expect((await join(world, inPerson)).status).toBe(400)
    const path = `/v1/scheduling/appointments/${inPerson}/join`
    expect((await server.current.api("POST", path, { token: await world.token("berta") })).status).toBe(404)
    expect((await world.api("POST", path)).status).toBe(401)
    const bearer = await doctorOf(server.current, world, world.doctors[1])
    expect((await server.current.api("POST", `/v1/doctor/appointments/${inPerson}/join`, { bearer })).status).toBe(404)
  })

  test("leads to the doctor's room with persistent_per_provider, else to a separate one", async () => {
    const roomsWith = async (room_strategy: string) => {
      const world = await makeWorld(server.current, { type: { room_strategy } })
      const uids = [await world.booked(inDays(3, 9)), await world.booked(inDays(3, 10))]
      const names = await Promise.all(uids.map(async (uid) => (await stored(server.current, uid)).room_name))
      return new Set(names).size
    }
    expect([await roomsWith("persistent_per_provider"), await roomsWith("per_appointment")]).toEqual([1, 2])
  })
})

describe("once the room has closed", () => {
  const finish = () => server.current.run(Effect.flatMap(OverdueAppointments, ({ finish }) => finish()))

  test("a digital appointment without its patient is a no-show, everything else completed", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const start_date = (await server.current.now()) + 60
    const missed = await place(world, patient_uid, { status: "confirmed", start_date })
    const attended = await place(world, patient_uid, { status: "confirmed", start_date: start_date + 1200 })
    const fields = { meeting_format: "IN_PERSON" }
    const inPerson = await place(world, patient_uid, { status: "confirmed", start_date: start_date + 2400, fields })
    await server.current.advance(1260)
    expect((await join(world, attended)).status).toBe(200)
    await server.current.advance(2400 + 3600 - 120)
    await finish()
    expect(await stored(server.current, missed)).toMatchObject({ status: "no_show" })
    expect(await stored(server.current, inPerson)).toMatchObject({ status: "confirmed" })
    await server.current.advance(DAY)
    await finish()
    expect(await stored(server.current, attended)).toMatchObject({ status: "completed" })
    expect(await stored(server.current, inPerson)).toMatchObject({ status: "completed" })
    expect(await eventsOf(server.current, missed)).toMatchObject([
      { data: { change: "no_show", actor: { kind: "system" }, appointment: { uid: missed, status: "no_show" } } }
    ])
  })

  test("many workers end each appointment once", async () => {
    const { world, patient_uid } = await worldWithPatient(server.current)
    const start_date = (await server.current.now()) - 3 * DAY
    const appointments = Array.from({ length: sized(110, 230) }, (_, i) => ({
      uid: `apt_${world.organisation_uid}_${i}`,
      organisation_uid: world.organisation_uid,
      doctor_uid: world.doctor,
      patient_uid,
      appointment_type_uid: world.type_uid,
      status: "confirmed",
      start_date: start_date + i * 600,
      end_date: start_date + (i + 1) * 600
    }))
    await world.provision({ appointments })
    await Promise.all([finish(), finish(), finish(), finish()])
    // the server's own schedule may end some of them, too
    const ofOrganisation = () =>
      openedEvents(server.current, (sql) => sql`owner_uid = ${world.organisation_uid} AND subject LIKE 'apt_%'`)
    const ended = await eventually(ofOrganisation, (events) => events.length >= appointments.length)
    expect(ended.map(({ subject }) => String(subject)).toSorted()).toEqual(
      appointments.map(({ uid }) => uid).toSorted()
    )
  })
})
