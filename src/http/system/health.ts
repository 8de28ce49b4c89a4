/** Liveness, readiness, metrics and version. */
import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Capabilities } from "../../declarations.ts"
import { Readiness } from "../../services/operation/Readiness.ts"
import { Traffic } from "../../services/operation/Traffic.ts"
import { commit, version } from "../../version.ts"
import { reply } from "../problems.ts"
import { prometheusText } from "./prometheus.ts"

export class HealthRoutes extends Effect.Service<HealthRoutes>()("http/HealthRoutes", {
  effect: Effect.gen(function* () {
    const { check } = yield* Readiness
    const { state } = yield* Traffic
    const capabilities = (yield* Capabilities).on.filter(({ switched }) => switched).map(({ name }) => name)
    const notReady = (reason: string) => reply(503, "not_ready", reason)
    const ready = Effect.suspend(() =>
      state.phase === "open"
        ? Effect.matchEffect(check, {
            onSuccess: () => Effect.succeed(HttpServerResponse.unsafeJson({ status: "ready" })),
            onFailure: notReady
          })
        : notReady("The process is shutting down")
    )
    const metrics = Effect.sync(() =>
      HttpServerResponse.text(prometheusText(), { contentType: "text/plain; version=0.0.4; charset=utf-8" })
    )
    return {
      alive: Effect.succeed(HttpServerResponse.unsafeJson({ status: "alive" })),
      ready,
      metrics,
      running: Effect.succeed(HttpServerResponse.unsafeJson({ version, commit, bun: Bun.version, capabilities }))
    } as const
  })
}) {}

const loopback = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"])

/** Whether the caller is on this machine and not behind a proxy. */
export const isDirectLoopback = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) =>
  headers["x-forwarded-for"] === undefined &&
  headers.forwarded === undefined &&
  Option.exists(remoteAddress, (address) => loopback.has(address))
