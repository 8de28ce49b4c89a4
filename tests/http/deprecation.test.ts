import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { testServer } from "../support/server.ts"

const server = testServer()
const headersAt = async (path: string) => (await server.current.api("GET", path)).headers

test("a deprecated path states since when and its documentation, and no end: it remains accepted (Rule 2.1.9)", async () => {
  const headers = await headersAt("/v1/admin/scheduling/organisations/org_demo/booking-token-secrets")
  const since = Number(headers.get("deprecation")?.slice(1))
  expect(headers.get("deprecation")).toMatch(/^@\d+$/)
  expect(headers.get("sunset")).toBeNull()
  const [, page = ""] = /^<([^>]+)>; rel="deprecation"/.exec(headers.get("link") ?? "") ?? []
  expect((await server.current.api("GET", page)).status).toBe(200)
  const changes = readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8")
  expect(changes).toContain(new Date(since * 1000).toISOString().slice(0, 10))
})

test("every version of the changelog has its date", () => {
  const changes = readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8")
  const versions = changes.match(/^## .*$/gm) ?? []
  expect(versions).not.toBeEmpty()
  for (const version of versions) expect(version).toMatch(/^## (Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)$/)
})

test("its successor is not deprecated", async () => {
  const headers = await headersAt("/v1/admin/scheduling/booking-token-secrets")
  expect(headers.get("deprecation")).toBeNull()
})

test("the document marks the same paths as deprecated", async () => {
  const { body } = await server.current.api("GET", "/openapi.json")
  const methods = Object.entries(body.paths)
  const marked = methods.filter(([, one]) => Object.values(one).some(({ deprecated }) => deprecated === true))
  expect(marked.map(([path]) => path)).not.toEqual([])
  for (const [, { deprecated, responses }] of methods.flatMap(([, one]) => Object.entries(one)))
    for (const { headers } of Object.values(responses)) expect("Deprecation" in headers).toBe(deprecated === true)
  for (const [path] of marked) expect((await headersAt(path.replace(/\{\w+\}/g, "x"))).has("deprecation")).toBeTrue()
})
