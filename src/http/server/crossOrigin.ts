/**
 * CORS for operations of the patient interface that need no credential, or only a code in the URL. Never with cookies or
 * other browser credentials. Rules 2.9.6 and 2.9.7.
 */
import { type HttpApi, type HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { EmbedOrigins } from "../../services/hosted/EmbedOrigins.ts"
import type { CurrentTenant } from "../../services/tenancy/Tenancy.ts"
import { endpointsOf } from "../endpoints.ts"
import { pathsOf } from "./routes.ts"

/** Request headers that a page may send, and response headers that it may read. */
const ALLOWED_HEADERS = "content-type, idempotency-key, accept-language, traceparent"
const EXPOSED_HEADERS =
  "idempotency-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id"
/** Seconds for which a browser may cache a preflight response. */
const PREFLIGHT_SECONDS = 600

/** Operations of the patient interface without credentials. */
const publicOperations = (api: HttpApi.HttpApi.Any) =>
  endpointsOf(api).flatMap(({ endpoint, middleware }) =>
    endpoint.path.startsWith("/v1/scheduling/") && middleware.size === 0
      ? [{ method: endpoint.method, paths: pathsOf(endpoint.path) }]
      : []
  )

type Wrap = <E, R>(app: HttpApp.Default<E, R>) => HttpApp.Default<E, R | CurrentTenant>

/** Wraps the rate limit too, so that a page can read a 429. */
export const makeCrossOrigin = Effect.fnUntraced(function* (api: HttpApi.HttpApi.Any) {
  const open = publicOperations(api)
  const origins = yield* EmbedOrigins
  const methodsAt = (url: string) => {
    const path = url.replace(/\?.*$/s, "")
    return open.filter(({ paths }) => paths.test(path)).map(({ method }) => method)
  }
  /** If the lookup fails the response has no CORS headers, so the browser blocks it. */
  const orFalse = Effect.catchAllCause((cause: unknown) =>
    Effect.as(Effect.logWarning("the origin of a request could not be looked up", cause), false)
  )
  const allows = (origin: string) => orFalse(origins.allows(origin))

  const preflight = (origin: string, methods: ReadonlyArray<string>) =>
    HttpServerResponse.empty({
      status: 204,
      headers: {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": methods.join(", "),
        "access-control-allow-headers": ALLOWED_HEADERS,
        "access-control-max-age": String(PREFLIGHT_SECONDS),
        vary: "origin, access-control-request-method, access-control-request-headers"
      }
    })

  const withCorsHeaders = (response: HttpServerResponse.HttpServerResponse, origin: string, isAllowed: boolean) =>
    HttpServerResponse.setHeaders(response, {
      vary: response.headers.vary === undefined ? "origin" : `${response.headers.vary}, origin`,
      ...(isAllowed && { "access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED_HEADERS })
    })

  return (limited: Wrap): Wrap =>
    <E, R>(app: HttpApp.Default<E, R>) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url, headers }) => {
        const methods = methodsAt(url)
        if (methods.length === 0) return limited(app)
        const { origin = "" } = headers
        if (method === "OPTIONS" && headers["access-control-request-method"] !== undefined)
          return limited(
            Effect.flatMap(allows(origin), (isAllowed) =>
              isAllowed ? Effect.succeed(preflight(origin, methods)) : app
            )
          )
        return Effect.flatMap(limited(app), (response) =>
          // A rate-limited request must not cause a database query
          Effect.map(
            response.status === 429 ? origins.isKnown(origin) : origin === "" ? Effect.succeed(false) : allows(origin),
            (isAllowed) => withCorsHeaders(response, origin, isAllowed)
          )
        )
      })
})
