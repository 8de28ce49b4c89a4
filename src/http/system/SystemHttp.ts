/** Health, metrics and API documentation on the main port. */
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Capabilities } from "../../declarations.ts"
import { memoised } from "../../services/memoised.ts"
import { Routes } from "../inRequest.ts"
import { reply } from "../problems.ts"
import { ServedApi } from "../ServedApi.ts"
import { HealthRoutes, isDirectLoopback } from "./health.ts"
import { documentOf } from "./openapi.ts"
import { Site, SiteHttp } from "./site.ts"
import { WellKnownHttp } from "./WellKnownHttp.ts"

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

/** The document of the capabilities that are on, made on first use. */
const documentOfServed = Effect.zipWith(ServedApi, Settings, (api, { baseUrl }) => {
  const json = memoised(() => JSON.stringify(documentOf(api, baseUrl)))
  return Effect.sync(() => HttpServerResponse.text(json(), { contentType: "application/json" }))
})

export const DocsHttp = Layer.mergeAll(
  Routes.use((router) =>
    Effect.gen(function* () {
      const site = yield* Site
      const { on, installed } = yield* Capabilities
      // The built document has every capability
      const document = on.length === installed.length ? site.document("whole") : yield* documentOfServed
      yield* router.get("/openapi.json", document)
    })
  ),
  SiteHttp,
  WellKnownHttp
)
