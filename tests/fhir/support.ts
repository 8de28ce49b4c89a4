/** An organisation with FHIR for one test, and requests in its form. */
import type { TestServer } from "../support/server.ts"
import { makeWorld, type WorldOptions } from "../support/world.ts"

export const EXTERNAL = "http://fhir.de/CodeSystem/common-meta-tag-de"
export const SPECIALTIES = "http://ihe-d.de/CodeSystems/AerztlicheFachrichtungen"
export const TYPES = "urn:sprechstunde:appointment-type"
export const PRIORITY = "https://gematik.de/fhir/isik/StructureDefinition/ISiKTerminPriorityExtension"

export const idOf = (uid: string) => uid.replaceAll("_", ".")

// biome-ignore lint/suspicious/noExplicitAny: resources are inspected, not typed
export type Body = any

export const parameters = (...parameter: ReadonlyArray<object>) => ({ resourceType: "Parameters", parameter })
/** The parameters of `$book`: an appointment, and what goes along. */
export const booking = (resource: object, ...more: ReadonlyArray<object>) =>
  parameters({ name: "appt-resource", resource }, ...more)
/** An operation of a FHIRPath Patch. */
export const operation = (type: string, path: string, value?: object, name?: string) => ({
  name: "operation",
  part: [
    { name: "type", valueCode: type },
    { name: "path", valueString: path },
    ...(name === undefined ? [] : [{ name: "name", valueString: name }]),
    ...(value === undefined ? [] : [{ name: "value", ...value }])
  ]
})

export const fhirWorld = async (server: TestServer, options: WorldOptions = {}) => {
  const world = await makeWorld(server, {
    ...options,
    organisation: { fhir: { enabled: true }, ...options.organisation }
  })
  const base = `${server.url}/fhir/r4`
  const send = async (
    path: string,
    {
      method = "GET",
      key = world.key,
      body,
      headers = {}
    }: {
      readonly method?: string
      readonly key?: string | null
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    } = {}
  ) => {
    const response = await fetch(path.startsWith("http") ? path : `${base}${path}`, {
      method,
      headers: {
        ...(key !== null && { "x-api-key": key }),
        ...(body !== undefined && { "content-type": "application/fhir+json" }),
        ...headers
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    const parsed: Body = text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text
    return { status: response.status, headers: response.headers, body: parsed, text }
  }
  const patient = (profile: Readonly<Record<string, unknown>> = { first_name: "Ada", last_name: "Meyer" }) =>
    world.patient(profile)
  const schedules = async () => (await send("/Schedule")).body.entry.map(({ resource }: Body) => resource)
  /** Free slots of the first doctor's schedule from a time on. */
  const slots = async (from: string, more = "") => {
    const actor = `Practitioner/${idOf(world.doctor)}`
    const found = await send(`/Slot?schedule.actor=${actor}&start=ge${encodeURIComponent(from)}${more}`)
    return (found.body.entry ?? []).map(({ resource }: Body) => resource)
  }
  const proposal = (slot: Body, patient_uid: string, changes: Readonly<Record<string, unknown>> = {}) => ({
    resourceType: "Appointment",
    status: "proposed",
    serviceType: [{ coding: [{ system: TYPES, code: world.type_uid }] }],
    start: slot.start,
    end: slot.end,
    slot: [{ reference: `Slot/${slot.id}` }],
    participant: [{ actor: { reference: `Patient/${idOf(patient_uid)}` }, status: "accepted" }],
    ...changes
  })
  const book = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    send("/Appointment/$book", { method: "POST", body, headers })
  return { ...world, base, send, patient, schedules, slots, proposal, book }
}
