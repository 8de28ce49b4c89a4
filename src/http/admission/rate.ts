/**
 * Rate limits: token buckets, of which a request takes one token. Section 2.7 of the specification.
 *
 * | a request | takes of | when |
 * | --- | --- | --- |
 * | with a credential that verifies | the credential's bucket | once it is verified |
 * | of an open route | the bucket for searches of the credential that is sent along; without one, of its address | before the handler |
 * | with a code that was valid before | the code's bucket | before the handler |
 * | with another code | the code's bucket if it proves valid; a socket of its address as well | with the answer; a socket before it |
 * | with a credential or code that is refused | the refusals of its address | with the answer |
 * | that is none of these | its address | with the answer |
 * | for health, metrics and assets | nothing | |
 *
 * An empty bucket is 429: instead of the handler, by the handler of a page, or instead of the answer, except for a code that proves valid.
 * A credential's bucket and those of an address for patients and pages are shared by all replicas, the others are the process's own.
 */
import { type HttpApp, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Settings } from "../../config.ts"
import { Capabilities } from "../../declarations.ts"
import { TooManyRequests } from "../../schemas/problems.ts"
import { type Bucket, Buckets } from "../../services/operation/Buckets.ts"
import { makeMemoryBuckets } from "../../services/operation/memoryBuckets.ts"
import type { CurrentTenant } from "../../services/tenancy/Tenancy.ts"
import { hashOf, tagIn } from "../../services/uid.ts"
import { reply } from "../problems.ts"
import { ServedApi } from "../ServedApi.ts"
import { Admission, type Area, type Credential, type RequestParty, type RouteKind } from "./Admission.ts"
import { Callers } from "./Callers.ts"
import { clientAddress, networkOf, subscriberOf } from "./clientAddress.ts"
import { inClassFor } from "./costClasses.ts"
import { rendersErrors, routesBelow } from "./routeKinds.ts"

/** On the routes of staff and partners an address has this multiple of a credential's limit, since callers may share it. */
const CALLERS_PER_ADDRESS = 5
/** Codes known to be valid, of which the oldest are forgotten. */
const CODES_REMEMBERED = 50_000

/** A bucket after a token was taken from it, or not. */
interface Taken {
  readonly bucket: Bucket
  readonly limit: number
}

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
            onSome: ({ begin }) =>
              Effect.flatMap(HttpRouter.params, (params) => {
                const route = routeOf(method, path, params)
                return Effect.matchEffect(begin(route), {
                  onFailure: (error) => (rendersErrors(path, route) ? handler : tooManyReply(error)),
                  onSuccess: () => handler
                })
              })
          })
        )
  }
)

/** Ids of codes that were valid within this process. A code is verified by the handler that uses it. */
const makeKnownCodes = () => {
  const known = new Set<string>()
  const add = (id: string) => {
    if (known.size >= CODES_REMEMBERED)
      for (const oldest of [...known].slice(0, CODES_REMEMBERED / 10)) known.delete(oldest)
    known.add(id)
  }
  return { has: (id: string) => known.has(id), add }
}

