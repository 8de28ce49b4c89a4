/**
 * Rate limits. Every request takes from the bucket of its caller's address. A credential has a bucket of its own once it
 * has been verified; one that is refused costs the address more. Section 2.7 of the specification.
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
 * `patient` and `page` are limited by RATE_LIMIT_PER_SECOND, all else by RATE_LIMIT_KEY_PER_SECOND; health checks and the
 * pages' own files, which are in memory, are not limited.
 */
type Area = "patient" | "page" | "other" | "unlimited"

/** Tokens that a request with a refused credential costs in all: at least 3, and so many that 20 a second are too many. */
const refusalCost = (perSecond: number) => Math.max(3, Math.ceil(perSecond / 20))
/** Bytes of an answer of the patient interface that one token pays for: about 600 slots. */
const BYTES_PER_TOKEN = 131_072
/** Where credentials have buckets of their own, an address has room for the callers of one network. */
const CALLERS_PER_ADDRESS = 5

/** The limits of one request; in the context of whatever handles it. */
export class Allowance extends Context.Tag("http/Allowance")<
  Allowance,
  {
    /** Takes from a verified credential's own bucket. */
    readonly charge: (credential: string) => Effect.Effect<void, TooManyRequests>
    /** Takes what an answer of so many bytes costs, before it is made. Fails when the address has used up its allowance. */
    readonly spend: (bytes: number) => Effect.Effect<void, TooManyRequests>
    /** For pages, which answer in their own form: fails when the address has used up its allowance. */
    readonly ensure: Effect.Effect<void, TooManyRequests>
    /** Takes from the address what a refused credential costs. */
    readonly refuse: Effect.Effect<void>
  }
>() {}

/** Takes from the bucket of a credential that has been verified. Fails with `TooManyRequests`. */
export const chargeCredential = (credential: string) =>
  Effect.flatMap(Effect.serviceOption(Allowance), (allowance) =>
    Option.match(allowance, { onNone: () => Effect.void, onSome: ({ charge }) => charge(credential) })
  )

/** For answers that are sent while they are written: takes what their bytes cost. Fails with `TooManyRequests`. */
export const spend = (bytes: number) =>
  Effect.flatMap(Effect.serviceOption(Allowance), (allowance) =>
    Option.match(allowance, { onNone: () => Effect.void, onSome: (own) => own.spend(bytes) })
  )

/** A start that a search looks at costs what so many bytes of an answer cost: 25,000 of them a token. */
const START_BYTES = BYTES_PER_TOKEN / 25_000
/** Takes what a search of so many starts costs, whether it is answered by a page or not. Fails with `TooManyRequests`. */
export const payForStarts = (starts: number) => spend(starts * START_BYTES)

/** For pages: fails with `TooManyRequests` when the caller's address has used up its allowance. */
export const ensureAllowance = Effect.flatMap(Effect.serviceOption(Allowance), (allowance) =>
  Option.match(allowance, { onNone: () => Effect.void, onSome: ({ ensure }) => ensure })
)

/** For pages, which lead to the sign-in where others answer 401: the request's credential is refused. */
export const chargeRefusal = Effect.flatMap(Effect.serviceOption(Allowance), (allowance) =>
  Option.match(allowance, { onNone: () => Effect.void, onSome: ({ refuse }) => refuse })
)

const secondsOf = (millis: number) => Math.max(1, Math.ceil(millis / 1000))
const tooMany = ({ missing }: Bucket) => new TooManyRequests({ retry_after_seconds: secondsOf(missing) })

const asking = (
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
    return unlimited.has(path) || path.startsWith(`${pages}/assets/`) ? "unlimited" : "other"
  }
  /** Whether a person reads the answer, so that the page's handler gives it. */
  const answersItself = (path: string) => isPage(path) && !path.endsWith("/socket")
  return { areaOf, answersItself }
}

/** Names the caller's network to the database's pool, for all that is asked for a request. Where no limit is set, nobody is named. */
export const makeNamingCaller = Effect.map(
  Settings,
  ({ rateLimitPerSecond, rateLimitKeyPerSecond, trustedProxies }) =>
    <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
      rateLimitPerSecond + rateLimitKeyPerSecond === 0
        ? app
        : Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
            Effect.locally(app, currentCaller, asking(request, trustedProxies, subscriberOf))
          )
)

const announce = (response: HttpServerResponse.HttpServerResponse, limit: number, { remaining, fullIn }: Bucket) =>
  HttpServerResponse.setHeaders(response, {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(Math.ceil(fullIn / 1000))
  })

/** Wraps the whole application; answers 429 itself, in the envelope of errors. */
export const makeRateLimit = Effect.gen(function* () {
  const { rateLimitPerSecond, rateLimitKeyPerSecond, trustedProxies, meetingsUrl } = yield* Settings
  const shared = yield* Buckets
  const own = yield* makeMemoryBuckets
  const { areaOf, answersItself } = areasBelow(new URL(meetingsUrl).pathname.replace(/\/$/, ""))

  /** The bucket of an address. That of `other` only guards this process: its limit is each credential's. */
  const addressBucket = (area: Area, request: HttpServerRequest.HttpServerRequest) => {
    const key = `${area}:address:${asking(request, trustedProxies, networkOf)}`
    return area === "other"
      ? { buckets: own, key, perSecond: rateLimitKeyPerSecond * CALLERS_PER_ADDRESS }
      : { buckets: shared, key, perSecond: rateLimitPerSecond }
  }

  const limited = <E, R>(area: Area, path: string, app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { buckets, key, perSecond } = addressBucket(area, request)
      const perCredential = area === "other" ? rateLimitKeyPerSecond : rateLimitPerSecond
      const entered = yield* buckets.take({ key, perSecond, tokens: 1 })
      let tightest = { bucket: entered, limit: perSecond }
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
      // Of large answers asked for at once the first one is made; the others find what it cost
      let hasSpent = false
      const spend = Effect.fnUntraced(function* (bytes: number) {
        const tokens = Math.floor(bytes / BYTES_PER_TOKEN)
        if (tokens === 0) return
        const wasIn = hasSpent
        // What is spent later is for a request that was let in
        const bucket = yield* buckets.take({ key, perSecond, tokens, overdraw: wasIn ? true : "once" })
        hasSpent = true
        if (bucket.missing > 0 && !wasIn) return yield* tooMany(bucket)
        tightest = { bucket, limit: perSecond }
      })
      const refuse = Effect.suspend(() => overdraw(refusalCost(perSecond) - 1))
      const ensure = entered.missing > 0 ? tooMany(entered) : Effect.void
      const isRefused = entered.missing > 0 && !answersItself(path)
      const response = isRefused
        ? yield* tooManyReply(tooMany(entered))
        : yield* Effect.provideService(app, Allowance, { charge, spend, ensure, refuse })
      if (response.status === 401) yield* refuse
      const size = response.body.contentLength ?? 0
      if (area === "patient" && size >= BYTES_PER_TOKEN) yield* overdraw(Math.floor(size / BYTES_PER_TOKEN))
      return announce(response, tightest.limit, tightest.bucket)
    })

  return <E, R>(app: HttpApp.Default<E, R>): HttpApp.Default<E, R> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
      const path = url.split("?", 1)[0] ?? ""
      const area = areaOf(path)
      const perSecond = area === "other" ? rateLimitKeyPerSecond : rateLimitPerSecond
      return area === "unlimited" || perSecond === 0 ? app : limited(area, path, app)
    })
})

const tooManyReply = (error: TooManyRequests) =>
  reply(429, "too_many_requests", error.message, { "retry-after": String(error.retry_after_seconds) })
