/**
 * Invalid input of every kind for every operation of the OpenAPI document: the documented error, no 5xx, no quoted value,
 * and no change if no request was accepted.
 */
import { beforeAll, describe, expect, test } from "bun:test"
import { isLong, sized, someOf } from "../support/scale.ts"
import { type Answer, type Ask, sandboxServer, testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"
import {
  CANARY,
  HEADERS,
  NOT_UTF8,
  QUERY_VALUES,
  queries,
  RAW_BODIES,
  SEGMENTS,
  VALUES,
  withInvalidField,
  written
} from "./matrix/hostile.ts"
import { keyKind, type Operation, operations, pathParameters } from "./matrix/operations.ts"
import { bodyFor, pathFor } from "./matrix/samples.ts"
import { snapshot } from "./matrix/snapshot.ts"
import { kindsOf, type Tenant } from "./matrix/tenant.ts"
import { readingOrWriting, tenants } from "./matrix/tenants.ts"

/** Without workers: only the requests change the compared state. */
const server = testServer({ ROLE: "http" })
/** A server with a sandbox clock. */
const sandbox = sandboxServer({ ROLE: "http" })

interface Attempt {
  readonly method: string
  readonly path: string
  readonly text?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

const serverFor = (path: string) => (path.startsWith("/v1/sandbox") ? sandbox.current : server.current)

const attempt = ({ method, path, text, headers = {} }: Attempt, as: Ask) =>
  serverFor(path).api(method, path, { ...as, body: text, headers })

/** The path of an unknown field of a provisioning file is reported, so that an operator finds it. */
const UNKNOWN_FIELD = /"[^"]*: is not a known field"/g

/** A well-formed error that quotes no input. */
const expectAgreed = (sent: Attempt, received: Answer) => {
  const about = `${sent.method} ${sent.path.slice(0, 200)} ${String(sent.text ?? "").slice(0, 300)} -> ${received.text.slice(0, 500)}`
  expect(received.status, about).toBeLessThan(500)
  if (received.status < 400) return
  const problem = JSON.parse(received.text)
  expect(problem, about).toEqual({
    error: expect.anything(),
    code: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
    trace_id: expect.any(String),
    // a series whose start is taken names it (Rule 4.12)
    ...("start_date" in problem && { start_date: expect.any(Number) })
  })
  expect(Array.isArray(problem.error), about).toBe(received.status === 400)
  if (received.status === 400) {
    expect(problem.error.length, about).toBeGreaterThan(0)
    for (const fault of problem.error) expect(fault, about).toMatch(/^[^:]+: ./)
  }
  expect(received.text.replaceAll(UNKNOWN_FIELD, "").includes(CANARY), about).toBe(false)
  expect(received.text, about).not.toMatch(/\bat .*\.ts:\d+|node_modules|select |insert into/i)
}

const credentialFor = async (operation: Operation, tenant: Tenant): Promise<Ask> => {
  // a session's booking token may stand in the body as well, so that no document calls it the operation's credential
  if (operation.parameters.some(({ name }) => name === "x-service-booking-token")) return tenant.credentials.patient()
  const [kind] = kindsOf(operation, keyKind(operation))
  return kind === undefined ? {} : tenant.credentials[kind]()
}

/** Sends all requests; returns whether any was accepted. */
const tryAll = async (attempts: ReadonlyArray<Attempt>, as: Ask) => {
  let accepted = false
  for (const sent of attempts) {
    const answer = await attempt(sent, as)
    expectAgreed(sent, answer)
    if (answer.status < 400) accepted = true
  }
  return accepted
}

/** Operations in which bad input once found a fault: the short run sends them everything. */
const ONCE_FAULTY = ["POST /v1/scheduling/booking-sessions", "POST /v1/operator/provisioning"]

test("the operations that were once faulty exist", () =>
  expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(ONCE_FAULTY)))

/**
 * Whether an operation gets this kind of request. What is refused before the operation is looked at has one of `of` turns
 * in the short run, the next one for the next operation.
 */
