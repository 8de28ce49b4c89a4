/** Properties of the OpenAPI document that client generators rely on, against the running service. Rules 2.1.5 and 2.1.7. */
import { beforeAll, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Api } from "../../script/generate/wholeApi.ts"
import { documentOf } from "../../src/capabilities/documentation/http/openapi/openapi.ts"
import { problemCodes } from "../../src/http/problems.ts"
import { eventCatalogue } from "../../src/schemas/events/catalogue.ts"
import { type Ask, sandboxServer } from "../support/server.ts"
import { validatorOf } from "../support/validator.ts"
import { inDays } from "../support/world.ts"
import { keyKind, type Operation, operations } from "./matrix/operations.ts"
import { pathFor } from "./matrix/samples.ts"
import { kindsOf, makeTenant, type Tenant } from "./matrix/tenant.ts"
import { tenants } from "./matrix/tenants.ts"

type Node = Readonly<Record<string, unknown>>
const isNode = (node: unknown): node is Node => typeof node === "object" && node !== null

const document = JSON.parse(JSON.stringify(documentOf(Api)))
const schemas: Readonly<Record<string, Node>> = document.components.schemas

interface Documented {
  readonly operationId: string
  readonly description: string
  readonly deprecated?: boolean
  readonly security: ReadonlyArray<Node>
  readonly requestBody?: { readonly required: boolean }
  readonly responses: Readonly<
    Record<string, { readonly headers: Node; readonly content?: Readonly<Record<string, { readonly schema: Node }>> }>
  >
}
const documented: ReadonlyArray<readonly [string, Documented]> = Object.entries<Record<string, Documented>>(
  document.paths
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => [`${method.toUpperCase()} ${path}`, one] as const)
)
const documentedAs = new Map(documented)

/** Every schema of a field or parameter, with its name, its position, and for a parameter with what describes it. */
const fieldsBelow = (node: unknown, at = ""): ReadonlyArray<readonly [string, Node, at: string, parameter?: Node]> => {
  if (!isNode(node)) return []
  const fields = isNode(node.properties) ? Object.entries(node.properties) : []
  const parameter =
    typeof node.name === "string" && isNode(node.schema) ? [[node.name, node.schema, at, node] as const] : []
  return [
    ...fields.flatMap(([name, schema]) => (isNode(schema) ? [[name, schema, `${at}.${name}`] as const] : [])),
    ...parameter,
    ...Object.entries(node).flatMap(([key, child]) =>
      key.startsWith("example") ? [] : fieldsBelow(child, `${at}.${key}`)
    )
  ]
}
/** The schema of a value that is not null. */
const ofValue = (schema: Node): Node =>
  (Array.isArray(schema.anyOf) ? schema.anyOf.find((one) => one.type !== "null") : undefined) ?? schema
const fields = fieldsBelow(document).map(([name, schema]) => [name, ofValue(schema)] as const)

/** Whether a schema, or the one that it references, has a description. */
const isDescribed = (schema: unknown): boolean =>
  isNode(schema) &&
  (typeof schema.description === "string" ||
    typeof schema.$ref === "string" ||
    (Array.isArray(schema.anyOf) && schema.anyOf.some(isDescribed)))

test("every field, parameter, tag and security scheme has a description", () => {
  const all = fieldsBelow(document)
  expect(all.length).toBeGreaterThan(500)
  const { tags, components } = document
  const undescribed = [
    ...all.flatMap(([, schema, at, parameter]) => (isDescribed(parameter) || isDescribed(schema) ? [] : [at])),
    ...[...tags, ...Object.values(components.securitySchemes)].filter((one) => !isDescribed(one))
  ]
  expect(undescribed).toEqual([])
})

/** The schema that a reference names, else the schema itself. */
const resolved = (schema: unknown): Node | undefined => {
  if (!isNode(schema)) return undefined
  if (typeof schema.$ref !== "string") return schema
  const path = schema.$ref.slice("#/".length).split("/")
  return resolved(path.reduce((node: unknown, key) => (isNode(node) ? node[key] : undefined), document))
}

