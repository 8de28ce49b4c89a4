/** Turns every failure and defect of a request, before, in or after its handler, into an error response. */

import {
  HttpApiBuilder,
  HttpApiError,
  type HttpApp,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Cause, Clock, Effect, FiberRef, Layer, Option, Predicate, Tracer } from "effect"
import { Settings } from "../config.ts"
import { bodiesOf, Capabilities } from "../declarations.ts"
import { listedFaults } from "../schemas/faults.ts"
import { Invalid } from "../schemas/problems.ts"
import {
  isDatabaseFailing,
  isOverload,
  isReferenceGone,
  isRoleRefused,
  isTransient,
  isUnstorableText,
  sqlStateOf,
  Unsettled
} from "../services/database/SqlErrors.ts"
import { Extensions } from "../services/Extensions.ts"
import { EmbedOrigins } from "../services/hosted/EmbedOrigins.ts"
import { isReplayed } from "../services/Idempotency.ts"
import { Traffic } from "../services/operation/Traffic.ts"
import { FileStoreFailed } from "../services/prescriptions/FileStore.ts"
import { KeyServiceFailed } from "../services/sealing/KeyWrapping.ts"
import type { CurrentTenant } from "../services/tenancy/Tenancy.ts"
import { acceptedBodies } from "./admission/bodyLimits.ts"
import { Callers } from "./admission/Callers.ts"
import { BodyTooLarge, WrongContentType, withGuardedBody } from "./admission/GuardedRequest.ts"
import { JsonTooLarge } from "./admission/largeJson.ts"
import { limitPerTick } from "./admission/limitPerTick.ts"
import { makeRateLimit } from "./admission/rate.ts"
import { makeSlowReaderGuard } from "./admission/slowReaders.ts"
import { inRequest } from "./inRequest.ts"
import { type Problem, problemOf, reply } from "./problems.ts"
import { ServedApi } from "./ServedApi.ts"
import { compressed } from "./server/compression.ts"
import { makeCrossOrigin } from "./server/crossOrigin.ts"
import { restarting } from "./server/restarting.ts"
import { methodsOf } from "./server/routes.ts"
import { asksForPage, UnknownRoutePage } from "./server/UnknownRoutePage.ts"

const isTagged = (error: unknown): error is { readonly _tag: string; readonly message: string } =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" && Predicate.hasProperty(error, "message")

/** Fields that an error adds to its body. */
const hasMore = (error: object): error is { readonly inBody: Readonly<Record<string, unknown>> } =>
  Predicate.hasProperty(error, "inBody")

const replyTo = (error: { readonly _tag: string; readonly message: string }, { status, code }: Problem) => {
  if (error instanceof Invalid)
    return reply(
      status,
      code,
      error.faults.map(({ field, message }) => `${field}: ${message}`)
    )
  if (
    status === 429 &&
    Predicate.hasProperty(error, "retry_after_seconds") &&
    typeof error.retry_after_seconds === "number"
  )
    return reply(status, code, error.message, { "retry-after": String(error.retry_after_seconds) })
  if (hasMore(error)) return reply(status, code, error.message, {}, error.inBody)
  return reply(status, code, status === 400 ? [error.message] : error.message)
}

const replyUnrouted = (methods: ReadonlyArray<string>) => {
  if (methods.length === 0) return reply(404, "unknown_route", "No such route: /docs shows the interface")
  const allow = methods.join(", ")
  return reply(405, "method_not_allowed", `Use ${allow} here`, { allow })
}

const internal = (cause: Cause.Cause<unknown>) =>
  Effect.zipRight(
    Effect.logError("request failed", cause),
    reply(500, "internal", "Something went wrong on our side; tell us the trace_id")
  )

const RETRY_AFTER_SECONDS = 2
const TOO_MANY_CHUNKS = "The body has too many chunks: send larger chunks or a Content-Length"
const TOO_SLOW = "The body arrived too slowly: send a smaller body, or send it faster"

/** Logs at most one line a second for each reason, since clients retry. */
const LOG_INTERVAL_MILLIS = 1_000
const lastLogged = new Map<string, number>()
const logRefusal = (reason: string) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (now - (lastLogged.get(reason) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MILLIS) return Effect.void
    lastLogged.set(reason, now)
    return Effect.logWarning(`requests are refused: ${reason}`)
  })

