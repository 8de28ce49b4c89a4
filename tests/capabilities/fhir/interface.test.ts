/** The FHIR interface: metadata, switch, reads and searches, booking, moving, cancelling (section 20). */

import { expect, test } from "bun:test"
import { Effect } from "effect"
import { readResource, write } from "../../../src/capabilities/fhir/http/serialise.ts"
import { testServer } from "../../support/server.ts"
import { DAY, inDays, makeWorld, random } from "../../support/world.ts"
import {
  type Body,
  booking,
  EXTERNAL,
  fhirWorld,
  idOf,
  iso,
  operation,
  parameters,
  SPECIALTIES,
  TYPES
} from "./support.ts"

const server = testServer()
const world = () => fhirWorld(server.current)

test("switched off it is 404; without a credential 401 that names the scheme", async () => {
  const off = await makeWorld(server.current)
  const { send } = await world()
  for (const path of ["/metadata", "/Schedule", "/Appointment/apt.x"]) {
    const refused = await send(path, { key: off.key })
    expect([path, refused.status, refused.body.resourceType]).toEqual([path, 404, "OperationOutcome"])
  }
  expect((await send("/metadata", { key: null })).status).toBe(200)
  const nobody = await send("/Schedule", { key: null })
  expect([nobody.status, nobody.body.issue[0].code]).toEqual([401, "login"])
  expect(nobody.headers.get("www-authenticate")).toContain("Bearer")
})

test("the CapabilityStatement claims what is offered, and everything it does not claim is refused", async () => {
  const { send } = await world()
  const { body } = await send("/metadata")
  expect([body.resourceType, body.fhirVersion, body.format]).toEqual([
    "CapabilityStatement",
    "4.0.1",
    ["application/fhir+json", "application/fhir+xml"]
  ])
  const values: Readonly<Record<string, string>> = {
    _count: "5",
    _lastUpdated: "gt2020-01-01",
    active: "true",
    date: "ge2020-01-01",
    start: "ge2035-01-01",
    birthdate: "1980-01-01",
    status: "busy",
    schedule: "s-0123456789abcdef-0123456789abcdef"
  }
  for (const { type, searchParam } of body.rest[0].resource) {
    for (const { name, documentation } of searchParam) {
      const value = type === "Appointment" && name === "status" ? "booked" : (values[name] ?? "x")
      const schedule = type === "Slot" && name !== "start" ? "&start=ge2035-01-01" : ""
      const modifiers = ["", ...[...documentation.matchAll(/:(not|contains|exact)/g)].map(([found]) => found)]
      for (const modifier of modifiers) {
        const found = await send(`/${type}?${name}${modifier}=${value}${schedule}&_summary=count`)
        expect([type, name, modifier, found.status]).toEqual([type, name, modifier, 200])
      }
      const missing = await send(`/${type}?${name}:missing=true${schedule}`)
      expect([type, name, missing.status]).toEqual([type, name, 400])
    }
    expect((await send(`/${type}?colour=red`)).status).toBe(400)
    expect((await send(`/${type}`, { method: "PUT", body: {} })).status).toBe(405)
    expect((await send(`/${type}/x`, { method: "DELETE" })).status).toBe(405)
  }
  expect((await send("/Observation")).status).toBe(404)
})

