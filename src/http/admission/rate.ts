/**
 * Rate limits: token buckets, of which every request takes one token. A verified credential has its own bucket; requests
 * without one share that of their client address. Refused credentials have a bucket of their own per address, so that they
 * delay nobody else. Section 2.7 of the specification.
 */
import { type HttpApi, type HttpApp, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Settings } from "../../config.ts"
import { Capabilities, credentialRoutesOf, type Declarations } from "../../declarations.ts"
import { TooManyRequests } from "../../schemas/problems.ts"
import { type Bucket, Buckets } from "../../services/operation/Buckets.ts"
import { makeMemoryBuckets } from "../../services/operation/memoryBuckets.ts"
import type { CurrentTenant } from "../../services/tenancy/Tenancy.ts"
import { hashOf, tagIn } from "../../services/uid.ts"
import { endpointsOf } from "../endpoints.ts"
import { reply } from "../problems.ts"
import { ServedApi } from "../ServedApi.ts"
import { Admission, type Area, type Credential, type RequestParty, type RouteKind } from "./Admission.ts"
import { Callers } from "./Callers.ts"
import { clientAddress, networkOf, subscriberOf } from "./clientAddress.ts"
import { inClassFor } from "./costClasses.ts"

/** On the routes of staff and partners an address has this multiple of a credential's limit, since callers may share it. */
const CALLERS_PER_ADDRESS = 5
/** Codes known to be valid, of which the oldest are forgotten. */
const CODES_REMEMBERED = 50_000

/** The kinds of routes. `pages` is the path of MEETINGS_URL. */
const routesBelow = (pages: string, api: HttpApi.HttpApi.Any, on: ReadonlyArray<Declarations>) => {
  const added = on.flatMap(({ codePages }) => codePages)
  const openPages = on.flatMap((one) => one.openPages.flatMap((path) => [path, pages + path]))
  const verifies = credentialRoutesOf(on)
  const withCredential = new Set(
    endpointsOf(api).flatMap(({ endpoint, middleware }) =>
      middleware.size === 0 ? [] : [`${endpoint.method} ${endpoint.path}`]
    )
  )
  const free = new Set([
    "/healthz",
    "/readyz",
    "/metrics",
    ...[`${pages}/booking-widget.js`, `${pages}/assets/:file`] // in memory
  ])
  const codePages = ["/booking/:code", "/appointment/:code", ...added].map((at) => pages + at)
  const isCodePage = (path: string) => codePages.some((at) => path === at || path.startsWith(`${at}/`))
  const areaOf = (path: string): Area => {
    if (path.startsWith("/v1/scheduling/") || path.startsWith("/v1/calendar-feeds/")) return "patient"
    const isPage = openPages.some((one) => path.startsWith(one)) || path.startsWith("/storefront/")
    return isPage || isCodePage(path) ? "page" : "other"
  }
  return (method: string, path: string, params: Readonly<Record<string, string | undefined>>): RouteKind => {
    if (free.has(path)) return { kind: "free" }
    if (withCredential.has(`${method} ${path}`) || verifies(path) !== undefined) return { kind: "credential" }
    const isPage = isCodePage(path)
    const code = params.booking_launch_code ?? (isPage || areaOf(path) === "patient" ? params.code : undefined)
    return code === undefined
      ? { kind: "open", area: areaOf(path), shop: params.shop_identifier }
      : { kind: "code", code, isPage, isSocket: path.endsWith("/socket") }
  }
}

/** Whether the route renders a 429 itself, as a page. */
const rendersErrors = (path: string, route: RouteKind) =>
  (route.kind === "code" && route.isPage && !route.isSocket) || path.includes("/book/:code")

const secondsOf = (millis: number) => Math.max(1, Math.ceil(millis / 1000))
const tooMany = ({ missing }: Bucket) => new TooManyRequests({ retry_after_seconds: secondsOf(missing) })

const tooManyReply = (error: TooManyRequests) =>
  reply(429, "too_many_requests", error.message, { "retry-after": String(error.retry_after_seconds) })

const withTaken = (response: HttpServerResponse.HttpServerResponse, taken: Taken | undefined) =>
  taken === undefined
    ? response
    : HttpServerResponse.setHeaders(response, {
        "ratelimit-limit": String(taken.limit),
        "ratelimit-remaining": String(taken.bucket.remaining),
        "ratelimit-reset": String(Math.ceil(taken.bucket.fullIn / 1000))
      })

/** A bucket after a token was taken from it, or not. */
interface Taken {
  readonly bucket: Bucket
  readonly limit: number
}

/** Counts the requests of one route before its handler, which runs only if the request does not have to wait. */
export const makeAdmitted = Effect.map(
  Effect.all([Settings, ServedApi, Capabilities]),
  ([{ meetingsUrl }, api, { on }]) => {
    const routeOf = routesBelow(new URL(meetingsUrl).pathname.replace(/\/$/, ""), api, on)
    return (method: string, path: string) =>
      <E, R>(
        handler: HttpApp.Default<E, R>
      ): Effect.Effect<
        HttpServerResponse.HttpServerResponse,
        E,
        R | CurrentTenant | HttpServerRequest.HttpServerRequest | HttpRouter.RouteContext
      > =>
        Effect.flatMap(Effect.serviceOption(Admission), (found) =>
          Option.match(found, {
            onNone: () => handler,
            onSome: ({ begin, waiting }) =>
              Effect.flatMap(HttpRouter.params, (params) => {
                const route = routeOf(method, path, params)
                return Effect.flatMap(begin(route), (waits) =>
                  waits && !rendersErrors(path, route) ? waiting : handler
                )
              })
          })
        )
  }
)

