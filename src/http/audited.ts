/**
 * Audit log entries for requests. The database records changes; this module records reads of health data and secrets, and
 * denied requests. Section 13.1.
 */
import { isUtf8 } from "node:buffer"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Clock, Effect, FiberRef, Option, Tracer } from "effect"
import { Settings } from "../config.ts"
import { Capabilities, credentialRoutesOf } from "../declarations.ts"
import { anonymous } from "../schemas/access/Actor.ts"
import { Forbidden, Unauthenticated } from "../schemas/problems.ts"
import { MINUTE } from "../schemas/seconds.ts"
import { AuditLog } from "../services/audit/AuditLog.ts"
import { isReplayed } from "../services/Idempotency.ts"
import { remember } from "../services/remember.ts"
import { beginRequest, currentTenancy } from "../services/tenancy/Tenancy.ts"
import { clientAddress, wideNetworkOf } from "./admission/clientAddress.ts"
import { operationsOf } from "./operations.ts"
import { ServedApi } from "./ServedApi.ts"

/**
 * The path parameter that identifies a record; null if its text is not an identifier. Other parameters are codes and tokens,
 * which must not be logged.
 */
const subjectOf = (params: Readonly<Record<string, string | undefined>>) => {
  const named = Object.entries(params).findLast(
    ([name]) => name.endsWith("uid") || name === "key_id" || name === "client_id" || name === "shop_identifier"
  )?.[1]
  return named !== undefined && /^[\w.:@-]{1,255}$/.test(named) ? named : null
}

const PURPOSE_MAX = 255
/** Bun decodes headers as Latin-1; this reads them as UTF-8 if they are valid UTF-8. */
const purposeOf = (text = "") => {
  const bytes = Buffer.from(text, "latin1")
  const purpose = (isUtf8(bytes) ? bytes.toString() : text).trim()
  return purpose === "" ? null : [...purpose].slice(0, PURPOSE_MAX).join("")
}

const isDenial = (error: unknown) => error instanceof Unauthenticated || error instanceof Forbidden

/** Records at most one rejected credential a minute for each operation and network, so that they cannot fill the log. */
const DENIAL_INTERVAL_MILLIS = MINUTE * 1_000

export const makeAudited = Effect.gen(function* () {
  const { trustedProxies } = yield* Settings
  const { record } = yield* AuditLog
  const { names: operations, recordedReads } = operationsOf(yield* ServedApi)
  const recordsItself = credentialRoutesOf((yield* Capabilities).on)
  const denials = new Map<string, number>()

  const isRecent = (key: string, now: number) => now - (denials.get(key) ?? 0) < DENIAL_INTERVAL_MILLIS

  const recordDenial = Effect.gen(function* () {
    const { request } = yield* currentTenancy
    if (request === null) return
    const { action, actor, address } = request
    const key = `${action} ${address}`
    const now = yield* Clock.currentTimeMillis
    if (actor === anonymous && isRecent(key, now)) return
    yield* beginRequest({ ...request, action: `${action}.denied` })
    yield* record
    if (actor === anonymous) remember(denials, key, now)
  })

  const begin = Effect.fnUntraced(function* (action: string) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { params } = yield* HttpRouter.RouteContext
    const span = yield* Effect.serviceOption(Tracer.ParentSpan)
    const address = clientAddress(request, trustedProxies)
    yield* beginRequest({
      action,
      actor: anonymous,
      subject: subjectOf(params),
      purpose: purposeOf(request.headers["x-purpose"]),
      trace_id: Option.match(span, { onNone: () => "", onSome: ({ traceId }) => traceId }),
      address: address === undefined ? null : wideNetworkOf(address)
    })
  })

  /** Records what the database does not: reads, pages for an authenticated caller, replayed idempotent responses. */
  const recordRead = (method: string, path: string) => {
    const at = `${method} ${path}`
    const isRead = recordedReads.has(at)
    const isPage = method === "GET" && !operations.has(at) && recordsItself(path) === undefined
    return Effect.gen(function* () {
      const { request } = yield* currentTenancy
      const isAuthenticated = request !== null && request.actor !== anonymous
      if (isRead || (isPage && isAuthenticated) || (yield* FiberRef.get(isReplayed))) yield* record
    })
  }

  /** Wraps the handler of a route. */
  return (method: string, path: string) => {
    const action = operations.get(`${method} ${path}`) ?? `page ${path}`
    const recorded = recordRead(method, path)
    return <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      begin(action).pipe(
        Effect.zipRight(handler),
        Effect.tap(({ status }) => (status < 400 ? recorded : Effect.void)),
        Effect.tapError((error) => (isDenial(error) ? recordDenial : Effect.void))
      )
  }
})
