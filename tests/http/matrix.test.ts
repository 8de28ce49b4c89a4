/**
 * Authorisation of every operation in the OpenAPI document: without a credential, with an invalid one, with one
 * that lacks the permission, with another tenant's, and with the tenant's own. A new operation of the API is
 * tested automatically.
 */
import { beforeAll, describe, expect, test } from "bun:test"
import { present } from "../support/body.ts"
import { isLong } from "../support/scale.ts"
import { type Answer, type Ask, sandboxServer } from "../support/server.ts"
import { doctorOf } from "../support/staff.ts"
import { random } from "../support/world.ts"
import { hides, keyKind, type Operation, operations, pathParameters } from "./matrix/operations.ts"
import { type Reference, referencesOf, unknownLike, valueFor } from "./matrix/references.ts"
import { bodyFor, pathFor } from "./matrix/samples.ts"
import { snapshot } from "./matrix/snapshot.ts"
import { type CredentialKind, kindsOf, makeTenant, type Tenant } from "./matrix/tenant.ts"
import { byTaken, endsRecord, readingOrWriting, tenants } from "./matrix/tenants.ts"

// Without workers: only the requests change the compared state.
const server = sandboxServer({ ROLE: "http" })
let stranger: Tenant
/** Operations that only read share a tenant, except the list of a key's recent requests. */
let reader: Tenant
// What another operation has taken, such as a time, is a conflict, which is as good as a success here
const tenantFor = tenants((operation) => (endsRecord(operation) ? byTaken(operation) : readingOrWriting(operation)))
beforeAll(async () => {
  stranger = await makeTenant(server.current)
  reader = await makeTenant(server.current)
})

const sendRequest = async (operation: Operation, as: Ask, path: string, body: unknown): Promise<Answer> =>
  server.current.api(operation.method, path, { ...as, ...(body === undefined ? {} : { body }) })

const expectProblem = ({ status, body }: Answer, expected: number) => {
  expect({ status, body }).toEqual({
    status: expected,
    body: { error: expect.anything(), code: expect.any(String), trace_id: expect.any(String) }
  })
}

const GARBAGE: Readonly<Record<string, Ask>> = {
  apiKey: { key: "spr_this_key_was_never_made_by_anybody" },
  bookingToken: { token: "not.a.token" },
  bearer: { bearer: "not.a.token" }
}

/** Credentials that are valid for other operations. */
const misplaced = async (operation: Operation, kind: CredentialKind, tenant: Tenant): Promise<ReadonlyArray<Ask>> => {
  const { credentials } = tenant
  if (kind === "admin") return [await credentials.doctor()]
  if (kind === "operator") return [await credentials.admin()]
  if (kind === "doctor") return [await credentials.admin()]
  if (kind === "patient" || operation.permissions.length === 0) return []
  const otherKind = kind === "organisation" ? credentials.pharmacy : credentials.organisation
  return [await otherKind(), { key: await tenant.keyWithout(kind, operation.permissions) }]
}

/** Its body names an order that waits for an anamnesis: there is none in the tenant's world. */
const NAMES_NO_RECORD = new Set([
  "POST /v1/operator/waiting-orders/release",
  // the appointment was cancelled by an operation before it
  "POST /v1/doctor/calendar-entries/{appointment_uid}/restore"
])

const isMutation = ({ method }: Operation) => method !== "GET"

const names = (body: unknown, uid: string) => JSON.stringify(body ?? null).includes(uid)

/** No response contains a uid, code or key of the tenant that the request did not name. */
const expectNothingOf = (tenant: Tenant, answer: Answer, sent: unknown) => {
  const leaked = tenant.secrets.filter((secret) => names(answer.body, secret) && !names(sent, secret))
  expect(leaked).toEqual([])
}

const guarded = operations.filter(({ security }) => security.length > 0)

