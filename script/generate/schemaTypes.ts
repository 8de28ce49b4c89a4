/** TypeScript types of JSON schemas. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly description?: string
}

export const isIdentifier = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name)

/** Effect's default descriptions of types without one. */
const EMPTY_WORDS = /^((a|an) (string|number|integer|non empty string|boolean|positive number)|Opaque identifier$)/

export const descriptionOf = ({ description }: Schema) =>
  description === undefined || EMPTY_WORDS.test(description) ? undefined : description.replace(/\s*\n\s*/g, " ")

const union = (types: ReadonlyArray<string>) => [...new Set(types)].join(" | ") || "never"
const grouped = (type: string) => (/ [|&] /.test(type) ? `(${type})` : type)

const objectOf = (schema: Schema, indent: string): string => {
  const required = new Set(schema.required)
  const deeper = `${indent}  `
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const said = descriptionOf(field)
    const doc = said === undefined ? "" : `${deeper}/** ${said.replaceAll("*/", "*\\/")} */\n`
    const key = isIdentifier(name) ? name : JSON.stringify(name)
    return `${doc}${deeper}${key}${required.has(name) ? "" : "?"}: ${typeOf(field, deeper)}\n`
  })
  const open = [
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
    ...Object.values(schema.patternProperties ?? {})
  ]
  if (open.length > 0) {
    const values = union(open.map((one) => typeOf(one, deeper)))
    return fields.length === 0
      ? `Readonly<Record<string, ${values}>>`
      : `{\n${fields.join("")}${indent}} & Readonly<Record<string, unknown>>`
  }
  return fields.length === 0 ? "Readonly<Record<string, unknown>>" : `{\n${fields.join("")}${indent}}`
}

/** `indent` is that of the line on which the type begins. */
export const typeOf = (schema: Schema, indent = "    "): string => {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "unknown"
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) {
    const types = union(alternatives.map((one) => grouped(typeOf(one, indent))))
    return schema.properties === undefined ? types : `${objectOf(schema, indent)} & (${types})`
  }
  if (schema.allOf !== undefined) return schema.allOf.map((one) => grouped(typeOf(one, indent))).join(" & ")
  const kinds = Array.isArray(schema.type) ? schema.type : [schema.type]
  return union(
    kinds.map((kind) => {
      if (kind === "object" || schema.properties !== undefined) return objectOf(schema, indent)
      if (kind === "array") return `ReadonlyArray<${typeOf(schema.items ?? {}, indent)}>`
      if (kind === "integer" || kind === "number") return "number"
      if (kind === "string" || kind === "boolean" || kind === "null") return kind
      return "unknown"
    })
  )
}
