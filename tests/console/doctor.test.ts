/** The doctor's workspace and its operations. Section 8.4. */
import { describe, expect, test } from "bun:test"
import { signedIn } from "../support/console.ts"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { doctorOf } from "../support/staff.ts"
import { waitingPrescriptions } from "../support/waitingPrescriptions.ts"
import { DAY, inDays, makeWorld, random, type World } from "../support/world.ts"

const server = testServer()

const enter = async () => {
  const world = await makeWorld(server.current)
  const browser = await signedIn(server.current, ["doctor", world.doctor, world.organisation_uid])
  return { world, browser, send: browser.send }
}

const patientOf = async (world: World, uid: string) => {
  const one = await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)
  return String(one.body.patient_uid)
}

describe("a doctor", () => {
  test("writes a note that is sealed and that nobody else can read; Rule 8.4.4", async () => {
    const { world, browser, send } = await enter()
    const uid = await world.booked(inDays(1, 9))
    const patient = await patientOf(world, uid)
    const words = `Blutdruck ${random("note")}`
    const written = await send(`PUT /v1/doctor/appointments/${uid}/note`, { note: words })
    expect(written.status).toBe(303)
    expect((await browser.ask(`/console/doctor/patients/${patient}?appointment=${uid}`)).text).toContain(words)
    const rows = await server.current
      .sql`SELECT to_jsonb(n)::text AS row FROM appointment_notes n WHERE appointment_uid = ${uid}`
    expect(rows.length).toBe(1)
    expect(JSON.stringify(rows)).not.toContain("Blutdruck")
    const other = await doctorOf(server.current, world, world.doctors[1])
    const address = `/v1/doctor/appointments/${uid}/note`
    expect((await server.current.api("GET", address, { bearer: other })).status).toBe(404)
    const refused = await server.current.api("PUT", address, { bearer: other, body: { note: "x" } })
    expect(refused.status).toBe(404)
    await send(`PUT /v1/doctor/appointments/${uid}/note`, { note: "" })
    const own = await doctorOf(server.current, world)
    const removed = await server.current.api("GET", address, { bearer: own })
    expect(removed.body).toEqual({ note: null, updated_at: null })
  })

  test("books a follow-up for an own patient only; Rules 8.4.2 and 8.4.3", async () => {
    const { world, browser, send } = await enter()
    const mine = await patientOf(world, await world.booked(inDays(1, 9), "mine"))
    const theirs = await patientOf(world, await world.booked(inDays(1, 9), "theirs", { doctor_uid: world.doctors[1] }))
    const fields = { appointment_type_uid: world.type_uid, start_date: String(inDays(3, 10)) }
    const booked = await send("POST /v1/doctor/appointments", { patient_uid: mine, ...fields })
    expect(booked.status).toBe(303)
    const bearer = await doctorOf(server.current, world)
    const card = await server.current.api("GET", `/v1/doctor/patients/${mine}`, { bearer })
    expect(card.body.visits.map((one: { start_date: number }) => one.start_date)).toEqual([inDays(1, 9), inDays(3, 10)])
    const again = await send("POST /v1/doctor/appointments", { patient_uid: mine, ...fields })
    expect([again.status, again.text.includes('role="alert"')]).toEqual([409, true])
    const refused = await send("POST /v1/doctor/appointments", {
      patient_uid: theirs,
      ...fields,
      start_date: String(inDays(4, 10))
    })
    expect(refused.status).toBe(404)
    expect((await browser.ask(`/console/doctor/patients/${theirs}`)).status).toBe(404)
  })

  test("sees the latest 50 visits of a patient, however many there are", async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const book = (from: number, count: number) =>
      world.api("POST", "/v1/management/scheduling/appointment-series", {
        shop_uid: world.shop_uid,
        shop_customer_id: "customer-1",
        appointment_type_uid: world.type_uid,
        doctor_uid: world.doctor,
        start_date: from,
        count,
        interval_weeks: 1
      })
    const starts = (from: number, count: number) => Array.from({ length: count }, (_, week) => from + week * 7 * DAY)
    const first = await book(inDays(1, 9), 26)
    expect(first.status).toBe(201)
    expect((await book(inDays(2, 9), 25)).status).toBe(201)
    const all = [...starts(inDays(1, 9), 26), ...starts(inDays(2, 9), 25)].sort((a, b) => a - b)
    const bearer = await doctorOf(server.current, world)
    const { patient_uid } = first.body.appointments[0]
    const card = await server.current.api("GET", `/v1/doctor/patients/${patient_uid}`, { bearer })
    expect(card.body.visits.map((one: { start_date: number }) => one.start_date)).toEqual(all.slice(1))
  })

  test("sees the appointments that a day off affects before taking it; Rule 8.4.5", async () => {
    const { world, browser, send } = await enter()
    const start = inDays(20, 9)
    await world.booked(start)
    const day = new Date(start * 1000).toISOString().slice(0, 10)
    expect((await browser.ask(`/console/doctor/hours?day=${day}`)).text).toContain("Testa")
    const taken = await send("POST /v1/doctor/availability-date-overrides", { "date@day": day, day_off: "true" })
    expect(taken.status).toBe(303)
    const found = await world.search({ from: inDays(20), to: inDays(21), doctor_uid: world.doctor })
    expect(found.body.slots).toEqual([])
  })

  test("renders a waiting prescription, but not another doctor's; Rule 8.4.6", async () => {
    const { world, browser, send } = await enter()
    const [mine] = await waitingPrescriptions(world)
    const [theirs] = await waitingPrescriptions(world, world.doctors[1])
    const page = await browser.ask("/console/doctor/prescriptions")
    expect(page.text).toContain(mine)
    expect(page.text).not.toContain(theirs)
    expect((await send(`POST /v1/doctor/prescriptions/${mine}/render`, {})).status).toBe(303)
    expect((await send(`POST /v1/doctor/prescriptions/${theirs}/render`, {})).status).toBe(404)
    expect((await send(`POST /v1/doctor/prescriptions/${theirs}/external-sign`, {})).status).toBe(404)
  })
})

test("sees a rendered prescription in a page of this origin only, and signs it outside; Rule 8.4.6", async () => {
  const { world, browser, send } = await enter()
  const [uid] = await waitingPrescriptions(world)
  expect((await send(`POST /v1/doctor/prescriptions/${uid}/render`, {})).status).toBe(303)
  const page = await eventually(
    () => browser.ask("/console/doctor/prescriptions"),
    ({ text }) => text.includes("<object")
  )
  const policy = page.answer.headers.get("content-security-policy") ?? ""
  expect(policy).toContain("object-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect((await browser.ask("/console/doctor")).answer.headers.get("content-security-policy")).not.toContain(
    "object-src"
  )
  const address = /<object[^>]* data="([^"]+)"/.exec(page.text)?.[1] ?? ""
  expect(address).toStartWith("/v1/prescription-files/")
  const file = await fetch(new URL(address, server.current.url))
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"])
  expect(await file.text()).toStartWith("%PDF-")
  expect((await send(`POST /v1/doctor/prescriptions/${uid}/external-sign`, {})).status).toBe(303)
  expect((await browser.ask("/console/doctor/prescriptions")).text).not.toContain(uid)
})
