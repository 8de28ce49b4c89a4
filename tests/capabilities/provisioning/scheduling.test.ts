/** Appointments, busy sources and recalls of provisioning files (Rules 12.4.9, 12.4.20 and 12.4.21). */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Provisioning } from "../../../src/capabilities/shared/services/provisioning/Provisioning.ts"
import { makeScene, nine, type Scene } from "../../scheduling/takes/scene.ts"
import { testServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"
import { faultsOf as faultsAt } from "./faults.ts"

const server = testServer()

const sceneWith = async (scene: Scene) => {
  const made = await makeScene(server.current, scene)
  const { organisation_uid, shop_uid, doctors, type_uid, provision } = made
  const patients = [random("pat"), random("pat"), random("pat")]
  await provision({
    patients: patients.map((uid) => ({ uid, organisation_uid, shop_uid, shop_customer_id: uid, profile: {} }))
  })
  const entry = (fields: Readonly<Record<string, unknown>> = {}) => ({
    uid: random("apt"),
    organisation_uid,
    doctor_uid: doctors[0],
    patient_uid: patients[0],
    appointment_type_uid: type_uid,
    status: "confirmed",
    start_date: nine(),
    end_date: nine(20),
    ...fields
  })
  const record = async (uid: string) => (await made.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body
  const faultsOf = (file: unknown) => faultsAt(server.current, file)
  return { ...made, patients, entry, record, faultsOf }
}

test("a confirmed appointment takes what its type requires, and what it names; no other can have it", async () => {
  const { rooms, doctors, entry, record, provision, book, offeredAt, faultsOf } = await sceneWith({
    doctors: 3,
    rooms: 1,
    type_with: ({ rooms, doctors }) => ({ requirements: [{ resource_uids: rooms }, { doctor_uids: doctors.slice(2) }] })
  })
  const [, b = "", c = ""] = doctors
  const first = entry()
  await provision({ appointments: [first] })
  expect(await record(first.uid)).toMatchObject({ resources: [{ uid: rooms[0] }], further_doctors: [{ uid: c }] })
  expect(await offeredAt(nine())).toEqual([])
  expect(await book(b, nine())).toMatchObject({ status: 409, body: { code: "slot_taken" } })
  const second = entry({ doctor_uid: b })
  expect(await faultsOf({ appointments: [second] })).toEqual([expect.stringContaining("appointments[0].start_date")])
  expect(await faultsOf({ appointments: [{ ...second, resource_uids: rooms }] })).toEqual([
    expect.stringContaining("appointments[0].start_date: overlaps another")
  ])
  expect(await faultsOf({ appointments: [{ ...second, resource_uids: ["res_unknown"] }] })).toEqual([
    "appointments[0].resource_uids[0]: refers to something that does not exist"
  ])
  // it names that it takes nothing; and what is over takes nothing either
  await provision({ appointments: [{ ...second, resource_uids: [] }, entry({ status: "cancelled" })] })
  expect(await record(second.uid)).toMatchObject({ resources: [], further_doctors: [] })
})

test("many appointments of one file: those that take their doctor alone, those that name what they take and those that their type gives it", async () => {
  const { rooms, doctors, entry, record, provision, faultsOf } = await sceneWith({
    doctors: 3,
    rooms: 2,
    type_with: ({ rooms }) => ({ requirements: [{ resource_uids: rooms }] })
  })
  const [a = "", b = "", c = ""] = doctors
  const given = entry({ doctor_uid: b })
  const named = entry({ doctor_uid: c, resource_uids: rooms.slice(0, 1) })
  const plain = [1, 2, 3].map((n) =>
    entry({ appointment_type_uid: null, start_date: nine(60 * n), end_date: nine(60 * n + 20) })
  )
  const past = entry({ status: "completed", visit_reason: "Cough" })
  await provision({ appointments: [named, past, given, ...plain] })
  expect(await record(given.uid)).toMatchObject({ resources: [{ uid: rooms[1] }] })
  expect(await record(named.uid)).toMatchObject({ resources: [{ uid: rooms[0] }] })
  expect(await record(past.uid)).toMatchObject({ status: "completed", visit_reason: "Cough", resources: [] })
  for (const { uid, start_date } of plain)
    expect(await record(uid)).toMatchObject({ status: "confirmed", start_date, doctor_uid: a })

  const more = [4, 5].map((n) =>
    entry({ appointment_type_uid: null, start_date: nine(60 * n), end_date: nine(60 * n + 20) })
  )
  const overlapping = entry({ appointment_type_uid: null, start_date: nine(310), end_date: nine(330) })
  expect(await faultsOf({ appointments: [...more, overlapping] })).toEqual([
    expect.stringContaining("appointments[2].start_date: overlaps another")
  ])
  const [kept] = more
  expect(await record(kept?.uid ?? "")).toHaveProperty("error")
  // what is there already stays as it is
  await provision({ appointments: [{ ...past, visit_reason: "Fever" }, ...more] })
  expect(await record(past.uid)).toMatchObject({ visit_reason: "Cough" })
  expect(await record(kept?.uid ?? "")).toMatchObject({ status: "confirmed" })
})

test("appointments of a group get its seats, until they are taken", async () => {
  const { patients, entry, provision, offered, faultsOf } = await sceneWith({
    doctors: 1,
    type_with: () => ({ seats: 2 })
  })
  const [a, b, c] = patients
  await provision({ appointments: [entry({ patient_uid: a })] })
  expect(await faultsOf({ appointments: [entry({ patient_uid: a })] })).toEqual([
    expect.stringContaining("appointments[0].patient_uid")
  ])
  expect(await offered(nine(), nine() + 1)).toMatchObject([{ seats_left: 1 }])
  await provision({ appointments: [entry({ patient_uid: b })] })
  expect(await offered(nine(), nine() + 1)).toEqual([])
  expect(await faultsOf({ appointments: [entry({ patient_uid: c })] })).toEqual([
    expect.stringContaining("appointments[0].start_date: all seats are taken")
  ])
})

test("busy sources and recalls are created, changed with the file, and compared without differences", async () => {
  const { organisation_uid, doctors, patients, type_uid, provision, api } = await sceneWith({ doctors: 1 })
  const [doctor_uid = ""] = doctors
  const source = {
    uid: random("bsy"),
    doctor_uid,
    kind: "ics",
    name: "Rota",
    url: "https://calendar.example.org/basic.ics",
    username: "ada",
    password: "secret",
    active: false
  }
  const recall = {
    uid: random("rcl"),
    organisation_uid,
    patient_uid: patients[0],
    appointment_type_uid: type_uid,
    due_date: "2040-05-01",
    message_text: "Come again"
  }
  const file = { busy_sources: [source], recalls: [recall] }
  await provision(file)
  const at = `/v1/management/scheduling/doctors/${doctor_uid}/busy-sources/${source.uid}`
  expect((await api("GET", at)).body).toMatchObject({ url: source.url, username: "ada", name: "Rota" })
  const recallAt = `/v1/management/scheduling/recalls/${recall.uid}`
  expect((await api("GET", recallAt)).body).toMatchObject({ due_date: "2040-05-01", lead_days: 14, status: "waiting" })
  const compared = await server.current.run(Effect.flatMap(Provisioning, ({ compare }) => compare(file)))
  expect(compared).toEqual([])
  await provision({ busy_sources: [{ ...source, name: "Hospital" }], recalls: [{ ...recall, lead_days: 7 }] })
  expect((await api("GET", at)).body).toMatchObject({ name: "Hospital", url: source.url })
  expect((await api("GET", recallAt)).body).toMatchObject({ lead_days: 7, message_text: "Come again" })
})
