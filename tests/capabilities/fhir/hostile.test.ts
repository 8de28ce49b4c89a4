/** What a stranger may send to the FHIR interface: words that objects inherit, forged cursors, and XML made to be expensive. */

import { expect, test } from "bun:test"
import { Effect } from "effect"
import { readResource } from "../../../src/capabilities/fhir/http/serialise.ts"
import { INHERITED } from "../../http/matrix/hostile.ts"
import { testServer } from "../../support/server.ts"
import { inDays } from "../../support/world.ts"
import { booking, fhirWorld, iso, operation, PRIORITY, parameters } from "./support.ts"

const server = testServer()
const types = ["Schedule", "Slot", "HealthcareService", "Practitioner", "Patient", "Appointment"]

test("a cursor that no link had is 400, whatever JSON it is; Rule 20.5.5", async () => {
  const { send } = await fhirWorld(server.current)
  const forged = [[0], ["x"], ["x", 1], [1.5, "x"], [1e300, "x"], ["x", "y", "z"], [-1, "x", "y"], [1, 2], [1, 2, 3]]
  const nul = [["\u0000"], ["\u0000", "\u0000"], [0, "\u0000"], [0, "\u0000", "x"]]
  const other = [null, {}, 1, "x", [null], [{}], [[]], [], { length: 2 }, ["a", "b", "c", "d"]]
  for (const type of types)
    for (const value of [...forged, ...nul, ...other]) {
      const cursor = Buffer.from(JSON.stringify(value)).toString("base64url")
      const start = type === "Slot" ? "&start=ge2035-01-01" : ""
      const { status, body } = await send(`/${type}?_cursor=${cursor}${start}`)
      const isOwn = Array.isArray(value) && value.every((one) => typeof one === "string" && !one.includes("\u0000"))
      const fits = isOwn && value.length === (type === "Schedule" ? 2 : 1) && type !== "Slot" && type !== "Appointment"
      expect([type, value, status, body.resourceType]).toEqual([
        type,
        value,
        fits ? 200 : 400,
        fits ? "Bundle" : "OperationOutcome"
      ])
    }
})

// Shows: names that objects inherit (`constructor`) as formats, types or codes
test("words that objects inherit are no format, type, element, code or operation", async () => {
  const { send, book, slots, proposal, patient } = await fhirWorld(server.current)
  const [slot] = await slots(iso(inDays(2)))
  const patient_uid = await patient()
  const booked = (await book(booking(proposal(slot, patient_uid)))).body
  for (const word of INHERITED) {
    const json = { "content-type": "application/json" }
    const asked: ReadonlyArray<readonly [number, Promise<{ readonly status: number }>]> = [
      [400, send(`/Appointment?_format=${word}`)],
      [200, send("/Appointment", { headers: { accept: word } })],
      [200, send(`/Appointment?_elements=${word}`)],
      [400, send(`/Appointment?_summary=${word}`)],
      [400, send(`/Appointment?${word}=1`)],
      [400, send(`/Appointment?status:${word}=booked`)],
      [400, send(`/Appointment?status=${word}`)],
      [400, send(`/Appointment?date=${word}`)],
      [word === "__proto__" ? 400 : 200, send(`/Appointment?patient=${word}`)],
      [404, send(`/${word}`)],
      [404, send(`/${word}/x`)],
      [404, send(`/Appointment/$${word}`, { method: "POST", body: {} })],
      [404, send(`/Appointment/${word.replaceAll("_", "-")}`)],
      [400, book({ resourceType: word })],
      [400, book(`<${word}/>`)],
      [400, book(`<Appointment xmlns="http://hl7.org/fhir"><${word} value="x"/></Appointment>`)],
      [400, book(booking({ ...proposal(slot, patient_uid), [word]: "x" }))],
      [400, book(booking({ ...proposal(slot, patient_uid), contained: [{ resourceType: word, id: "a" }] }))],
      [
        422,
        book(
          booking({
            ...proposal(slot, patient_uid),
            priority: 1,
            _priority: { extension: [{ url: PRIORITY, valueCodeableConcept: { coding: [{ code: word }] } }] }
          })
        )
      ],
      [
        422,
        send(`/Appointment/${booked.id}`, {
          method: "PATCH",
          headers: json,
          body: [
            { op: "replace", path: "/status", value: "cancelled" },
            { op: "add", path: "/cancelationReason", value: { coding: [{ code: word }] } }
          ]
        })
      ],
      [
        422,
        send(`/Appointment/${booked.id}`, {
          method: "PATCH",
          headers: json,
          body: [
            { op: "test", path: `/${word}`, value: "x" },
            { op: "replace", path: "/status", value: "cancelled" }
          ]
        })
      ],
      [
        400,
        send(`/Appointment/${booked.id}`, {
          method: "PATCH",
          body: parameters(operation(word, "Appointment.status", { valueCode: "cancelled" }))
        })
      ]
    ]
    for (const [at, [status, answer]] of asked.entries())
      expect([word, at, (await answer).status]).toEqual([word, at, status])
  }
}, 60_000)

