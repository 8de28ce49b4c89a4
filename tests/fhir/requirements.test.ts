/**
 * The requirements of gematik's test suite for ISiK Terminplanung, stage 5, as tests of our own: each has the name of its feature and case,
 * and what is required as FHIRPath. docs/fhir.md has the matrix; nothing here is a confirmation by gematik.
 */
import { beforeAll, expect, test } from "bun:test"
import { evalFhirPath } from "@medplum/core"
import { readResource } from "../../src/http/fhir/serialise.ts"
import { testServer } from "../support/server.ts"
import { inDays } from "../support/world.ts"
import { faultsOf } from "./profiles.ts"
import {
  type Body,
  booking,
  EXTERNAL,
  fhirWorld,
  idOf,
  operation,
  PRIORITY,
  parameters,
  SPECIALTIES,
  TYPES
} from "./support.ts"

const server = testServer()
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z")
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
  const body = format === "xml" ? readResource(answer.text) : answer.body
  expect(faultsOf(body)).toEqual([])
  return { status: answer.status, body }
}

const claims = async (type: string, path: string) => {
  const { body } = await get("/metadata")
  return holds(body, `rest.resource.where(type = '${type}').${path}.exists()`)
}

const refersTo = (id: string) => `reference.matches('[/]${id.replaceAll(".", "[.]")}$')`

for (const type of ["Appointment", "HealthcareService", "Schedule", "Slot"])
  for (const [feature, interaction] of [
    ["Read", "read"],
    ["Search", "search-type"]
  ])
    test(`${type}-${feature}: the CapabilityStatement has the interaction`, async () => {
      expect(await claims(type, `interaction.where(code = '${interaction}')`)).toBe(true)
    })

const searchParameters: Readonly<Record<string, ReadonlyArray<readonly [name: string, kind: string]>>> = {
  Appointment: [
    ["_id", "token"],
    ["_tag", "token"],
    ["_count", "number"],
    ["status", "token"],
    ["service-type", "token"],
    ["specialty", "token"],
    ["date", "date"],
    ["slot", "reference"],
    ["actor", "reference"]
  ],
  HealthcareService: [
    ["_id", "token"],
    ["_count", "number"],
    ["active", "token"],
    ["service-type", "token"],
    ["specialty", "token"],
    ["name", "string"]
  ],
  Schedule: [
    ["_id", "token"],
    ["active", "token"],
    ["service-type", "token"],
    ["specialty", "token"],
    ["actor", "reference"]
  ],
  Slot: [
    ["_id", "token"],
    ["_count", "number"],
    ["schedule", "reference"],
    ["status", "token"],
    ["start", "date"]
  ]
}
for (const [type, all] of Object.entries(searchParameters))
  for (const [name, kind] of all)
    test(`${type}-Search: the CapabilityStatement has the search parameter ${name}, ${kind}`, async () => {
      expect(await claims(type, `searchParam.where(name = '${name}' and type = '${kind}')`)).toBe(true)
    })

test("Appointment-Read: by id", async () => {
  const { status, body } = await get(`/Appointment/${data.appointment}`, "xml")
  expect([status, body.id]).toEqual([200, data.appointment])
  expectAll(body, {
    "the source is external": `meta.tag.where(system = '${EXTERNAL}' and code = 'external').exists()`,
    "it names the replaced appointment": `extension.where(url = '${REPLACES}').value.reference.exists()`,
    "it is cancelled": "status = 'cancelled'",
    "by the patient": "cancelationReason.coding.where(code = 'pat').exists()",
    "it has a comment": "comment = 'Ein Kommentar'",
    "its service type": `serviceType.coding.where(system = '${TYPES}' and code = '${data.type_uid}').exists()`,
    "its specialty": `specialty.coding.where(system = '${SPECIALTIES}' and code = 'NEUR').exists()`,
    "its priority, in the version sent": `priority.extension.where(url = '${PRIORITY}').value.coding.where(code = '394848005' and system = 'http://snomed.info/sct' and version = '${SNOMED_VERSION}').exists()`,
    "its start": `start.toString() = '${data.slot.start}'`,
    "its end": `end.toString() = '${data.slot.end}'`,
    "its slot": `slot.where(${refersTo(data.slot.id)}).exists()`,
    "its instruction, as sent": "patientInstruction = 'Bitte nüchtern kommen'",
    "its patient, with a display": `participant.actor.where(${refersTo(idOf(data.patient))} and display.exists()).exists()`
  })
})

test("HealthcareService-Read: by id", async () => {
  const { status, body } = await get(`/HealthcareService/${idOf(data.type_uid)}`, "xml")
  expect([status, body.id]).toEqual([200, idOf(data.type_uid)])
  expectAll(body, {
    "it is active": "active = true",
    "its type": `type.coding.where(system = '${TYPES}' and code = '${data.type_uid}').exists()`,
    "its specialty": `specialty.coding.where(system = '${SPECIALTIES}' and code = 'NEUR').exists()`,
    "its name": "name = 'Consultation'"
  })
})