/** Positions in a request schema where a list or text has no maximum, or a number no bound. */
const unbounded = (node: unknown, at: string): ReadonlyArray<string> => {
  // items within items, which Rule 22.1.3 bounds as a whole
  if (isNode(node) && node.$ref === "#/components/schemas/FormItem") return []
  const schema = resolved(node)
  if (schema === undefined) return []
  const types = [schema.type].flat()
  const closed = schema.enum !== undefined || schema.const !== undefined
  const isNumber = types.includes("integer") || types.includes("number")
  const boundless = isNumber && !closed && (schema.minimum === undefined || schema.maximum === undefined)
  const endless = types.includes("string") && schema.maxLength === undefined && !closed
  const children = choicesOf(schema)
  return [
    ...(endless || boundless || (types.includes("array") && schema.maxItems === undefined) ? [at] : []),
    ...children.flatMap((child) => unbounded(child, at)),
    ...unbounded(schema.items, `${at}[]`),
    ...unbounded(schema.additionalProperties, `${at}.*`),
    ...Object.entries(isNode(schema.properties) ? schema.properties : {}).flatMap(([name, child]) =>
      unbounded(child, `${at}.${name}`)
    )
  ]
}

/** Positions of optional fields of a request that do not take null. */
const withoutNull = (node: unknown, at: string): ReadonlyArray<string> => {
  if (isNode(node) && node.$ref === "#/components/schemas/FormItem") return []
  const schema = resolved(node)
  if (schema === undefined) return []
  const variants = [...choicesOf(schema), schema.items ?? []].flat()
  const required = new Set([schema.required ?? []].flat())
  const fields = Object.entries(isNode(schema.properties) ? schema.properties : {})
  return [
    ...fields.flatMap(([name, field]) => (required.has(name) || takesNull(field) ? [] : [`${at}.${name}`])),
    ...fields.flatMap(([name, field]) => withoutNull(field, `${at}.${name}`)),
    ...variants.flatMap((one) => withoutNull(one, at))
  ]
}
const choicesOf = (schema: Node) => (["anyOf", "oneOf", "allOf"] as const).flatMap((key) => [schema[key] ?? []].flat())
const takesNull = (node: unknown): boolean => {
  const schema = resolved(node)
  if (schema === undefined) return false
  const choices = choicesOf(schema)
  return schema.type === undefined ? choices.length === 0 || choices.some(takesNull) : schema.type === "null"
}

/** What a check finds in the bodies of all requests. */
const inBodies = (check: (schema: unknown, at: string) => ReadonlyArray<string>) =>
  Object.entries<Record<string, Node>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      Object.values(resolved(requestBody)?.content ?? {}).flatMap((content) =>
        check(isNode(content) ? content.schema : undefined, `${method} ${path} body`)
      )
    )
  )

// Shows: large, deep and many bodies
// Shows: unbounded lists, with an error for each entry
test("every list and every text of a request has a maximum, every number both bounds", () => {
  const parameters = Object.entries<Record<string, Node>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      [operation.parameters ?? []].flat().flatMap((one) => {
        const parameter = resolved(one)
        // a larger one is reduced
        if (parameter?.name === "limit") return []
        return unbounded(parameter?.schema, `${method} ${path} ${parameter?.name}`)
      })
    )
  )
  expect([...parameters, ...inBodies(unbounded)]).toEqual([])
})

test("every optional field of a body takes null; Rule 2.2.12", () => {
  expect(inBodies(withoutNull)).toEqual([])
})

test("amounts, counts and times are integers; only the amount in a pack and bounds of a question may have a fraction", () => {
  const numbers = fields.filter(([, { type }]) => [type].flat().includes("number")).map(([name]) => name)
  expect([...new Set(numbers)]).toEqual(["standard_selling_unit", "min", "max"])
})

test("exactly the times have the format unixtime", () => {
  const isTime =
    /(_at|_date|^at|^from|^to|^until|_since|^since|^valid_from|^valid_until|^timestamp|^now|^date|^start_from|^start_to|^date_of_birth|^appointment_start|^appointment_end|_after)$/
  // `from` and `to` of a time of day are minutes from midnight
  const integers = fields.filter(([, { type, maximum }]) => type === "integer" && maximum !== 1440)
  const named = integers.filter(([name]) => isTime.test(name))
  expect(named.length).toBeGreaterThan(60)
  expect(
    named.filter(([, { format, maximum }]) => format !== "unixtime" && maximum !== 1440).map(([name]) => name)
  ).toEqual([])
  const others = integers.filter(([name, { format }]) => format === "unixtime" && !isTime.test(name))
  expect(others.map(([name]) => name)).toEqual([])
})

