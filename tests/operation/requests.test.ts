import { afterAll, beforeAll, expect, test } from "bun:test"
import { eventually } from "../support/eventually.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"
import { collectorOf } from "../telemetry/collector.ts"

const collector = collectorOf()
let server: TestServer
beforeAll(async () => {
  server = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "20",
    OTEL_METRIC_EXPORT_INTERVAL: "20"
  })
})
afterAll(async () => {
  await server.stop()
  await collector.stop()
})

test("a request is one trace, from its span down to the statements, under its caller's", async () => {
  const world = await makeWorld(server)
  const code = await world.session()
  const traceId = "0af7651916cd43dd8448eb211c80319c"
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  const held = await server.api("POST", `/v1/scheduling/booking-sessions/${code}/holds`, {
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

test("one booking is one trace: request, service, statements, job and webhook", async () => {
  const world = await makeWorld(server)
  const announced: Array<string> = []
  const receiver = Bun.serve({
    port: 0,
    fetch: ({ headers }) => {
      announced.push(headers.get("traceparent") ?? "")
      return new Response()
    }
  })
  await server.api("POST", "/v1/management/notification-subscriptions", {
    key: world.key,
    body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: `http://127.0.0.1:${receiver.port}/` }
  })
  const code = await world.session()
  const held = await world.hold(code, inDays(2, 9))
  const traceId = "2af7651916cd43dd8448eb211c80319c"
  const done = await server.api("POST", `/v1/scheduling/booking-sessions/${code}/holds/${held.body.hold_uid}/confirm`, {
    body: {},
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  })
  expect(done.status).toBe(200)
  const wanted = [
    "POST /v1/",
    "HoldManager.confirm",
    "UPDATE appointments",
    "EventLog.appendAll",
    "job webhook.deliver",
    "webhook"
  ]
  const mine = async () => collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name)
  const names = await eventually(mine, (seen) => wanted.every((part) => seen.some((name) => name.startsWith(part))))
  expect(names).toContain("webhook")
  await receiver.stop(true)
  const webhook = collector.spans.find((span) => span.traceId === traceId && span.name === "webhook")
  expect(announced).toEqual([`00-${traceId}-${webhook?.spanId}-01`])
})

test("the error body names the trace", async () => {
  const traceparent = "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
  const named = await server.api("GET", "/v1/nowhere", { headers: { traceparent } })
  expect(named.body.trace_id).toBe("1af7651916cd43dd8448eb211c80319c")
  const other = await server.api("GET", "/v1/nowhere", { headers: { traceparent: "canary" } })
  expect(other.body.trace_id).toMatch(/^[0-9a-f]{32}$/)
})

test("/metrics counts requests by route, and is valid for promtool", async () => {
  const world = await makeWorld(server)
  await world.search()
  const { body, headers } = await server.api("GET", "/metrics")
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  expect(body).toMatch(
    /sprechstunde_http_requests_total\{method="POST",route="\/v1\/scheduling\/slots\/search",status="200"\} [1-9]/
  )
  expect(body).toMatch(/sprechstunde_database_pool_connections\{state="idle"\} \d/)
  const promtool = Bun.spawn(["promtool", "check", "metrics"], { stdin: new Response(body), stdout: "pipe" })
  expect(await new Response(promtool.stdout).text()).toBe("")
  expect(await promtool.exited).toBe(0)
})

test("a worker serves its health and metrics, and nothing else", async () => {
  const worker = await startServer({ ROLE: "worker" }, server.databaseUrl)
  const statuses = await Promise.all(
    ["/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/scheduling/appointment-types?shop_uid=x"].map(
      async (path) => (await worker.api("GET", path)).status
    )
  )
  expect(statuses).toEqual([200, 200, 200, 404, 404])
  await worker.stop()
})