test("schedules, services, practitioners and patients are read and found", async () => {
  const made = await world()
  await made.api("PATCH", `/v1/management/scheduling/appointment-types/${made.type_uid}`, { specialty_code: "NEUR" })
  const all = await made.send("/Schedule")
  expect([all.body.type, all.body.total, all.body.entry.length]).toEqual(["searchset", 2, 2])
  const [schedule] = all.body.entry.map(({ resource }: Body) => resource)
  expect(schedule).toMatchObject({
    resourceType: "Schedule",
    active: true,
    serviceType: [{ coding: [{ system: TYPES, code: made.type_uid }], text: "Consultation" }],
    actor: [{ display: expect.stringContaining("Dr. ") }]
  })
  expect(schedule.specialty.map(({ coding }: Body) => coding[0].code)).toEqual(["NEUR", "ALLG"])
  const read = await made.send(`/Schedule/${schedule.id}`)
  expect([read.body, read.headers.get("etag")]).toEqual([schedule, `W/"${schedule.meta.versionId}"`])
  const total = async (path: string) => (await made.send(path)).body.total
  expect(await total(`/Schedule?actor=Practitioner/${idOf(made.doctor)}`)).toBe(1)
  expect(await total(`/Schedule?specialty=${encodeURIComponent(`${SPECIALTIES}|NEUR`)}`)).toBe(2)
  expect(await total(`/Schedule?specialty=urn:oid:1%7C142,${encodeURIComponent(`${SPECIALTIES}|NEUR`)}`)).toBe(2)
  expect(await total("/Schedule?specialty:not=ALLG")).toBe(0)
  expect(await total(`/Schedule?service-type=${made.type_uid}&active=true`)).toBe(2)
  expect(await total("/Schedule?active=false")).toBe(0)
  expect(await total(`/HealthcareService?name=CONSUL&_id=${idOf(made.type_uid)}`)).toBe(1)
  expect(await total("/HealthcareService?name=sultation")).toBe(0)
  expect(await total("/HealthcareService?name:contains=sultation")).toBe(1)
  expect(await total(`/Practitioner?identifier=${made.doctor}`)).toBe(1)
  const service = await made.send(`/HealthcareService/${idOf(made.type_uid)}`)
  expect(service.body).toMatchObject({ active: true, name: "Consultation" })
  const uid = await made.patient({
    first_name: "Ada",
    last_name: "Meyer",
    date_of_birth: "1980-05-17",
    gender: "divers"
  })
  expect((await made.send(`/Patient/${idOf(uid)}`)).body).toMatchObject({
    name: [{ family: "Meyer", given: ["Ada"] }],
    gender: "other",
    birthDate: "1980-05-17"
  })
  expect(await total("/Patient?family=mey&given=a&birthdate=1980-05-17")).toBe(1)
  expect(await total("/Patient?family=eye")).toBe(0)
  await made.api("DELETE", `/v1/management/scheduling/appointment-types/${made.type_uid}`)
  expect((await made.send(`/Schedule/${schedule.id}`)).status).toBe(410)
  expect((await made.send("/Schedule/s-0123456789abcdef-0123456789abcdef")).status).toBe(404)
})

test("records whose uid is no FHIR id have a short, stable one", async () => {
  const made = await world()
  const uid = `patient/${random("ä")} 1`
  await made.provision({
    patients: [
      {
        uid,
        organisation_uid: made.organisation_uid,
        shop_uid: made.shop_uid,
        shop_customer_id: random("customer"),
        profile: { last_name: "Özil" }
      }
    ]
  })
  const found = await made.send(`/Patient?identifier=${encodeURIComponent(`urn:sprechstunde:uid|${uid}`)}`)
  const { id } = found.body.entry[0].resource
  expect(id).toMatch(/^h-[0-9a-f]{32}$/)
  expect((await made.send(`/Patient/${id}`)).body).toEqual(found.body.entry[0].resource)
})

