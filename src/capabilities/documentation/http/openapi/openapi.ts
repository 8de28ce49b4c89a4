/** The API as an OpenAPI 3.1 document. */

import { type HttpApi, OpenApi } from "@effect/platform"
import { Either, Option, Schema, type SchemaAST } from "effect"
import { requiredPermissionsOf } from "../../../../http/credentials/requiredPermissions.ts"
import { endpointsOf } from "../../../../http/endpoints.ts"
import { KEY_LENGTH, type KeyedEndpoint, keyUse } from "../../../../http/idempotent.ts"
import { codesIn, coreCodes, problemCodes } from "../../../../http/problems.ts"
import { byWord } from "../../../../schemas/byWord.ts"
import { exampleIn } from "../../../../schemas/fields.ts"
import { formsIn } from "../../../../schemas/forms.ts"
import { memoised } from "../../../../services/memoised.ts"
import { exampleOf, type JsonSchema } from "./examples.ts"
import { headers, showHeaders, versionedIn } from "./headers.ts"
import { nameBodies } from "./namedBodies.ts"
import { discriminate, nameForms } from "./namedForms.ts"
import { operationIdOf } from "./operationIds.ts"
import { webhooks, webhooksTag } from "./webhooks.ts"

const keyDescription =
  "A text of your own, e.g. a random UUID. Sent again within 24 hours with the same request, it is answered as the " +
  "first time, with `Idempotency-Replayed: true`; with another request it is 409 `idempotency_key_reused`"

/** The header in the OpenAPI document. */
const keyParameter = {
  name: "idempotency-key",
  in: "header",
  schema: { type: "string", minLength: 1, maxLength: KEY_LENGTH, description: keyDescription },
  required: false,
  description: keyDescription
}

type Endpoint = ReturnType<typeof endpointsOf>[number]["endpoint"]

interface Body {
  description?: string
  required?: boolean
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }>
}
interface Operation {
  operationId: string
  summary?: string
  description?: string
  deprecated?: boolean
  readonly tags: ReadonlyArray<string>
  parameters: ReadonlyArray<{ readonly name: string }>
  security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  "x-permissions"?: ReadonlyArray<string>
  responses: Record<string, Body>
  requestBody?: Body
}

const text = (description: string) => ({ type: "string", description })
const envelope = (error: unknown) => ({
  type: "object",
  required: ["error", "code", "trace_id"],
  properties: {
    error,
    code: { $ref: "#/components/schemas/ProblemCode" },
    trace_id: text("Identifies this request in the service's logs and traces")
  }
})

/** Error codes that no endpoint declares. */
const undeclared = [
  "invalid_request",
  "malformed_json",
  "body_too_large",
  "unsupported_media_type",
  "method_not_allowed",
  "unknown_route",
  "internal"
]

/** `declared`: codes of the endpoints' own errors. */
const problemSchemas = (declared: ReadonlyArray<string>) => ({
  ProblemCode: {
    type: "string",
    enum: [...new Set([...undeclared, ...coreCodes, ...declared])].toSorted(),
    description: "Stable machine-readable code"
  },
  Problem: envelope(text("What went wrong and what to do")),
  InvalidRequest: envelope({
    type: "array",
    items: { type: "string" },
    description: "Every error, as `field: message`; nested fields as `lines[0].quantity`"
  })
})

const meanings = byWord<string>({
  400: "The request is invalid; every error is listed",
  401: "The credential is missing or invalid",
  403: "The credential may not do this",
  404: "Not found, or not visible to the caller",
  409: "The current state does not allow the operation",
  412: "`If-Match` names a version that is no longer current",
  413: "The body is too large",
  415: "The body is not JSON, or compressed",
  405: "The path does not support the method; `Allow` lists those that it supports",
  429: "Too many requests; try again after Retry-After seconds",
  500: "Something went wrong on our side",
  503: "A dependency is unavailable; try again later"
})

/** Errors of every endpoint with a body, declared or not. */
const bodyErrors = { 413: ["body_too_large"], 415: ["unsupported_media_type"] }

