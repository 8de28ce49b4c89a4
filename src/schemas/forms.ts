/** Forms that a body can have: what the OpenAPI document says where one field decides which others are required. */
import type { Schema, SchemaAST } from "effect"

/** One form of a body. What it does not name is as in the body itself. */
export interface Form {
  /** Its name among the schemas of the OpenAPI document. */
  readonly name: string
  readonly description: string
  /** The only values that fields have in this form. */
  readonly fixed?: Readonly<Record<string, ReadonlyArray<string | boolean | null>>>
  /** Fields that this form needs beyond those of the body; not null. */
  readonly required?: ReadonlyArray<string>
  /** Fields that this form does not take or does not look at. */
  readonly without?: ReadonlyArray<string>
}

const FORMS = Symbol.for("schemas/forms/forms")

/** Documents a body as one of several forms, each with a name. What is accepted stays with the schema and its rules. */
export const withForms = <A, I>(schema: Schema.Schema<A, I>, forms: ReadonlyArray<Form>): Schema.Schema<A, I> =>
  schema.annotations({ [FORMS]: forms })

/** The forms that `withForms` has given a body; none for most. */
export const formsIn = (ast: SchemaAST.AST): ReadonlyArray<Form> => {
  const found = ast.annotations[FORMS]
  return Array.isArray(found) ? found : []
}
