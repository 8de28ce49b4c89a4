/** References to records in requests: in the path, the query and anywhere in the body. */
import { random } from "../../support/world.ts"
import { type JsonSchema, type Operation, pathParameters, resolved } from "./operations.ts"
import { bodyFor, pathFor } from "./samples.ts"
import type { Tenant } from "./tenant.ts"

type Place = ReadonlyArray<string | number>

const isReference = (name: string) => /(_uids?|_identifier|_code|key_id|^code|^uid|^actor|^subject)$/.test(name)

/** The catalogue belongs to the installation; an erasure ignores unknown prescriptions; in a body `subject` is that of a mail. */
const isExempt = (name: string) => name === "sku_uid" || name === "prescription_uids" || name === "subject"

const nameOf = (place: Place) => String(place.findLast((part) => typeof part === "string") ?? "")

/** Of parts within parts: a group of items has items. */
const DEEPEST = 8

const placesIn = (schema: JsonSchema, at: Place = []): ReadonlyArray<Place> => {
  if (at.length > DEEPEST) return []
  const { properties, items, anyOf, oneOf, allOf, type } = resolved(schema)
  return [
    ...([type].flat().includes("string") && isReference(nameOf(at)) ? [at] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, inner]) => placesIn(inner, [...at, name])),
    ...(items === undefined ? [] : placesIn(items, [...at, 0])),
    ...[anyOf, oneOf, allOf].flatMap((choices) => choices ?? []).flatMap((inner) => placesIn(inner, at))
  ]
}

type Fields = Readonly<Record<string | number, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null
const partOf = (value: unknown, name: string | number) => (isFields(value) ? value[name] : undefined)

/** The body with this value at the position; missing parents are taken from the example. */
const withValue = (body: unknown, example: unknown, [first, ...rest]: Place, value: string): unknown => {
  if (first === undefined) return value
  const inner = withValue(partOf(body, first), partOf(example, first), rest, value)
  if (typeof first === "number") return [inner]
  const around =
    isFields(body) && Object.keys(body).length > 1
      ? body
      : { ...(isFields(example) && example), ...(isFields(body) && body) }
  return { ...around, [first]: inner }
}

export interface Reference {
  readonly name: string
  readonly at: "path" | "query" | "body"
  /** The tenant's own request, except for this value. */
  readonly request: (value: string) => { readonly path: string; readonly body: unknown }
}

/** Every reference of an operation. */
export const referencesOf = async (operation: Operation, tenant: Tenant): Promise<ReadonlyArray<Reference>> => {
  const path = await pathFor(operation, tenant)
  const body = await bodyFor(operation, tenant)
  const [plain = "", query] = path.split("?")
  const segments = operation.path.split("/")
  const own = plain.split("/")
  return [
    ...pathParameters(operation).map(
      ({ name }): Reference => ({
        name,
        at: "path",
        request: (value) => ({
          path: own.map((part, i) => (segments[i] === `{${name}}` ? encodeURIComponent(value) : part)).join("/"),
          body
        })
      })
    ),
    ...operation.parameters
      .filter((one) => one.in === "query" && isReference(one.name))
      .map(
        ({ name }): Reference => ({
          name,
          at: "query",
          request: (value) => {
            const requested = new URLSearchParams(query)
            requested.set(name, value)
            return { path: `${plain}?${requested}`, body }
          }
        })
      ),
    ...placesIn(operation.body ?? {})
      .filter((place) => !isExempt(nameOf(place)))
      .map(
        (place): Reference => ({
          name: nameOf(place),
          at: "body",
          request: (value) => ({ path, body: withValue(body, operation.example, place, value) })
        })
      )
  ]
}

/** Other names of a record of the tenant. */
const CALLED: Readonly<Record<string, string>> = {
  default_pharmacy_uid: "pharmacy_uid",
  uid: "doctor_uid",
  subject: "patient_uid",
  actor: "patient_uid"
}

/** The tenant's value for a reference; undefined for names that are defined within the request. */
export const valueFor = async ({ path }: Operation, { name }: Reference, tenant: Tenant) =>
  (await tenant.valueOf(path, name)) ?? tenant.valueOf(path, CALLED[name] ?? name.replace(/uids$/, "uid"))

/** A value of the same form that identifies no record. */
export const unknownLike = (value: string) => random(value.split("_")[0] ?? "")