/** Errors of a key. */
const keyErrors = (endpoint: KeyedEndpoint) => {
  const use = keyUse(endpoint)
  if (use === "none") return []
  return ["idempotency_key_reused", ...(use === "before" || use === "again" ? ["in_progress"] : [])]
}

/** Errors of every endpoint. */
const commonErrors = {
  405: ["method_not_allowed"],
  429: ["too_many_requests"],
  500: ["internal"],
  503: ["unavailable", "overloaded"]
}

const sentences = memoised(() =>
  byWord<string>(Object.fromEntries(problemCodes().map(({ code, meaning }) => [code, meaning])))
)

/** A problem with an example for each of its codes. */
const problemOf = (status: string, codes: ReadonlyArray<string>): Body => {
  const meaning = meanings[status] ?? "A problem"
  const exampleFor = (code: string) => {
    const error = status === "400" ? ["start_date: is required"] : (sentences()[code] ?? meaning)
    return { error, code, trace_id: "0af7651916cd43dd8448eb211c80319c" }
  }
  const [first = "problem", ...others] = codes
  const shown =
    others.length === 0
      ? { example: exampleFor(first) }
      : { examples: Object.fromEntries(codes.map((code) => [code, { value: exampleFor(code) }])) }
  const schema = { $ref: `#/components/schemas/${status === "400" ? "InvalidRequest" : "Problem"}` }
  const description = `${meaning} (${codes.map((code) => `\`${code}\``).join(", ")})`
  return { description, content: { "application/json": { schema, ...shown } } }
}

/** Adds an example to every body that has none. */
const addExamples = (operation: Operation, schemas: Readonly<Record<string, JsonSchema>>) => {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)]
  for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {})))
    if (media.examples === undefined) media.example ??= exampleOf(media.schema, schemas)
}

interface DeclaredError {
  readonly ast: Option.Option<SchemaAST.AST>
}
type Declared = ReadonlyMap<number, DeclaredError>

const codesOf = ({ ast }: DeclaredError) => Option.match(ast, { onNone: () => [], onSome: codesIn })

/** Documents all errors of an operation in the common format. */
const documentProblems = (operation: Operation, declared: Declared, endpoint: KeyedEndpoint) => {
  const conflicts = keyErrors(endpoint)
  if (conflicts.length > 0 && !declared.has(409)) operation.responses[409] = problemOf("409", conflicts)
  for (const [status, error] of declared) {
    const own = codesOf(error)
    const ofBody = "requestBody" in operation ? ["malformed_json"] : []
    const codes = status === 400 ? [...new Set(["invalid_request", ...ofBody, ...own])] : own
    const more = status === 409 ? conflicts : status === 503 ? commonErrors[503] : []
    operation.responses[status] = problemOf(String(status), [...new Set([...codes, ...more])])
  }
  const others = { ...commonErrors, ...("requestBody" in operation && bodyErrors) }
  for (const [status, codes] of Object.entries(others)) operation.responses[status] ??= problemOf(status, codes)
}

/** Sets an operation's description: its own or its summary, and the required permissions. */
const describe = (operation: Operation, needs: ReadonlyArray<string>) => {
  const permissions = needs.map((permission) => `\`${permission}\``).join(" or ")
  const parts = [operation.description, ...(needs.length > 0 ? [`Needs the permission ${permissions}.`] : [])]
  const text = parts.filter((one) => one !== undefined).join(" ")
  operation.description = text === "" ? `${operation.summary}.` : text
}

const BOOKING_TOKEN = "x-service-booking-token"

/** Documents an optional booking token header as the operation's credential instead of a parameter. */
const secured = ({ parameters, security }: Operation): Pick<Operation, "parameters" | "security"> => {
  const others = parameters.filter(({ name }) => name.toLowerCase() !== BOOKING_TOKEN)
  return others.length === parameters.length
    ? { parameters, security }
    : { parameters: others, security: [{ bookingToken: [] }, {}] }
}