test("XML with more elements than JSON may have values is refused before it is parsed; Rule 20.4.9", async () => {
  const { book } = await fhirWorld(server.current)
  const small = "<a/>".repeat(55_000)
  const { status, body } = await book(`<Appointment xmlns="http://hl7.org/fhir">${small}</Appointment>`)
  expect([status, body.issue[0].code, body.issue[0].diagnostics]).toEqual([
    400,
    "structure",
    "The body must have at most 5,000 elements and attributes"
  ])
  const attributes = Array.from({ length: 20_000 }, (_, at) => `a${at}=""`).join(" ")
  expect((await book(`<Appointment xmlns="http://hl7.org/fhir" ${attributes}/>`)).status).toBe(400)
  // Comments, texts and instructions with signs of elements in them are none, and cost nothing either
  const quoted = `<!-- ${"<a/>".repeat(100)} --><Patient xmlns="http://hl7.org/fhir"><birthDate value="1980-01-01"/></Patient>`
  expect(Effect.runSync(readResource(quoted))).toEqual({ resourceType: "Patient", birthDate: "1980-01-01" })
})

test("XML that nests, that never closes or that has nothing but signs is refused", () => {
  const deep = `${"<part>".repeat(2_000)}${"</part>".repeat(2_000)}`
  for (const text of [
    `<Parameters xmlns="http://hl7.org/fhir"><parameter>${deep}</parameter></Parameters>`,
    `<Parameters xmlns="http://hl7.org/fhir">${"<parameter>".repeat(4_000)}`,
    `<Patient>${"<![CDATA[".repeat(20_000)}</Patient>`,
    `<Patient>${"<!--".repeat(40_000)}</Patient>`,
    `<Patient>${"<".repeat(200_000)}`,
    `<Patient a="${"=".repeat(200_000)}`,
    `<!DOCTYPE a [<!ENTITY a "${"b".repeat(1_000)}">]><Patient><birthDate value="${"&a;".repeat(1_000)}"/></Patient>`
  ])
    expect(() => Effect.runSync(readResource(text))).toThrow()
})

test("JSON with more values than a booking needs is refused before it is parsed; Rule 20.4.9", async () => {
  const { send, book } = await fhirWorld(server.current)
  const many = `[${"{},".repeat(60_000)}{}]`
  for (const refused of [
    await book(`{"resourceType":"Parameters","parameter":${many}}`),
    await send("/Appointment/apt.x", { method: "PATCH", body: many })
  ])
    expect([refused.status, refused.body.issue[0].diagnostics]).toEqual([
      400,
      "The body must have at most 5,000 values"
    ])
})

test("a search by POST has at most 1,000 parameters; Rule 20.5.6", async () => {
  const { send } = await fhirWorld(server.current)
  const form = { "content-type": "application/x-www-form-urlencoded" }
  const search = (body: string) => send("/Appointment/_search", { method: "POST", headers: form, body })
  expect((await search("status=booked&".repeat(2))).status).toBe(200)
  const refused = await search("a=&".repeat(80_000))
  expect([refused.status, refused.body.issue[0].details?.text ?? refused.body.issue[0].diagnostics]).toEqual([
    422,
    "body: must have at most 1,000 fields"
  ])
})
