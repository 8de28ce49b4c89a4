/**
 * Requests that pages of other origins send (CORS): to operations of the patient interface that need no secret, or none but a
 * code in the address. Never with cookies or other credentials of the browser. Rules 2.9.6 and 2.9.7.
 */
import { type HttpApi, type HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { EmbedOrigins } from "../../services/hosted/EmbedOrigins.ts"
import { endpointsOf } from "../endpoints.ts"
import { pathsOf } from "./routes.ts"

/** Headers that a page may send, and those that it may read. */
const SENT = "content-type, idempotency-key, accept-language, traceparent"
const READ = "idempotency-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id"
/** Seconds for which a browser may keep the answer to a preflight. */
const PREFLIGHT_SECONDS = 600

/** Operations of the patient interface that no credential guards. */
const openIn = (api: HttpApi.HttpApi.Any) =>
  endpointsOf(api).flatMap(({ endpoint, middleware }) =>
    endpoint.path.startsWith("/v1/scheduling/") && middleware.size === 0
      ? [{ method: endpoint.method, paths: pathsOf(endpoint.path) }]
      : []
  )

const varying = (vary: string | undefined, names: string) => (vary === undefined ? names : `${vary}, ${names}`)

type Wrap = <E, R>(app: HttpApp.Default<E, R>) => HttpApp.Default<E, R>

/** Wraps the application around its rate limit, so that a page can read a 429 as well. */
export const makeCrossOrigin = Effect.fnUntraced(function* (api: HttpApi.HttpApi.Any) {
  const open = openIn(api)
  const origins = yield* EmbedOrigins
  const methodsAt = (url: string) => {
    const path = url.replace(/\?.*$/s, "")
    return open.filter(({ paths }) => paths.test(path)).map(({ method }) => method)
  }
  /** A page that cannot be told about gets an answer that its browser hides from it. */
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
        "access-control-allow-headers": SENT,
        "access-control-max-age": String(PREFLIGHT_SECONDS),
        vary: "origin, access-control-request-method, access-control-request-headers"
      }
    })

  const labelled = (response: HttpServerResponse.HttpServerResponse, origin: string, isAllowed: boolean) =>
    HttpServerResponse.setHeaders(response, {
      vary: varying(response.headers.vary, "origin"),
      ...(isAllowed && { "access-control-allow-origin": origin, "access-control-expose-headers": READ })
    })

  return (limited: Wrap): Wrap =>
    <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url, headers }) => {
        const methods = methodsAt(url)
        if (methods.length === 0) return limited(app)
        const { origin = "" } = headers
        if (method === "OPTIONS" && headers["access-control-request-method"] !== undefined)
          return limited(
            Effect.flatMap(allows(origin), (yes) => (yes ? Effect.succeed(preflight(origin, methods)) : app))
          )
        return Effect.flatMap(limited(app), (response) =>
          // what is refused by the limit asks no database
          Effect.map(
            response.status === 429 ? origins.isKnown(origin) : origin === "" ? Effect.succeed(false) : allows(origin),
            (yes) => labelled(response, origin, yes)
          )
        )
      })
})