describe("every operation", () => {
  /** The request of an operation, made before any is sent. */
  const requests = new Map<Operation, Awaited<ReturnType<typeof prepared>>>()
  const prepared = async (operation: Operation) => {
    const kinds = kindsOf(operation, keyKind(operation))
    const tenant =
      operation.path === "/v1/requests" ? await makeTenant(server.current) : await tenantFor(server.current, operation)
    const path = await pathFor(operation, tenant)
    const body = await bodyFor(operation, tenant)
    // makes their keys; tokens end, and are made anew when they are sent
    for (const kind of kinds) await misplaced(operation, kind, tenant)
    return { kinds, tenant, path, body, send: (as: Ask) => sendRequest(operation, as, path, body) }
  }
  const requestOf = (operation: Operation) => present(requests.get(operation))
  const before = new Map<Tenant, Awaited<ReturnType<typeof snapshot>>>()
  beforeAll(async () => {
    for (const operation of guarded) requests.set(operation, await prepared(operation))
    for (const { tenant } of requests.values())
      if (!before.has(tenant)) before.set(tenant, await snapshot(server.current, tenant))
  })

  // Shows: another organisation or pharmacy, with a valid key
  test.each(guarded)(
    "$id: without a credential or with a bad one 401, with one for something else 403 (patients 404), with another tenant's 404",
    async (operation) => {
      const { kinds, tenant, path, body, send } = requestOf(operation)
      expectProblem(await send({}), 401)
      for (const scheme of operation.security) expectProblem(await send(GARBAGE[scheme] ?? {}), 401)
      for (const kind of kinds)
        for (const as of await misplaced(operation, kind, tenant))
          expectProblem(await send(as), hides(operation) ? 404 : 403)
      // operators see all tenants, and the clock is everybody's
      const foreign = operation.path === "/v1/sandbox/clock" ? [] : kinds.filter((one) => one !== "operator")
      for (const kind of foreign) {
        const answer = await send(await stranger.credentials[kind]())
        const namesRecords =
          pathParameters(operation).length > 0 || tenant.secrets.some((secret) => names(body, secret))
        // a form that is named in a body is a fault of the field
        if (namesRecords) expectProblem(answer, operation.id === "POST /v1/management/request-types" ? 400 : 404)
        else expect(answer.status).toBeLessThan(500)
        expectNothingOf(tenant, answer, [path, body])
      }
    }
  )

  test("these requests changed nothing", async () => {
    for (const [tenant, content] of before) expect(await snapshot(server.current, tenant)).toEqual(content)
  })

  test.each(guarded)("$id: with its own found", async (operation) => {
    const { kinds, tenant, send } = requestOf(operation)
    for (const kind of kinds) {
      const { status, body: received } = await send(await tenant.credentials[kind]())
      const unfound = NAMES_NO_RECORD.has(operation.id) ? [] : [404]
      expect([401, 403, 405, ...unfound], JSON.stringify(received)).not.toContain(status)
      expect(status, JSON.stringify(received)).toBeLessThan(500)
      if (!isMutation(operation)) expect(status, JSON.stringify(received)).toBe(200)
    }
  })
})

describe("a request that names a record of another tenant or of another kind", () => {
  const answerTo = async ({ method }: Operation, as: Ask, { request }: Reference, value: string) => {
    const { path, body } = request(value)
    const answer = await server.current.api(method, path, { ...as, ...(body === undefined ? {} : { body }) })
    const text = JSON.stringify({ ...answer.body, trace_id: null })
    return { status: answer.status, text: text.replaceAll(value, "…") }
  }

  test("in path, query or body is answered like one for a record that does not exist, and changes nothing of the other tenant", async () => {
    const tenant = await makeTenant(server.current)
    const { organisation_uid } = tenant.world
    // so that its shops may not be assigned another tenant's pharmacy
    await tenant.world.provision({
      organisations: [{ uid: organisation_uid, name: "Praxis", pharmacy_uids: [tenant.named.pharmacy_uid] }]
    })
    const tested = guarded.filter(({ path }) => !path.startsWith("/v1/operator/"))
    const cases = []
    for (const operation of tested) {
      for (const reference of await referencesOf(operation, tenant)) {
        const foreign = await valueFor(operation, reference, stranger)
        if (foreign !== undefined) cases.push({ operation, reference, foreign })
      }
    }
    expect(cases.length).toBeGreaterThan(150)
    const before = await snapshot(server.current, stranger)
    for (const [index, { operation, reference, foreign }] of cases.entries()) {
      const ownOfOtherKind = reference.name === "patient_uid" ? tenant.named.doctor_uid : tenant.named.patient_uid
      for (const kind of kindsOf(operation, keyKind(operation))) {
        const as = await tenant.credentials[kind]()
        const where = `${operation.id} ${reference.at} ${reference.name}`
        // a path's only record is asked for above, with the other tenant's credential: in the short run, every fourth is compared
        const isAsked = reference.at === "path" && pathParameters(operation).length === 1
        if (!isLong && isAsked && index % 4 !== 0) continue
        const none = await answerTo(operation, as, reference, unknownLike(foreign))
        if (reference.at === "path") expect([where, none.status]).toEqual([where, 404])
        if (reference.at === "body") expect(none.status, where).toBeGreaterThanOrEqual(400)
        const withOther = reference.at === "body" && (isLong || index % 3 === 0)
        for (const value of [foreign, ...(withOther ? [ownOfOtherKind ?? ""] : [])])
          expect([where, await answerTo(operation, as, reference, value)]).toEqual([where, none])
      }
    }
    expect(await snapshot(server.current, stranger)).toEqual(before)
  })
})

