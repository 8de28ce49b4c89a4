/** An organisation with FHIR for one test, its SMART clients, and requests in its form. */
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose"
import type { TestServer } from "../../support/server.ts"
import { makeWorld, random, type World, type WorldOptions } from "../../support/world.ts"

export const EXTERNAL = "http://fhir.de/CodeSystem/common-meta-tag-de"
export const SPECIALTIES = "http://ihe-d.de/CodeSystems/AerztlicheFachrichtungen"
export const TYPES = "urn:sprechstunde:appointment-type"
export const PRIORITY = "https://gematik.de/fhir/isik/StructureDefinition/ISiKTerminPriorityExtension"

/** Seconds as FHIR's instant in UTC. */
export const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z")

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

/** A registered client with a key pair, its assertions, and what the token endpoint answers to them. */
export const smartClient = async (
  server: TestServer,
  { organisation_uid, provision }: World,
  scopes: ReadonlyArray<string>,
  alg = "ES384"
) => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const [client_id, kid, aud] = [random("client"), random("kid"), `${server.url}/fhir/token`]
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid, alg }] }
  const entry = { client_id, organisation_uid, name: "Portal", jwks, scopes, active: true }
  await provision({ fhir_clients: [entry] })
  const assertion = (claims: Readonly<Record<string, unknown>> = {}, key: CryptoKey = privateKey) => {
    const exp = Math.floor(Date.now() / 1000) + 200
    return new SignJWT({ iss: client_id, sub: client_id, aud, jti: crypto.randomUUID(), exp, ...claims })
      .setProtectedHeader({ alg, kid, typ: "JWT" })
      .sign(key)
  }
  const exchange = async (client_assertion: string, fields: Readonly<Record<string, string>> = {}) => {
    const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    const grant = { grant_type: "client_credentials", scope: scopes.join(" ") }
    const form = { ...grant, client_assertion_type, client_assertion, ...fields }
    const response = await fetch(aud, { method: "POST", body: new URLSearchParams(form) })
    const body: Body = await response.json()
    return { status: response.status, body }
  }
  return { client_id, entry, jwks, assertion, exchange }
}
