/**
 * Audit log entries for requests. The database records changes; this module records reads of health data and secrets, and
 * denied requests. Section 13.1.
 */
import { isUtf8 } from "node:buffer"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Clock, Effect, FiberRef, Option } from "effect"
import { Settings } from "../config.ts"
import { Forbidden, Unauthenticated } from "../schemas/problems.ts"
import { MINUTE } from "../schemas/seconds.ts"
import { AuditLog } from "../services/audit/AuditLog.ts"
import { isReplayed } from "../services/Idempotency.ts"
import { remember } from "../services/remember.ts"
import { anonymous, beginRequest, currentTenancy } from "../services/tenancy/Tenancy.ts"
import { clientAddress, wideNetworkOf } from "./admission/clientAddress.ts"
import { operations } from "./operations.ts"

/** Every read operation: `true` if it is recorded, otherwise why not. A test fails if one is missing. */
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
  "management.absences.list": "times and numbers, no patients",
  "management.absences.get": "times and numbers, no patients",
  "management.absences.appointments": true,
  "management.recalls.list": true,
  "management.recalls.get": true,
  "management.waitlist.list": true,
  "management.waitlist.get": true,
  "management.waitlist.offers": true,
  "patient.waitlist.entry": true,
  "patient.waitlist_offers.context": true,
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
  "doctor.day.articles": "articles, no patients",
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
  "management.appointments.calendar": "hours and identifiers, no patients",
  "management.reports.statistics": "numbers, no patients",
  "management.reports.resource_statistics": "numbers, no patients",
  "management.reports.recall_statistics": "numbers, no patients",
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
      "management.busy_sources.list",
      "management.busy_sources.get",
      "doctor.busy_sources.list",
      "doctor.busy_sources.get",
      "management.doctors.list",
      "management.doctors.settings",
      "management.resources.list",
      "management.resources.one",
      "management.resource_hours.rules",
      "management.resource_hours.overrides",
      "management.notification_subscriptions.list",
      "management.notification_subscriptions.get",
      "organisation.settings.one",
      "organisation.settings.holidays",
      "organisation.doctors.list",
      "organisation.doctors.one",
      "organisation.shops.list",
      "organisation.shops.one",
      "organisation.staff.list",
      "organisation.staff.one",
      "doctor.rules",
      "admin.scheduling.reminders",
      "admin.scheduling.rules",
      "admin.secrets.list",
      "admin.legacy_secrets.list",
      "admin.api_keys.list",
      "admin.fhir_clients.list",
      "pharmacy.skus.products",
      "pharmacy.skus.list",
      "pharmacy.webhooks.list",
      "pharmacy.webhooks.get"
    ].map((action) => [action, "settings and stock, no patients and no secrets"])
  )
}

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

  /** Records what the database does not: reads, pages for an authenticated caller, replayed idempotent responses. */
  const recordRead = (method: string, path: string, action: string) => {
    const isRead = method === "GET" && reads[action] === true
    // The handlers of FHIR record their reads themselves
    const isPage = method === "GET" && action.startsWith("page ") && !path.startsWith("/fhir/")
    return Effect.gen(function* () {
      const { request } = yield* currentTenancy
      const isAuthenticated = request !== null && request.actor !== anonymous
      if (isRead || (isPage && isAuthenticated) || (yield* FiberRef.get(isReplayed))) yield* record
    })
  }

  /** Wraps the handler of a route. */
  return (method: string, path: string) => {
    const action = operations.get(`${method} ${path}`) ?? `page ${path}`
    const recorded = recordRead(method, path, action)
    return <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      begin(action).pipe(
        Effect.zipRight(handler),
        Effect.tap(({ status }) => (status < 400 ? recorded : Effect.void)),
        Effect.tapError((error) => (isDenial(error) ? recordDenial : Effect.void))
      )
  }
})
