/** A separate worker process reports its backlog and its state: metrics are per process. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Boss } from "../../src/services/queue/Jobs.ts"
import { eventually } from "../support/eventually.ts"
import { startService, temporaryFolder } from "../support/processes.ts"
import { ownServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"
import { collectorOf } from "./collector.ts"

const server = ownServer({ ROLE: "http" })

const sampled = (text: string, name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN)

const wanted = {
  waiting: 'sprechstunde_queue_depth\\{queue="dead_letters"\\}',
  backlog: "sprechstunde_webhook_backlog",
  lag: "sprechstunde_reminder_lag_seconds",
  idle: 'sprechstunde_database_pool_connections\\{state="idle"\\}',
  busy: 'sprechstunde_database_pool_connections\\{state="busy"\\}',
  waited: 'sprechstunde_database_pool_connections\\{state="waited_for"\\}'
}

test("queues, the webhooks' backlog, the reminders' lag and the pool, at /metrics and over OTLP", async () => {
  const world = await makeWorld(server.current)
  const unavailable = Bun.serve({ port: 0, fetch: () => new Response(null, { status: 503 }) })
  await world.api("POST", "/v1/management/notification-subscriptions", {
    notification_type: "PATIENT_DOCTOR_MEETING_UPDATED",
    url: `http://127.0.0.1:${unavailable.port}/`
  })
  await world.api("POST", `/v1/management/scheduling/appointment-types/${world.type_uid}/reminders`, {
    recipient_role: "patient",
    minutes_before: 86_400
  })
  const uid = await world.booked(inDays(2, 9))
  await server.current.sql`UPDATE appointments SET confirmed_at = start_date - interval '90 days' WHERE uid = ${uid}`
  await server.current.sql`UPDATE reminders SET effective_from = effective_from - interval '90 days'
    WHERE appointment_type_uid = ${world.type_uid}`
  await server.current.run(
    Effect.flatMap(Boss, (boss) =>
      Effect.promise(() =>
        Promise.all([boss.send("dead_letters", {}), boss.send("maintenance.every_minute", { data: {} })])
      )
    )
  )

  const folder = temporaryFolder()
  const collector = collectorOf()
  const worker = await startService({
    ROLE: "worker",
    DATABASE_URL: server.current.databaseUrl,
    DATA_DIR: folder.path,
    WEBHOOK_ALLOW_PRIVATE: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: "60000", // an export that a busy machine delays is not given up
    OTEL_METRIC_EXPORT_INTERVAL: "100"
  })
  const read = async () => {
    const text = await (await fetch(`${worker.url}/metrics`)).text()
    return Object.fromEntries(Object.entries(wanted).map(([what, name]) => [what, sampled(text, name)]))
  }
  const reported = await eventually(
    read,
    ({ waiting = 0, backlog = 0, lag = 0 }) => waiting > 0 && backlog > 0 && lag > 0,
    90
  )
  const names = Object.values(wanted).map((name) => name.replace(/\\.*/, ""))
  await eventually(
    async () => collector.metrics,
    (seen) => names.every((name) => seen.includes(name))
  )
  await worker.stop()
  await collector.stop()
  await unavailable.stop(true)
  folder.remove()
  expect(reported).toMatchObject({ waiting: 1, backlog: 1 })
  expect(reported.lag).toBeGreaterThan(50 * 86_400)
  for (const state of [reported.idle, reported.busy, reported.waited]) expect(state).toBeGreaterThanOrEqual(0)
})