test("a taken slot is busy; an id of no slot of the organisation does not exist; Rule 20.4.3", async () => {
  const made = await world()
  const from = inDays(3, 8)
  const mine = await made.slots(iso(from), `&start=lt${iso(from + 7200)}&status=free`)
  const [first, second] = mine
  expect(first.id.length).toBeLessThanOrEqual(64)
  expect((await made.send(`/Slot/${first.id}`)).body).toEqual(first)
  await made.booked(from)
  expect((await made.send(`/Slot/${first.id}`)).body).toEqual({ ...first, status: "busy" })
  const all = await made.slots(iso(from), `&start=lt${iso(from + 2400)}`)
  expect(all.map(({ status }: Body) => status)).toEqual(["busy", "free"])
  expect((await made.slots(iso(from), `&start=lt${iso(from + 2400)}&status=busy`)).length).toBe(1)
  const idAt = (start: number) => `${first.id.slice(0, 34)}${start.toString(36)}`
  expect([idAt(from), idAt(from + 1200)]).toEqual([first.id, second.id])
  const patient = await made.patient()
  const isStranger = async (id: string, start = from) => [
    (await made.send(`/Slot/${id}`)).status,
    (
      await made.book(
        made.proposal(
          {
            ...second,
            id,
            start: iso(start),
            end: iso(start + Date.parse(second.end) / 1000 - Date.parse(second.start) / 1000)
          },
          patient
        )
      )
    ).status
  ]
  const other = (await (await world()).slots(iso(from)))[0]
  for (const id of [other.id, "0".repeat(64), idAt(36 ** 8), `${idAt(from).slice(0, 34)}0${from.toString(36)}`])
    expect([id, ...(await isStranger(id))]).toEqual([id, 404, 422])
  // Times that are not offered
  for (const start of [from + 60, 0, 36 ** 7 - 1])
    expect([start, ...(await isStranger(idAt(start), start))]).toEqual([start, 404, 422])
  for (const search of ["", "?status=free", "?_count=5"]) expect((await made.send(`/Slot${search}`)).status).toBe(400)
  const anywhere = await made.send(`/Slot?start=${encodeURIComponent(iso(from + 1200))}`)
  expect(anywhere.body.entry.length).toBe(2)
})

test("pages by link survive changes: nothing is repeated, nothing that stays is lost", async () => {
  const made = await world()
  const from = inDays(4, 0)
  const range = `start=ge${iso(from)}&start=lt${iso(from + DAY)}`
  const whole = (await made.send(`/Slot?${range}&_count=1000`)).body.entry.map(({ resource }: Body) => resource.id)
  expect(whole.length).toBe(144)
  for (const status of ["free", "free,busy"]) {
    const seen: Array<string> = []
    let next: string | undefined = `/Slot?${range}&status=${status}&_count=50`
    while (next !== undefined) {
      const page: Body = (await made.send(next.replace(/^https?:\/\/[^/]+\/fhir\/r4/, ""))).body
      seen.push(...page.entry.map(({ resource }: Body) => resource.id))
      if (seen.length === 50) await made.booked(from + (status === "free" ? 0 : 1200))
      next = page.link.find(({ relation }: Body) => relation === "next")?.url
    }
    expect([status, new Set(seen).size, seen.length]).toEqual([status, seen.length, seen.length])
    expect(whole.filter((id: string) => !seen.includes(id)).length).toBeLessThanOrEqual(1)
  }
})

test("a page of 10,000 slots is streamed, and the next one begins after it", async () => {
  const made = await fhirWorld(server.current, { doctors: 20 })
  const range = `start=ge${iso(inDays(2))}&start=lt${iso(inDays(40))}&status=free&_count=10000`
  const page = await made.send(`/Slot?${range}`)
  expect([page.status, page.headers.get("transfer-encoding"), page.headers.get("content-length")]).toEqual([
    200,
    "chunked",
    null
  ])
  const ids = (body: Body): ReadonlyArray<string> => body.entry.map(({ resource }: Body) => resource.id)
  const { url } = page.body.link.find(({ relation }: Body) => relation === "next")
  const later = await made.send(url)
  expect([new Set(ids(page.body)).size, new Set([...ids(page.body), ...ids(later.body)]).size]).toEqual([
    10_000,
    10_000 + later.body.entry.length
  ])
  const small = await made.send(`/Slot?${range.replace("10000", "1000")}`)
  expect([small.headers.get("transfer-encoding"), ids(small.body)]).toEqual([null, ids(page.body).slice(0, 1_000)])
})

