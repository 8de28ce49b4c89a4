import { hostname } from "node:os"
import { OtlpMetrics, OtlpSerialization, OtlpTracer } from "@effect/opentelemetry"
import { type Duration, Effect, Layer, Logger, RuntimeFlags } from "effect"
import { Settings } from "../config.ts"
import { build } from "../version.ts"
import { collectorClient } from "./telemetry/collector.ts"
import { jsonLogger } from "./telemetry/JsonLogger.ts"
import { redactingTracer } from "./telemetry/privacy.ts"

export interface TelemetryOptions {
  /** Base URL of an OTLP/HTTP collector. Undefined disables tracing and export. */
  readonly endpoint: string | undefined
  readonly protocol: "http/protobuf" | "http/json"
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  /** Further attributes of the process in the resource. */
  readonly resourceAttributes: Readonly<Record<string, string>>
  readonly metricsInterval: Duration.DurationInput
  readonly tracesInterval: Duration.DurationInput
  /** Time-out of a request to the collector, after which its batch is dropped. */
  readonly timeoutSeconds: number
}

const at = (endpoint: string, path: string) => `${endpoint.replace(/\/+$/, "")}${path}`

const exporting = ({ endpoint, ...options }: TelemetryOptions & { readonly endpoint: string }) => {
  const common = {
    headers: options.headers,
    resource: { serviceName: options.serviceName, serviceVersion: build, attributes: options.resourceAttributes }
  }
  const tracer = OtlpTracer.make({
    ...common,
    url: at(endpoint, "/v1/traces"),
    exportInterval: options.tracesInterval
  })
  const metrics = OtlpMetrics.layer({
    ...common,
    url: at(endpoint, "/v1/metrics"),
    exportInterval: options.metricsInterval
  })
  const format = options.protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
  return Layer.merge(
    Layer.unwrapScoped(Effect.map(tracer, (made) => Layer.setTracer(redactingTracer(made)))),
    metrics
  ).pipe(Layer.provide([format, collectorClient(options.timeoutSeconds)]))
}

/** Exports traces and metrics if a collector is configured. */
export const telemetry = (options: TelemetryOptions): Layer.Layer<never> =>
  Layer.mergeAll(
    options.endpoint === undefined
      ? Layer.setTracerEnabled(false)
      : exporting({ ...options, endpoint: options.endpoint }),
    // Effect's fiber metrics cost a quarter of the throughput and are not used by any dashboard
    RuntimeFlags.disableRuntimeMetrics
  )

const loggers = {
  stdout: { json: Logger.withConsoleLog(jsonLogger), pretty: Logger.prettyLogger() },
  stderr: { json: Logger.withConsoleError(jsonLogger), pretty: Logger.prettyLogger({ stderr: true }) }
}

/** `pretty` is for terminals and shows whole errors; `json` is for production and omits error messages. */
const loggingTo = (to: "stdout" | "stderr") =>
  Layer.unwrapEffect(
    Effect.map(Settings, ({ logFormat = process[to].isTTY ? "pretty" : "json", logLevel }) =>
      Layer.merge(Logger.replace(Logger.defaultLogger, loggers[to][logFormat]), Logger.minimumLogLevel(logLevel))
    )
  )

/** For commands: logs go to stderr, since stdout is the result. */
export const CommandLogging = loggingTo("stderr")

/** Logs, traces and metrics as configured. */
export const TelemetryLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ otel, role }) =>
    telemetry({
      ...otel,
      // Without an instance the figures of several processes would be one
      resourceAttributes: {
        "service.instance.id": crypto.randomUUID(),
        "host.name": hostname(),
        "sprechstunde.role": role,
        ...otel.resourceAttributes
      },
      endpoint: otel.disabled ? undefined : otel.endpoint,
      metricsInterval: otel.metricsIntervalMillis,
      tracesInterval: otel.tracesIntervalMillis,
      timeoutSeconds: otel.timeoutMillis / 1_000
    })
  )
).pipe(Layer.merge(loggingTo("stdout")))
