/**
 * The requirements of gematik's test suite for ISiK Terminplanung, stage 5, as tests of our own: each has the name of its feature and case,
 * and what is required as FHIRPath. docs/fhir.md has the matrix; nothing here is a confirmation by gematik.
 */

import { beforeAll, expect, test } from "bun:test"
import { evalFhirPath } from "@medplum/core"
import { Effect } from "effect"
import { readResource } from "../../../src/capabilities/fhir/http/serialise.ts"
import { testServer } from "../../support/server.ts"
import { inDays } from "../../support/world.ts"
import { faultsOf } from "./profiles.ts"
import {
  type Body,
  booking,
  EXTERNAL,
  fhirWorld,
  idOf,
  iso,
  operation,
  PRIORITY,
  parameters,
  SPECIALTIES,
  TYPES
} from "./support.ts"

const server = testServer()
const SNOMED_VERSION = "http://snomed.info/sct/11000274103/version/20251115"
const REPLACES = "http://hl7.org/fhir/5.0/StructureDefinition/extension-Appointment.replaces"
const NAME = "http://hl7.org/fhir/5.0/StructureDefinition/extension-Schedule.name"

/** The test data: a type of neurology, an appointment that replaces another and is cancelled, and one at the same time. */
const prepare = async () => {
  const made = await fhirWorld(server.current, { doctors: 1, type: { specialty_code: "NEUR" } })
  const patient = await made.patient()
  const slots = await made.slots(iso(inDays(5, 9)), "&status=free&_count=3")
  const [first, second] = slots
  const original = await made.book(made.proposal(first, patient))
  const priority = {
    extension: [
      {
        url: PRIORITY,
        valueCodeableConcept: {
          coding: [{ system: "http://snomed.info/sct", version: SNOMED_VERSION, code: "394848005" }]
        }
      }
    ]
  }
  const details = { comment: "Ein Kommentar", patientInstruction: "Bitte nüchtern kommen", _priority: priority }
  const replaced = { name: "cancelled-appt-id", valueUri: `Appointment/${original.body.id}` }
  const moved = await made.book(booking(made.proposal(second, patient, details), replaced))
  const reason = { valueCodeableConcept: { coding: [{ code: "pat" }] } }
  const cancelled = await made.send(`/Appointment/${moved.body.id}`, {
    method: "PATCH",
    body: parameters(
      operation("replace", "Appointment.status", { valueCode: "cancelled" }),
      operation("replace", "Appointment.cancelationReason", reason)
    )
  })
  const another = await made.book(made.proposal(second, await made.patient()))
  expect([original.status, moved.status, cancelled.status, another.status]).toEqual([201, 201, 200, 201])
  const [schedule] = await made.schedules()
  return {
    ...made,
    patient,
    newPatient: made.patient,
    details,
    slot: second,
    free: slots[2],
    appointment: moved.body.id,
    schedule: schedule.id
  }
}

let data: Awaited<ReturnType<typeof prepare>>
beforeAll(async () => {
  data = await prepare()
})

/** Whether a FHIRPath is true of a resource. */
const holds = (resource: Body, path: string) => evalFhirPath(path, resource)[0] === true

const expectAll = (resource: Body, paths: Readonly<Record<string, string>>) =>
  expect(Object.entries(paths).filter(([, path]) => !holds(resource, path))).toEqual([])

const get = async (path: string, format: "json" | "xml" = "json") => {
  const answer = await data.send(path, { headers: { accept: `application/fhir+${format}` } })
  const body = format === "xml" ? Effect.runSync(readResource(answer.text)) : answer.body
  expect(faultsOf(body)).toEqual([])
  return { status: answer.status, body }
}

const refersTo = (id: string) => `reference.matches('[/]${id.replaceAll(".", "[.]")}$')`
const showsActor = (uid: string) => `actor.where(${refersTo(idOf(uid))} and display.exists()).exists()`

