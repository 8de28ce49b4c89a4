/**
 * Rate limits: token buckets. Every request takes a token from the bucket of its client address. A verified credential also
 * has its own bucket; a rejected one costs the address extra tokens. Section 2.7 of the specification.
 */
import { type HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { Settings } from "../../config.ts"
import { TooManyRequests } from "../../schemas/problems.ts"
import { currentCaller } from "../../services/database/currentCaller.ts"
import { type Bucket, Buckets } from "../../services/operation/Buckets.ts"
import { makeMemoryBuckets } from "../../services/operation/memoryBuckets.ts"
import { reply } from "../problems.ts"
import { clientAddress, type Network, networkOf, subscriberOf } from "./clientAddress.ts"

/**
 * RATE_LIMIT_PER_SECOND limits `patient` and `page`, RATE_LIMIT_KEY_PER_SECOND limits `other`. Health checks and the pages'
 * static assets, which are in memory, are `unlimited`; of `asset` only unknown files are limited, as `page`.
 */
type Area = "patient" | "page" | "other" | "asset" | "unlimited"

/** Total cost in tokens of a request with a rejected credential: at least 3, and enough to allow at most 20 such requests a second. */
const refusalCost = (perSecond: number) => Math.max(3, Math.ceil(perSecond / 20))
/** Response bytes of the patient interface per token: about 600 slots. */
const BYTES_PER_TOKEN = 131_072
/** In the area `other` the limit of an address is this multiple of a credential's, since callers may share a NAT address. */
const CALLERS_PER_ADDRESS = 5

/** The rate limits of the current request, in the context of its handler. */
export class Allowance extends Context.Tag("http/Allowance")<
  Allowance,
  {
    /** Takes one token from a verified credential's own bucket. */
    readonly charge: (credential: string) => Effect.Effect<void, TooManyRequests>
    /** Takes the cost of a response of so many bytes, before it is built. Fails when the address has exceeded its limit. */
    readonly spend: (bytes: number) => Effect.Effect<void, TooManyRequests>
    /** For pages, which render their own errors: fails when the address has exceeded its limit. */
    readonly ensure: Effect.Effect<void, TooManyRequests>
    /** Charges the address for a rejected credential. */
    readonly refuse: Effect.Effect<void>
  }
>() {}

/** Takes one token from the bucket of a verified credential. Fails with `TooManyRequests`. */
export const chargeCredential = (credential: string) =>
  Effect.flatMap(Effect.serviceOption(Allowance), (allowance) =>
    Option.match(allowance, { onNone: () => Effect.void, onSome: ({ charge }) => charge(credential) })
  )

/** For streamed responses: takes the cost of their bytes. Fails with `TooManyRequests`. */
export const spend = (bytes: number) =>
  Effect.flatMap(Effect.serviceOption(Allowance), (allowance) =>
    Option.match(allowance, { onNone: () => Effect.void, onSome: (own) => own.spend(bytes) })
  )

/** A candidate start that a search examines costs as much as this many response bytes: 25,000 starts a token. */
const START_BYTES = BYTES_PER_TOKEN / 25_000
/** Takes the cost of a search that examines so many starts, for pages and endpoints. Fails with `TooManyRequests`. */
export const spendForStarts = (starts: number) => spend(starts * START_BYTES)

/** For pages: fails with `TooManyRequests` when the client address has exceeded its limit. */
export const ensureAllowance = Effect.flatMap(Effect.serviceOption(Allowance), (allowance) =>
  Option.match(allowance, { onNone: () => Effect.void, onSome: ({ ensure }) => ensure })
)

/** For pages, which redirect to the sign-in instead of answering 401: charges the address for a rejected credential. */
export const chargeRefusal = Effect.flatMap(Effect.serviceOption(Allowance), (allowance) =>
  Option.match(allowance, { onNone: () => Effect.void, onSome: ({ refuse }) => refuse })
)

const secondsOf = (millis: number) => Math.max(1, Math.ceil(millis / 1000))
const tooMany = ({ missing }: Bucket) => new TooManyRequests({ retry_after_seconds: secondsOf(missing) })

const callerKey = (
  request: HttpServerRequest.HttpServerRequest,
  trustedProxies: ReadonlyArray<Network>,
  of: typeof networkOf
) => {
  const address = clientAddress(request, trustedProxies)
  return address === undefined ? "unknown" : of(address)
}

/** The area of a path. `pages` is the path of MEETINGS_URL. */
const areasBelow = (pages: string) => {
  const isPage = (path: string) =>
    ["/book/", "/booking/", "/appointment/", "/meeting/"].some((at) => path.startsWith(pages + at))
  const unlimited = new Set(["/healthz", "/readyz", "/metrics", `${pages}/booking-widget.js`])
  const areaOf = (path: string): Area => {
    if (path.startsWith("/v1/scheduling/") || path.startsWith("/v1/calendar-feeds/")) return "patient"
    if (isPage(path) || path.startsWith("/storefront/") || /^\/demo\/?$/.test(path)) return "page"
    if (path.startsWith(`${pages}/assets/`)) return "asset"
    return unlimited.has(path) ? "unlimited" : "other"
  }
  /** Whether the route renders a 429 itself, as a page. */
  const rendersErrors = (path: string) => isPage(path) && !path.endsWith("/socket")
  return { areaOf, rendersErrors }
}

/** Sets `currentCaller`, by which the database pool is shared fairly, for the whole request. Without rate limits it stays unset. */
export const makeWithCurrentCaller = Effect.map(
  Settings,
  ({ rateLimitPerSecond, rateLimitKeyPerSecond, trustedProxies }) =>
    <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
      rateLimitPerSecond + rateLimitKeyPerSecond === 0
        ? app
        : Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            Effect.locally(app, currentCaller, callerKey(request, trustedProxies, subscriberOf))
          )
)

const withRateLimitHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  limit: number,
  { remaining, fullIn }: Bucket
) =>
  HttpServerResponse.setHeaders(response, {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(Math.ceil(fullIn / 1000))
  })

/** Wraps the whole application; answers 429 with an error body, except for pages that render it themselves. */
export const makeRateLimit = Effect.gen(function* () {
  const { rateLimitPerSecond, rateLimitKeyPerSecond, trustedProxies, meetingsUrl } = yield* Settings
  const shared = yield* Buckets
  const own = yield* makeMemoryBuckets
  const { areaOf, rendersErrors } = areasBelow(new URL(meetingsUrl).pathname.replace(/\/$/, ""))

  /** The bucket of an address. In `other` it is local to the process, since there each credential has the shared limit. */
  const addressBucket = (area: Area, request: HttpServerRequest.HttpServerRequest) => {
    const key = `${area}:address:${callerKey(request, trustedProxies, networkOf)}`
    return area === "other"
      ? { buckets: own, key, perSecond: rateLimitKeyPerSecond * CALLERS_PER_ADDRESS }
      : { buckets: shared, key, perSecond: rateLimitPerSecond }
  }

  const limited = <E, R>(area: Area, path: string, app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { buckets, key, perSecond } = addressBucket(area, request)
      const perCredential = area === "other" ? rateLimitKeyPerSecond : rateLimitPerSecond
      const admission = yield* buckets.take({ key, perSecond, tokens: 1 })
      let tightest = { bucket: admission, limit: perSecond }
      const overdraw = (tokens: number) =>
        Effect.map(buckets.take({ key, perSecond, tokens, overdraw: true }), (bucket) => {
          tightest = { bucket, limit: perSecond }
        })
      const charge = Effect.fnUntraced(function* (credential: string) {
        const bucket = yield* shared.take({ key: `${area}:${credential}`, perSecond: perCredential, tokens: 1 })
        if (area === "other" || bucket.remaining < tightest.bucket.remaining)
          tightest = { bucket, limit: perCredential }
        if (bucket.missing > 0) return yield* tooMany(bucket)
      })
      // Of several large responses requested at once the first is built; the others then find the bucket empty
      let hasSpent = false
      const spend = Effect.fnUntraced(function* (bytes: number) {
        const tokens = Math.floor(bytes / BYTES_PER_TOKEN)
        if (tokens === 0) return
        const wasAdmitted = hasSpent
        // Later costs belong to a request that was already admitted
        const bucket = yield* buckets.take({ key, perSecond, tokens, overdraw: wasAdmitted ? true : "once" })
        hasSpent = true
        if (bucket.missing > 0 && !wasAdmitted) return yield* tooMany(bucket)
        tightest = { bucket, limit: perSecond }
      })
      const refuse = Effect.suspend(() => overdraw(refusalCost(perSecond) - 1))
      const ensure = admission.missing > 0 ? tooMany(admission) : Effect.void
      const isRefused = admission.missing > 0 && !rendersErrors(path)
      const response = isRefused
        ? yield* tooManyReply(tooMany(admission))
        : yield* Effect.provideService(app, Allowance, { charge, spend, ensure, refuse })
      if (response.status === 401) yield* refuse
      const size = response.body.contentLength ?? 0
      if (area === "patient" && size >= BYTES_PER_TOKEN) yield* overdraw(Math.floor(size / BYTES_PER_TOKEN))
      return withRateLimitHeaders(response, tightest.limit, tightest.bucket)
    })

  return <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
      const path = url.split("?", 1)[0] ?? ""
      const area = areaOf(path)
      const perSecond = area === "other" ? rateLimitKeyPerSecond : rateLimitPerSecond
      if (area === "unlimited" || perSecond === 0) return app
      if (area !== "asset") return limited(area, path, app)
      return Effect.flatMap(app, (response) => {
        const answer = Effect.succeed(response)
        return response.status < 400 ? answer : limited("page", path, answer)
      })
    })
})

const tooManyReply = (error: TooManyRequests) =>
  reply(429, "too_many_requests", error.message, { "retry-after": String(error.retry_after_seconds) })
