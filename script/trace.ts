/**
 * `bun script/trace.ts`: books an appointment on a running service and draws the spans of its trace, from the request to the
 * partner's webhook, into docs/traces/booking.svg.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { startReceiver } from "../tests/events/receiver.ts"
import { eventually } from "../tests/support/eventually.ts"
import { startService, temporaryFolder } from "../tests/support/processes.ts"
import { startServer } from "../tests/support/server.ts"
import { inDays, makeWorld } from "../tests/support/world.ts"
import { collectorOf, type Span } from "../tests/telemetry/collector.ts"

const record = async (): Promise<ReadonlyArray<Span>> => {
  const collector = collectorOf()
  const receiver = await startReceiver()
  const folder = temporaryFolder()
  const admin = await startServer({ ROLE: "http" })
  const world = await makeWorld(admin)
  await admin.api("POST", "/v1/management/notification-subscriptions", {
    key: world.key,
    body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: receiver.url("/partner") }
  })
  const service = await startService({
    DATABASE_URL: admin.databaseUrl,
    DATA_DIR: folder.path,
    WEBHOOK_ALLOW_PRIVATE: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "50"
  })
  const book = (day: number) =>
    fetch(`${service.url}/v1/management/scheduling/appointments`, {
      method: "POST",
      headers: { "x-api-key": world.key, "content-type": "application/json" },
      body: JSON.stringify({
        shop_uid: world.shop_uid,
        shop_customer_id: "customer-1",
        appointment_type_uid: world.type_uid,
        start_date: inDays(day, 9)
      })
    })
  // Warm-up: the first requests compile code
  for (const day of [1, 2, 3, 4]) await book(day)
  const trace = (await book(5)).headers.get("x-request-id")
  const spans = await eventually(
    async () => collector.spans.filter(({ traceId }) => traceId === trace),
    (all) => ["webhook", "job webhook.deliver"].every((name) => all.some((span) => span.name === name))
  )
  await service.stop()
  await admin.stop()
  await collector.stop()
  receiver.stop()
  folder.remove()
  return spans
}

const ROW = 18
const LEFT = 330
const WIDTH = 640
const TOP = 30

const colourOf = ({ name, attributes }: Span) => {
  if ("db.system.name" in attributes) return "#7aa6c2"
  if (name.startsWith("job ")) return "#c29a5b"
  return name.startsWith("webhook") || name.startsWith("WebhookSender") ? "#8bae6b" : "#9a8bb5"
}

/** Depth first, in order of start. */
const inOrder = (spans: ReadonlyArray<Span>, parent: Span | undefined, depth = 0): ReadonlyArray<[Span, number]> => {
  const known = new Set(spans.map(({ spanId }) => spanId))
  return spans
    .filter((span) => (parent === undefined ? !known.has(span.parentSpanId) : span.parentSpanId === parent.spanId))
    .sort((one, other) => one.start - other.start)
    .flatMap((span) => [[span, depth] as const, ...inOrder(spans, span, depth + 1)])
    .map(([span, at]) => [span, at])
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const draw = (spans: ReadonlyArray<Span>) => {
  const rows = inOrder(spans, undefined)
  const first = Math.min(...spans.map(({ start }) => start))
  // Spans after the partner's response are bookkeeping
  const last = Math.max(...spans.filter(({ name }) => name === "webhook").map(({ end }) => end))
  const shown = rows.filter(([{ start }]) => start <= last)
  const x = (at: number) => LEFT + ((Math.min(at, last) - first) / (last - first)) * WIDTH
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const at = LEFT + share * WIDTH
    const label = `${((last - first) * share).toFixed(1)} ms`
    return `<line x1="${at}" y1="${TOP - 8}" x2="${at}" y2="${TOP + shown.length * ROW}" stroke="#ddd"/><text x="${at}" y="${TOP - 12}" text-anchor="middle">${label}</text>`
  })
  const bars = shown.map(([span, depth], index) => {
    const y = TOP + index * ROW
    const width = Math.max(1.5, x(span.end) - x(span.start))
    return `<text x="${8 + depth * 12}" y="${y + 12}">${escaped(span.name.slice(0, 52 - depth * 2))}</text><rect x="${x(span.start).toFixed(1)}" y="${y + 3}" width="${width.toFixed(1)}" height="${ROW - 6}" fill="${colourOf(span)}"/><text x="${(x(span.start) + width + 4).toFixed(1)}" y="${y + 12}" fill="#777">${(span.end - span.start).toFixed(1)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + WIDTH + 60} ${TOP + shown.length * ROW + 10}" font-family="sans-serif" font-size="10" role="img">
<title>Spans of one booking, from the request to the partner's webhook, in milliseconds</title>
<rect width="100%" height="100%" fill="#fff"/>
${[...ticks, ...bars].join("\n")}
</svg>
`
}

const spans = await record()
mkdirSync("docs/traces", { recursive: true })
writeFileSync("docs/traces/booking.svg", draw(spans))
console.log(`${spans.length} spans drawn into docs/traces/booking.svg`)
process.exit(0)