/** The kind of search parameters, and their names: each is a case of the type's search, as `read` and `search-type` are of both features. */
const claimed: Readonly<Record<string, ReadonlyArray<string>>> = {
  Appointment: ["token _id _tag status service-type specialty", "number _count", "date date", "reference slot actor"],
  HealthcareService: ["token _id active service-type specialty", "number _count", "string name"],
  Schedule: ["token _id active service-type specialty", "reference actor"],
  Slot: ["token _id status", "number _count", "reference schedule", "date start"]
}

test("…-Read, …-Search, Appointment-Book: the CapabilityStatement has the interactions, the parameters and the operation", async () => {
  const { body } = await get("/metadata")
  const wanted = Object.entries(claimed).flatMap(([type, kinds]) => [
    ...["read", "search-type"].map((code) => [type, `interaction.where(code = '${code}')`]),
    ...kinds.flatMap((text) => {
      const [kind, ...names] = text.split(" ")
      return names.map((name) => [type, `searchParam.where(name = '${name}' and type = '${kind}')`])
    })
  ])
  const all = [...wanted, ["Appointment", "operation.where(name = 'book')"]]
  const isThere = ([type, path]: ReadonlyArray<string>) =>
    holds(body, `rest.resource.where(type = '${type}').${path}.exists()`)
  expect(all.filter((one) => !isThere(one))).toEqual([])
})

/** A resource by its id, in XML, and what holds for it. */
const expectRead = async (type: string, id: string, paths: Readonly<Record<string, string>>) => {
  const { status, body } = await get(`/${type}/${id}`, "xml")
  expect([status, body.id]).toEqual([200, id])
  expectAll(body, paths)
}
const hasType = () => `coding.where(system = '${TYPES}' and code = '${data.type_uid}').exists()`
const isNeurology = `specialty.coding.where(system = '${SPECIALTIES}' and code = 'NEUR').exists()`

test("Appointment-Read: by id", () =>
  expectRead("Appointment", data.appointment, {
    "the source is external": `meta.tag.where(system = '${EXTERNAL}' and code = 'external').exists()`,
    "it names the replaced appointment": `extension.where(url = '${REPLACES}').value.reference.exists()`,
    "it is cancelled": "status = 'cancelled'",
    "by the patient": "cancelationReason.coding.where(code = 'pat').exists()",
    "it has a comment": "comment = 'Ein Kommentar'",
    "its service type": `serviceType.${hasType()}`,
    "its specialty": isNeurology,
    "its priority, in the version sent": `priority.extension.where(url = '${PRIORITY}').value.coding.where(code = '394848005' and system = 'http://snomed.info/sct' and version = '${SNOMED_VERSION}').exists()`,
    "its start": `start.toString() = '${data.slot.start}'`,
    "its end": `end.toString() = '${data.slot.end}'`,
    "its slot": `slot.where(${refersTo(data.slot.id)}).exists()`,
    "its instruction, as sent": "patientInstruction = 'Bitte nüchtern kommen'",
    "its patient, with a display": `participant.${showsActor(data.patient)}`
  }))

test("HealthcareService-Read: by id", () =>
  expectRead("HealthcareService", idOf(data.type_uid), {
    "it is active": "active = true",
    "its type": `type.${hasType()}`,
    "its specialty": isNeurology,
    "its name": "name = 'Consultation'"
  }))

test("Schedule-Read: by id", () =>
  expectRead("Schedule", data.schedule, {
    "it is active": "active = true",
    "its service type, with a text": `serviceType.where(text.exists() and ${hasType()}).exists()`,
    "its specialty": isNeurology,
    "its actor, with a display": showsActor(data.doctor),
    "its name": `extension.where(url = '${NAME}').value.exists()`
  }))

test("Slot-Read: by id", () =>
  expectRead("Slot", data.slot.id, {
    "it is busy": "status = 'busy'",
    "its schedule": `schedule.${refersTo(data.schedule)}`,
    "its start": `start.toString() = '${data.slot.start}'`,
    "it has an end": "end.exists()"
  }))

type Case = readonly [name: string, path: string, all: string]

