/** The doctor's workspace and its operations. Section 8.4. */
import { describe, expect, test } from "bun:test"
import { asDoctor } from "../../support/console.ts"
import { eventually } from "../../support/eventually.ts"
import { openAppointment } from "../../support/meetings.ts"
import { place } from "../../support/provisioned.ts"
import { stored } from "../../support/records.ts"
import { testServer } from "../../support/server.ts"
import { doctorOf } from "../../support/staff.ts"
import { waitingPrescriptions } from "../../support/waitingPrescriptions.ts"
import { dayOf, inDays, makeWorld, random } from "../../support/world.ts"
import { zoneAt } from "./support/zoneAt.ts"

const server = testServer()

const enter = async () => {
  const world = await makeWorld(server.current)
  const browser = await asDoctor(server.current, world)
  return { world, browser, send: browser.send }
}

const patientOf = async (uid: string) => String((await stored(server.current, uid)).patient_uid)

describe("a doctor", () => {
  test("writes a note that is sealed and that nobody else can read; Rule 8.4.4", async () => {
    const { world, browser, send } = await enter()
    const uid = await world.booked(inDays(1, 9))
    const patient = await patientOf(uid)
    const words = `Blutdruck ${random("note")}`
    const address = `/v1/doctor/appointments/${uid}/note`
    expect((await send(`PUT ${address}`, { note: words })).status).toBe(303)
    expect((await browser.ask(`/console/doctor/patients/${patient}?appointment=${uid}`)).text).toContain(words)
    const rows = await server.current
      .sql`SELECT to_jsonb(n)::text AS row FROM appointment_notes n WHERE appointment_uid = ${uid}`
    expect(rows).toEqual([{ row: expect.not.stringContaining("Blutdruck") }])
    const bearer = await doctorOf(server.current, world, world.doctors[1])
    for (const [method, body] of [["GET"], ["PUT", { note: "x" }]] as const)
      expect((await server.current.api(method, address, { bearer, body })).status).toBe(404)
    await send(`PUT ${address}`, { note: "" })
    const removed = await server.current.api("GET", address, { bearer: await doctorOf(server.current, world) })
    expect(removed.body).toEqual({ note: null, updated_at: null })
  })

  test("books a follow-up for an own patient only; Rules 8.4.2 and 8.4.3", async () => {
    const { world, browser, send } = await enter()
    const mine = await patientOf(await world.booked(inDays(1, 9), "mine"))
    const theirs = await patientOf(await world.booked(inDays(1, 9), "theirs", { doctor_uid: world.doctors[1] }))
    const book = (patient_uid: string, start: number) => {
      const fields = { patient_uid, appointment_type_uid: world.type_uid, start_date: String(start) }
      return send("POST /v1/doctor/appointments", fields)
    }
    expect((await book(mine, inDays(3, 10))).status).toBe(303)
    const bearer = await doctorOf(server.current, world)
    const card = await server.current.api("GET", `/v1/doctor/patients/${mine}`, { bearer })
    expect(card.body.visits).toMatchObject([inDays(1, 9), inDays(3, 10)].map((start_date) => ({ start_date })))
    const again = await book(mine, inDays(3, 10))
    expect([again.status, again.text.includes('role="alert"')]).toEqual([409, true])
    expect((await book(theirs, inDays(4, 10))).status).toBe(404)
    expect((await browser.ask(`/console/doctor/patients/${theirs}`)).status).toBe(404)
  })

  test("sees the latest 50 visits of a patient, however many there are", async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const patient = await world.patient()
    const starts = Array.from({ length: 51 }, (_, week) => inDays(-7 * week - 1, 9))
    for (const start_date of starts) await place(world, patient, { status: "completed", start_date })
    const bearer = await doctorOf(server.current, world)
    const card = await server.current.api("GET", `/v1/doctor/patients/${patient}`, { bearer })
    expect(card.body.visits.map((one: { start_date: number }) => one.start_date)).toEqual(
      starts.slice(0, 50).toReversed()
    )
  })

  test("sees the appointments that a day off affects before taking it; Rule 8.4.5", async () => {
    const { world, browser, send } = await enter()
    await world.booked(inDays(20, 9))
    const day = dayOf(inDays(20))
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
    expect([page.text.includes(mine), page.text.includes(theirs)]).toEqual([true, false])
    const sent = [`${mine}/render`, `${theirs}/render`, `${theirs}/external-sign`].map((step) =>
      send(`POST /v1/doctor/prescriptions/${step}`)
    )
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([303, 404, 404])
  })
})