test("Schedule-Read: by id", async () => {
  const { status, body } = await get(`/Schedule/${data.schedule}`, "xml")
  expect([status, body.id]).toEqual([200, data.schedule])
  expectAll(body, {
    "it is active": "active = true",
    "its service type, with a text": `serviceType.where(text.exists() and coding.where(system = '${TYPES}' and code = '${data.type_uid}').exists()).exists()`,
    "its specialty": `specialty.coding.where(system = '${SPECIALTIES}' and code = 'NEUR').exists()`,
    "its actor, with a display": `actor.where(${refersTo(idOf(data.doctor))} and display.exists()).exists()`,
    "its name": `extension.where(url = '${NAME}').value.exists()`
  })
})

test("Slot-Read: by id", async () => {
  const { status, body } = await get(`/Slot/${data.slot.id}`, "xml")
  expect([status, body.id]).toEqual([200, data.slot.id])
  expectAll(body, {
    "it is busy": "status = 'busy'",
    "its schedule": `schedule.${refersTo(data.schedule)}`,
    "its start": `start.toString() = '${data.slot.start}'`,
    "it has an end": "end.exists()"
  })
})

/** A search, and what holds for every resource that it finds; it finds some. */
interface Case {
  readonly path: () => string
  readonly format?: "xml"
  readonly all: () => string
}
const at = (day: string) => day.slice(0, 10)
const isNeurology = `specialty.coding.where(system = '${SPECIALTIES}' and code = 'NEUR').exists()`
const NEUROLOGY = encodeURIComponent(`urn:oid:1.2.276.0.76.5.114|142,${SPECIALTIES}|NEUR`)

const searches: Readonly<Record<string, Case>> = {
  "Appointment-Search: by id": {
    path: () => `/Appointment?_id=${data.appointment}`,
    format: "xml",
    all: () => `id = '${data.appointment}'`
  },
  "Appointment-Search: by tag (optional)": {
    path: () => `/Appointment?_tag=${encodeURIComponent(`${EXTERNAL}|external`)}`,
    format: "xml",
    all: () => "meta.tag.where(code = 'external').exists()"
  },
  "Appointment-Search: by count": { path: () => "/Appointment?_count", format: "xml", all: () => "id.exists()" },
  "Appointment-Search: by status": {
    path: () => "/Appointment?status=cancelled",
    all: () => "status = 'cancelled'"
  },
  "Appointment-Search: by service type": {
    path: () => `/Appointment?service-type=${data.type_uid}`,
    all: () => `serviceType.coding.where(system = '${TYPES}' and code = '${data.type_uid}').exists()`
  },
  "Appointment-Search: by specialty": {
    path: () => `/Appointment?specialty=${encodeURIComponent(`${SPECIALTIES}|NEUR`)}`,
    all: () => isNeurology
  },
  "Appointment-Search: by date": {
    path: () => `/Appointment?date=${at(data.slot.start)}`,
    format: "xml",
    all: () => `start.toString().startsWith('${at(data.slot.start)}')`
  },
  "Appointment-Search: by slot": {
    path: () => `/Appointment?slot=${data.slot.id}`,
    format: "xml",
    all: () => `slot.where(${refersTo(data.slot.id)}).exists()`
  },
  "Appointment-Search: by actor": {
    path: () => `/Appointment?actor=Patient/${idOf(data.patient)}`,
    all: () => `participant.actor.where(${refersTo(idOf(data.patient))} and display.exists()).exists()`
  },
  "HealthcareService-Search: by id": {
    path: () => `/HealthcareService?_id=${idOf(data.type_uid)}`,
    format: "xml",
    all: () => `id = '${idOf(data.type_uid)}'`
  },
  "HealthcareService-Search: by count": {
    path: () => "/HealthcareService?_count",
    format: "xml",
    all: () => "id.exists()"
  },
  "HealthcareService-Search: by active state": {
    path: () => "/HealthcareService?active=true",
    all: () => "active = true"
  },
  "HealthcareService-Search: by service type": {
    path: () => `/HealthcareService?service-type=${data.type_uid}`,
    all: () => `type.coding.where(code = '${data.type_uid}').exists()`
  },
  "HealthcareService-Search: by specialty": {
    path: () => `/HealthcareService?specialty=${NEUROLOGY}`,
    all: () => isNeurology
  },
  "HealthcareService-Search: by name": {
    path: () => "/HealthcareService?name=Consultation",
    format: "xml",
    all: () => "name.contains('Consultation')"
  },
  "Schedule-Search: by id": {
    path: () => `/Schedule?_id=${data.schedule}`,
    format: "xml",
    all: () => `id = '${data.schedule}'`
  },
  "Schedule-Search: by count": { path: () => "/Schedule?_count", format: "xml", all: () => "id.exists()" },
  "Schedule-Search: by active state": { path: () => "/Schedule?active=true", all: () => "active = true" },
  "Schedule-Search: by service type": {
    path: () => `/Schedule?service-type=${data.type_uid}`,
    all: () => `serviceType.coding.where(code = '${data.type_uid}').exists()`
  },
  "Schedule-Search: by specialty": { path: () => `/Schedule?specialty=${NEUROLOGY}`, all: () => isNeurology },
  "Schedule-Search: by actor": {
    path: () => `/Schedule?actor=Practitioner/${idOf(data.doctor)}`,
    format: "xml",
    all: () => `actor.where(${refersTo(idOf(data.doctor))} and display.exists()).exists()`
  },
  "Slot-Search: by id": {
    path: () => `/Slot?_id=${data.slot.id}`,
    format: "xml",
    all: () => `id = '${data.slot.id}'`
  },
  "Slot-Search: by schedule": {
    path: () => `/Slot?schedule=${data.schedule}`,
    all: () => `schedule.${refersTo(data.schedule)}`
  },
  "Slot-Search: by status and schedule": {
    path: () => `/Slot?schedule=${data.schedule}&status=busy`,
    all: () => "status = 'busy'"
  },
  "Slot-Search: by start": {
    path: () => `/Slot?schedule=${data.schedule}&start=${at(data.slot.start)}`,
    all: () => `start.toString().startsWith('${at(data.slot.start)}')`
  },
  "Slot-Search: by practitioner, chained": {
    path: () => `/Slot?schedule.actor=Practitioner/${idOf(data.doctor)}&start=${encodeURIComponent(data.slot.start)}`,
    format: "xml",
    all: () => `id = '${data.slot.id}'`
  }
}
for (const [name, { path, format, all }] of Object.entries(searches))
  test(name, async () => {
    const { status, body } = await get(path(), format)
    expect(status).toBe(200)
    const found: ReadonlyArray<Body> = body.entry.map((entry: Body) => entry.resource)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((resource) => !holds(resource, all())).map(({ id }) => id)).toEqual([])
    if (body.link.length === 1) expect(body.total).toBe(found.length)
  })

