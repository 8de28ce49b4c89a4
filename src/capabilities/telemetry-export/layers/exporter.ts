/** Traces and metrics for an OTLP/HTTP collector. */
import { OtlpMetrics, OtlpSerialization, OtlpTracer } from "@effect/opentelemetry"
import { Effect, Layer } from "effect"
import type { ExportOptions } from "../../../declarations.ts"
import { build } from "../../../version.ts"
import { collectorClient } from "./collector.ts"
import { redactingTracer } from "./privacy.ts"

const at = (endpoint: string, path: string) => `${endpoint.replace(/\/+$/, "")}${path}`

export const exporter = ({ endpoint, ...options }: ExportOptions) => {
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
