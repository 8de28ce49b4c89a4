/** What the OpenAPI document says of request bodies and queries, against the decoders of the service. Rules 2.1.5 and 2.2.12. */
import { expect, test } from "bun:test"
import { Either, Option, Schema } from "effect"
import { Api } from "../../script/generate/wholeApi.ts"
import { documentOf } from "../../src/capabilities/documentation/http/openapi/openapi.ts"
import { endpointsOf } from "../../src/http/endpoints.ts"
import { validatorOf } from "../support/validator.ts"
import { type JsonSchema, operations, resolved } from "./matrix/operations.ts"

const document = JSON.parse(JSON.stringify(documentOf(Api)))
const ajv = validatorOf(document)

const decoders: ReadonlyMap<string, (body: unknown) => Either.Either<unknown, unknown>> = new Map(
  endpointsOf(Api).flatMap(({ endpoint }) =>
    Option.toArray(endpoint.payloadSchema).map((schema) => [
      `${endpoint.method} ${endpoint.path.replace(/:([A-Za-z_]+)/g, "{$1}")}`,
      Schema.decodeUnknownEither(Schema.asSchema(schema), { errors: "all" })
    ])
  )
)

interface Body {
  readonly id: string
  readonly example: unknown
  readonly fits: (body: unknown) => boolean
  readonly decodes: (body: unknown) => boolean
  readonly decoded: (body: unknown) => Either.Either<unknown, unknown>
}
const bodies: ReadonlyArray<Body> = operations.flatMap(({ id, path, method, example }) => {
  const decode = decoders.get(id)
  const at = `document#/paths/${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}/${method.toLowerCase()}/requestBody/content/application~1json/schema`
  const validate = decode === undefined || example === undefined ? undefined : ajv.getSchema(at)
  return decode === undefined || validate === undefined
    ? []
    : [
        {
          id,
          example,
          fits: (body) => validate(body) === true,
          decodes: (body) => Either.isRight(decode(body)),
          decoded: decode
        }
      ]
})

test("every example of a body is one that the document and the service take", () => {
  expect(bodies.length).toBeGreaterThan(60)
  const refused = bodies.flatMap(({ id, example, fits, decodes }) =>
    fits(example) && decodes(example) ? [] : [[id, fits(example), decodes(example)]]
  )
  expect(refused).toEqual([])
})

/** The fields of a body, of all its forms. */
const fieldsOf = (schema: JsonSchema): ReadonlyArray<readonly [string, JsonSchema]> => {
  const { properties, anyOf, oneOf } = resolved(schema)
  return [...Object.entries(properties ?? {}), ...[...(anyOf ?? []), ...(oneOf ?? [])].flatMap(fieldsOf)]
}
const fieldsRequired = (schema: JsonSchema): boolean => {
  const { required = [], anyOf, oneOf } = resolved(schema)
  return required.length > 0 || [...(anyOf ?? []), ...(oneOf ?? [])].some(fieldsRequired)
}
const schemaOf = (id: string): JsonSchema => {
  const [method = "", path = ""] = id.split(" ")
  return document.paths[path][method.toLowerCase()].requestBody.content["application/json"].schema
}

/** Required of a session that books, which is no matter of the body's decoder. */
const ofBooking = ["appointment_type_uid", "from", "to"].map((field) => `POST /v1/scheduling/booking-sessions ${field}`)

test("the document takes null for a field wherever the service does", () => {
  const differing = bodies.flatMap(({ id, example, fits, decodes }) =>
    [...new Map(fieldsOf(schemaOf(id))).keys()].flatMap((field) => {
      const body = { ...Object(example), [field]: null }
      return decodes(body) && !fits(body) ? [`${id} ${field}`] : []
    })
  )
  expect(differing).toEqual(ofBooking)
})

test("previews of overrides say what they require", () => {
  const previews = bodies.filter(({ id }) => id.endsWith("availability-date-overrides/preview"))
  expect(previews).toHaveLength(3)
  for (const { fits, decodes } of previews)
    for (const body of [{}, { override: null }, { override_uid: "ovr_example" }])
      expect([body, fits(body)]).toEqual([body, decodes(body)])
})

const isUid = (schema: JsonSchema): boolean =>
  schema.title?.endsWith("Uid") === true || schema.anyOf?.some(isUid) === true

test("blank text of an optional identifier is its absence; Rule 2.2.12", () => {
  const optional = bodies.flatMap(({ id, example, decoded }) =>
    [...new Map(fieldsOf(schemaOf(id)))].flatMap(([field, schema]) => {
      const { [field]: _, ...without } = Object(example)
      const absent = decoded(without)
      return isUid(schema) && Either.isRight(absent)
        ? [[`${id} ${field}`, absent, decoded({ ...without, [field]: "" })]]
        : []
    })
  )
  expect(optional.length).toBeGreaterThan(20)
  for (const [at, absent, blank] of optional) expect([at, blank]).toEqual([at, absent])
})

