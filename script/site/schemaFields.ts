/** The fields of a schema as a list, nested ones by path. */
import { type Document, type Parameter, resolve } from "../generate/document.ts"
import { descriptionOf, type Schema } from "../generate/schemaTypes.ts"
import { escaped } from "./html.ts"

const DEPTH = 3

interface Bounded extends Schema {
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly default?: unknown
}

const alternativesOf = (schema: Schema) => schema.anyOf ?? schema.oneOf ?? []
const isNull = ({ type }: Schema) => type === "null"

/** The single schema besides null. */
const solid = (schema: Schema, document: Document): Schema => {
  const target = resolve(schema, document) ?? schema
  const others = alternativesOf(target).filter((one) => !isNull(one))
  const [only] = others
  return target.properties === undefined && others.length === 1 && only !== undefined ? solid(only, document) : target
}

const kindOf = (schema: Schema, document: Document): string => {
  const inner = solid(schema, document)
  if (inner.enum !== undefined) return inner.enum.map((value) => JSON.stringify(value)).join(", ")
  if (inner.const !== undefined) return JSON.stringify(inner.const)
  if (inner.items !== undefined) return `list of ${kindOf(inner.items, document)}`
  const several = alternativesOf(inner).filter((one) => !isNull(one))
  if (inner.properties === undefined && several.length > 1)
    return several.map((one) => one.$ref?.split("/").at(-1) ?? kindOf(one, document)).join(" or ")
  return String(inner.type ?? (inner.properties === undefined ? "any" : "object"))
}

const mayBeNull = (schema: Schema, document: Document) =>
  alternativesOf(resolve(schema, document) ?? schema).some(isNull) ||
  (Array.isArray(schema.type) && schema.type.includes("null"))

const number = (value: number) => value.toLocaleString("en-GB")

const boundsOf = (schema: Schema, document: Document) => {
  const { minimum, maximum, minLength, maxLength, maxItems } = solid(schema, document) as Bounded
  const isBound = (value: number | undefined) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return [
    ...(isBound(minimum) && minimum !== 0 ? [`from ${number(minimum ?? 0)}`] : []),
    ...(isBound(maximum) && maximum !== 253_402_300_799 ? [`to ${number(maximum ?? 0)}`] : []),
    ...(isBound(minLength) && isBound(maxLength) ? [`${minLength} to ${number(maxLength ?? 0)} characters`] : []),
    ...(isBound(maxItems) ? [`at most ${number(maxItems ?? 0)}`] : [])
  ]
}

const item = (name: string, schema: Schema, isRequired: boolean, document: Document | undefined) => {
  const facts =
    document === undefined
      ? []
      : [kindOf(schema, document), ...(mayBeNull(schema, document) ? ["or null"] : []), ...boundsOf(schema, document)]
  const said = descriptionOf(schema) ?? ""
  const text = escaped(said).replace(/`([^`]+)`/g, "<code>$1</code>")
  return `<li><code>${escaped(name).replace(/([._])/g, "$1<wbr>")}</code> <span class="kind">${escaped(facts.join(", "))}</span>${isRequired ? ' <strong class="required">required</strong>' : ""} ${text}</li>`
}

export const parameterItem = ({ name, schema, required = false, description }: Parameter) => {
  const described = description === undefined ? schema : { ...schema, description }
  const nowhere: Document = { paths: {}, webhooks: {}, components: { schemas: {} }, tags: [], info: { version: "" } }
  return item(name, described, required, nowhere)
}

const listed = (schema: Schema, document: Document, prefix: string, depth: number): ReadonlyArray<string> => {
  const inner = solid(schema, document)
  if (inner.items !== undefined) return listed(inner.items, document, `${prefix}[]`, depth)
  const required = new Set(inner.required)
  return Object.entries(inner.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix === "" ? name : `${prefix}.${name}`
    return [
      item(path, field, required.has(name), document),
      ...(depth < DEPTH ? listed(field, document, path, depth + 1) : [])
    ]
  })
}

export const fieldsOf = (schema: Schema, document: Document) => {
  const lines = listed(schema, document, "", 0)
  return lines.length === 0
    ? `<p>${escaped(kindOf(schema, document))}</p>`
    : `<ul class="fields">${lines.join("\n")}</ul>`
}