test("a slot is booked with its event; what was sent comes back; a second booking is 409", async () => {
  const made = await world()
  const uid = await made.patient()
  const [slot] = await made.slots(iso(inDays(5, 9)), "&status=free")
  const booked = await made.book(made.proposal(slot, uid, { comment: "Kopfschmerzen" }))
  expect(booked.status).toBe(201)
  const { id } = booked.body
  expect(booked.headers.get("location")).toBe(`${made.base}/Appointment/${id}`)
  expect(booked.body).toMatchObject({
    resourceType: "Appointment",
    meta: { tag: [{ system: EXTERNAL, code: "external" }] },
    status: "booked",
    comment: "Kopfschmerzen",
    start: slot.start,
    end: slot.end,
    slot: [{ reference: `Slot/${slot.id}` }]
  })
  expect(booked.body.participant[0]).toEqual({
    actor: { reference: `Patient/${idOf(uid)}`, display: "Ada Meyer" },
    status: "accepted"
  })
  expect((await made.send(`/Appointment/${id}`)).body).toEqual(booked.body)
  const again = await made.book(made.proposal(slot, uid))
  expect([again.status, again.body.issue[0].code]).toEqual([409, "conflict"])
  const events = await made.api("GET", "/v1/management/events?type=patient_doctor_meeting_updated")
  expect(events.body.data).toMatchObject([{ data: { change: "confirmed", appointment: { status: "confirmed" } } }])
  const total = async (query: string) => (await made.send(`/Appointment?${query}`)).body.total
  for (const query of [
    `patient=Patient/${idOf(uid)}`,
    `actor=Practitioner/${idOf(made.doctor)}`,
    `date=ge${encodeURIComponent(slot.start)}&date=lt${encodeURIComponent(slot.end)}`,
    `service-type=${made.type_uid}&specialty=ALLG`,
    `status:not=cancelled&_id=${id}`
  ])
    expect([query, await total(query)]).toEqual([query, 1])
  for (const query of ["status=cancelled", "status:not=booked", "date=2020-01-01", "specialty:not=ALLG", "_tag=other"])
    expect([query, await total(query)]).toEqual([query, 0])
})

test("a booking that is incomplete is 400, one that is wrong 422", async () => {
  const made = await world()
  const uid = await made.patient()
  const [slot] = await made.slots(iso(inDays(6, 9)), "&status=free")
  const whole = made.proposal(slot, uid)
  const { slot: _, ...bare } = whole
  const schedule = { name: "schedule", valueReference: slot.schedule }
  const off = { ...bare, start: slot.start.replace(":00:00", ":07:00"), end: slot.end.replace(":20:00", ":27:00") }
  const wrong: ReadonlyArray<readonly [status: number, body: unknown]> = [
    [400, bare],
    [400, { ...whole, start: undefined }],
    [400, { ...whole, participant: [] }],
    [400, "{"],
    [400, { resourceType: "Appointment", colour: "red" }],
    [422, { ...whole, status: "booked" }],
    [422, { ...whole, end: iso(inDays(7)) }],
    [422, made.proposal(slot, "pat_unknown")],
    [422, booking(bare, schedule, { name: "colour", valueString: "red" })],
    [422, booking(off, schedule)]
  ]
  for (const [status, body] of wrong) expect([body, (await made.book(body)).status]).toEqual([body, status])
})