const later = (code: string, reason: string, advice = "try again") =>
  reply(503, code, `${reason}: ${advice}`, { "retry-after": String(RETRY_AFTER_SECONDS) })

const tryLater = (code: string, reason: string, advice?: string) =>
  Effect.zipRight(logRefusal(reason), later(code, reason, advice))

const UNSETTLED = "The database went away while it made the change, which may have been made"
const LOOK_FIRST = "look before you send it again, or send it again with the same Idempotency-Key"

const replyToFailure = (error: unknown, cause: Cause.Cause<unknown>) => {
  if (error instanceof HttpApiError.HttpApiDecodeError) return reply(400, "invalid_request", listedFaults(error.issues))
  if (error instanceof HttpServerError.RequestError && error.cause instanceof JsonTooLarge)
    return reply(400, "invalid_request", [`body: ${error.cause.message}`])
  if (error instanceof HttpServerError.RequestError) return reply(400, "malformed_json", ["body: must be UTF-8 JSON"])
  if (error instanceof BodyTooLarge && error.tooManyChunks === true)
    return reply(413, "body_too_large", TOO_MANY_CHUNKS)
  if (error instanceof BodyTooLarge && error.late === true)
    return reply(413, "body_too_large", TOO_SLOW, { connection: "close" })
  if (error instanceof BodyTooLarge)
    return reply(413, "body_too_large", `The body may have at most ${error.limit} bytes`)
  if (error instanceof WrongContentType)
    return reply(415, "unsupported_media_type", "Send JSON, not compressed, with content-type: application/json")
  if (isUnstorableText(error)) return reply(404, "not_found", "Not found")
  if (isRoleRefused(error)) return reply(403, "forbidden", "This process serves no operators")
  if (error instanceof Unsettled) return tryLater("unavailable", UNSETTLED, LOOK_FIRST)
  if (isOverload(error)) return tryLater("overloaded", "Too many requests are waiting")
  // Logged as an outage, once (layers/telemetry/Outages.ts)
  if (isTransient(error))
    return Effect.zipRight(
      Effect.logError("request failed", cause),
      later("unavailable", "The database cannot be reached")
    )
  if (isDatabaseFailing(error)) return tryLater("unavailable", `The database cannot do this now (${sqlStateOf(error)})`)
  if (isReferenceGone(error)) return tryLater("unavailable", "A referenced record is being changed")
  if (error instanceof KeyServiceFailed)
    return Effect.zipRight(
      Effect.logError("the key service does not work", cause),
      tryLater("unavailable", "Health data cannot be opened or sealed now")
    )
  if (error instanceof FileStoreFailed)
    return Effect.zipRight(
      Effect.logError("the file store does not work", cause),
      tryLater("unavailable", "Files cannot be stored or read now")
    )
  if (!isTagged(error) || Cause.isDie(cause)) return internal(cause)
  const problem = problemOf(error._tag)
  return problem === undefined ? internal(cause) : replyTo(error, problem)
}

const hasBody = (method: string) => method !== "GET" && method !== "HEAD" && method !== "OPTIONS"

/**
 * Paths are not normalised: one with a doubled or encoded slash, a path parameter (`;x`) or a percent-encoded unreserved
 * character (letters, digits, `-`, `.`, `_`) matches no route. So a proxy's rules and the areas of the rate limit, which
 * compare the raw text, see the same path as the router.
 */
const isPlainPath = (url: string) =>
  !/^[^?]*(\/\/|;|%2f|%5c|%2[de]|%3\d|%4[1-9a-f]|%5[0-9af]|%6[1-9a-f]|%7[0-9a])/i.test(url)

const guarded =
  (accepts: ReturnType<typeof acceptedBodies>) =>
  <E, R>(app: HttpApp.Default<E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!isPlainPath(request.url)) return yield* replyUnrouted([])
      if (!hasBody(request.method)) return yield* app
      return yield* withGuardedBody(request, accepts, app)
    })