test("every list has one envelope", () => {
  const answers = documented.flatMap(([id, { responses }]) => {
    const { $ref = "" } = responses["200"]?.content?.["application/json"]?.schema ?? {}
    const schema = schemas[String($ref).replace("#/components/schemas/", "")]
    return isNode(schema?.properties) && "data" in schema.properties ? [[id, schema] as const] : []
  })
  expect(answers.length).toBeGreaterThan(25)
  for (const [id, { properties, required }] of answers) {
    const shape = Object.entries(properties as Readonly<Record<string, Node>>).map(([name, { type, anyOf }]) => [
      name,
      type ?? (anyOf as ReadonlyArray<Node>).map((one) => one.type)
    ])
    const data = ["data", "array"]
    const next = ["next", ["string", "null"]]
    const totals = [
      ["totalRegistries", "integer"],
      ["totalPages", "integer"]
    ]
    expect<ReadonlyArray<unknown>>([[data], [data, next], [data, ...totals, next]]).toContainEqual(shape)
    expect({ id, required }).toEqual({ id, required: shape.map(([name]) => name as string) })
  }
})

test("problem codes are an enumeration of all that are answered", () => {
  const { enum: codes, type } = schemas.ProblemCode as { enum: ReadonlyArray<string>; type: string }
  expect(type).toBe("string")
  for (const { code } of problemCodes()) expect(codes).toContain(code)
  for (const name of ["Problem", "InvalidRequest"])
    expect((schemas[name] as { properties: Node }).properties.code).toEqual({
      $ref: "#/components/schemas/ProblemCode"
    })
})

test("every operation names the statuses and headers that it can answer with", () => {
  for (const operation of operations) {
    const { responses } = documentedAs.get(operation.id) as Documented
    const has = (...statuses: ReadonlyArray<string>) => statuses.filter((status) => !(status in responses))
    const missing = [
      ...has("400", "405", "429", "500", "503"),
      ...(operation.security.length > 0 ? has("401") : []),
      ...(operation.security.length > 0 &&
      !operation.path.startsWith("/v1/scheduling/") &&
      !/^\/v1\/(sandbox\/|requests$)/.test(operation.path) // any key may
        ? has("403")
        : []),
      ...(operation.path.includes("{") ? has("404") : []),
      ...(operation.body === undefined ? [] : has("413", "415"))
    ]
    expect({ id: operation.id, missing }).toEqual({ id: operation.id, missing: [] })
    for (const [status, { headers }] of Object.entries(responses)) {
      const names = Object.keys(headers)
      expect(names).toEqual(
        expect.arrayContaining(["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"])
      )
      expect(names.includes("Retry-After")).toBe(status === "429" || status === "503")
      expect(names.includes("Allow")).toBe(status === "405")
    }
  }
})

test("permissions stand in x-permissions and in words", () => {
  for (const { id, permissions } of operations)
    for (const permission of permissions) expect(documentedAs.get(id)?.description).toContain(`\`${permission}\``)
  expect(operations.filter(({ permissions }) => permissions.length > 0).length).toBeGreaterThan(60)
})

test("the booking token is the credential of the operation that takes it in its header or its body", () => {
  const { security } = documentedAs.get("POST /v1/scheduling/booking-sessions") as Documented
  expect(security).toEqual([{ bookingToken: [] }, {}])
  const names = fields.map(([name]) => name.toLowerCase())
  expect(names).not.toContain("x-service-booking-token")
  expect(names).toContain("booking_token")
})

test("webhooks describe every type of event, with its data", () => {
  expect(Object.keys(document.webhooks).toSorted()).toEqual(Object.keys(eventCatalogue).toSorted())
  const { oneOf, discriminator } = schemas.Event as { oneOf: ReadonlyArray<Node>; discriminator: { mapping: Node } }
  expect(Object.keys(discriminator.mapping).toSorted()).toEqual(Object.keys(eventCatalogue).toSorted())
  expect(oneOf).toHaveLength(Object.keys(eventCatalogue).length)
})

const server = sandboxServer({ ROLE: "http" })
let tenant: Tenant
beforeAll(async () => {
  tenant = await makeTenant(server.current)
})

