/** An example for every schema of the interface, made from what the schema says and from what fields of a name hold. */
import { DAY } from "../../schemas/seconds.ts"

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
}

/** Sunday, 15 March 2026, 09:00 UTC. */
const MORNING = 1_773_565_200

const byName: Readonly<Record<string, unknown>> = {
  from: MORNING,
  start_date: MORNING,
  appointment_start: MORNING,
  end_date: MORNING + 1200,
  appointment_end: MORNING + 1200,
  new_start_date: MORNING + DAY,
  to: MORNING + 7 * DAY,
  date: MORNING - (MORNING % DAY),
  date_of_birth: 641_520_000,
  start_time: 540,
  end_time: 720,
  start_local: "2026-03-15T10:00:00+01:00",
  end_local: "2026-03-15T10:20:00+01:00",
  timezone: "Europe/Berlin",
  duration_minutes: 20,
  minutes_before: 1440,
  hold_ttl_seconds: 600,
  ttl_seconds: 600,
  visit_reason: "Follow-up on blood pressure",
  reason: "The doctor is ill",
  email: "patient@example.org",
  phone: "+49 30 0000000",
  first_name: "Ada",
  last_name: "Example",
  address1: "Musterstraße 1",
  city: "Berlin",
  zip: "10115",
  country_code: "DE",
  countryCode: "DE",
  currency: "EUR",
  pdf_base64: "JVBERi0xLjcKJeLjz9MK",
  pzn: "00000011",
  return_url: "https://shop.example/thanks",
  url: "https://partner.example/webhooks",
  launch_url: "https://sprechstunde.example/meet/booking/blc_example",
  booking_launch_code: "blc_example",
  hold_uid: "apt_01example",
  page: 0,
  limit: 50,
  totalRegistries: 1,
  totalPages: 1
}

const uidOf = (name: string) => `${name.replace(/_?uid$/, "").slice(0, 3) || "uid"}_01example`

const textOf = (name: string) => {
  if (name.endsWith("uid")) return uidOf(name)
  if (name.endsWith("_name") || name === "name") return "Example"
  return name === "" ? "text" : name.replaceAll("_", " ")
}

const numberOf = (name: string, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema) => {
  const wanted = /(_at|_until|_from|_after|^now)$/.test(name) ? MORNING : 1
  return Math.min(Math.max(wanted, minimum), maximum)
}

type Schemas = Readonly<Record<string, JsonSchema>>

const isNull = (schema: JsonSchema) => schema.type === "null"

/** `name` is the field that the schema is of. */
export const exampleOf = (schema: JsonSchema, schemas: Schemas, name = ""): unknown => {
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.replace("#/components/schemas/", "")]
    return target === undefined ? null : exampleOf(target, schemas, name)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) {
    const chosen = alternatives.find((alternative) => !isNull(alternative))
    return chosen === undefined ? null : exampleOf(chosen, schemas, name)
  }
  if (schema.allOf !== undefined && schema.type === undefined)
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas, name)))
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type
  if (type === "object" || schema.properties !== undefined) {
    const fields = Object.entries(schema.properties ?? {})
    return Object.fromEntries(fields.map(([field, of]) => [field, exampleOf(of, schemas, field)]))
  }
  if (type === "array") return [exampleOf(schema.items ?? {}, schemas, name.replace(/s$/, ""))]
  const known = byName[name]
  if (type === "integer" || type === "number") return typeof known === "number" ? known : numberOf(name, schema)
  if (type === "boolean") return true
  if (type === "string") return typeof known === "string" ? known : textOf(name)
  return type === "null" ? null : {}
}