/** A code counts with the token beside it, which a call's page has in its query. */
const idOfCode = (code: string, url: string) => {
  const jwt = /[?&]jwt=([^&#]*)/.exec(url)?.[1] ?? ""
  return `code:${hashOf(`${code} ${jwt}`).toString("base64url")}`
}

/** What is known of a request: the rows of the table above. An unproven one has the id of its code. */
type Standing = "uncounted" | "counted" | "verified" | "refused" | { readonly unproven: string }

/** Wraps the whole application: provides `Admission`, and counts what no route has counted. */
export const makeRateLimit = Effect.gen(function* () {
  const { rateLimitPerSecond, rateLimitKeyPerSecond, trustedProxies } = yield* Settings
  const shared = yield* Buckets
  const own = yield* makeMemoryBuckets
  const { sentAlong } = yield* Callers
  const codes = makeKnownCodes()
  const limits = { patient: rateLimitPerSecond, partner: rateLimitKeyPerSecond }

  return Effect.fnUntraced(function* <E, R>(app: HttpApp.Default<E, R>) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const client = clientAddress(request, trustedProxies)
    const address = client === undefined ? "unknown" : networkOf(client)
    const subscriber = client === undefined ? "unknown" : subscriberOf(client)
    let standing: Standing = "uncounted"
    let party: RequestParty = { owner: subscriber, caller: address, isPartner: false }
    let taken: Taken | undefined
    /** The credential that has been verified: a page of staff sends further requests as its person. */
    let verified = Option.none<Credential>()

    const take = (buckets: typeof own, key: string, limit: number) =>
      limit === 0
        ? Effect.void
        : Effect.map(buckets.take({ key, perSecond: limit }), (bucket) => {
            taken = { bucket, limit }
          })
    // By address, whose credential it may not be
    const inTurn = inClassFor("admission", { owner: subscriber, caller: address })
    const takeShared = (key: string, limit: number) => (limit === 0 ? Effect.void : inTurn(take(shared, key, limit)))
    const takeOf = ({ id, kind, owner }: Credential) => {
      party = { owner: owner || subscriber, caller: id, isPartner: kind === "partner" }
      return takeShared(id, limits[kind])
    }
    const takeOfAddress = (area: Area) =>
      area === "other"
        ? take(own, `address:${address}`, rateLimitKeyPerSecond * CALLERS_PER_ADDRESS)
        : takeShared(`${area}:address:${address}`, rateLimitPerSecond)
    const takeRefusal = take(own, `refusals:${address}`, rateLimitPerSecond || rateLimitKeyPerSecond)

    const ensure = Effect.suspend(() => {
      const missing = taken?.bucket.missing ?? 0
      const seconds = Math.max(1, Math.ceil(missing / 1000))
      return missing > 0 ? new TooManyRequests({ retry_after_seconds: seconds }) : Effect.void
    })

    const beginOpen = Effect.fnUntraced(function* ({ area, shop }: RouteKind & { readonly kind: "open" }) {
      // Webhooks of many shops come from one address
      if (shop !== undefined) party = { owner: `shop:${shop}`, caller: address, isPartner: false }
      const credential = Option.isSome(verified) || rateLimitPerSecond === 0 ? verified : yield* sentAlong(request)
      // In a bucket of its own: a search delays no hold
      yield* Option.match(credential, {
        onNone: () => takeOfAddress(area),
        onSome: (found) => takeOf({ ...found, id: `open:${found.id}` })
      })
    })

    const beginCode = Effect.fnUntraced(function* ({ code, isSocket }: RouteKind & { readonly kind: "code" }) {
      const id = idOfCode(code, request.url)
      if (codes.has(id)) {
        standing = "verified"
        return yield* takeOf({ id, kind: "patient", owner: tagIn(code) })
      }
      // A socket answers only when it is closed
      if (isSocket) yield* takeOfAddress("page")
      yield* ensure
      standing = { unproven: id }
    })

    const begin = Effect.fnUntraced(function* (route: RouteKind) {
      if (route.kind === "credential") return
      standing = "counted"
      if (route.kind === "open") yield* beginOpen(route)
      if (route.kind === "code") yield* beginCode(route)
      yield* ensure
    })

    const refuse = Effect.suspend(() => {
      if (standing === "verified") return Effect.void
      standing = "refused"
      return Effect.zipRight(takeRefusal, ensure)
    })

    const response = yield* Effect.provideService(app, Admission, {
      begin,
      admit: (credential) => {
        standing = "verified"
        verified = Option.some(credential)
        return Effect.zipRight(takeOf(credential), ensure)
      },
      admitAddress: Effect.suspend(() => {
        if (standing === "uncounted") standing = "counted"
        return Effect.zipRight(takeOfAddress("patient"), ensure)
      }),
      refuse,
      ensure,
      party: () => party
    })

    /** What the answer shows of the request is counted with it: a 409 or 429 of a code is of a valid one. */
    const answered = Effect.suspend(() => {
      const { status } = response
      const isError = status >= 400 && status < 500 && status !== 409 && status !== 429
      if (isError && (typeof standing === "object" || (status === 401 && standing !== "refused"))) return refuse
      if (standing === "uncounted") return Effect.zipRight(takeOfAddress("other"), ensure)
      if (typeof standing !== "object") return Effect.void
      const id = standing.unproven
      codes.add(id)
      return takeOf({ id, kind: "patient", owner: "" })
    })
    const sent = yield* Effect.matchEffect(answered, {
      onFailure: tooManyReply,
      onSuccess: () => Effect.succeed(response)
    })
    return withTaken(sent, taken)
  })
})
