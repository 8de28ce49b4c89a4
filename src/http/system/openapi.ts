/** The interface as an OpenAPI 3.1 document. */
import { HttpApi, OpenApi } from "@effect/platform"
import { needsOf } from "../needs.ts"

interface Response {
  description: string
  content?: Record<string, { schema: unknown }>
}
type Operation = Record<string, unknown> & { responses: Record<string, Response> }

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
  415: "The body is not JSON",
  429: "Too many requests; try again after Retry-After seconds"
}

const problemOf = (status: string): Response => {
  const $ref = `#/components/schemas/${status === "400" ? "InvalidRequest" : "Problem"}`
  return { description: meanings[status] ?? "A problem", content: { "application/json": { schema: { $ref } } } }
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
  "TooManyRequests"
]

/** Unknown fields are ignored, so no schema forbids them. */
const forbidNothing = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(forbidNothing)
  if (typeof node !== "object" || node === null) return node
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) =>
      key === "additionalProperties" && value === false ? [] : [[key, forbidNothing(value)]]
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
      const needs = needsOf(endpoint)
      if (needs.length > 0) operation["x-permissions"] = needs
    }
  })
  const { schemas } = document.components
  for (const name of replaced) delete schemas[name]
  const components = { ...document.components, schemas: { ...schemas, ...problemSchemas } }
  return forbidNothing({ ...document, servers: [{ url: "/" }], components }) as OpenApi.OpenAPISpec
}
