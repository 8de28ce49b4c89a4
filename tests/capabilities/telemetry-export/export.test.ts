import { describe, expect, test } from "bun:test"
import { Cause, ConfigProvider, Data, Effect, Exit, Layer, ManagedRuntime } from "effect"
import { telemetryExportCapability } from "../../../src/capabilities/telemetry-export/index.ts"
import { exporter } from "../../../src/capabilities/telemetry-export/layers/exporter.ts"
import { SettingsLive } from "../../../src/config.ts"
import { Capabilities, type ExportOptions } from "../../../src/declarations.ts"
import { TelemetryLive, telemetry as telemetryOf } from "../../../src/layers/Telemetry.ts"
import { holds } from "../../../src/services/metrics.ts"
import { build } from "../../../src/version.ts"
import { eventually } from "../../support/eventually.ts"
import { isLong, sized } from "../../support/scale.ts"
import { collectorOf } from "../../telemetry/collector.ts"

const telemetry = (options: Parameters<typeof telemetryOf>[0]) => telemetryOf(options, exporter)

const options = (endpoint: string | undefined, protocol: ExportOptions["protocol"] = "http/protobuf") => ({
  endpoint,
  protocol,
  headers: { authorization: "Bearer collector" },
  serviceName: "sprechstunde-test",
  resourceAttributes: {},
  metricsInterval: "20 millis" as const,
  tracesInterval: "20 millis" as const,
  timeoutSeconds: 0.1
})

class Secret extends Data.TaggedError("Secret")<{ readonly message: string }> {}

const CANARY = "canary-Ada-Lovelace-1815"

const work = Effect.gen(function* () {
  yield* Effect.annotateCurrentSpan({ "http.route": "/v1/things/:uid", "url.full": CANARY, "patient.name": CANARY })
  yield* Effect.exit(
    Effect.withSpan(Effect.fail(new Secret({ message: CANARY })), "inner", { attributes: { note: CANARY } })
  )
  yield* Effect.annotateCurrentSpan({
    "db.operation.name": "execute",
    "db.query.text": "INSERT INTO patients (name) VALUES ($1)",
    "db.query.parameter.0": CANARY
  }).pipe(
    Effect.zipRight(Effect.die({ _tag: "SqlError", cause: { code: "23P01", detail: CANARY } })),
    Effect.withSpan("sql.execute"),
    Effect.exit
  )
}).pipe(Effect.withSpan("outer"))

describe.each(["http/protobuf", "http/json"] as const)("export by %s", (protocol) => {
  test("OpenTelemetry's own decoder reads traces and metrics, and nothing personal is in them", async () => {
    const collector = collectorOf()
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* work
        yield* holds.pipe((metric) => metric(Effect.succeed(1)))
        yield* Effect.promise(async () => {
          while (!collector.metrics.includes("sprechstunde_holds_total")) await Bun.sleep(5)
        })
      }).pipe(Effect.provide(telemetry(options(collector.url, protocol))))
    )
    await collector.stop()
    const [outer, inner, sql] = ["outer /v1/things/:uid", "inner", "INSERT patients"].map((name) =>
      collector.spans.find((of) => of.name === name)
    )
    expect(outer).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/), parentSpanId: "" })
    expect(outer?.attributes).toEqual({ "http.route": "/v1/things/:uid" })
    expect(inner?.attributes).toMatchObject({ "error.type": "Secret" })
    expect(inner).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId, status: { message: "Secret" } })
    expect(sql?.status).toMatchObject({ code: 2, message: "SqlError 23P01" })
    expect(sql?.attributes).toMatchObject({
      "db.system.name": "postgresql",
      "db.operation.name": "INSERT",
      "db.collection.name": "patients",
      "db.query.summary": "INSERT patients",
      "db.query.text": "INSERT INTO patients (name) VALUES ($1)",
      "error.type": "SqlError 23P01",
      "db.response.status_code": "23P01"
    })
    expect(collector.raw.join("")).not.toContain(CANARY)
  })
})

test("without a collector no spans are created", async () => {
  const seen = await Effect.runPromise(
    Effect.currentSpan.pipe(
      Effect.map(({ spanId }) => spanId),
      Effect.withSpan("never seen"),
      Effect.provide(telemetry(options(undefined)))
    )
  )
  expect(seen).toBe("noop")
})

const failures: ReadonlyArray<[string, () => Response | Promise<Response>]> = [
  ["hangs", () => new Promise<Response>(() => undefined)],
  ["answers 503", () => new Response(null, { status: 503 })]
]

test.each(isLong ? failures : failures.slice(1))(
  "a collector that %s is skipped, and costs neither time nor memory",
  async (_, answer) => {
    const collector = collectorOf(answer)
    const spans = (count: number) => Effect.repeatN(Effect.withSpan(Effect.void, "one of many"), count)
    const kept = await Effect.runPromise(
      Effect.gen(function* () {
        let quiet = 0
        while (quiet < 10) {
          const requested = collector.requests()
          yield* spans(2_000) // two batches, which would be sent at once
          yield* Effect.sleep("20 millis")
          quiet = requested > 0 && collector.requests() === requested ? quiet + 1 : 0
        }
        Bun.gc(true)
        const before = process.memoryUsage().heapUsed
        yield* spans(sized(50_000, 200_000))
        Bun.gc(true)
        return process.memoryUsage().heapUsed - before
      }).pipe(Effect.provide(telemetry({ ...options(collector.url), metricsInterval: "1 hour" })), Effect.scoped)
    )
    await collector.stop()
    expect(kept).toBeLessThan(sized(5, 20) * 1_000_000) // the spans, if they were kept, would be ten times that
  }
)

test("a failure passed to the tracer stays complete for the program", async () => {
  const collector = collectorOf()
  const exit = await Effect.runPromise(
    Effect.fail(new Secret({ message: CANARY })).pipe(
      Effect.withSpan("fails"),
      Effect.exit,
      Effect.provide(telemetry(options(collector.url)))
    )
  )
  await collector.stop()
  expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain(CANARY)
})

test("every process is an instance of its own, of a build and a role", async () => {
  const collector = collectorOf()
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRIC_EXPORT_INTERVAL: "50" }
  const process = (ROLE: string) =>
    ManagedRuntime.make(
      Layer.provide(
        Layer.provide(
          TelemetryLive,
          Layer.succeed(Capabilities, { installed: [telemetryExportCapability], on: [telemetryExportCapability] })
        ),
        Layer.provide(
          SettingsLive,
          Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ ...environment, ROLE }))))
        )
      )
    )
  const processes = [process("http"), process("worker")]
  for (const one of processes) await one.runPromise(Effect.void)
  const found = await eventually(
    async () => new Map(collector.resources.map((of) => [of["service.instance.id"], of])),
    (instances) => instances.size >= 2
  )
  for (const one of processes) await one.dispose()
  await collector.stop()
  const all = [...found.values()]
  expect(all.map((of) => of["sprechstunde.role"]).sort()).toEqual(["http", "worker"])
  for (const of of all) {
    expect(of["service.name"]).toBe("sprechstunde")
    expect(of["service.version"]).toBe(build)
  }
})
