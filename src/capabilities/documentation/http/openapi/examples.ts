/** Builds an example for every schema of the API, from the fields' declared examples or from `exampleValues`. */
import { emptyInExamples, exampleValues } from "./exampleValues.ts"

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly description?: string
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly examples?: ReadonlyArray<unknown>
  readonly default?: unknown
}

const numberOf = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema) =>
  Math.min(Math.max(1, minimum), maximum)

type Schemas = Readonly<Record<string, JsonSchema>>

export const isNull = (schema: JsonSchema) => schema.type === "null"

/** What a reference to a named schema begins with. */
export const SCHEMAS = "#/components/schemas/"

/** The last segment of a schema's path: the named schema and the fields below it. */
const nameOf = (path: ReadonlyArray<string>) => path.at(-1) ?? ""

const valueOf = (path: ReadonlyArray<string>) => exampleValues[path.join(".")] ?? exampleValues[nameOf(path)]

export const exampleOf = (schema: JsonSchema, schemas: Schemas, path: ReadonlyArray<string> = []): unknown => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(SCHEMAS, "")
    const target = schemas[name]
    if (target === undefined) return null
    // A named scalar keeps the path of its field
    return exampleOf(target, schemas, target.properties === undefined ? path : [name])
  }
  const [given = exampleValues[path.join(".")]] = schema.examples ?? []
  if (given !== undefined) return given
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) {
    const chosen = alternatives.find((alternative) => !isNull(alternative))
    const isEmpty = alternatives.some(isNull) && emptyInExamples.has(nameOf(path))
    return chosen === undefined || isEmpty ? null : exampleOf(chosen, schemas, path)
  }
  if (schema.allOf !== undefined && schema.type === undefined)
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas, path)))
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type
  if (type === "object" || schema.properties !== undefined) {
    const fields = Object.entries(schema.properties ?? {})
    return Object.fromEntries(fields.map(([field, of]) => [field, exampleOf(of, schemas, [...path, field])]))
  }
  // a list of what it is itself a part of
  if (type === "array" && path[0] !== undefined && schema.items?.$ref === SCHEMAS + path[0]) return []
  if (type === "array") return [exampleOf(schema.items ?? {}, schemas, path)]
  if (type === "integer" || type === "number") return valueOf(path) ?? numberOf(schema)
  if (type === "boolean") return true
  if (type === "string") return valueOf(path) ?? "text"
  return type === "null" ? null : {}
}
