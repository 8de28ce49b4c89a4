/** Non-canonical paths and bodies (Rule 2.1). */
import { expect, test } from "bun:test"
import { request } from "node:http"
import { isLong } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { operations } from "./matrix/operations.ts"
import { makeTenant } from "./matrix/tenant.ts"

const server = testServer()

/** Other spellings of a path: none of them is a route. */
const spellings = (path: string): ReadonlyArray<string> => {
  const [, first = "", ...rest] = path.split("/")
  const tail = rest.join("/")
  return [
    `/${first.toUpperCase()}/${tail}`,
    `/${first}/${tail.toUpperCase()}`,
    `//${first}/${tail}`,
    `/${first}//${tail}`,
    `/${first}%2f${tail}`,
    `/${first}/%2F${tail}`,
    `/${first}%5c${tail}`,
    `/${first};x/${tail}`,
    `${path};x=1`,
    // the first letter after /v1/, and the last character of the path, needlessly percent-encoded
    path.replace(/^\/v1\/./, (start) => `${start.slice(0, -1)}%${start.charCodeAt(start.length - 1).toString(16)}`),
    path.replace(/[\w-]$/, (last) => `%${last.charCodeAt(0).toString(16).toUpperCase()}`)
  ].filter((other) => other !== path)
}

/** `fetch` would normalise the path. */
const sendRequest = (method: string, path: string, body = "{}") =>
  new Promise<{ readonly status: number | undefined; readonly code: unknown }>((resolve, reject) => {
    const { hostname, port } = new URL(server.current.url)
    const sent = request(
      { hostname, port, method, path, headers: { "content-type": "application/json" } },
      (response) => {
        let text = ""
        response.on("data", (chunk) => {
          text += chunk
        })
        response.on("end", () =>
          resolve({ status: response.statusCode, code: text === "" ? undefined : JSON.parse(text).code })
        )
      }
    )
    sent.on("error", reject)
    sent.end(method === "GET" || method === "DELETE" ? undefined : body)
  })

// Shows: paths that a proxy interprets differently
// Shows: bypassing a body limit with another spelling of the path, or with multipart
test("every path has exactly one accepted spelling", async () => {
  for (const [index, { method, path }] of operations.entries())
    for (const [at, spelling] of spellings(path.replace(/[:{](\w+)\}?/g, "x_$1")).entries()) {
      // in the short run one of six, others for the next path
      if (!isLong && (at + index) % 6 !== 0) continue
      const answer = await sendRequest(method, spelling)
      expect([spelling, answer]).toEqual([spelling, { status: 404, code: "unknown_route" }])
    }
})

const search = "/v1/scheduling/slots/search"

// Shows: large, deep and many bodies
// Shows: bypassing a body limit with another spelling of the path, or with multipart
test("a body of many small values is refused before it uses memory; Rule 2.2.11", async () => {
  const { api } = server.current
  const tooMany = { status: 400, body: { code: "invalid_request", error: ["body: must have at most 20,000 values"] } }
  const lists = (values: number) => `{"a":[${"{},".repeat(values / 2)}{}]}`
  expect(await api("POST", search, { body: lists(60_000) })).toMatchObject(tooMany)
  const keys = (values: number) => JSON.stringify(Object.fromEntries(Array.from({ length: values }, (_, i) => [i, i])))
  expect(await api("POST", search, { body: keys(20_001) })).toMatchObject(tooMany)
  for (const body of [keys(20_000), JSON.stringify({ text: `\\"${",{[".repeat(20_000)}` })])
    expect((await api("POST", search, { body })).body.error).toContain("shop_uid: is required")
  expect((await api("POST", search, { body: `${"[".repeat(600)}${"]".repeat(600)}` })).body.error).toEqual([
    "body: must nest at most 500 levels"
  ])
  const { credentials } = await makeTenant(server.current)
  const provision = async (values: number) => {
    const sent = { ...(await credentials.operator()), body: `{"file":${lists(values)}}` }
    return (await server.current.api("POST", "/v1/operator/provisioning", sent)).body.error
  }
  expect(await provision(48_000)).not.toContain("body: must have at most 50,000 values")
  expect(await provision(60_000)).toEqual(["body: must have at most 50,000 values"])
})

// Shows: bypassing a body limit with another spelling of the path, or with multipart
test("a large body under another spelling is not read", async () => {
  const body = `{"a":[${"{},".repeat(20_000_000)}{}]}`
  const before = process.memoryUsage.rss()
  for (const path of ["/V1/scheduling/slots/search", "//v1/scheduling/slots/search", "/v1/scheduling/slots/search"])
    expect([404, 413]).toContain((await server.current.api("POST", path, { body })).status)
  // the body itself is held by this process; parsed it would take twenty times as much
  expect(process.memoryUsage.rss() - before).toBeLessThan(5 * body.length)
})

// Shows: paths that a proxy interprets differently
test("dot segments and backslashes are resolved before limits apply; Rule 2.1.11", async () => {
  const { status } = await sendRequest("POST", search)
  const large = JSON.stringify({ a: "x".repeat(2_000_000) })
  const resolved = [
    "/v1/./scheduling/slots/search",
    "/v1/x/%2e%2E/scheduling/slots/search",
    "/v1\\scheduling\\slots\\search"
  ]
  for (const path of resolved) {
    expect([path, (await sendRequest("POST", path)).status]).toEqual([path, status])
    expect([path, (await sendRequest("POST", path, large)).status]).toEqual([path, 413])
  }
})

// Shows: large, deep and many bodies
// Shows: bypassing a body limit with another spelling of the path, or with multipart
test("no route accepts multipart", async () => {
  const form = () => {
    const data = new FormData()
    data.append("reason", new File(["x".repeat(10_000)], "x.txt"))
    return data
  }
  for (const path of [search, "/V1/scheduling/slots/search", "/meet/appointment/aac_x", "/storefront/checkout/x/pay"]) {
    const response = await fetch(server.current.url + path, { method: "POST", body: form() })
    expect([path, response.status]).toEqual([path, path.startsWith("/v1") || path.startsWith("/meet") ? 415 : 404])
  }
})
