/** Health, metrics and the documents of the interface on the main port. */
import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Api } from "../Api.ts"
import { constant, uncodedTag } from "../compression.ts"
import { reply } from "../problems.ts"
import { HealthRoutes, isDirectLoopback } from "./health.ts"
import { documentOf } from "./openapi.ts"
import { SiteHttp } from "./site.ts"

const NO_ROUTE = "No such route: /docs shows the interface"

/** What a worker serves too. Metrics and version are only for direct callers on this machine. */
export const HealthHttp = HttpApiBuilder.Router.use((router) =>
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

export const DocsHttp = Layer.mergeAll(
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Settings
      const text = JSON.stringify(documentOf(Api, baseUrl))
      const etag = `"${new Bun.CryptoHasher("sha256").update(text).digest("base64url").slice(0, 22)}"`
      const headers = { etag, "cache-control": "no-store" }
      const whole = constant(HttpServerResponse.text(text, { contentType: "application/json", headers }))
      const unchanged = HttpServerResponse.empty({ status: 304, headers })
      const answer = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
        (request.headers["if-none-match"] ?? "").split(",").some((tag) => uncodedTag(tag.trim()) === etag)
          ? unchanged
          : whole
      )
      yield* router.get("/openapi.json", answer)
    })
  ),
  SiteHttp
)
