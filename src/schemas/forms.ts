/** Variants of a body for the OpenAPI document, for bodies in which one field decides which others are required. */
import type { Schema, SchemaAST } from "effect"

/** One variant of a body. Fields that it does not list are as in the body itself. */
export interface Form {
  /** Its schema name in the OpenAPI document. */
  readonly name: string
  readonly description: string
  /** The constant values of fields in this variant. */
  readonly fixed?: Readonly<Record<string, ReadonlyArray<string | boolean | null>>>
  /** Fields that are required only in this variant; not null. */
  readonly required?: ReadonlyArray<string>
  /** Fields that this variant does not accept or ignores. */
  readonly without?: ReadonlyArray<string>
}

const FORMS = Symbol.for("schemas/forms/forms")

/** Documents a body as one of several named variants; a function is called on use. Validation remains with the schema and its rules. */
export const withForms = <A, I>(
  schema: Schema.Schema<A, I>,
  forms: ReadonlyArray<Form> | (() => ReadonlyArray<Form>)
): Schema.Schema<A, I> => schema.annotations({ [FORMS]: forms })

/** The variants that `withForms` set on a body; usually none. */
export const formsIn = (ast: SchemaAST.AST): ReadonlyArray<Form> => {
  const found = ast.annotations[FORMS]
  const forms = typeof found === "function" ? found() : found
  return Array.isArray(forms) ? forms : []
}
