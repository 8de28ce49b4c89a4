/**
 * The limit of the patient scheduling interface (Rule 2.7): a token bucket for each credential, else for each
 * client address, refilled at RATE_LIMIT_PER_SECOND; 0 switches it off.
 */
import { RateLimiter } from "@effect/experimental"
import { HttpApiMiddleware, HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Layer, Option } from "effect"
import { Settings } from "../config.ts"
import { TooManyRequests } from "../schemas/problems.ts"
import { hashOf } from "../services/uid.ts"
import { problem } from "./problems.ts"

export class RateLimited extends HttpApiMiddleware.Tag<RateLimited>()("http/RateLimited", {
  failure: problem(TooManyRequests)
}) {}

/** Launch and action codes stand in the path. */
const codeIn = (url: string) => /\/(?:booking-sessions|appointment-actions)\/([^/?]+)/.exec(url)?.[1]

const callerOf = (request: HttpServerRequest.HttpServerRequest): string => {
  const credential = request.headers["x-service-booking-token"] ?? request.headers["x-api-key"] ?? codeIn(request.url)
  return credential === undefined || credential === ""
    ? `address:${Option.getOrElse(request.remoteAddress, () => "unknown")}`
    : `credential:${hashOf(credential).toString("base64url")}`
}

const announce = (limit: number, remaining: number, reset: Duration.Duration) =>
  HttpApp.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        "ratelimit-limit": String(limit),
        "ratelimit-remaining": String(Math.max(0, remaining)),
        "ratelimit-reset": String(Math.ceil(Duration.toSeconds(reset)))
      })
    )
  )

const limited = (limiter: RateLimiter.RateLimiter, limit: number) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const key = callerOf(request)
    const { remaining, resetAfter } = yield* limiter
      .consume({ key, limit, window: "1 second", algorithm: "token-bucket" })
      .pipe(
        Effect.catchAll((error) =>
          error.reason === "Exceeded"
            ? Effect.zipRight(
                announce(limit, 0, error.retryAfter),
                new TooManyRequests({
                  retry_after_seconds: Math.max(1, Math.ceil(Duration.toSeconds(error.retryAfter)))
                })
              )
            : Effect.die(error)
        )
      )
    yield* announce(limit, remaining, resetAfter)
  })

export const RateLimitLive = Layer.effect(
  RateLimited,
  Effect.zipWith(Settings, RateLimiter.RateLimiter, ({ rateLimitPerSecond }, limiter) =>
    rateLimitPerSecond === 0 ? Effect.void : limited(limiter, rateLimitPerSecond)
  )
)