/** Searches, and what holds for every resource that each finds; it finds some. */
const searches = (): ReadonlyArray<Case> => {
  const { appointment, schedule, slot, type_uid } = data
  const [patient, doctor, service] = [idOf(data.patient), idOf(data.doctor), idOf(type_uid)]
  const day = slot.start.slice(0, 10)
  const isOnDay = `start.toString().startsWith('${day}')`
  const ofType = hasType()
  const oneSpecialty = encodeURIComponent(`${SPECIALTIES}|NEUR`)
  const specialties = encodeURIComponent(`urn:oid:1.2.276.0.76.5.114|142,${SPECIALTIES}|NEUR`)
  const external = encodeURIComponent(`${EXTERNAL}|external`)
  const chained = `schedule.actor=Practitioner/${doctor}&start=${encodeURIComponent(slot.start)}`
  return [
    ["Appointment: by id", `_id=${appointment}`, `id = '${appointment}'`],
    ["Appointment: by tag (optional)", `_tag=${external}`, "meta.tag.where(code = 'external').exists()"],
    ["Appointment: by count", "_count", "id.exists()"],
    ["Appointment: by status", "status=cancelled", "status = 'cancelled'"],
    ["Appointment: by service type", `service-type=${type_uid}`, `serviceType.${ofType}`],
    ["Appointment: by specialty", `specialty=${oneSpecialty}`, isNeurology],
    ["Appointment: by date", `date=${day}`, isOnDay],
    ["Appointment: by slot", `slot=${slot.id}`, `slot.where(${refersTo(slot.id)}).exists()`],
    ["Appointment: by actor", `actor=Patient/${patient}`, `participant.${showsActor(data.patient)}`],
    ["HealthcareService: by id", `_id=${service}`, `id = '${service}'`],
    ["HealthcareService: by count", "_count", "id.exists()"],
    ["HealthcareService: by active state", "active=true", "active = true"],
    ["HealthcareService: by service type", `service-type=${type_uid}`, `type.${ofType}`],
    ["HealthcareService: by specialty", `specialty=${specialties}`, isNeurology],
    ["HealthcareService: by name", "name=Consultation", "name.contains('Consultation')"],
    ["Schedule: by id", `_id=${schedule}`, `id = '${schedule}'`],
    ["Schedule: by count", "_count", "id.exists()"],
    ["Schedule: by active state", "active=true", "active = true"],
    ["Schedule: by service type", `service-type=${type_uid}`, `serviceType.${ofType}`],
    ["Schedule: by specialty", `specialty=${specialties}`, isNeurology],
    ["Schedule: by actor", `actor=Practitioner/${doctor}`, showsActor(data.doctor)],
    ["Slot: by id", `_id=${slot.id}`, `id = '${slot.id}'`],
    ["Slot: by schedule", `schedule=${schedule}`, `schedule.${refersTo(schedule)}`],
    ["Slot: by status and schedule", `schedule=${schedule}&status=busy`, "status = 'busy'"],
    ["Slot: by start", `schedule=${schedule}&start=${day}`, isOnDay],
    ["Slot: by practitioner, chained", chained, `id = '${slot.id}'`]
  ]
}

test("…-Search: each finds some, and only what it asks for", async () => {
  for (const [at, [name, query, all]] of searches().entries()) {
    const type = name.split(":")[0] ?? ""
    const { status, body } = await get(`/${type}?${query}`, at % 2 === 0 ? "xml" : "json")
    const found: ReadonlyArray<Body> = body.entry.map((entry: Body) => entry.resource)
    const others = found.filter((resource) => !holds(resource, all)).map(({ id }) => id)
    expect({ name, status, others, finds: found.length > 0 }).toEqual({ name, status: 200, others: [], finds: true })
    if (body.link.length === 1) expect([name, body.total]).toEqual([name, found.length])
  }
})

