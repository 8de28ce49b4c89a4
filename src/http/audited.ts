/**
 * What the audit log says of a request. Changes are recorded by the database; recorded here are reads of health data and of
 * secrets, and refusals. Section 13.1.
 */
import { isUtf8 } from "node:buffer"
import { HttpApi, HttpRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Clock, Effect, FiberRef, Option } from "effect"
import { Settings } from "../config.ts"
import { Forbidden, Unauthenticated } from "../schemas/problems.ts"
import { AuditLog } from "../services/audit/AuditLog.ts"
import { isReplayed } from "../services/Idempotency.ts"
import { anonymous, beginRequest, currentTenancy } from "../services/tenancy/Tenancy.ts"
import { Api } from "./Api.ts"
import { clientAddress, wideNetworkOf } from "./server/clientAddress.ts"

/** Every read of the interface: whether it is recorded, or why not. A test finds one that is missing here. */
export const reads: Readonly<Record<string, true | string>> = {
  "management.appointments.list": true,
  "management.appointments.one": true,
  "organisation.patients.list": true,
  "organisation.patients.one": true,
  "organisation.consents.list": true,
  "management.events.feed": true,
  "management.notification_subscriptions.deliveries": "attempts alone, no events",
  "management.notification_subscriptions.delivery": true,
  "management.prescriptions.get": true,
  "management.audit.list": true,
  "management.audit.export": true,
  "prescription_files.download": true,
  "checkout.orders": true,
  "patient.booking.session": "nothing of the patient (Rule 4.3)",
  "patient.action_links.context": true,
  "doctor.appointments": true,
  "doctor.appointment": true,
  "doctor.day.waiting": true,
  "doctor.day.patient": true,
  "doctor.day.note": true,
  "doctor.day.prescriptions": true,
  "doctor.calendar.overrides": "settings and stock, no patients and no secrets",
  "doctor.calendar.feed": "a date",
  "calendar_feeds.read": true,
  "admin.scheduling.appointments": true,
  "admin.secrets.reveal": true,
  "admin.legacy_secrets.reveal": true,
  "pharmacy.orders.list": true,
  "pharmacy.orders.get": true,
  "pharmacy.webhooks.deliveries": "attempts alone, no events",
  "pharmacy.webhooks.delivery": true,
  "pharmacy.webhooks.feed": true,
  "pharmacy.orders.payouts": "money, no patients",
  "patient.booking.appointment_types": "public",
  "management.reports.statistics": "numbers, no patients",
  "management.reports.messages": true,
  "management.reports.preview": "a made-up appointment",
  "operator.status": "the installation, no patients and no secrets",
  "operator.queues": "the installation, no patients and no secrets",
  "operator.dead_letters": "identifiers alone",
  "operator.webhooks": "settings and stock, no patients and no secrets",
  "operator.parked_payouts": "money, no patients",
  "operator.waiting_orders": "numbers of orders, no patients and no secrets",
  "operator.audit_log": true,
  "requests.list": "addresses and outcomes, no bodies",
  "sandbox.read": "a clock",
  "development_issuer.configuration": "public",
  "development_issuer.jwks": "public",
  ...Object.fromEntries(
    [
      "management.appointment_types.list",
      "management.reminders.list",
      "management.availability_rules.list",
      "management.date_overrides.list",
      "management.doctors.list",
      "management.doctors.settings",
      "management.notification_subscriptions.list",
      "management.notification_subscriptions.get",
      "organisation.settings.one",
      "organisation.doctors.list",
      "organisation.doctors.one",
      "organisation.shops.list",
      "organisation.shops.one",
      "doctor.rules",
      "admin.scheduling.reminders",
      "admin.scheduling.rules",
      "admin.secrets.list",
      "admin.legacy_secrets.list",
      "admin.api_keys.list",
      "pharmacy.skus.products",
      "pharmacy.skus.list",
      "pharmacy.webhooks.list",
      "pharmacy.webhooks.get"
    ].map((action) => [action, "settings and stock, no patients and no secrets"])
  )
}

/** `METHOD path` → the name of the operation, for every endpoint of the interface. */
export const operations: ReadonlyMap<string, string> = (() => {
  const found = new Map<string, string>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint }) =>
      found.set(`${endpoint.method} ${endpoint.path}`, `${group.identifier}.${endpoint.name}`)
  })
  return found
})()

/**
 * The parameter of a path that names a record; null where its text is no identifier. The others are codes and tokens, which no
 * log may hold.
 */
const subjectOf = (params: Readonly<Record<string, string | undefined>>) => {
  const named = Object.entries(params).findLast(
    ([name]) => name.endsWith("uid") || name === "key_id" || name === "shop_identifier"
  )?.[1]
  return named !== undefined && /^[\w.:@-]{1,255}$/.test(named) ? named : null
}

const PURPOSE_MAX = 255
/** Headers arrive as Latin-1, and are UTF-8 wherever they can be. */
const purposeOf = (text = "") => {
  const bytes = Buffer.from(text, "latin1")
  const purpose = (isUtf8(bytes) ? bytes.toString() : text).trim()
  return purpose === "" ? null : [...purpose].slice(0, PURPOSE_MAX).join("")
}

const isDenial = (error: unknown) => error instanceof Unauthenticated || error instanceof Forbidden

/** Refused credentials that are recorded: one an operation and network in a minute, so that they cannot fill the log. */
const REFUSAL_EVERY_MILLIS = 60_000
const REFUSALS_KEPT = 10_000

export const makeAudited = Effect.gen(function* () {
  const { trustedProxies } = yield* Settings
  const { record } = yield* AuditLog
  const refusals = new Map<string, number>()

  const isRecent = (key: string, now: number) => now - (refusals.get(key) ?? 0) < REFUSAL_EVERY_MILLIS
  const remember = (key: string, now: number) => {
    if (refusals.size >= REFUSALS_KEPT) refusals.clear()
    refusals.set(key, now)
  }

  const recordDenial = Effect.gen(function* () {
    const { request } = yield* FiberRef.get(currentTenancy)
    if (request === null) return
    const { action, actor, address } = request
    const key = `${action} ${address}`
    const now = yield* Clock.currentTimeMillis
    if (actor === anonymous && isRecent(key, now)) return
    yield* beginRequest({ ...request, action: `${action}.denied` })
    yield* record
    if (actor === anonymous) remember(key, now)
  })

  const begin = Effect.fnUntraced(function* (action: string) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { params } = yield* HttpRouter.RouteContext
    const span = yield* Effect.option(Effect.currentSpan)
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

  /** What changed nothing and is recorded all the same: reads, pages for somebody who is known, answers that were kept. */
  const recordRead = (method: string, action: string) => {
    const isRead = method === "GET" && reads[action] === true
    const isPage = method === "GET" && action.startsWith("page ")
    return Effect.gen(function* () {
      const { request } = yield* FiberRef.get(currentTenancy)
      const isKnown = request !== null && request.actor !== anonymous
      if (isRead || (isPage && isKnown) || (yield* FiberRef.get(isReplayed))) yield* record
    })
  }

  /** A route whose requests are written to the audit log. */
  return (method: string, path: string) => {
    const action = operations.get(`${method} ${path}`) ?? `page ${path}`
    const recorded = recordRead(method, action)
    return <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      begin(action).pipe(
        Effect.zipRight(handler),
        Effect.tap(({ status }) => (status < 400 ? recorded : Effect.void)),
        Effect.tapError((error) => (isDenial(error) ? recordDenial : Effect.void))
      )
  }
})
