import { hostname } from "node:os"
import { Effect, Layer, Logger, RuntimeFlags } from "effect"
import { Settings } from "../config.ts"
import { Capabilities, type ExportOptions } from "../declarations.ts"
import { jsonLogger } from "./telemetry/JsonLogger.ts"
import { unserved } from "./unserved.ts"

/** Exports traces and metrics if a collector is configured, and a capability can. */
export const telemetry = (
  { endpoint, ...options }: Omit<ExportOptions, "endpoint"> & { readonly endpoint: string | undefined },
  exporter: ((options: ExportOptions) => Layer.Layer<never>) | undefined
): Layer.Layer<never> =>
  Layer.mergeAll(
    endpoint === undefined || exporter === undefined
      ? Layer.setTracerEnabled(false)
      : exporter({ ...options, endpoint }),
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
  Effect.gen(function* () {
    const { otel, role } = yield* Settings
    const exporter = (yield* Capabilities).on.find((one) => one.exporter)?.exporter
    const endpoint = otel.disabled ? undefined : otel.endpoint
    if (endpoint !== undefined && exporter === undefined) return yield* unserved("OTEL_EXPORTER_OTLP_ENDPOINT")
    return telemetry(
      {
        ...otel,
        // Without an instance the figures of several processes would be one
        resourceAttributes: {
          "service.instance.id": crypto.randomUUID(),
          "host.name": hostname(),
          "sprechstunde.role": role,
          ...otel.resourceAttributes
        },
        endpoint,
        metricsInterval: otel.metricsIntervalMillis,
        tracesInterval: otel.tracesIntervalMillis,
        timeoutSeconds: otel.timeoutMillis / 1_000
      },
      exporter
    )
  })
).pipe(Layer.merge(loggingTo("stdout")))