const isTurn = (operation: Operation, turn: number, of: number) =>
  isLong || ONCE_FAULTY.includes(operation.id) || operations.indexOf(operation) % of === turn

/** In the short run one of every `share` attempts, others for the next operation, so that all operations get all of them. */
const some = <A>(attempts: ReadonlyArray<A>, operation: Operation, share: number) => {
  const step = sized(ONCE_FAULTY.includes(operation.id) ? 1 : share, 1)
  return attempts.filter((_, index) => index % step === operations.indexOf(operation) % step)
}
/** Fewer than there are values, so that each field and parameter gets at least one. */
const [FIELDS_SHARE, QUERIES_SHARE] = [VALUES.length - 2, QUERY_VALUES.length]

/**
 * A replay needs a delivery, a session updates its patient from the token, and headers do not stop a key from being revoked; otherwise
 * refused requests take nothing.
 */
const TAKING = [...ONCE_FAULTY, "DELETE /v1/admin/api-keys/{uid}"]
const tenantFor = tenants((operation) =>
  TAKING.includes(operation.id) || operation.id.endsWith("/replay") ? operation.id : readingOrWriting(operation)
)

const ENCODINGS = ["gzip", "br", "deflate", "zstd", "x-unheard-of", "identity, gzip"]
const CONTENT_TYPES = ["text/plain", "application/xml", "multipart/form-data; boundary=x", "application/jsonx"]
const REFUSED = [
  {
    title: "bytes that are not UTF-8 are not JSON",
    bodies: NOT_UTF8.map((text) => ({ text: Uint8Array.from(text) })),
    refused: [400, "malformed_json"]
  },
  {
    title: "a compressed body is 415",
    bodies: ENCODINGS.map((encoding) => ({ text: "{}", headers: { "content-encoding": encoding } })),
    refused: [415, "unsupported_media_type"]
  },
  {
    title: "a content type that is not JSON is 415",
    bodies: CONTENT_TYPES.map((type) => ({ text: "{}", headers: { "content-type": type } })),
    refused: [415, "unsupported_media_type"]
  }
] as const

const quiet = operations.filter(({ path }) => !path.startsWith("/dev-idp/"))

describe.each(quiet)("$id", (operation) => {
  let tenant: Tenant
  let as: Ask
  let path: string
  beforeAll(async () => {
    tenant = await tenantFor(serverFor(operation.path), operation)
    as = await credentialFor(operation, tenant)
    path = await pathFor(operation, tenant)
    // a patient's first request makes the record
    if (as.token !== undefined) await attempt({ method: operation.method, path, text: "{" }, as)
  })

  const unchangedUnlessAccepted = async (attempts: ReadonlyArray<Attempt>) => {
    const before = await snapshot(serverFor(path), tenant)
    if (!(await tryAll(attempts, as))) expect(await snapshot(serverFor(path), tenant)).toEqual(before)
  }
  const { method } = operation

  if (operation.body !== undefined) {
    const { body: schema } = operation
    if (isTurn(operation, 0, 4))
      test("invalid bodies", async () => {
        await unchangedUnlessAccepted(some(RAW_BODIES, operation, 3).map((text) => ({ method, path, text })))
      })

    for (const [index, { title, bodies, refused }] of REFUSED.entries())
      if (isTurn(operation, index + 1, 4))
        test(title, async () => {
          for (const body of bodies) {
            const sent = { method, path, ...body }
            const answer = await attempt(sent, as)
            expectAgreed(sent, answer)
            expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([...refused])
          }
        })

    test("every field with every invalid value", async () => {
      const good = await bodyFor(operation, tenant)
      const bad = withInvalidField(schema, good, operation.example)
      await unchangedUnlessAccepted(
        some(bad, operation, FIELDS_SHARE).map((one) => ({ method, path, text: written(one) }))
      )
    })
  }

  if (isTurn(operation, 0, 3))
    test("query parameters", async () => {
      const body = operation.body === undefined ? {} : { text: "{}" }
      await unchangedUnlessAccepted(
        some(queries(operation), operation, QUERIES_SHARE).map((query) => ({
          method,
          path: `${path}${path.includes("?") ? "&" : "?"}${query}`,
          ...body
        }))
      )
    })

  if (pathParameters(operation).length > 0 && isTurn(operation, 1, 3)) {
    test("path segments", async () => {
      const body = operation.body === undefined ? {} : { text: JSON.stringify(await bodyFor(operation, tenant)) }
      for (const segment of some(SEGMENTS, operation, 3)) {
        const sent = { method, path: operation.path.replace(/\{\w+\}/g, segment), ...body }
        const answer = await attempt(sent, as)
        expectAgreed(sent, answer)
        expect([401, 404], `${segment} ${answer.text}`).toContain(answer.status)
      }
    })
  }

  if (isTurn(operation, 2, 3))
    test("headers", async () => {
      const body = operation.body === undefined ? {} : { text: JSON.stringify(await bodyFor(operation, tenant)) }
      const names = operation.parameters.flatMap((one) => (one.in === "header" ? [one.name] : []))
      const headers = [...new Set([...names, "idempotency-key"])]
      for (const name of headers)
        await tryAll(
          some(HEADERS, operation, 2).map((value) => ({ method, path, ...body, headers: { [name]: value } })),
          name === "x-service-booking-token" ? {} : as
        )
    })
})