/** Books the first free slot of a day, and expects what was sent in a valid answer. */
const booked = async (day: number, request: (slot: Body) => object) => {
  const [slot] = await data.slots(iso(inDays(day, 9)), "&status=free")
  const { status, body } = await data.book(request(slot))
  expect([status, faultsOf(body), body.slot]).toEqual([201, [], [{ reference: `Slot/${slot.id}` }]])
  expectAll(body, {
    "an Appointment": "$this is Appointment",
    "with an id": "id.exists()",
    "booked or pending": "status = 'booked' or status = 'pending'",
    "with what was sent": "patientInstruction = 'Bitte nüchtern kommen' and comment = 'Ein Kommentar'"
  })
}

test("Appointment-Book: a free slot", () =>
  booked(6, (slot) =>
    data.proposal(slot, data.patient, {
      ...data.details,
      id: "Appointment-of-the-client",
      meta: { tag: [{ system: EXTERNAL, code: "external" }] },
      specialty: [{ coding: [{ system: SPECIALTIES, code: "NEUR", display: "Neurologie" }] }]
    })
  ))

test("Appointment-Book-By-Schedule: the slot is found by its schedule", () =>
  booked(7, (free) => {
    const { slot: _, ...appointment } = data.proposal(free, data.patient, data.details)
    return booking(appointment, { name: "schedule", valueReference: { reference: `Schedule/${data.schedule}` } })
  }))

test("Appointment-Book: an incomplete request is 400", async () => {
  const { start: _, end: __, ...incomplete } = data.proposal(data.free, data.patient)
  const { status, body } = await data.book(incomplete)
  expect([status, body.resourceType, faultsOf(body)]).toEqual([400, "OperationOutcome", []])
})

test.each([
  ["by decision: Slot-Search by count alone", "/Slot?_count", 400],
  ["optional: HealthcareService-Search by tag", "/HealthcareService?_tag=x", 400],
  ["optional: Schedule-Search by tag", "/Schedule?_tag=x", 400],
  ["optional: Slot-Search by tag", "/Slot?_tag=x", 400],
  ["since encounters are not kept: Encounter-Appointment-Read", "/Encounter/x", 404]
])("not met, %s", async (_, path, status) =>
  expect(await get(path)).toMatchObject({ status, body: { resourceType: "OperationOutcome" } })
)

test("every other kind of answer is valid too", async () => {
  const resource = { resourceType: "RelatedPerson", name: [{ family: "Meyer", given: ["Eva"] }] }
  const [merged, patient] = [await data.newPatient(), await data.newPatient()]
  await server.current.sql`UPDATE patients SET shop_customer_id = NULL WHERE uid = ${merged}`
  await data.api("POST", `/v1/management/patients/${merged}/merge`, { into: patient })
  const related = await data.book(booking(data.proposal(data.free, patient), { name: "related-person", resource }))
  expect(related.body.contained).toHaveLength(1)
  for (const path of [
    `/Appointment/${related.body.id}`,
    `/Patient/${idOf(patient)}`,
    `/Patient/${idOf(merged)}`,
    "/metadata",
    `/Practitioner/${idOf(data.doctor)}`,
    "/Practitioner",
    `/Patient/${idOf(data.patient)}`,
    "/Patient?family=Meyer",
    `/Slot?schedule=${data.schedule}&status=free&_count=50`,
    `/Slot?schedule=${data.schedule}&_summary=true&_count=3`,
    "/Appointment?_elements=start",
    "/Appointment?_summary=count",
    "/Appointment/unknown",
    "/Slot?start=tomorrow"
  ])
    for (const format of ["json", "xml"] as const) await get(path, format)
})

test("the validation finds what is wrong", async () => {
  const { body } = await get(`/Appointment/${data.appointment}`)
  const wrong = (changes: object) => faultsOf({ ...body, ...changes }).length
  expect(wrong({})).toBe(0)
  for (const changes of [
    { status: undefined },
    { serviceType: undefined },
    { start: data.slot.end, end: data.slot.start },
    { specialty: [{ coding: [{ system: SPECIALTIES, code: "XXXX" }] }] },
    { cancelationReason: { coding: [{ code: "weather" }] } },
    { participant: [{ actor: { display: "x" }, status: "accepted" }] },
    { colour: "red" }
  ])
    expect([changes, wrong(changes)]).toEqual([changes, 1])
})