test("a move cancels and books in one transaction, and replaces; a lost one changes nothing", async () => {
  const made = await world()
  const uid = await made.patient()
  const [one, two, three] = await made.slots(iso(inDays(8, 9)), "&status=free")
  const first = (await made.book(made.proposal(one, uid, { comment: "Husten" }))).body
  const move = (slot: Body, cancelled: string) =>
    made.book(booking(made.proposal(slot, uid), { name: "cancelled-appt-id", valueUri: cancelled }))
  await made.book(made.proposal(three, await made.patient()))
  expect((await move(three, `Appointment/${first.id}`)).status).toBe(409)
  expect((await made.send(`/Appointment/${first.id}`)).body.status).toBe("booked")
  const moved = await move(two, `${made.base}/Appointment/${first.id}`)
  expect([moved.status, moved.body.comment]).toEqual([201, "Husten"])
  expect(moved.body.extension[0].valueReference.reference).toBe(`Appointment/${first.id}`)
  expect((await made.send(`/Appointment/${first.id}`)).body).toMatchObject({
    status: "cancelled",
    cancelationReason: { coding: [{ code: "other" }] }
  })
  expect((await move(one, `Appointment/${first.id}`)).status).toBe(422)
  expect((await move(one, "Appointment/apt.unknown")).status).toBe(404)
  const again = await made.book(made.proposal(one, uid, { id: moved.body.id }))
  expect([again.status, again.body.extension[0].valueReference.reference]).toEqual([
    201,
    `Appointment/${moved.body.id}`
  ])
})

test("a JSON Patch cancels the version that was read, and nothing else", async () => {
  const made = await world()
  const [slot] = await made.slots(iso(inDays(9, 9)), "&status=free")
  const booked = await made.book(made.proposal(slot, await made.patient()))
  const path = `/Appointment/${booked.body.id}`
  const patch = (body: unknown, ifMatch?: string) =>
    made.send(path, {
      method: "PATCH",
      body,
      headers: {
        "content-type": "application/json-patch+json",
        ...(ifMatch !== undefined && { "if-match": ifMatch })
      }
    })
  const cancelling = [
    { op: "test", path: "/status", value: "booked" },
    { op: "replace", path: "/status", value: "cancelled" },
    { op: "add", path: "/cancelationReason", value: { coding: [{ code: "pat" }], text: "verreist" } }
  ]
  expect((await patch(cancelling, 'W/"0123456789abcdef"')).status).toBe(412)
  expect((await patch([{ op: "replace", path: "/comment", value: "x" }])).status).toBe(422)
  expect((await patch([{ op: "replace", path: "/status", value: "arrived" }])).status).toBe(422)
  expect((await patch("{")).status).toBe(400)
  expect((await made.send(path)).body.status).toBe("booked")
  const done = await patch(cancelling, booked.headers.get("etag") ?? "")
  expect([done.status, done.body.status]).toEqual([200, "cancelled"])
  expect(done.body.cancelationReason).toMatchObject({ coding: [{ code: "pat" }], text: "verreist" })
  expect((await made.send(`/Slot/${slot.id}`)).body.status).toBe("free")
  expect((await patch([{ op: "replace", path: "/status", value: "cancelled" }])).body).toEqual(done.body)
})

test("a FHIRPath Patch cancels too, in JSON and XML; what only a booking changes is 400", async () => {
  const made = await world()
  const uid = await made.patient()
  const cancelled = operation("replace", "Appointment.status", { valueCode: "cancelled" })
  for (const format of ["json", "xml"] as const) {
    const [slot] = await made.slots(iso(inDays(9, 9)), "&status=free")
    const { body: booked } = await made.book(made.proposal(slot, uid))
    const patch = (body: Body) =>
      made.send(`/Appointment/${booked.id}`, {
        method: "PATCH",
        body: write(body, format),
        headers: { "content-type": `application/fhir+${format}` }
      })
    for (const path of ["slot", "start", "end", "participant[0].actor"]) {
      const refused = await patch(parameters(operation("replace", `Appointment.${path}`, { valueString: "x" })))
      expect([path, refused.status, refused.body.resourceType]).toEqual([path, 400, "OperationOutcome"])
    }
    for (const wrong of [
      operation("replace", "Appointment.status", { valueCode: "arrived" }),
      operation("replace", "Appointment.where(true).status", { valueCode: "cancelled" }),
      operation("replace", "Patient.name", { valueString: "x" })
    ])
      expect((await patch(parameters(wrong))).status).toBe(422)
    expect((await patch(parameters(operation("delete", "Appointment.comment")))).status).toBe(400)
    expect((await patch({ resourceType: "Parameters" })).status).toBe(400)
    expect((await made.send(`/Appointment/${booked.id}`)).body.status).toBe("booked")
    const reason = { valueCodeableConcept: { coding: [{ code: "prov" }], text: "Ärztin krank" } }
    const done = await patch(parameters(cancelled, operation("add", "Appointment", reason, "cancelationReason")))
    expect([done.status, done.body.status]).toEqual([200, "cancelled"])
    expect(done.body.cancelationReason).toMatchObject({ coding: [{ code: "prov" }], text: "Ärztin krank" })
  }
})