test("every visit of the day stands once on the page, the next one at the top; Rule 17.6.33", async () => {
  const world = await makeWorld(server.current, { doctors: 1 })
  const { organisation_uid, doctor: uid } = world
  // whatever the hour is, there is a day before and after it
  await world.provision({ doctors: [{ uid, organisation_uid, display_name: "Dr. Tag", timezone: zoneAt(12) }] })
  const now = await server.current.now()
  const uids = [
    await openAppointment(world, "Anna", { start_date: now + 7_200, end_date: now + 8_400 }),
    await openAppointment(world, "Berta", { start_date: now - 7_200, end_date: now - 6_000 })
  ]
  const browser = await asDoctor(server.current, world)
  const countsOn = async () => {
    const { text } = await browser.ask("/console/doctor")
    return { text, counts: uids.map((uid) => text.split(`appointment=${uid}"`).length - 1) }
  }
  const before = await countsOn()
  expect(before.counts).toEqual([1, 1])
  const [top = ""] = before.text.split('id="day"')
  expect(top).toContain("Next")
  expect(top).toContain(`appointment=${uids[0]}"`)
  const current = await openAppointment(world, "Carla")
  const after = (await countsOn()).text.split('id="day"')
  expect([0, 1].map((part) => after[part]?.includes(`appointment=${current}"`))).toEqual([true, false])
  expect(after[1]).toContain(`appointment=${uids[0]}"`)
})

test("a delay is announced only where somebody should have begun, or comes within three hours; Rule 8.4.12", async () => {
  const enterAtNoon = async () => {
    const world = await makeWorld(server.current, { doctors: 1 })
    const { organisation_uid, doctor: uid } = world
    await world.provision({ doctors: [{ uid, organisation_uid, display_name: "Dr. Tag", timezone: zoneAt(12) }] })
    const browser = await asDoctor(server.current, world)
    const announced = async () => {
      const { text } = await browser.ask("/console/doctor")
      return /id="late".*?<p class="help">([^<]*)/s.exec(text)?.[1] ?? null
    }
    return { world, announced }
  }
  const { world, announced } = await enterAtNoon()
  const now = await server.current.now()
  expect(await announced()).toBeNull()
  await openAppointment(world, "Over", { start_date: now - 3_600, end_date: now - 600 })
  await openAppointment(world, "Later", { start_date: now + 3 * 3_600 + 300, end_date: now + 4 * 3_600 })
  expect(await announced()).toBeNull()
  const begun = await openAppointment(world, "Begun", { start_date: now - 120, end_date: now + 480 })
  expect(await announced()).toMatch(/^The patient of the next three hours/)
  await world.api("POST", `/v1/management/scheduling/appointments/${begun}/complete`)
  expect(await announced()).toBeNull()
  await openAppointment(world, "Next", { start_date: now + 3_600, end_date: now + 4_200 })
  expect(await announced()).not.toBeNull()
  // who is in the practice for longer than ten minutes has begun
  const other = await enterAtNoon()
  await openAppointment(other.world, "Inside", {
    meeting_format: "IN_PERSON",
    start_date: now - 1_200,
    end_date: now + 600
  })
  expect(await other.announced()).toBeNull()
})

test("sees a rendered prescription in a page of this origin only, and signs it outside; Rule 8.4.6", async () => {
  const { world, browser, send } = await enter()
  const [uid] = await waitingPrescriptions(world)
  expect((await send(`POST /v1/doctor/prescriptions/${uid}/render`)).status).toBe(303)
  const page = await eventually(
    () => browser.ask("/console/doctor/prescriptions"),
    ({ text }) => text.includes("<object")
  )
  const policy = page.answer.headers.get("content-security-policy") ?? ""
  expect(policy).toContain("object-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(browser.page.answer.headers.get("content-security-policy")).not.toContain("object-src")
  const address = /<object[^>]* data="([^"]+)"/.exec(page.text)?.[1] ?? ""
  expect(address).toStartWith("/v1/prescription-files/")
  const file = await fetch(new URL(address, server.current.url))
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "application/pdf"])
  expect(await file.text()).toStartWith("%PDF-")
  expect((await send(`POST /v1/doctor/prescriptions/${uid}/external-sign`)).status).toBe(303)
  expect((await browser.ask("/console/doctor/prescriptions")).text).not.toContain(uid)
})
