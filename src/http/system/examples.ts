/** An example for every schema of the interface: those that its fields declare, else the simplest value that fits. */
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
}

const textOf = (name: string) =>
  name.endsWith("_name") || name === "name" ? "Example" : name.replaceAll("_", " ") || "text"

const numberOf = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema) =>
  Math.min(Math.max(1, minimum), maximum)

type Schemas = Readonly<Record<string, JsonSchema>>

const isNull = (schema: JsonSchema) => schema.type === "null"

/** `name` is the field that the schema is of. */
export const exampleOf = (schema: JsonSchema, schemas: Schemas, name = ""): unknown => {
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.replace("#/components/schemas/", "")]
    return target === undefined ? null : exampleOf(target, schemas, name)
  }
  const [given] = schema.examples ?? []
  if (given !== undefined) return given
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
  if (type === "integer" || type === "number") return numberOf(schema)
  if (type === "boolean") return true
  if (type === "string") return textOf(name)
  return type === "null" ? null : {}
}