test("a booking may send its patient, who is made once and known again by an identifier", async () => {
  const made = await fhirWorld(server.current)
  const slots = await made.slots(iso(inDays(12, 9)), "&status=free")
  const patient = (family: string) => ({
    resourceType: "Patient",
    identifier: [{ system: "https://hospital.example/patients", value: "4711" }],
    name: [{ family, given: ["Ada"] }],
    birthDate: "1980-05-17",
    gender: "female",
    telecom: [{ system: "email", value: "ada@example.org" }]
  })
  const book = (at: number, resource: object | undefined, key = made.key) => {
    const { participant: _, ...appointment } = made.proposal(slots[at], "x")
    const body = booking(appointment, ...(resource === undefined ? [] : [{ name: "patient", resource }]))
    return made.send("/Appointment/$book", { method: "POST", body, key })
  }
  expect((await book(0, undefined)).status).toBe(400)
  expect((await book(0, patient("Meyer"), await made.keyWith("scheduling:read", "scheduling:write"))).status).toBe(403)
  expect((await book(0, { resourceType: "Patient", name: [{ family: "Meyer" }] })).status).toBe(422)
  expect((await made.send("/Patient")).body.total).toBe(0)
  const first = await book(0, patient("Meyer"))
  const second = await book(3, patient("Meyer-Schulz"))
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body.participant[0].actor.reference).toBe(first.body.participant[0].actor.reference)
  const found = await made.send(`/Patient?identifier=${encodeURIComponent("https://hospital.example/patients|4711")}`)
  expect(found.body.total).toBe(1)
  const { identifier, ...shown } = found.body.entry[0].resource
  expect({ ...shown, identifier: identifier.slice(1) }).toMatchObject(patient("Meyer-Schulz"))
  // taken: nobody is made
  const taken = await book(0, { ...patient("Other"), identifier: [{ value: "other" }] })
  expect([taken.status, (await made.send("/Patient")).body.total]).toEqual([409, 1])
})

