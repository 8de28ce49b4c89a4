/** What every operator's tools ask: is it alive, is it ready, what can it do. */
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import type { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { Readiness } from "../../services/operation/Readiness.ts"
import { Api } from "../Api.ts"
import { reply } from "../problems.ts"
import { docsPage } from "./docsPage.ts"
import { documentOf } from "./openapi.ts"
import { prometheusText } from "./prometheus.ts"

const document = documentOf(Api)

const ready = Effect.flatMap(Readiness, ({ check }) =>
  Effect.matchEffect(check, {
    onSuccess: () => Effect.succeed(HttpServerResponse.unsafeJson({ status: "ready" })),
    onFailure: (why) => reply(503, "not_ready", why)
  })
)

const metrics = Effect.sync(() =>
  HttpServerResponse.text(prometheusText(), { contentType: "text/plain; version=0.0.4; charset=utf-8" })
)

/** `/healthz`, `/readyz` and `/metrics`: what also a worker serves. */
export const HealthHttp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Readiness | SqlClient.SqlClient>()
    yield* router.get("/healthz", HttpServerResponse.json({ status: "alive" }))
    yield* router.get("/readyz", Effect.provide(ready, context))
    yield* router.get("/metrics", metrics)
  })
)

export const DocsHttp = Layer.mergeAll(
  HttpApiBuilder.Router.use((router) => router.get("/openapi.json", HttpServerResponse.json(document))),
  docsPage(Api, "/docs")
)