/** Adds the given headers, `no-store` and `nosniff` to JSON, and `Retry-After` to every 503 (Rule 2.4.11). */
const withHeaders = (response: HttpServerResponse.HttpServerResponse, headers: Readonly<Record<string, string>>) => {
  const { "content-type": type, "cache-control": caching } = response.headers
  const ofJson = { "cache-control": caching ?? "no-store", "x-content-type-options": "nosniff" }
  return HttpServerResponse.setHeaders(response, {
    ...(/^application\/(problem\+)?json/.test(type ?? "") && ofJson),
    ...(response.status === 503 && { "retry-after": response.headers["retry-after"] ?? String(RETRY_AFTER_SECONDS) }),
    ...headers
  })
}

const withCommonHeaders =
  (headers: Readonly<Record<string, string>>) =>
  <E, R>(app: HttpApp.Default<E, R>) =>
    Effect.zipWith(
      app,
      Effect.zip(Effect.serviceOption(Tracer.ParentSpan), FiberRef.get(isReplayed)),
      (response, [span, replayed]) =>
        withHeaders(response, {
          ...headers,
          ...(replayed && { "idempotency-replayed": "true" }),
          ...Option.match(span, { onNone: () => ({}), onSome: ({ traceId }) => ({ "x-request-id": traceId }) })
        })
    )

const withErrorResponses = <E, R>(app: HttpApp.Default<E, R>) =>
  Effect.catchAllCause(app, (cause) =>
    Cause.isInterruptedOnly(cause) ? Effect.interrupt : replyToFailure(Cause.squash(cause), cause)
  )

/** Guards the body, runs the request and turns failures into error responses. */
export const makeHandleRequest = Effect.gen(function* () {
  const { on } = yield* Capabilities
  const { meetingsUrl } = yield* Settings
  const pages = new URL(meetingsUrl).pathname.replace(/\/$/, "")
  const guard = guarded(acceptedBodies(yield* ServedApi, bodiesOf(on, pages)))
  return <E, R>(app: HttpApp.Default<E, R>) => withErrorResponses(guard(app))
})

const HSTS = { "strict-transport-security": "max-age=31536000" }

export const ProblemsMiddleware = HttpApiBuilder.middleware(
  Effect.gen(function* () {
    const methodsAt = yield* methodsOf
    const page = yield* Effect.serviceOption(UnknownRoutePage)
    const { state } = yield* Traffic
    const { baseUrl } = yield* Settings
    const rateLimited = yield* makeRateLimit
    const handleRequest = yield* makeHandleRequest
    const crossOrigin = yield* makeCrossOrigin(yield* ServedApi)
    const { having } = yield* Extensions
    /** By all capabilities, once: they are known when the first request comes. */
    const wrapped = <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R | CurrentTenant> => {
      let whole: HttpApp.Default<E, R | CurrentTenant> | undefined
      const make = Effect.flatMap(having("aroundRequests"), (some) => {
        whole = some.reduce<typeof whole & {}>((inner, { aroundRequests }) => aroundRequests(inner), app)
        return whole
      })
      return Effect.suspend(() => whole ?? make)
    }
    const guardSlowReaders = makeSlowReaderGuard()
    const label = withCommonHeaders(baseUrl.startsWith("https:") ? HSTS : {})
    const replyNoRoute = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const methods = yield* methodsAt(request)
      return yield* Option.isSome(page) && methods.length === 0 && asksForPage(request)
        ? page.value
        : replyUnrouted(methods)
    })
    const routed = <E, R>(app: HttpApp.Default<E, R>) =>
      Effect.catchIf(
        app,
        (error): error is Extract<E, HttpServerError.RouteNotFound> => error instanceof HttpServerError.RouteNotFound,
        ({ request }) => replyNoRoute(request)
      )
    return <E, R>(app: HttpApp.Default<E, R>) => {
      // Rate limits and CORS query the database too, so their failures are handled as well
      const sent = guardSlowReaders(compressed(handleRequest(routed(app))))
      const answered = label(withErrorResponses(crossOrigin(rateLimited)(wrapped(sent))))
      return inRequest(Effect.suspend(() => (state.phase === "closed" ? restarting : limitPerTick(answered))))
    }
  })
).pipe(Layer.provide([HttpApiBuilder.Router.Live, Traffic.Default, Callers.Default, EmbedOrigins.Default]))
