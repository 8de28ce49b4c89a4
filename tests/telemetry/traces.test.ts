/** Spans of a trace: a booking from its request to the partner's webhook, and none of idle work. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { Boss } from "../../src/services/queue/Jobs.ts"
import { intervalQueues } from "../../src/services/queue/queues.ts"
import { startReceiver } from "../events/receiver.ts"
import { eventually } from "../support/eventually.ts"
import { periodicTasks } from "../support/periodicTasks.ts"
import { type Service, startService, temporaryFolder } from "../support/processes.ts"
import { ownServer } from "../support/server.ts"
import { waitingPrescriptions } from "../support/waitingPrescriptions.ts"
import { inDays, makeWorld, type World } from "../support/world.ts"
import { collectorOf } from "./collector.ts"

const server = ownServer({ ROLE: "http" })
const collector = collectorOf()
const folder = temporaryFolder()
let receiver: Awaited<ReturnType<typeof startReceiver>>
let world: World
let service: Service

beforeAll(async () => {
  receiver = await startReceiver()
  world = await makeWorld(server.current)
  await world.api("POST", "/v1/management/notification-subscriptions", {
    notification_type: "PATIENT_DOCTOR_MEETING_UPDATED",
    url: receiver.url("/hook")
  })
  service = await startService({
    DATABASE_URL: server.current.databaseUrl,
    DATA_DIR: folder.path,
    WEBHOOK_ALLOW_PRIVATE: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: "60000", // an export that a busy machine delays is not given up
    OTEL_BSP_SCHEDULE_DELAY: "50"
  })
})
afterAll(async () => {
  await service?.stop()
  await collector.stop()
  receiver?.stop()
  folder.remove()
})

test("a booking is one trace, from its caller through its request, statements and job to the partner's webhook", async () => {
  const [trace, caller] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
  const { shop_uid, type_uid: appointment_type_uid } = world
  const answer = await fetch(`${service.url}/v1/management/scheduling/appointments`, {
    method: "POST",
    headers: { "x-api-key": world.key, "content-type": "application/json", traceparent: `00-${trace}-${caller}-01` },
    body: JSON.stringify({ shop_uid, shop_customer_id: "c-1", appointment_type_uid, start_date: inDays(2, 9) })
  })
  expect([answer.status, answer.headers.get("x-request-id")]).toEqual([201, trace])
  const spans = await eventually(
    async () => collector.spans.filter(({ traceId }) => traceId === trace),
    (all) => ["webhook", "job webhook.deliver"].every((name) => all.some((span) => span.name === name))
  )
  const names = spans.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      "transaction",
      "UPDATE appointments INSERT appointments", // expired holds free their slots
      "INSERT events INSERT webhook_deliveries",
      "INSERT pgboss.job_common",
      "UPDATE webhook_deliveries"
    ])
  )
  expect(spans.filter(({ parentSpanId }) => parentSpanId === caller)).toMatchObject([
    {
      name: "POST /v1/management/scheduling/appointments",
      attributes: { "http.request.method": "POST", "http.route": "/v1/management/scheduling/appointments" }
    }
  ])
  expect(names.filter((name) => name.startsWith("sql."))).toEqual([])
  expect(spans.find(({ name }) => name === "SELECT api_key_with")?.attributes).toMatchObject({
    "db.system.name": "postgresql",
    "db.operation.name": "SELECT",
    "db.collection.name": "api_key_with",
    "db.query.summary": "SELECT api_key_with",
    "db.query.text": expect.stringContaining("FROM api_key_with")
  })
  const [webhook] = receiver.all
  const sending = spans.find(({ name }) => name === "webhook")
  expect(webhook?.headers.traceparent).toBe(`00-${trace}-${sending?.spanId}-01`)
})

test("probes, polling and idle ticks create no span", async () => {
  const tasks = (await server.current.run(periodicTasks)).map(({ name }) => name)
  const completed = async (queue: string) => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    return Number(new RegExp(`jobs_total\\{queue="${queue}",outcome="completed"\\} (\\d+)`).exec(text)?.[1])
  }
  const run = async () => {
    const before = await Promise.all(tasks.map(completed))
    await server.current.run(
      Effect.flatMap(Boss, (boss) =>
        Effect.promise(() => Promise.all(Object.values(intervalQueues).map((queue) => boss.send(queue, { data: {} }))))
      )
    )
    await eventually(
      () => Promise.all(tasks.map(completed)),
      (after) => after.every((count, index) => count > (before[index] ?? 0))
    )
    const requested = collector.requests()
    await fetch(`${service.url}/readyz`)
    // A span made now is exported after all that were made before
    await fetch(`${service.url}/v1/none`)
    await eventually(
      async () => collector.requests(),
      (requests) => requests > requested
    )
    collector.spans.splice(
      collector.spans.findIndex(({ name }) => name === "GET"),
      1
    )
  }
  // Work left over from the bookings is found first
  await eventually(
    async () => {
      const before = collector.spans.length
      await run()
      return collector.spans.length - before
    },
    (more) => more === 0
  )
})

test("without a collector, and outside of a sample, jobs keep the trace of their cause", async () => {
  const [prescription_uid] = await waitingPrescriptions(world)
  const answer = await world.api("POST", `/v1/management/prescriptions/${prescription_uid}/render`)
  expect(answer.status).toBe(202)
  const entries = await eventually(
    () =>
      server.current.sql<{ trace_id: string }>`SELECT trace_id FROM audit_entries
        WHERE action = 'job.prescription.render' AND owner_uid = ${world.organisation_uid}`,
    (rows) => rows.length > 0
  )
  expect(new Set(entries.map(({ trace_id }) => trace_id))).toEqual(new Set([answer.headers.get("x-request-id") ?? ""]))
})
