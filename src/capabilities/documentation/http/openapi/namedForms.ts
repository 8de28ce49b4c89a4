/** Describes bodies with several alternative forms as `oneOf` or `anyOf` of named schemas. */
import type { Form } from "../../../../schemas/forms.ts"
import { isNull, type JsonSchema, SCHEMAS } from "./examples.ts"

const withoutNull = (schema: JsonSchema): JsonSchema => {
  const others = (schema.anyOf ?? []).filter((one) => !isNull(one))
  const [only, another] = others
  if (only === undefined) return schema
  const { anyOf: _, default: _none, ...rest } = schema
  return another === undefined ? { ...only, ...rest } : { ...rest, anyOf: others }
}

/** What a field says of itself, whatever its values. */
const saidOf = ({ description, default: standard }: JsonSchema, values: ReadonlyArray<unknown>) => ({
  ...(description !== undefined && { description }),
  ...(values.includes(standard) && { default: standard })
})

/** One of these values, or absent; null is absence where the body takes it. */
const fixedTo = (values: ReadonlyArray<unknown>, schema: JsonSchema, isRequired: boolean): JsonSchema => {
  if (values.includes(null)) return { type: "null", ...saidOf(schema, values) }
  const fixed = { type: typeof values[0], enum: values }
  const takesNull = !isRequired && schema.anyOf?.some(isNull) === true
  return { ...(takesNull ? { anyOf: [fixed, { type: "null" }] } : fixed), ...saidOf(schema, values) }
}

const formOf = (body: JsonSchema, { description, fixed = {}, required = [], without = [] }: Form): JsonSchema => {
  const fields = Object.entries(body.properties ?? {}).filter(([name]) => !without.includes(name))
  return {
    type: "object",
    description,
    required: [...new Set([...(body.required ?? []), ...required])],
    properties: Object.fromEntries(
      fields.map(([name, schema]) => {
        const values = fixed[name]
        const isRequired = required.includes(name) || body.required?.includes(name) === true
        if (values !== undefined) return [name, fixedTo(values, schema, isRequired)]
        return [name, required.includes(name) ? withoutNull(schema) : schema]
      })
    )
  }
}

/** The discriminator, if there is one: a required field with one fixed value in each form. */
const discriminatorOf = (forms: ReadonlyArray<Form>, body: JsonSchema): Pick<JsonSchema, "discriminator"> => {
  const field = Object.keys(forms[0]?.fixed ?? {}).find(
    (name) => body.required?.includes(name) === true && forms.every(({ fixed }) => fixed?.[name]?.length === 1)
  )
  if (field === undefined) return {}
  const mapping = Object.fromEntries(forms.map(({ name, fixed }) => [String(fixed?.[field]?.[0]), SCHEMAS + name]))
  return { discriminator: { propertyName: field, mapping } }
}

/** Adds the forms of a named body to `schemas` and replaces the body by their union. */
export const nameForms = ({ $ref }: JsonSchema, forms: ReadonlyArray<Form>, schemas: Record<string, JsonSchema>) => {
  const name = $ref?.slice(SCHEMAS.length) ?? ""
  const body = schemas[name]
  // A body shared by several operations is replaced only once
  if (forms.length === 0 || body?.properties === undefined) return
  for (const form of forms) schemas[form.name] = formOf(body, form)
  const members = forms.map((form) => ({ $ref: SCHEMAS + form.name }))
  const discriminator = discriminatorOf(forms, body)
  // An optional field cannot discriminate, so a value may match several forms
  const overlaps = discriminator.discriminator === undefined && forms.some(({ fixed }) => fixed !== undefined)
  schemas[name] = overlaps ? { anyOf: members } : { oneOf: members, ...discriminator }
}

/** The constant value of a field of a named schema, otherwise undefined. */
const valueOf = ({ $ref = "" }: JsonSchema, field: string, schemas: Readonly<Record<string, JsonSchema>>) => {
  const [value, another] = schemas[$ref.slice(SCHEMAS.length)]?.properties?.[field]?.enum ?? []
  return typeof value === "string" && another === undefined ? value : undefined
}

/** Adds the discriminator `field` to every union of named schemas with one member for each of its values. */
export const discriminate = (field: string, schemas: Record<string, JsonSchema>) => {
  for (const [name, schema] of Object.entries(schemas)) {
    const members = schema.anyOf ?? []
    const values = members.flatMap((member) => valueOf(member, field, schemas) ?? [])
    if (values.length === 0 || new Set(values).size !== members.length) continue
    const { anyOf, ...rest } = schema
    const mapping = Object.fromEntries(values.map((value, at) => [value, members[at]?.$ref ?? ""]))
    schemas[name] = { ...rest, oneOf: members, discriminator: { propertyName: field, mapping } }
  }
}
