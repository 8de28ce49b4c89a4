/** Pages of other origins. Rules 2.9.6 and 2.9.7. */
import { beforeAll, describe, expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { inDays } from "../support/world.ts"
import { operations } from "./matrix/operations.ts"
import { bodyFor, pathFor } from "./matrix/samples.ts"
import { makeTenant, type Tenant } from "./matrix/tenant.ts"

const server = testServer({ ROLE: "http" })
const LISTED = "https://shop.example.org"
const OTHER = "https://elsewhere.example.org"
let tenant: Tenant

beforeAll(async () => {
  tenant = await makeTenant(server.current)
  const changed = await server.current.api("PATCH", "/v1/management/organisation", {
    key: tenant.world.key,
    body: { embed_origins: [LISTED] }
  })
  expect(changed.status).toBe(200)
})

const open = operations.filter(
  ({ path, security, id }) =>
    path.startsWith("/v1/scheduling/") && security.length === 0 && id !== "POST /v1/scheduling/booking-sessions"
)
const closed = operations.filter((one) => !open.includes(one) && !one.path.startsWith("/dev-idp"))

const preflight = (path: string, origin: string, method: string) =>
  server.current.api("OPTIONS", path, {
    headers: { origin, "access-control-request-method": method, "access-control-request-headers": "content-type" }
  })

const corsOf = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith("access-control-"))

describe.each(open)("$id", (operation) => {
  test("an allow-listed origin may call and read it, without the browser's credentials", async () => {
    const path = await pathFor(operation, tenant)
    const requested = await preflight(path, LISTED, operation.method)
    expect(requested.status).toBe(204)
    const body = await bodyFor(operation, tenant)
    const answer = await server.current.api(operation.method, path, { headers: { origin: LISTED }, body })
    for (const { headers } of [requested, answer]) {
      expect(headers.get("access-control-allow-origin")).toBe(LISTED)
      expect(headers.get("access-control-allow-credentials")).toBeNull()
      expect(headers.get("vary")).toMatch(/origin/i)
    }
    expect(requested.headers.get("access-control-allow-methods")).toContain(operation.method)
    expect(requested.headers.get("access-control-allow-headers")).toContain("content-type")
    expect(answer.headers.get("access-control-expose-headers")).toContain("x-request-id")
  })

  // Shows: a malicious web page
  test("another origin, or none, gets no CORS header", async () => {
    const path = await pathFor(operation, tenant)
    for (const origin of [OTHER, "null", `${LISTED}.evil.example`, "http://shop.example.org", "x".repeat(5000)]) {
      const requested = await preflight(path, origin, operation.method)
      expect([requested.status, corsOf(requested.headers)]).toEqual([405, []])
      const answer = await server.current.api(operation.method, path, { headers: { origin } })
      expect(corsOf(answer.headers)).toEqual([])
      expect(answer.headers.get("vary")).toMatch(/origin/i)
    }
    expect(corsOf((await server.current.api(operation.method, path)).headers)).toEqual([])
  })
})

test("operations that need a secret allow no other origin", async () => {
  expect(open).toHaveLength(24)
  for (const operation of closed) {
    const path = await pathFor(operation, tenant)
    const requested = await preflight(path, LISTED, operation.method)
    // a path may have methods with and without cross-origin access: only the former are listed
    expect(requested.headers.get("access-control-allow-methods") ?? "").not.toContain(operation.method)
  }
})

test("errors can be read too", async () => {
  const unknown = await server.current.api("GET", "/v1/scheduling/booking-sessions/blc_unknown", {
    headers: { origin: LISTED }
  })
  expect([unknown.status, unknown.headers.get("access-control-allow-origin")]).toEqual([404, LISTED])
})

test("an origin is allowed as soon as it is listed", async () => {
  const { world } = tenant
  const origin = "https://short.example.org"
  const set = (embed_origins: ReadonlyArray<string>) =>
    world.api("PATCH", "/v1/management/organisation", { embed_origins })
  const search = async () => {
    const answer = await server.current.api("POST", "/v1/scheduling/slots/search", {
      body: { shop_uid: world.shop_uid, appointment_type_uid: world.type_uid, from: inDays(1), to: inDays(2) },
      headers: { origin }
    })
    return answer.headers.get("access-control-allow-origin")
  }
  expect(await search()).toBeNull()
  await set([LISTED, origin])
  expect(await search()).toBe(origin)
  await set([LISTED])
})