const credentialOf = async (operation: Operation, from = tenant): Promise<Ask> => {
  const [kind] = kindsOf(operation, keyKind(operation))
  return kind === undefined ? {} : from.credentials[kind]()
}

test("an empty PATCH returns the record and leaves it unchanged, its time of change too; Rule 2.1.10", async () => {
  // those of orders are steps, which need no body
  const changing = operations.filter(({ method, path }) => method === "PATCH" && !path.includes("pharmacy_orders"))
  const answers = async () => {
    const all: Array<readonly [id: string, status: number, body: unknown]> = []
    for (const operation of changing) {
      const ask = { ...(await credentialOf(operation)), body: {} }
      const { status, body } = await server.current.api("PATCH", await pathFor(operation, tenant), ask)
      all.push([operation.id, status, { ...body, trace_id: undefined }])
    }
    return all
  }
  const before = await answers()
  expect(before.filter(([, status]) => status === 200).length).toBeGreaterThan(20)
  await server.current.advance(100)
  expect(await answers()).toEqual(before)
})

// Bodies are read before records are looked up: only codes are made anew for a record that is still as it was
const tenantFor = tenants(({ id, path }) => (path.includes("{code}") ? id : "others"))
describe("a body may be left out exactly where the document says so", () => {
  test.each(operations.filter(({ body }) => body !== undefined))("$id", async (operation) => {
    const { required } = documentedAs.get(operation.id)?.requestBody ?? {}
    // A request that is refused changes nothing
    const own = required === true ? tenant : await tenantFor(server.current, operation)
    const { status, body } = await server.current.api(
      operation.method,
      await pathFor(operation, own),
      await credentialOf(operation, own)
    )
    if (required === true) expect([status, body.code]).toEqual([400, "invalid_request"])
    else expect([body?.code, status]).not.toContain(400)
  })
})

test("a tag is on the answers that the document says it is on", async () => {
  const reads = operations.filter(({ method, path }) => method === "GET" && !path.includes("/{token}"))
  for (const operation of reads) {
    const path = await pathFor(operation, tenant)
    const answer = await server.current.api("GET", path, await credentialOf(operation))
    const named = Object.keys(documentedAs.get(operation.id)?.responses["200"]?.headers ?? {}).includes("ETag")
    const found = (answer.headers.get("etag") ?? "").startsWith('"')
    if (answer.status === 200) expect([operation.id, found]).toEqual([operation.id, named])
  }
})

const headersAt = async (path: string) => (await server.current.api("GET", path)).headers
const changes = readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8")

test("a deprecated path states since when and its documentation, and no end: it remains accepted (Rule 2.1.9)", async () => {
  const headers = await headersAt("/v1/admin/scheduling/organisations/org_demo/booking-token-secrets")
  const since = Number(headers.get("deprecation")?.slice(1))
  expect(headers.get("deprecation")).toMatch(/^@\d+$/)
  expect(headers.get("sunset")).toBeNull()
  const [, page = ""] = /^<([^>]+)>; rel="deprecation"/.exec(headers.get("link") ?? "") ?? []
  expect((await server.current.api("GET", page)).status).toBe(200)
  expect(changes).toContain(new Date(since * 1000).toISOString().slice(0, 10))
})

