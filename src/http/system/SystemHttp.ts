/** Health and metrics on the main port. */
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Routes } from "../inRequest.ts"
import { reply } from "../problems.ts"
import { HealthRoutes, isDirectLoopback } from "./health.ts"

const NO_ROUTE = "No such route: /docs shows the interface"

/** Served by workers too. Metrics and version are only for direct callers on this machine. */
export const HealthHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const { alive, ready, metrics, running } = yield* HealthRoutes
    const { metricsPort } = yield* Settings
    const guarded = (answer: Effect.Effect<HttpServerResponse.HttpServerResponse>) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        metricsPort === undefined && isDirectLoopback(request) ? answer : reply(404, "unknown_route", NO_ROUTE)
      )
    yield* router.get("/healthz", alive)
    yield* router.get("/readyz", ready)
    yield* router.get("/metrics", guarded(metrics))
    yield* router.get("/version", guarded(running))
  })
).pipe(Layer.provide(HealthRoutes.Default))
