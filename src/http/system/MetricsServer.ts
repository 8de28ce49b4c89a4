/** Health and metrics on METRICS_PORT, which must not be behind the public proxy. */
import { HttpRouter, HttpServer } from "@effect/platform"
import { BunHttpServer } from "@effect/platform-bun"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { HealthRoutes } from "./health.ts"

const routes = Effect.map(HealthRoutes, ({ alive, ready, metrics, running }) =>
  HttpRouter.empty.pipe(
    HttpRouter.get("/healthz", alive),
    HttpRouter.get("/readyz", ready),
    HttpRouter.get("/metrics", metrics),
    HttpRouter.get("/version", running),
    HttpServer.serve()
  )
)

export const MetricsServer = Layer.unwrapEffect(
  Effect.map(Settings, ({ host, metricsPort }) =>
    metricsPort === undefined
      ? Layer.empty
      : Layer.unwrapEffect(routes).pipe(
          Layer.provide(HealthRoutes.Default),
          Layer.provide(BunHttpServer.layer({ hostname: host, port: metricsPort }))
        )
  )
)