test("a change without a field is taken wherever all fields are optional; Rule 2.2.13", () => {
  const changes = bodies.filter(({ id }) => id.startsWith("PATCH ") && !fieldsRequired(schemaOf(id)))
  expect(changes.length).toBeGreaterThan(15)
  expect(changes.filter(({ decodes }) => !decodes({})).map(({ id }) => id)).toEqual([])
})

const MANAGEMENT = "/v1/management/scheduling"
const TYPE = `${MANAGEMENT}/appointment-types`
const REMINDERS = `${TYPE}/{appointment_type_uid}/reminders`
const DOCTOR = `${MANAGEMENT}/doctors/{doctor_uid}`
const PHARMACY = "/v1/external_pharmacy_api"
const paged = { page: 0, limit: 50 }

/** Every default that the interface is specified with, by operation and field. */
const standards: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  [`POST ${TYPE}`]: {
    booking_min_notice_minutes: 0,
    cancellation_min_notice_minutes: 0,
    rebooking_min_notice_minutes: 0,
    doctor_assignment_mode: "all_available_doctors",
    allow_patient_rebooking: false,
    active: true
  },
  [`POST ${REMINDERS}`]: { send_email: false, send_sms: false, active: true },
  [`POST ${DOCTOR}/availability-rules`]: { buffer_minutes: 0, active: true },
  [`PATCH ${DOCTOR}/availability-rules/{rule_uid}`]: {
    clear_valid_from: false,
    clear_valid_until: false,
    clear_appointment_type: false
  },
  [`POST ${DOCTOR}/availability-date-overrides`]: { day_off: false, buffer_minutes: 0 },
  [`PATCH ${DOCTOR}/availability-date-overrides/{override_uid}`]: { clear_appointment_type: false },
  "POST /v1/scheduling/slots/search": { timezone: "Europe/Berlin" },
  "POST /v2/public-api/prescriptions/{shop_identifier}": { checkout_type: "draft_order", prepaid: false },
  "POST /v2/public-api/treatments/{shop_identifier}": { checkout_type: "draft_order" },
  "POST /v1/doctor/availability-rules": { buffer_minutes: 0, active: true },
  "POST /v1/admin/scheduling/appointment-types/{appointment_type_uid}/reminders": {
    send_email: false,
    send_sms: false,
    active: true
  },
  [`GET ${MANAGEMENT}/appointments`]: paged,
  [`GET ${DOCTOR}/availability-date-overrides`]: paged,
  "GET /v1/doctor/appointments": paged,
  "GET /v1/admin/scheduling/appointments": paged,
  [`GET ${PHARMACY}/pharmacy_skus/`]: paged,
  [`GET ${PHARMACY}/payouts`]: { ...paged, sort_by: "pharmacy_order_created_at", sort_direction: "desc" }
}

test("every default of the specification is a default of the document", () => {
  const found = Object.entries(standards).map(([id, fields]) => {
    const parameters = operations.find((one) => one.id === id)?.parameters ?? []
    const known: ReadonlyArray<readonly [string, JsonSchema]> = id.startsWith("GET ")
      ? parameters.map(({ name, schema }) => [name, schema])
      : fieldsOf(schemaOf(id)).filter(([, schema]) => "default" in schema)
    const named = new Map(known)
    return [id, Object.fromEntries(Object.keys(fields).map((field) => [field, named.get(field)?.default]))]
  })
  expect(Object.fromEntries(found)).toEqual(standards)
})

test("records that the first interface does not name are listed with next; Rule 2.5.10", () => {
  const later = [
    "GET /v1/management/scheduling/resources",
    "GET /v1/management/scheduling/resources/{resource_uid}/availability-rules",
    "GET /v1/management/scheduling/resources/{resource_uid}/availability-date-overrides",
    "GET /v1/management/scheduling/doctors/{doctor_uid}/busy-sources",
    "GET /v1/doctor/busy-sources",
    "GET /v1/management/scheduling/absences",
    "GET /v1/management/scheduling/recalls",
    "GET /v1/management/scheduling/waitlist-entries",
    "GET /v1/management/staff",
    "GET /v1/admin/fhir-clients"
  ]
  const withNext = later.filter((id) => {
    const answer = operations.find((one) => one.id === id)?.answer
    return answer !== undefined && resolved(answer).required?.includes("next")
  })
  expect(withNext).toEqual(later)
})
