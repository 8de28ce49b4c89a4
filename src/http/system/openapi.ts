/** The interface as an OpenAPI 3.1 document. */
import { HttpApi, OpenApi } from "@effect/platform"
import { needsOf } from "../needs.ts"
import { exampleOf, type JsonSchema } from "./examples.ts"
import { describeAll } from "./glossary.ts"

interface Body {
  description?: string
  content?: Record<string, { schema: JsonSchema; example?: unknown }>
}
type Operation = Record<string, unknown> & { responses: Record<string, Body>; requestBody?: Body }

const text = (description: string) => ({ type: "string", description })
const envelope = (error: unknown) => ({
  type: "object",
  required: ["error", "code", "trace_id"],
  properties: {
    error,
    code: text("Stable machine-readable word"),
    trace_id: text("Names this request in the service's logs and traces")
  }
})

const problemSchemas = {
  Problem: envelope(text("What went wrong and what to do")),
  InvalidRequest: envelope({
    type: "array",
    items: { type: "string" },
    description: "Every fault, as `field: message`; nested fields as `lines[0].quantity`"
  })
}

const meanings: Readonly<Record<string, string>> = {
  400: "The request breaks a rule; every fault is listed",
  401: "The credential is missing or invalid",
  403: "The credential may not do this",
  404: "Not there, or not the caller's to see",
  409: "The state of things forbids it",
  413: "The body is too large",
  415: "The body is not JSON, or compressed",
  429: "Too many requests; try again after Retry-After seconds",
  503: "Something that the request needs does not answer; try again later"
}

/** The code that a status usually has; conflicts have one of their own each (the error catalogue lists them). */
const codes: Readonly<Record<string, string>> = {
  400: "invalid_request",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  409: "slot_taken",
  413: "body_too_large",
  415: "unsupported_media_type",
  429: "too_many_requests",
  503: "unavailable"
}

const problemOf = (status: string): Body => {
  const $ref = `#/components/schemas/${status === "400" ? "InvalidRequest" : "Problem"}`
  const description = meanings[status] ?? "A problem"
  const error = status === "400" ? ["start_date: is required"] : description
  const example = { error, code: codes[status] ?? "problem", trace_id: "0af7651916cd43dd8448eb211c80319c" }
  return { description, content: { "application/json": { schema: { $ref }, example } } }
}

/** Every body that has none yet gets an example. */
const showExamples = (operation: Operation, schemas: Readonly<Record<string, JsonSchema>>) => {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)]
  for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {})))
    media.example ??= exampleOf(media.schema, schemas)
}

/** Every problem has the one envelope, whatever class it is inside. */
const tellProblems = (operation: Operation) => {
  const statuses = Object.keys(operation.responses).filter((status) => Number(status) >= 400)
  if ("requestBody" in operation) statuses.push("413", "415")
  for (const status of statuses) operation.responses[status] = problemOf(status)
}

/** `/a/:b` as OpenAPI writes it. */
const pathOf = (path: string) => path.replace(/:([A-Za-z_]+)/g, "{$1}")

/** What Effect knows of its own errors; the envelope has taken their place. */
const replaced = [
  "HttpApiDecodeError",
  "Issue",
  "PropertyKey",
  "Invalid",
  "Unauthenticated",
  "Forbidden",
  "NotFound",
  "Conflict",
  "TooManyRequests",
  "Unavailable",
  "StorefrontRefused",
  "StorefrontUnavailable"
]

/** Unknown fields are ignored, so no schema forbids them; and Effect's own names for schemas mean nothing outside. */
const forbidNothing = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(forbidNothing)
  if (typeof node !== "object" || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) =>
      (key === "additionalProperties" && value === false) || (key === "$id" && typeof value === "string")
        ? []
        : [[key, forbidNothing(value)]]
    )
  )
}

/** The document of an interface, with the permissions that each operation needs as `x-permissions`. */
export const documentOf = (api: HttpApi.HttpApi.Any) => {
  const document = OpenApi.fromApi(api as never)
  const paths = document.paths as unknown as Record<string, Record<string, Operation>>
  HttpApi.reflect(api as never, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const operation = paths[pathOf(endpoint.path)]?.[endpoint.method.toLowerCase()]
      if (operation === undefined) return
      tellProblems(operation)
      showExamples(operation, document.components.schemas as Record<string, JsonSchema>)
      const needs = needsOf(endpoint)
      if (needs.length > 0) operation["x-permissions"] = needs
    }
  })
  const { schemas } = document.components
  for (const name of replaced) delete schemas[name]
  const components = { ...document.components, schemas: { ...schemas, ...problemSchemas } }
  const whole = forbidNothing({ ...document, servers: [{ url: "/" }], components }) as OpenApi.OpenAPISpec
  describeAll(whole)
  return whole
}