test("a record of another doctor or patient of the same practice is 404, and unchanged", async () => {
  const { world } = reader
  const doctor_uid = random("doc")
  const { organisation_uid } = world
  await world.provision({ doctors: [{ uid: doctor_uid, organisation_uid, display_name: "Dr. Other" }] })
  const others: Readonly<Record<string, Ask>> = {
    doctor: { bearer: await doctorOf(server.current, world, doctor_uid) },
    patient: { token: await world.token("customer-2") }
  }
  const attempts = []
  for (const operation of operations.filter((one) => pathParameters(one).length > 0))
    for (const kind of kindsOf(operation, keyKind(operation))) {
      const as = others[kind]
      if (as === undefined) continue
      attempts.push({ operation, as, path: await pathFor(operation, reader), body: await bodyFor(operation, reader) })
    }
  expect(attempts.length).toBeGreaterThan(15)
  await world.session("customer-2") // makes the patient
  const before = await snapshot(server.current, reader)
  for (const { operation, as, path, body } of attempts) expectProblem(await sendRequest(operation, as, path, body), 404)
  expect(await snapshot(server.current, reader)).toEqual(before)
})

/** Section 1.4; the first that fits. */
const PERMITTED: ReadonlyArray<readonly [which: RegExp, ...permissions: ReadonlyArray<string>]> = [
  [/GET .*(intake|management.*requests)/, "intake:read"],
  [/POST .*management.requests/, "patients:write"],
  [/requests|sandbox/],
  [/audit-log/, "audit:read"],
  [/treatments/, "create_treatment_checkout"],
  [/public-api/, "create_prescription_checkout"],
  [/GET .*prescriptions/, "prescription:read"],
  [/POST .*prescriptions/, "prescription:external_sign"],
  [/GET .*pharmacy_api.(pharmacy_orders|payouts)/, "orders_read"],
  [/PATCH .*pharmacy_orders/, "orders_write"],
  [/GET .*pharmacy_(products|skus)/, "stock_read"],
  [/PATCH .*pharmacy_skus/, "stock_write", "pharmacy_sku_write"],
  [/GET .*pharmacy_api/, "webhooks_read"],
  [/(POST|PATCH|DELETE) .*pharmacy_api/, "webhooks_write"],
  [/POST .*patients.*(withdraw|erase|export|export-document|merge|restrict)$/, "patients:admin"],
  [/GET .*patients/, "patients:read"],
  [/(POST|PATCH) .*patients/, "patients:write"],
  [/management.(doctors|organisation|shops|staff|forms|request-types)/, "organisation:admin"],
  [/GET |messages.preview/, "scheduling:read"],
  [
    /v1.scheduling|appointment-series|waitlist-entries|guests|messages.*(resend|told)|POST .*appointments$/,
    "scheduling:write"
  ],
  [/management/, "scheduling:admin"]
]

test("every operation needs the permission of section 1.4", () => {
  const ofKeys = operations.filter(({ security }) => security.includes("apiKey"))
  const permitted = (id: string) => {
    const [, ...permissions] = PERMITTED.find(([which]) => which.test(id)) ?? [/none/, "none"]
    return permissions
  }
  expect(ofKeys.map(({ id, permissions }) => [id, ...permissions])).toEqual(
    ofKeys.map(({ id }) => [id, ...permitted(id)])
  )
})

test("every operation either needs a credential or is one of those that need none", () => {
  const open = operations.filter(({ security }) => security.length === 0).map(({ path }) => path)
  const known = [
    /^\/dev-idp\//,
    // of a session of the console
    /^\/v1\/staff\/tokens$/,
    /^\/v1\/scheduling\/(appointment-types|slots\/search|booking-sessions)/,
    /^\/v1\/scheduling\/appointment-actions\/\{code\}/,
    /^\/v1\/scheduling\/waitlist-offers\/\{code\}/,
    /^\/v1\/(prescription|form)-files\/\{token\}/,
    /^\/v1\/calendar-feeds\/\{code\}/,
    /^\/v1\/storefront\/\{shop_identifier\}\/webhooks/,
    /^\/storefront\//
  ]
  expect(open.filter((path) => !known.some((pattern) => pattern.test(path)))).toEqual([])
})

test("the served document is the one that this matrix covers", async () => {
  const served = (await server.current.api("GET", "/openapi.json")).body
  const ids = Object.entries(served.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
  )
  expect(ids.toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
})
