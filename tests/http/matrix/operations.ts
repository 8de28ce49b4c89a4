import { Api } from "../../../script/generate/wholeApi.ts"
import { documentOf } from "../../../src/capabilities/documentation/http/openapi/openapi.ts"
import { organisationPermissions } from "../../../src/schemas/access/permissions.ts"

/** The parts of a JSON schema that the tests use. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly minimum?: number
  readonly multipleOf?: number
  readonly examples?: ReadonlyArray<unknown>
  readonly minLength?: number
  readonly default?: unknown
  readonly title?: string
}

interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly schema: JsonSchema
}

interface DocumentedOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>
  }
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
  readonly "x-permissions"?: ReadonlyArray<string>
}

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: JsonSchema | undefined
  /** A body with every field. */
  readonly example: unknown
  /** Names of the accepted credentials; none for public operations. */
  readonly security: ReadonlyArray<string>
  /** The schema of the 200 response; undefined if that is not JSON. */
  readonly answer: JsonSchema | undefined
  /** Documented statuses. */
  readonly statuses: ReadonlyArray<string>
  /** Any one of these permissions is sufficient. */
  readonly permissions: ReadonlyArray<string>
}

// The document is JSON to us, as it is to any client.
const document = JSON.parse(JSON.stringify(documentOf(Api))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** Resolves a reference to its schema. */
export const resolved = (schema: JsonSchema): JsonSchema => {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)
  const found = document.components.schemas[name]
  if (found === undefined) throw new Error(`the document names a schema ${name} that it does not have`)
  return resolved(found)
}

/** The body's schema; of several forms the first. */
const bodyOf = ({ requestBody }: DocumentedOperation) => {
  const schema = requestBody?.content["application/json"]?.schema
  if (schema === undefined) return undefined
  const { oneOf, anyOf, ...rest } = resolved(schema)
  const [first] = oneOf ?? anyOf ?? []
  return first === undefined ? rest : resolved(first)
}

/** Every operation of the interface, from the document that the service serves. */
export const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, documented]) => ({
    id: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    description: documented.description ?? "",
    parameters: documented.parameters,
    body: bodyOf(documented),
    example: documented.requestBody?.content["application/json"]?.example,
    security: documented.security.flatMap((one) => Object.keys(one)),
    answer: documented.responses[200]?.content?.["application/json"]?.schema,
    statuses: Object.keys(documented.responses),
    permissions: documented["x-permissions"] ?? []
  }))
)

export const pathParameters = ({ parameters }: Operation) => parameters.filter((one) => one.in === "path")

/** The patient interface responds with 404 where the others respond with 403. */
export const hides = ({ path }: Operation) => path.startsWith("/v1/scheduling/")

const isOrganisations = (permission: string) => organisationPermissions.some((one) => one === permission)

/** The kind of keys that an operation accepts, by its permissions. */
export const keyKind = ({ permissions }: Operation): "organisation" | "pharmacy" =>
  permissions.every(isOrganisations) ? "organisation" : "pharmacy"
