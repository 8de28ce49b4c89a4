import { beforeAll, describe, expect, test } from "bun:test"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { codingFor } from "../../src/http/server/compression.ts"
import { testServer } from "../support/server.ts"
import { CONSULTATION, inDays, makeWorld, type World } from "../support/world.ts"
import { expectWritten } from "../support/written.ts"

const server = testServer()
let world: World
beforeAll(async () => {
  world = await makeWorld(server.current, { doctors: 8 })
})

/** An answer as it is sent. `accepted` undefined: no `Accept-Encoding` header. */
const request = async (path: string, accepted: string | undefined, init: RequestInit = {}) => {
  const headers = new Headers(init.headers)
  headers.set("accept-encoding", accepted ?? "")
  const response = await fetch(server.current.url + path, { ...init, headers, decompress: false })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const shown = ({ headers }: Awaited<ReturnType<typeof request>>) =>
  ["content-encoding", "content-type", "vary"].map((name) => headers.get(name))

const opened = { br: brotliDecompressSync, gzip: gunzipSync }

const search = (more: object = {}): RequestInit => {
  const { shop_uid, type_uid: appointment_type_uid } = world
  const body = JSON.stringify({ shop_uid, appointment_type_uid, from: inDays(1), to: inDays(2), ...more })
  return { method: "POST", headers: { "content-type": "application/json" }, body }
}

describe("compression", () => {
  // Rule 2.9.3
  const answers: ReadonlyArray<readonly [string, string, () => RequestInit]> = [
    ["JSON of a search", "/v1/scheduling/slots/search", () => search({ limit: 20 })],
    ["JSON over 64 KiB", "/v1/scheduling/slots/search", () => search()],
    ["a constant document", "/openapi.json", () => ({})],
    ["a page", "/docs", () => ({})],
    ["a script", "/meet/booking-widget.js", () => ({})]
  ]
  test.each(answers)("%s is the same by br and gzip as without", async (_, path, init) => {
    const plain = await request(path, undefined, init())
    const isJson = plain.headers.get("content-type")?.startsWith("application/json")
    const [, type, vary] = shown(plain)
    expect([plain.status, ...shown(plain)]).toEqual([200, null, type, expect.stringContaining("accept-encoding")])
    for (const coding of ["br", "gzip"] as const) {
      const small = await request(path, coding, init())
      const { length } = small.bytes
      expect(shown(small)).toEqual([coding, type, vary])
      expect(small.headers.get("content-length")).toBe(length < (isJson ? 16_384 : 262_144) ? String(length) : null)
      expect(length).toBeLessThan(plain.bytes.length * 0.6)
      expect(opened[coding](small.bytes).equals(plain.bytes)).toBe(true)
    }
  })

  test("small answers, problems and files that are not text stay uncompressed", async () => {
    for (const path of ["/healthz", "/v1/none", "/metrics"]) {
      const { headers } = await request(path, "br, gzip")
      expect(headers.get("content-encoding")).toBeNull()
    }
  })

  test("HEAD has the headers of GET, and the length of what GET sends in chunks", async () => {
    for (const coding of [undefined, "br"]) {
      const head = await request("/openapi.json", coding, { method: "HEAD" })
      const get = await request("/openapi.json", coding)
      expect(head.bytes.length).toBe(0)
      expect(shown(head)).toEqual(shown(get))
      if (coding === undefined)
        expect([head, get].map(({ headers }) => headers.get("content-length"))).toEqual([`${get.bytes.length}`, null])
    }
  })
})

describe("tags", () => {
  test("name the encoding that is sent, and each is valid for the record", async () => {
    const types = "/v1/management/scheduling/appointment-types"
    const { key } = world
    for (let index = 0; index < 4; index++)
      await world.api("POST", types, { name: `${"Consultation ".repeat(10)}${index}`, ...CONSULTATION })
    const tagBy = async (coding: string | undefined) =>
      (await request(types, coding, { headers: { "x-api-key": key } })).headers.get("etag") ?? ""
    const [plain, br, gzip] = [await tagBy(undefined), await tagBy("br"), await tagBy("gzip")]
    expect(new Set([plain, br, gzip]).size).toBe(3)
    for (const tag of [plain, br, gzip]) expect(tag).toMatch(/^"[^"]+"$/)
    const change = async (tag: string, duration_minutes: number) => {
      const ask = { key, body: { duration_minutes }, headers: { "if-match": tag } }
      return (await server.current.api("PATCH", `${types}/${world.type_uid}`, ask)).status
    }
    expect(await change(br, 25)).toBe(200)
    for (const stale of [plain, br, gzip]) expect(await change(stale, 30)).toBe(412)
    expect(await change(await tagBy("gzip"), 30)).toBe(200)
    expect(await change(await tagBy(undefined), 20)).toBe(200)
  })

  test("of a file answer 304 for the encoding that they name", async () => {
    for (const path of ["/meet/booking-widget.js", "/openapi.json"])
      for (const coding of [undefined, "br", "gzip"]) {
        const etag = (await request(path, coding)).headers.get("etag") ?? ""
        const { status, bytes, headers } = await request(path, coding, { headers: { "if-none-match": etag } })
        expect([path, status, bytes.length, headers.get("etag")]).toEqual([path, 304, 0, etag])
        expect([headers.get("vary"), headers.get("content-encoding")]).toEqual(["accept-encoding", null])
        const other = await request(path, coding, { headers: { "if-none-match": '"other"' } })
        expect([path, other.status]).toEqual([path, 200])
      }
    expect((await request("/openapi.json", "br")).headers.get("cache-control")).toBe("no-store") // Rule 2.9.2
  })
})

test("the OpenAPI document is small on the wire", async () => {
  const sizeOf = async (coding: string) => (await request("/openapi.json", coding)).bytes.length
  const [plain, gzip, br] = [await sizeOf("identity"), await sizeOf("gzip"), await sizeOf("br")]
  expectWritten("OpenAPI document", { plain, gzip, br })
  expect(br).toBeLessThan(90_000)
  expect(gzip).toBeLessThan(170_000)
  expect(plain).toBeGreaterThan(10 * gzip)
})

test("the coding is chosen by the caller's q-values", () => {
  const chosen: ReadonlyArray<readonly [string | undefined, string | undefined]> = [
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["deflate, zstd", undefined],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["*", "br"],
    ["*;q=0.1, gzip;q=0.2", "gzip"],
    ["br;q=0, *", "gzip"],
    ["identity;q=1, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["gzip;q=x, br ; q=0.3", "br"],
    ["gzip;q=0.5;x, br;q=0.4", "gzip"],
    ["gzip br", undefined]
  ]
  for (const [accepted, coding] of chosen) expect([accepted, codingFor(accepted)]).toEqual([accepted, coding])
})

test("a header of many spaces is parsed in linear time", () => {
  // processor time, which does not depend on other processes; if it grew quadratically, it would be many seconds
  const spaces = " ".repeat(100_000)
  const before = process.cpuUsage()
  expect(codingFor(`gzip${spaces}x`)).toBeUndefined()
  expect(codingFor(`gzip;${spaces}q=0.5${spaces}x`)).toBeUndefined()
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
})
