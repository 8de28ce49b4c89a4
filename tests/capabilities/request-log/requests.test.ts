/** A key's recent requests. Section 2.11. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { RequestLog } from "../../../src/capabilities/request-log/services/RequestLog.ts"
import { UnixSeconds } from "../../../src/schemas/fields.ts"
import { testServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"

const server = testServer()
const latest = (key: string, query = "") => server.current.api("GET", `/v1/requests${query}`, { key })

test("a key lists its own requests with their outcome, newest first, without queries", async () => {
  const world = await makeWorld(server.current)
  const key = await world.keyWith("scheduling:read")
  const appointments = "/v1/management/scheduling/appointments"
  const requested = [
    await server.current.api("GET", `${appointments}?patient_uid=pat_canary`, { key }),
    await server.current.api("GET", `${appointments}/${random("apt")}`, { key }),
    await server.current.api("GET", `${appointments}?limit=0`, { key }),
    await server.current.api("POST", `${appointments}/bulk-cancel`, { key, body: { reason: "canary" } })
  ]
  const { status, body } = await latest(key)
  expect(status).toBe(200)
  expect(body.data.map((one: { trace_id: string }) => one.trace_id)).toEqual(
    requested.map(({ headers }) => headers.get("x-request-id")).toReversed()
  )
  expect(body.data.map((one: Record<string, unknown>) => [one.method, one.status, one.code])).toEqual([
    ["POST", 403, "forbidden"],
    ["GET", 400, "invalid_request"],
    ["GET", 404, "not_found"],
    ["GET", 200, null]
  ])
  expect(JSON.stringify(body)).not.toContain("canary")
  expect((await latest(key, "?limit=1")).body.data).toEqual(body.data.slice(0, 1))
  expect((await latest(key, "?limit=0")).status).toBe(400)
  expect((await latest(world.key)).body.data).toEqual([])
})

test("the list keeps 100 requests per key for an hour", async () => {
  const { note, latest: of } = await Effect.runPromise(Effect.provide(RequestLog, RequestLog.Default))
  const entry = { trace_id: "", method: "GET", path: "/", status: 200, code: null, duration_ms: 1 }
  for (let at = 1; at <= 101; at++) note("key", { ...entry, at: UnixSeconds.make(at) })
  expect(of("key", 1000, 101).map(({ at }) => Number(at))).toEqual(Array.from({ length: 100 }, (_, i) => 101 - i))
  expect(of("key", 1000, 3700).map(({ at }) => Number(at))).toEqual([101])
  expect(of("other", 1000, 101)).toEqual([])
})
