import { inDays, random } from "../../support/world.ts"
import { type JsonSchema, type Operation, pathParameters, resolved } from "./operations.ts"
import type { Tenant } from "./tenant.ts"

/** Valid values of fields with rules beyond their schema, from now: a run may last over midnight. */
const known = (): Readonly<Record<string, unknown>> => ({
  start_date: inDays(6, 9),
  new_start_date: inDays(6, 9),
  from: inDays(1),
  to: inDays(2),
  start_time: 540,
  end_time: 720,
  valid_from: 100,
  valid_until: 200,
  timezone: "UTC",
  url: "http://127.0.0.1:9/hook",
  return_url: null,
  notification_type: "APPOINTMENT_REMINDER_DUE",
  pdf_base64: Buffer.from("%PDF-1.7\n%%EOF").toString("base64"),
  date_of_birth: 0,
  due_date: "2035-01-22",
  shop_customer_id: "customer-1",
  region: "DE-BE"
})

/** Optional fields of which a body needs at least one. */
const NEEDED = ["start_time", "end_time", "price"]

/** Fields that name a record of the tenant. */
const isReference = (name: string) => name.endsWith("_uid") || name === "shop_identifier" || name === "into"

const pick = async (name: string, path: string, tenant: Tenant, schema: JsonSchema): Promise<unknown> => {
  // of a new record, unique over all organisations
  if (name === "client_id") return random("client")
  if (name === "shop_identifier" && path === "/v1/management/shops") return random("shop")
  if (isReference(name)) {
    const value = await tenant.valueOf(path, name)
    if (value !== undefined) return value
  }
  const values = known()
  if (name in values) return values[name]
  return sample(schema, path, tenant)
}

/** A valid value for a schema: required fields, and every field that references a record. */
export const sample = async (given: JsonSchema, path: string, tenant: Tenant): Promise<unknown> => {
  const schema = resolved(given)
  if (schema.enum !== undefined) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return sample(choices[0] ?? {}, path, tenant)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === "object" || schema.properties !== undefined) {
    const wanted = Object.entries(schema.properties ?? {}).filter(
      ([name]) => schema.required?.includes(name) === true || isReference(name) || NEEDED.includes(name)
    )
    const entries = await Promise.all(
      wanted.map(async ([name, one]) => [name, await pick(name, path, tenant, one)] as const)
    )
    return Object.fromEntries(entries)
  }
  if (type === "array") return [await sample(schema.items ?? {}, path, tenant)]
  if (type === "integer" || type === "number") return Math.max(schema.minimum ?? 1, schema.multipleOf ?? 1)
  if (type === "boolean") return true
  if (type === "null") return null
  return "x".repeat(Math.max(1, schema.minLength ?? 1))
}

/** The path with this tenant's uids in it. */
export const pathFor = async (operation: Operation, tenant: Tenant): Promise<string> => {
  let path = operation.path
  for (const { name } of pathParameters(operation)) {
    const value = await tenant.valueOf(operation.path, name)
    if (value === undefined) {
      throw new Error(`${operation.id}: nothing in the test's world is called ${name}; add one to matrix/tenant.ts`)
    }
    path = path.replace(`{${name}}`, encodeURIComponent(value))
  }
  const query = new URLSearchParams()
  for (const { name, schema, required, ...parameter } of operation.parameters) {
    if (parameter.in === "query" && required === true) query.set(name, String(await pick(name, path, tenant, schema)))
  }
  return query.size === 0 ? path : `${path}?${query}`
}

/** A valid body with this tenant's uids; undefined if the operation takes none. */
export const bodyFor = (operation: Operation, tenant: Tenant): Promise<unknown> =>
  operation.body === undefined ? Promise.resolve(undefined) : sample(operation.body, operation.path, tenant)
