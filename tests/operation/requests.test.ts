import { afterAll, expect, test } from "bun:test"
import { eventually } from "../support/eventually.ts"
import { ownServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"
import { collectorOf } from "../telemetry/collector.ts"

const collector = collectorOf()
const server = ownServer({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: "20",
  OTEL_METRIC_EXPORT_INTERVAL: "20"
})
afterAll(() => collector.stop())

test("a request is one trace, from its span down to the statements, under its caller's", async () => {
  const world = await makeWorld(server.current)
  const code = await world.session()
  const traceId = "0af7651916cd43dd8448eb211c80319c"
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const held = await server.current.api("POST", `/v1/scheduling/booking-sessions/${code}/holds`, {
    body: { doctor_uid: world.doctor, appointment_type_uid: world.type_uid, start_date: inDays(2, 9) },
    headers: { traceparent }
  })
  expect(held.status).toBe(200)
  const mine = () => collector.spans.filter((span) => span.traceId === traceId)
  await eventually(
    async () => mine().map(({ parentSpanId }) => parentSpanId),
    (parents) => parents.includes("b7ad6b7169203331")
  )
  const root = mine().find(({ parentSpanId }) => parentSpanId === "b7ad6b7169203331")
  expect(root?.name).toBe("POST /v1/scheduling/booking-sessions/:booking_launch_code/holds")
  expect(root?.attributes).toMatchObject({
    "http.request.method": "POST",
    "http.route": "/v1/scheduling/booking-sessions/:booking_launch_code/holds"
  })
  const names = mine().map(({ name }) => name)
  expect(names).toContain("HoldManager.hold")
  expect(names.some((name) => /^(SELECT|INSERT|UPDATE) \w/.test(name))).toBe(true)
  expect(collector.raw.join("")).not.toContain(code)
})

test("the error body names the trace", async () => {
  const traceparent = "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
  const named = await server.current.api("GET", "/v1/nowhere", { headers: { traceparent } })
  expect(named.body.trace_id).toBe("1af7651916cd43dd8448eb211c80319c")
  const other = await server.current.api("GET", "/v1/nowhere", { headers: { traceparent: "canary" } })
  expect(other.body.trace_id).toMatch(/^[0-9a-f]{32}$/)
})

test("/metrics counts requests by route", async () => {
  const world = await makeWorld(server.current)
  await world.search()
  const { body, headers } = await server.current.api("GET", "/metrics")
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  expect(body).toMatch(
    /sprechstunde_http_requests_total\{method="POST",route="\/v1\/scheduling\/slots\/search",status="200"\} [1-9]/
  )
  expect(body).toMatch(/sprechstunde_database_pool_connections\{state="idle"\} \d/)
})