/** Adds `Idempotency-Key`. */
const addKey = (operation: Operation, endpoint: KeyedEndpoint) => {
  const use = keyUse(endpoint)
  if (use === "none") return
  operation.parameters = [...operation.parameters, keyParameter]
  if (use === "again") operation.description = `${operation.description} A repeated request runs again.`
}

/** Whether the endpoint accepts an empty body. */
const mayBeEmpty = ({ payloadSchema }: Pick<Endpoint, "payloadSchema">) =>
  Option.exists(payloadSchema, (schema) => Either.isRight(Schema.decodeUnknownEither(Schema.asSchema(schema))({})))

/** `/a/:b` → `/a/{b}` */
const pathOf = (path: string) => path.replace(/:([A-Za-z_]+)/g, "{$1}")

/** Effect's schemas of its own errors, replaced by the common format. */
const replaced = ["HttpApiDecodeError", "Issue", "PropertyKey"]

/** Removes `additionalProperties: false`, since unknown fields are ignored, and Effect's internal `$id`s. */
const withoutInternals = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutInternals)
  if (typeof node !== "object" || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) =>
      (key === "additionalProperties" && value === false) || (key === "$id" && typeof value === "string")
        ? []
        : [[key, withoutInternals(value)]]
    )
  )
}

/** The document of an API that is served at `baseUrl`, with each operation's permissions as `x-permissions`. */
export const documentOf = (api: HttpApi.HttpApi.Any, baseUrl = "http://127.0.0.1:8080") => {
  // The cast: `fromApi` is typed for an API with known groups. A copy, since Effect caches its result
  const document = JSON.parse(JSON.stringify(OpenApi.fromApi(api as never))) as OpenApi.OpenAPISpec
  // The casts: Effect's types are narrower than OpenAPI's; these describe the JSON
  const paths = document.paths as unknown as Record<string, Record<string, Operation>>
  const schemas = document.components.schemas as Record<string, JsonSchema>
  const operations = endpointsOf(api).flatMap(({ group, endpoint, errors }) => {
    const operation = paths[pathOf(endpoint.path)]?.[endpoint.method.toLowerCase()]
    return operation === undefined ? [] : [{ group, endpoint, errors, operation }]
  })
  for (const { group, endpoint, errors, operation } of operations) {
    documentProblems(operation, errors, endpoint)
    for (const media of Object.values(operation.requestBody?.content ?? {}))
      media.example = Option.getOrUndefined(Option.map(endpoint.payloadSchema, ({ ast }) => exampleIn(ast)))
    const needs = requiredPermissionsOf({ group, endpoint })
    if (needs.length > 0) operation["x-permissions"] = needs
    describe(operation, needs)
    addKey(operation, endpoint)
    operation.operationId = operationIdOf({ group, endpoint })
    if (operation.requestBody !== undefined) operation.requestBody.required = !mayBeEmpty(endpoint)
    Object.assign(operation, secured(operation))
  }
  for (const name of replaced) delete schemas[name]
  nameBodies(Object.values(paths).flatMap(Object.values), schemas)
  const versioned = versionedIn(paths)
  for (const { endpoint, operation } of operations) {
    addExamples(operation, schemas)
    showHeaders(operation, { isKeyed: keyUse(endpoint) !== "none", versioned })
    const forms = Option.toArray(endpoint.payloadSchema).flatMap(({ ast }) => formsIn(ast))
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) nameForms(schema, forms, schemas)
  }
  discriminate("type", schemas)
  const declared = operations.flatMap(({ errors }) => [...errors.values()].flatMap(codesOf))
  const components = { ...document.components, headers, schemas: { ...schemas, ...problemSchemas(declared) } }
  const tags = [...document.tags, webhooksTag]
  const info = { ...document.info, contact: { name: "The operator of this installation" } }
  const servers = [{ url: "/", description: "The installation that served this document" }]
  const externalDocs = { url: `${baseUrl}/docs`, description: "Readable documentation with examples to try" }
  const whole = withoutInternals({ ...document, tags, webhooks: webhooks(), info, servers, externalDocs, components })
  return whole as OpenApi.OpenAPISpec // a copy of the document without optional names
}