test("an instruction and who books for a patient are kept with the appointment, for those who may read it, exported and erased", async () => {
  const made = await world()
  const uid = await made.patient()
  const [slot, next] = await made.slots(iso(inDays(15, 9)), "&status=free")
  const details = { patientInstruction: "Nüchtern kommen", comment: "geheim" }
  const mother = {
    name: [{ use: "official", family: "Meyer", given: ["Eva"] }],
    telecom: [{ system: "phone", value: "+49 30 123456" }],
    relationship: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/v3-RoleCode", code: "MTH" }] }]
  }
  const bookFor = (at: Body, resource: object) =>
    made.book(booking(made.proposal(at, uid, details), { name: "related-person", resource }))
  expect((await bookFor(slot, { resourceType: "Patient", name: mother.name })).status).toBe(400)
  expect((await bookFor(slot, { resourceType: "RelatedPerson" })).status).toBe(422)
  const tooLong = { ...mother, name: [{ text: "x".repeat(5_001) }] }
  expect((await bookFor(slot, { resourceType: "RelatedPerson", ...tooLong })).status).toBe(422)
  // The photo and the address are of no use here
  const sent = { resourceType: "RelatedPerson", ...mother, address: [{ city: "Berlin" }], photo: [{ title: "x" }] }
  const booked = await bookFor(slot, sent)
  const person = { resourceType: "RelatedPerson", id: "related-person" }
  const contained = [{ ...person, patient: { reference: `Patient/${idOf(uid)}` }, ...mother }]
  expect([booked.body.status, booked.body.contained]).toEqual(["booked", contained])
  expect(booked.body).toMatchObject(details)
  const actors = ({ body }: Body) => body.participant.map(({ actor }: Body) => actor)
  expect(actors(booked)).toContainEqual({ reference: "#related-person", display: "Eva Meyer" })
  const one = `/Appointment/${booked.body.id}`
  for (const view of ["", "?_summary=true", "?_elements=status"]) {
    const { contained, participant } = (await made.send(`${one}${view}`)).body
    expect([contained?.length, JSON.stringify(participant).includes("#related-person")]).toEqual([1, true])
  }
  const xml = await made.send(`${one}?_format=xml`)
  expect(Effect.runSync(readResource(xml.text))).toEqual(booked.body)
  // Whoever may only book learns nothing of either person
  const booker = await made.keyWith("scheduling:write")
  const related = { name: "related-person", resource: { resourceType: "RelatedPerson", ...mother } }
  const unseen = booking(made.proposal(next, uid, details), related)
  const blind = await made.send("/Appointment/$book", { method: "POST", key: booker, body: unseen })
  expect([blind.status, blind.body.contained, /Meyer|geheim/.test(blind.text)]).toEqual([201, undefined, false])
  const appointment_uid = booked.body.identifier[0].value
  const [stored] = await server.current
    .sql`SELECT instruction_encrypted AS instruction, related_person_encrypted AS person
    FROM fhir_bookings WHERE appointment_uid = ${appointment_uid}`
  expect(stored).toEqual({ instruction: expect.any(String), person: expect.any(String) })
  expect(JSON.stringify(stored)).not.toMatch(/Eva|Nüchtern/)
  const { body } = await made.api("POST", `/v1/management/patients/${uid}/export`)
  const { instruction, related_person } =
    body.instructions.find((kept) => kept.appointment_uid === appointment_uid) ?? {}
  expect([instruction, JSON.parse(related_person ?? "")]).toEqual([details.patientInstruction, mother])
  expect((await made.api("POST", `/v1/management/patients/${uid}/erase`, { reason: "asked" })).status).toBe(200)
  const after = await made.send(one)
  expect([after.status, after.body.patientInstruction, after.body.contained]).toEqual([200, undefined, undefined])
})

test("a merged patient is replaced by the record that stays, which replaces it; Rule 12.1.25", async () => {
  const made = await world()
  const [gone, stays, last] = [await made.patient(), await made.patient(), await made.patient()]
  await server.current.sql`UPDATE patients SET shop_customer_id = NULL WHERE uid IN (${gone}, ${stays})`
  const merge = (from: string, into: string) => made.api("POST", `/v1/management/patients/${from}/merge`, { into })
  expect((await merge(gone, stays)).status).toBe(200)
  const link = (uid: string, type: string) => ({
    other: { reference: `Patient/${idOf(uid)}`, identifier: { system: "urn:sprechstunde:uid", value: uid } },
    type
  })
  const old = await made.send(`/Patient/${idOf(gone)}`)
  expect(old.body).toMatchObject({ active: false, link: [link(stays, "replaced-by")] })
  expect(old.body.name).toBeUndefined()
  const found = async (uid: string) => (await made.send(`/Patient/${idOf(uid)}`)).body
  expect(await found(stays)).toMatchObject({ active: true, link: [link(gone, "replaces")] })
  // a chain leads to its end at once
  expect((await merge(stays, last)).status).toBe(200)
  expect((await found(gone)).link).toEqual([link(last, "replaced-by")])
  expect((await found(last)).link).toEqual([gone, stays].sort().map((uid) => link(uid, "replaces")))
  expect((await made.send("/Patient")).body.total).toBe(1)
  const [slot] = await made.slots(iso(inDays(16, 9)), "&status=free")
  const refused = await made.book(made.proposal(slot, gone))
  expect([refused.status, refused.body.issue[0].diagnostics]).toEqual([
    422,
    expect.stringContaining(`Patient/${idOf(last)}`)
  ])
  const stranger = await world()
  expect((await stranger.send(`/Patient/${idOf(gone)}`)).status).toBe(404)
  expect((await made.api("POST", `/v1/management/patients/${last}/erase`, { reason: "asked" })).status).toBeLessThan(
    300
  )
  expect([
    (await made.send(`/Patient/${idOf(gone)}`)).status,
    (await made.send(`/Patient/${idOf(last)}`)).status
  ]).toEqual([404, 410])
})

