/** Formats of a type: by video, in the practice, or both. Rule 7.3.5. */
import { describe, expect, test } from "bun:test"
import { fhirWorld, iso } from "../capabilities/fhir/support.ts"
import { testServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const server = testServer()
const inPerson = { formats: ["IN_PERSON"] }
const onlyInPerson = (options = {}) => makeWorld(server.current, { type: inPerson, ...options })
const refused = { status: 400, body: { error: [expect.stringMatching(/^meeting_format: must be IN_PERSON/)] } }

describe("a type in the practice alone", () => {
  test("is not booked by video, whichever way", async () => {
    const world = await onlyInPerson()
    const [start_date, patient_uid] = [inDays(1, 9), await world.patient()]
    const digital = { start_date, meeting_format: "DIGITAL" }
    expect(await world.holdByKey(digital)).toMatchObject(refused)
    expect(await world.bookByKey({ ...digital, patient_uid })).toMatchObject(refused)
    const { shop_uid, type_uid: appointment_type_uid } = world
    const series = { shop_uid, patient_uid, appointment_type_uid, ...digital, count: 2, interval_weeks: 1 }
    expect(await world.api("POST", "/v1/management/scheduling/appointment-series", series)).toMatchObject(refused)
    expect(
      (await world.search()).body.slots.some((slot: { start_date: number }) => slot.start_date === start_date)
    ).toBe(true)
  })

  test("is booked in the practice where nothing is wished, by key, by launch code and by a file", async () => {
    const world = await onlyInPerson()
    const patient_uid = await world.patient()
    const formatOf = async (uid: string) =>
      (await world.api("GET", `/v1/management/scheduling/appointments/${uid}`)).body.meeting_format
    const booked = await world.bookByKey({ patient_uid, start_date: inDays(1, 9) })
    expect(booked).toMatchObject({ status: 201, body: { meeting_format: "IN_PERSON" } })
    const code = await world.session()
    const { hold_uid } = (await world.hold(code, inDays(1, 10))).body
    expect(await formatOf(hold_uid)).toBe("IN_PERSON")
    const placed = {
      status: "confirmed" as const,
      start_date: inDays(1, 13),
      fields: { appointment_type_uid: world.type_uid }
    }
    expect(await formatOf(await world.run(world.practice.place(patient_uid, placed)))).toBe("IN_PERSON")
  })

  test("takes no appointment by video of another type", async () => {
    const world = await makeWorld(server.current)
    const appointment_type_uid = await world.otherType(inPerson)
    const move = async (uid: string) =>
      world.api("POST", `/v1/scheduling/appointments/${uid}/rebook`, {
        appointment_type_uid,
        new_doctor_uid: world.doctor,
        new_start_date: inDays(3, 9)
      })
    expect(await move(await world.booked(inDays(2, 9)))).toMatchObject(refused)
    const there = { patient_uid: await world.patient(), start_date: inDays(2, 11), meeting_format: "IN_PERSON" }
    expect(await move((await world.bookByKey(there)).body.uid)).toMatchObject({ status: 200 })
  })

  test("is booked through FHIR in the practice", async () => {
    const made = await fhirWorld(server.current, { doctors: 1, type: inPerson })
    const [slot] = await made.slots(iso(inDays(5, 9)), "&status=free&_count=1")
    const { body } = await made.book(made.proposal(slot, await made.patient()))
    const uid = body.identifier.find(({ system }: { system: string }) => system === "urn:sprechstunde:uid").value
    const record = await made.api("GET", `/v1/management/scheduling/appointments/${uid}`)
    expect(record.body.meeting_format).toBe("IN_PERSON")
  })
})

test("the page for booking without a partner offers the formats of its types, and takes no other", async () => {
  const world = await onlyInPerson({ organisation: { public_booking: true } })
  const path = `/meet/book/${world.shop_identifier}`
  const page = (await server.current.api("GET", path)).text
  expect(page).toContain("Termin in der Praxis")
  expect(page).not.toContain("Videosprechstunde")
  const person = { first_name: "Eva", last_name: "Muster", date_of_birth: "1980-05-04", email: "eva@example.org" }
  const fields = { appointment_type_uid: world.type_uid, meeting_format: "DIGITAL", ...person }
  const answer = await server.current.api("POST", path, { body: new URLSearchParams(fields) })
  const back = new URL(answer.headers.get("location") ?? "", server.current.url)
  expect(back.searchParams.get("notice")).toBe("invalid")
  expect((await server.current.api("GET", back.pathname + back.search)).text).toContain("Bitte wählen Sie")
})
