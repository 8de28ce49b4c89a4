/** The OpenAPI document, typed for the generators. */

import { documentOf } from "../../src/capabilities/documentation/http/openapi/openapi.ts"
import type { Schema } from "./schemaTypes.ts"
import { Api } from "./wholeApi.ts"

export interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: { readonly code?: string } }>>
}
export interface Body {
  readonly required?: boolean
  readonly content?: Readonly<Record<string, Media>>
}
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}
export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body & { readonly description?: string }>>
  readonly "x-permissions"?: ReadonlyArray<string>
}
export interface Document {
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Entry {
  readonly operation: Operation
  readonly method: string
  readonly path: string
}

/** The groups whose operations need only a launch or action code, which a page in a browser may call. */
const BROWSER_TAGS = ["Patient scheduling", "Appointment action links"]

/** Operations for others than partners: storefronts, and the development issuer's clients. */
const FOREIGN_TAGS = ["Storefront webhooks", "Development identity provider"]

export const documentNow = () => documentOf(Api) as unknown as Document // the JSON as which it is written

export const entriesOf = (document: Document): ReadonlyArray<Entry> =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ operation, method: method.toUpperCase(), path }))
  )

/** Whether the TypeScript client has the operation. */
export const isForPartners = ({ operation }: Entry) => !operation.tags.some((tag) => FOREIGN_TAGS.includes(tag))

export const headerOf = ({ parameters = [] }: Operation, name: string) =>
  parameters.find((parameter) => parameter.in === "header" && parameter.name.toLowerCase() === name)

/** The kinds of credential that an operation accepts, the intended one first. */
export const credentialsOf = ({ security = [] }: Operation) => [...new Set(security.flatMap(Object.keys))]

export const isForBrowsers = ({ operation }: Entry) =>
  operation.tags.some((tag) => BROWSER_TAGS.includes(tag)) && credentialsOf(operation).length === 0

export const successOf = ({ responses }: Operation) =>
  Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content ?? {}

export const jsonOf = (content: Readonly<Record<string, Media>> | undefined) => content?.["application/json"]

export const resolve = (schema: Schema | undefined, { components }: Document): Schema | undefined =>
  schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split("/").at(-1) ?? ""]