test("a hold is pending, its slot busy; once it is over it is cancelled and the slot free, whether or not that is stored", async () => {
  const made = await world()
  const start_date = inDays(13, 9)
  const { hold_uid } = (await made.holdByKey({ start_date })).body
  const states = async () => {
    const [slot] = await made.slots(iso(start_date), "&_count=1")
    const found = async (status: string) =>
      (await made.send(`/Appointment?status=${status}`)).body.entry?.map(({ resource }: Body) => resource.id)
    return [
      await found("pending"),
      await found("cancelled"),
      await found("booked,cancelled"),
      (await made.send("/Appointment?status:not=cancelled")).body.total,
      [slot.status, (await made.send(`/Slot/${slot.id}`)).body.status]
    ]
  }
  const id = idOf(hold_uid)
  expect(await states()).toEqual([[id], undefined, undefined, 1, ["busy", "busy"]])
  await server.current.sql`UPDATE appointments SET hold_expires_at = to_timestamp(${Math.floor(Date.now() / 1000) - 60})
    WHERE organisation_uid = ${made.organisation_uid} AND uid = ${hold_uid}`
  expect(await states()).toEqual([undefined, [id], [id], 0, ["free", "free"]])
})

test("_summary, _elements and _count shape the answer", async () => {
  const made = await world()
  const counted = await made.send("/Schedule?_summary=count")
  expect([counted.body.total, counted.body.entry]).toEqual([2, undefined])
  const [{ resource }] = (await made.send("/Schedule?_elements=active&_count=1")).body.entry
  expect(Object.keys(resource)).toEqual(["resourceType", "id", "meta", "active", "serviceType", "specialty", "actor"])
  expect(resource.meta.tag).toMatchObject([{ code: "SUBSETTED" }])
  const page = await made.send("/Schedule?_count=1")
  const next = page.body.link.find(({ relation }: Body) => relation === "next").url
  const second = await made.send(next)
  expect(second.body.entry[0].resource.id).not.toBe(page.body.entry[0].resource.id)
})

test("reads of appointments and patients are in the audit log, and bookings with their actor", async () => {
  const made = await world()
  const uid = await made.patient()
  const [slot] = await made.slots(iso(inDays(11, 9)), "&status=free")
  const { id } = (await made.book(made.proposal(slot, uid))).body
  await made.send(`/Appointment/${id}`)
  await made.send(`/Patient/${idOf(uid)}`)
  await made.send("/Appointment")
  const { body } = await made.api("GET", "/v1/management/audit-log")
  const actions = body.data.map(({ action }: Body) => action)
  for (const action of ["appointment.book", "appointment.read", "patient.read", "appointment.search"])
    expect(actions).toContain(`fhir.${action}`)
  expect(actions).not.toContain("fhir.slot.search")
})