const booked = (body: Body) =>
  expectAll(body, {
    "an Appointment": "$this is Appointment",
    "with an id": "id.exists()",
    "booked or pending": "status = 'booked' or status = 'pending'",
    "with its slot": "slot.reference.exists()",
    "with what was sent": "patientInstruction = 'Bitte nüchtern kommen' and comment = 'Ein Kommentar'"
  })

test("Appointment-Book: the CapabilityStatement has the operation", async () => {
  expect(await claims("Appointment", "operation.where(name = 'book')")).toBe(true)
})

test("Appointment-Book: a free slot", async () => {
  const [slot] = await data.slots(iso(inDays(6, 9)), "&status=free")
  const answer = await data.book(
    data.proposal(slot, data.patient, {
      ...data.details,
      id: "Appointment-of-the-client",
      meta: { tag: [{ system: EXTERNAL, code: "external" }] },
      specialty: [{ coding: [{ system: SPECIALTIES, code: "NEUR", display: "Neurologie" }] }]
    })
  )
  expect(answer.status).toBe(201)
  expect(faultsOf(answer.body)).toEqual([])
  booked(answer.body)
})

test("Appointment-Book: an incomplete request is 400", async () => {
  const { start: _, end: __, ...incomplete } = data.proposal(data.free, data.patient)
  const refused = await data.book(incomplete)
  expect([refused.status, refused.body.resourceType]).toEqual([400, "OperationOutcome"])
  expect(faultsOf(refused.body)).toEqual([])
})

test("Appointment-Book-By-Schedule: the slot is found by its schedule", async () => {
  const [slot] = await data.slots(iso(inDays(7, 9)), "&status=free")
  const { slot: _, ...appointment } = data.proposal(slot, data.patient, data.details)
  const schedule = { name: "schedule", valueReference: { reference: `Schedule/${data.schedule}` } }
  const answer = await data.book(booking(appointment, schedule))
  expect(answer.status).toBe(201)
  expect(faultsOf(answer.body)).toEqual([])
  booked(answer.body)
  expect(answer.body.slot).toEqual([{ reference: `Slot/${slot.id}` }])
})

test("not met, by decision: Slot-Search by count alone is 400", async () => {
  const { status, body } = await get("/Slot?_count")
  expect([status, body.resourceType]).toEqual([400, "OperationOutcome"])
})

for (const type of ["HealthcareService", "Schedule", "Slot"])
  test(`not met, optional: ${type}-Search by tag is 400`, async () => {
    expect((await get(`/${type}?_tag=x`)).status).toBe(400)
  })

test("not met: Encounter-Appointment-Read is 404, since encounters are not kept", async () => {
  expect((await get("/Encounter/x")).status).toBe(404)
})

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
    `/Slot?schedule=${data.schedule}&status=free&_count=1000`,
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