test("every version of the changelog has its date", () => {
  const versions = changes.match(/^## .*$/gm) ?? []
  expect(versions).not.toBeEmpty()
  for (const version of versions) expect(version).toMatch(/^## (Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)$/)
})

test("only the older paths are deprecated, in the document and in their answers", async () => {
  const deprecated = documented.filter(([, one]) => one.deprecated === true).map(([id]) => id)
  expect(deprecated).toHaveLength(4)
  expect(deprecated.filter((id) => !id.includes("/organisations/{organisation_uid}/booking-token-secrets"))).toEqual([])
  for (const [id, { responses }] of documented)
    for (const { headers } of Object.values(responses))
      expect([id, "Deprecation" in headers]).toEqual([id, deprecated.includes(id)])
  const successor = "/v1/admin/scheduling/booking-token-secrets"
  expect((await headersAt(successor)).has("deprecation")).toBeFalse()
  expect((await headersAt(`${successor}/x`)).has("deprecation")).toBeFalse()
  for (const id of deprecated) {
    const path = id.slice(id.indexOf("/")).replace(/\{\w+\}/g, "x")
    expect([id, (await headersAt(path)).has("deprecation")]).toEqual([id, true])
  }
})

/** Bodies with one of several forms: valid ones, and ones that lack a required field of their form. */
const ajv = validatorOf(document)
const fits = (name: string, body: unknown) => ajv.getSchema(`document#/components/schemas/${name}`)?.(body) === true

test("a body's documented variants are accepted by the server, and no others", async () => {
  const { world, named } = tenant
  const [key, patient] = [{ key: world.key }, await tenant.credentials.patient()]
  const range = { from: inDays(1), to: inDays(2) }
  const { appointment_type_uid, shop_uid, doctor_uid, patient_uid, sku_uid, shop_identifier } = named
  const patient_data = { first_name: "Ada", last_name: "Example", date_of_birth: 0, gender: "female" }
  const lines = [{ sku_uid, quantity: 1 }]
  const silent = { checkout_type: "draft_order_without_checkout_request" }
  const buyer = { buyerIdentity: { email: "a@example.org" } }
  const booking = { shop_uid, appointment_type_uid, start_date: inDays(9, 9) }
  const subscription = { url: "http://127.0.0.1:9/" }
  const overrides = `management/scheduling/doctors/${doctor_uid}/availability-date-overrides`
  const cases = [
    [
      "CreateBookingSessionRequest",
      "scheduling/booking-sessions",
      patient,
      { mode: "booking", appointment_type_uid, ...range },
      { mode: "booking", appointment_type_uid, from: range.from },
      { mode: "booking", ...range },
      { mode: "rebooking" },
      { appointment_type_uid, ...range },
      { mode: "other", appointment_type_uid, ...range }
    ],
    [
      "CreateDateOverrideRequest",
      overrides,
      key,
      { date: inDays(40), day_off: true },
      { date: inDays(41), start_time: 540, end_time: 600 },
      { date: inDays(42), day_off: false, start_time: 540, end_time: 600 },
      { date: inDays(43), start_time: 540 },
      { date: inDays(44), day_off: false },
      { date: inDays(45) }
    ],
    [
      "BookAppointmentRequest",
      "management/scheduling/appointments",
      key,
      { ...booking, shop_customer_id: "customer-9" },
      { ...booking, start_date: inDays(10, 9), patient_uid },
      { ...booking, patient_uid, shop_customer_id: "customer-9" },
      booking
    ],
    [
      "CreateNotificationSubscriptionRequest",
      "management/notification-subscriptions",
      key,
      { ...subscription, notification_type: "REBOOKED" },
      { ...subscription, notification_types: ["REBOOKED", "PATIENT_CREATED"] },
      { ...subscription, notification_type: "REBOOKED", notification_types: ["REBOOKED"] },
      subscription
    ],
    [
      "MoveSandboxClockRequest",
      "sandbox/clock",
      key,
      { advance_seconds: 0 },
      { advance_seconds: 0, now: inDays(400) },
      {}
    ],
    [
      "CreateTreatmentCheckoutRequest",
      `/v2/public-api/treatments/${shop_identifier}`,
      key,
      { lines },
      { lines, checkout_type: "checkout_link" },
      { lines, ...silent },
      { lines, ...silent, ...buyer }
    ],
    [
      "CreatePrescriptionCheckoutRequest",
      `/v2/public-api/prescriptions/${shop_identifier}`,
      key,
      { patient_data, lines },
      { patient_data },
      { patient_data, lines, ...silent },
      { patient_data, lines, ...silent, ...buyer },
      { patient_data, reserved_draft_order_id: "unknown", ...silent }
    ],
    [
      "UpdatePharmacySkuRequest",
      `PATCH external_pharmacy_api/pharmacy_skus/${named.pharmacy_sku_uid}`,
      await tenant.credentials.pharmacy(),
      {},
      { stock: 1 }
    ]
  ] as const
  for (const [name, operation, as, ...bodies] of cases)
    for (const body of bodies) {
      const [path = "", method = "POST"] = operation.split(" ").toReversed()
      const answer = await server.current.api(method, path.startsWith("/") ? path : `/v1/${path}`, { ...as, body })
      expect([name, body, answer.status !== 400]).toEqual([name, body, fits(name, body)])
    }
})
