/** Errors as in RFC 9457, by content negotiation. Rule 2.3.6. */
import { expect, test } from "bun:test"
import { testServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = testServer()
const path = "/v1/management/doctors"

const refused = async (accept: string, ask: { readonly body?: unknown; readonly key?: string } = {}) => {
  const headers = { accept }
  const answer = await server.current.api(ask.body === undefined ? "GET" : "POST", path, { ...ask, headers })
  return { ...answer, type: answer.headers.get("content-type")?.split(";")[0] }
}

test("a refusal is a problem with type, title, status and detail", async () => {
  const answer = await refused("application/problem+json, application/json")
  expect([answer.status, answer.type, answer.headers.get("cache-control")]).toEqual([
    401,
    "application/problem+json",
    "no-store"
  ])
  expect(answer.body).toEqual({
    type: "urn:sprechstunde:problem:unauthenticated",
    title: expect.any(String),
    status: 401,
    detail: expect.any(String),
    code: "unauthenticated",
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/)
  })
})

test("every fault of a bad body is listed", async () => {
  const { key } = await makeWorld(server.current)
  const answer = await refused("application/problem+json", { key, body: { email: "" } })
  expect(answer).toMatchObject({ status: 400, body: { status: 400, code: "invalid_request" } })
  expect(answer.body.errors.map((fault: string) => fault.split(":")[0]).toSorted()).toEqual(["display_name", "email"])
  expect(answer.body.detail).toBe(answer.body.errors.join("; "))
})

test("without that Accept header, errors are in the envelope", async () => {
  for (const accept of ["*/*", "application/json", "application/problem+json;q=0", "application/problem+jsonx"]) {
    const answer = await refused(accept)
    expect([accept, answer.type]).toEqual([accept, "application/json"])
    expect(Object.keys(answer.body).toSorted()).toEqual(["code", "error", "trace_id"])
  }
})

test("a success is the usual JSON", async () => {
  const { key } = await makeWorld(server.current)
  const answer = await refused("application/problem+json", { key })
  expect([answer.status, answer.type]).toEqual([200, "application/json"])
})