/** Wraps the whole application: provides `Admission`, and counts what no route has counted. */
export const makeRateLimit = Effect.gen(function* () {
  const { rateLimitPerSecond, rateLimitKeyPerSecond, trustedProxies } = yield* Settings
  const shared = yield* Buckets
  const own = yield* makeMemoryBuckets
  const { sentAlong } = yield* Callers
  const limits = { patient: rateLimitPerSecond, partner: rateLimitKeyPerSecond }
  const refusalsPerSecond = rateLimitPerSecond || rateLimitKeyPerSecond

  /** Hashes of codes that were valid within this process. A code is verified by the handler that uses it. */
  const codes = new Set<string>()
  const rememberCode = (id: string) => {
    if (codes.size >= CODES_REMEMBERED)
      for (const oldest of [...codes].slice(0, CODES_REMEMBERED / 10)) codes.delete(oldest)
    codes.add(id)
  }

  const limited = Effect.fnUntraced(function* <E, R>(app: HttpApp.Default<E, R>) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const client = clientAddress(request, trustedProxies)
    const address = client === undefined ? "unknown" : networkOf(client)
    const subscriber = client === undefined ? "unknown" : subscriberOf(client)
    let taken: Taken | undefined
    /** Set if the request has to wait. */
    let denied: TooManyRequests | undefined
    let [isVerified, isKnownCode, isRefused, isCounted] = [false, false, false, false]
    let unknownCode: string | undefined
    let party: RequestParty = { owner: subscriber, caller: address, isPartner: false }
    const runsFor = ({ id, kind, owner }: Credential) => {
      party = { owner: owner || subscriber, caller: id, isPartner: kind === "partner" }
    }

    const take = (buckets: typeof own, key: string, limit: number) => {
      isCounted = true
      return limit === 0
        ? Effect.void
        : Effect.map(buckets.take({ key, perSecond: limit }), (bucket) => {
            taken = { bucket, limit }
            denied = bucket.missing > 0 ? tooMany(bucket) : undefined
          })
    }
    // By address, whose credential it may not be
    const inTurn = inClassFor("admission", { owner: subscriber, caller: address })
    const takeShared = (key: string, limit: number) =>
      limit === 0 ? take(shared, key, limit) : inTurn(take(shared, key, limit))
    const takeOfAddress = (area: Area) =>
      area === "other"
        ? take(own, `address:${address}`, rateLimitKeyPerSecond * CALLERS_PER_ADDRESS)
        : takeShared(`${area}:address:${address}`, rateLimitPerSecond)
    const takeOf = (credential: Credential) => {
      runsFor(credential)
      return takeShared(credential.id, limits[credential.kind])
    }
    const ensure = Effect.suspend(() => denied ?? Effect.void)

    const begin = Effect.fnUntraced(function* (route: RouteKind) {
      if (route.kind === "free") isCounted = true
      if (route.kind === "open") {
        // Webhooks of many shops come from one address
        if (route.shop !== undefined) party = { owner: `shop:${route.shop}`, caller: address, isPartner: false }
        // In a bucket of its own: a search delays no hold
        const credential = rateLimitPerSecond === 0 ? Option.none() : yield* sentAlong(request)
        yield* Option.match(credential, {
          onNone: () => takeOfAddress(route.area),
          onSome: ({ id, ...rest }) => takeOf({ id: `open:${id}`, ...rest })
        })
      }
      if (route.kind === "code") {
        const jwt = /[?&]jwt=([^&#]*)/.exec(request.url)?.[1] ?? ""
        const id = `code:${hashOf(`${route.code} ${jwt}`).toString("base64url")}`
        isCounted = true
        isKnownCode = codes.has(id)
        if (isKnownCode) return yield* takeOf({ id, kind: "patient", owner: tagIn(route.code) })
        // A socket answers only when it is closed
        if (route.isSocket) yield* takeOfAddress("page")
        if (denied === undefined) unknownCode = id
      }
    })

    const refuse = Effect.suspend(() => {
      if (isVerified || isKnownCode) return Effect.void
      isRefused = true
      return Effect.zipRight(take(own, `refusals:${address}`, refusalsPerSecond), ensure)
    })

    const response = yield* Effect.provideService(app, Admission, {
      admit: (credential) => {
        isVerified = true
        return Effect.zipRight(takeOf(credential), ensure)
      },
      admitAddress: Effect.zipRight(
        Effect.suspend(() => takeOfAddress("patient")),
        ensure
      ),
      begin: (route) => Effect.map(begin(route), () => denied !== undefined),
      ensure,
      party: () => party,
      waiting: Effect.suspend(() => (denied === undefined ? Effect.dieMessage("admitted") : tooManyReply(denied))),
      refuse
    })
    const { status } = response
    const isError = status >= 400 && status < 500 && status !== 409 && status !== 429
    const answered = () => withTaken(response, taken)
    const orTooMany = Effect.matchEffect({ onFailure: tooManyReply, onSuccess: () => Effect.succeed(response) })
    if (unknownCode !== undefined && !isError && !isRefused) {
      rememberCode(unknownCode)
      return yield* Effect.map(takeOf({ id: unknownCode, kind: "patient", owner: "" }), answered)
    }
    if (isError && !isRefused && (status === 401 || unknownCode !== undefined))
      return withTaken(yield* orTooMany(refuse), taken)
    if (isCounted) return answered()
    return withTaken(yield* orTooMany(Effect.zipRight(takeOfAddress("other"), ensure)), taken)
  })

  return limited
})
