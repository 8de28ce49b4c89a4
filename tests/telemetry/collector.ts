/**
 * An OTLP/HTTP collector that decodes requests by OpenTelemetry's protobuf definitions. 0.57 is the last version of the
 * package with a decoder; later ones only encode.
 */
import * as protobuf from "@opentelemetry/otlp-transformer/build/src/generated/root.js"

interface Message<A> {
  readonly decode: (bytes: Uint8Array) => A
  readonly fromObject: (object: unknown) => A
  readonly toObject: (message: A) => unknown
  readonly verify: (object: unknown) => string | null
}
interface WireSpan {
  readonly name: string
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly parentSpanId?: Uint8Array
  readonly startTimeUnixNano: unknown
  readonly endTimeUnixNano: unknown
  readonly attributes: ReadonlyArray<{ key: string; value: { stringValue?: string; intValue?: unknown } }>
  readonly status: { readonly code: number; readonly message: string }
}
interface WireTraces {
  readonly resourceSpans: ReadonlyArray<{ scopeSpans: ReadonlyArray<{ spans: ReadonlyArray<WireSpan> }> }>
}
interface WireMetrics {
  readonly resourceMetrics: ReadonlyArray<{
    readonly resource: { readonly attributes: WireSpan["attributes"] }
    readonly scopeMetrics: ReadonlyArray<{ metrics: ReadonlyArray<{ name: string }> }>
  }>
}

// The generated code is typed as protobuf.js's empty `Root`; these are its two messages used here
const { collector } = (
  protobuf as unknown as {
    opentelemetry: {
      proto: {
        collector: {
          trace: { v1: { ExportTraceServiceRequest: Message<WireTraces> } }
          metrics: { v1: { ExportMetricsServiceRequest: Message<WireMetrics> } }
        }
      }
    }
  }
).opentelemetry.proto
const Traces = collector.trace.v1.ExportTraceServiceRequest
const Metrics = collector.metrics.v1.ExportMetricsServiceRequest

type Answer = () => Response | Promise<Response>

export interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  /** Unix time in milliseconds. */
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code: number; readonly message: string }
}

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("hex")

// OTLP/JSON writes ids as hexadecimal text, where protobuf's JSON would have base64
const withBytes = (text: string) =>
  JSON.parse(text, (key, value) =>
    (key === "traceId" || key === "spanId" || key === "parentSpanId") && typeof value === "string"
      ? Buffer.from(value, "hex").toString("base64")
      : value
  )

const decode = <A>(message: Message<A>, type: string | null, body: Uint8Array): A => {
  if (type?.startsWith("application/x-protobuf")) return message.decode(body)
  const decoded = message.fromObject(withBytes(new TextDecoder().decode(body)))
  const fault = message.verify(message.toObject(decoded))
  if (fault !== null) throw new Error(`Not OTLP: ${fault}`)
  return decoded
}

const attributesOf = (attributes: WireSpan["attributes"]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value]))

export const collectorOf = (answer: Answer = () => new Response(), port = 0) => {
  const spans: Array<Span> = []
  const metrics: Array<string> = []
  const resources: Array<Readonly<Record<string, unknown>>> = []
  const raw: Array<string> = []
  let requests = 0
  const server = Bun.serve({
    port,
    fetch: async (request) => {
      requests++
      const body = new Uint8Array(await request.arrayBuffer())
      raw.push(Buffer.from(body).toString("latin1"))
      const type = request.headers.get("content-type")
      const path = new URL(request.url).pathname
      if (path === "/v1/traces") {
        const { resourceSpans } = decode(Traces, type, body)
        for (const span of resourceSpans.flatMap((of) => of.scopeSpans).flatMap((of) => of.spans))
          spans.push({
            name: span.name,
            traceId: hex(span.traceId),
            spanId: hex(span.spanId),
            parentSpanId: hex(span.parentSpanId),
            start: Number(String(span.startTimeUnixNano)) / 1e6,
            end: Number(String(span.endTimeUnixNano)) / 1e6,
            attributes: attributesOf(span.attributes),
            status: span.status
          })
      } else if (path === "/v1/metrics") {
        const { resourceMetrics } = decode(Metrics, type, body)
        for (const { resource } of resourceMetrics) resources.push(attributesOf(resource.attributes))
        for (const { name } of resourceMetrics.flatMap((of) => of.scopeMetrics).flatMap((of) => of.metrics))
          metrics.push(name)
      }
      return answer()
    }
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    metrics,
    /** Attributes of the resource of each batch of metrics. */
    resources,
    raw,
    requests: () => requests,
    stop: () => server.stop(true)
  }
}