describe("pages and other routes beside the API", () => {
  test("no address, query or form causes a server error", async () => {
    const code = await (await makeWorld(server.current)).session("customer-2")
    const parameters = ["lang", "zone", "doctor", "parent", "jwt", "session", "return_url"]
    const pages = ["booking/{}", "booking/{}/appointment.ics", "appointment/{}", "meeting/{}", "assets/{}"]
    const gets = [...pages.map((page) => `/meet/${page}`), "/storefront/checkout/{}"].flatMap((path) =>
      [...SEGMENTS, code].map((segment) => path.replace("{}", segment))
    )
    const queried = parameters.flatMap((name) => QUERY_VALUES.map((value) => `/meet/booking/${code}?${name}=${value}`))
    for (const path of [...gets, ...someOf(queried, 3)])
      expect((await attempt({ method: "GET", path }, {})).status, path).toBeLessThan(500)
    const slots = ["slot=1.%00", "slot=1e99.x", "slot=%00", "slot=1.x&visit_reason=%00"]
    const fields = [...slots, "hold_uid=%00", "hold_uid=%ff", "%00=%00"]
    const form = { "content-type": "application/x-www-form-urlencoded" }
    for (const path of [`/meet/booking/${code}/hold`, `/meet/booking/${code}/confirm`, "/storefront/checkout/%00/pay"])
      for (const text of fields) {
        const answer = await attempt({ method: "POST", path, text, headers: form }, {})
        expect(answer.status, `${path} ${text}`).toBeLessThan(500)
      }
  })
})

describe("paths and methods", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
  const paths = [...new Set(quiet.map(({ path }) => path))]
  const hits = (template: string, path: string) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path)
  test.each(someOf(paths, 4))("%s: other methods are 405 and say which are allowed", async (path) => {
    const address = path.replace(/\{\w+\}/g, "x")
    // a word may be where another path has an identifier
    const allowed = [...new Set(quiet.filter((one) => hits(one.path, address)).map(({ method }) => method))]
    for (const method of methods.filter((one) => !allowed.includes(one))) {
      const sent = { method, path: address }
      const answer = await attempt(sent, {})
      expectAgreed(sent, answer)
      expect(answer.status, `${method} ${path}`).toBe(405)
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(allowed.toSorted())
    }
  })

  test.each(["/v1", "/v1/nothing", "/v2/public-api/nothing", "/v1/management/scheduling/", "/%E0%A4%A", "//v1/x"])(
    "%s is no route",
    async (path) => {
      for (const method of methods) {
        const sent = { method, path }
        const answer = await attempt(sent, {})
        expectAgreed(sent, answer)
        expect(answer.status).toBe(404)
      }
    }
  )
})
