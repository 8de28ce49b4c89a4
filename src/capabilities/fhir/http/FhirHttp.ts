/** The routes of the FHIR interface: `{BASE_URL}/fhir/r4`. What they offer is in `capability.ts`. Section 20 of the specification. */

import { HttpServerRequest, HttpServerResponse, UrlParams } from "@effect/platform"
import { Effect, FiberRef, Layer, Option, Stream } from "effect"
import { admitCredential } from "../../../http/admission/Admission.ts"
import { type CostClassName, inClass } from "../../../http/admission/costClasses.ts"
import { keyIn } from "../../../http/idempotent.ts"
import { Routes } from "../../../http/inRequest.ts"
import { errorForm } from "../../../http/problems.ts"
import { uncodedTag } from "../../../http/server/compression.ts"
import { byWord } from "../../../schemas/byWord.ts"
import { Forbidden, Invalid } from "../../../schemas/problems.ts"
import { SlotTaken } from "../../../schemas/scheduling/errors.ts"
import { ApiKeys } from "../../../services/access/ApiKeys.ts"
import { AuditLog } from "../../../services/audit/AuditLog.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { requestKey } from "../../../services/Idempotency.ts"
import { beginRequest, currentTenancy, enter } from "../../../services/tenancy/Tenancy.ts"
import { version } from "../../../version.ts"
import { isResourceType, type Letter, type ResourceType, rightsOfPermissions } from "../schemas/rights.ts"
import { AddedResources } from "../services/AddedResources.ts"
import { bookRequestIn } from "../services/bookRequest.ts"
import { FhirAppointments } from "../services/FhirAppointments.ts"
import { FhirBookings } from "../services/FhirBookings.ts"
import { FhirPatients } from "../services/FhirPatients.ts"
import { FhirPractitioners } from "../services/FhirPractitioners.ts"
import { FhirSchedules } from "../services/FhirSchedules.ts"
import { FhirServices } from "../services/FhirServices.ts"
import { FhirSettings } from "../services/FhirSettings.ts"
import { FhirSlots } from "../services/FhirSlots.ts"
import { FhirTokens } from "../services/FhirTokens.ts"
import { instant, type Resource, versionIn } from "../services/forms.ts"
import type { FhirCaller, Interactions, SearchQuery } from "../services/kinds.ts"
import { badParameter, FhirRefused, notFound, refuse } from "../services/refused.ts"
import { searchGiven } from "../services/searches.ts"
import { capabilityStatement, offers } from "./capability.ts"
import { outcomeAnswer, outcomeOf } from "./outcomes.ts"
import { smartConfiguration } from "./SmartHttp.ts"
import { countOf, cursorOf, positionIn, viewOf } from "./searchRequest.ts"
import {
  bundleAround,
  contentTypes,
  type Format,
  type Json,
  parseJson,
  readResource,
  write,
  writeEntry
} from "./serialise.ts"
import { slotPieces } from "./slotEntries.ts"
import { type View, viewed } from "./views.ts"

/** Most resources on a page, and most slots. */
const [COUNT_MAX, SLOTS_MAX] = [1_000, 10_000]
/** A page of more slots is streamed, in pieces of so many. */
const STREAMED_ABOVE = 1_000

const FORMATS = byWord<Format>({
  json: "json",
  "application/json": "json",
  "application/fhir+json": "json",
  "text/json": "json",
  xml: "xml",
  "application/xml": "xml",
  "application/fhir+xml": "xml",
  "text/xml": "xml"
})

/** The format of the answer: `_format`, else the best of `Accept`, else JSON. */
export const formatFor = (given: string | null, accept: string | undefined): Format | undefined => {
  const mediaOf = (text: string) => (text.split(";")[0] ?? "").trim().toLowerCase().replace(" ", "+")
  if (given !== null && given !== "") return FORMATS[mediaOf(given)]
  const weighted = (accept ?? "")
    .split(",")
    .flatMap((part) => {
      const format = FORMATS[mediaOf(part)]
      const weight = Number(/;\s*q=([\d.]+)/.exec(part)?.[1] ?? 1)
      return format === undefined || !(weight > 0) ? [] : [{ format, weight }]
    })
    .sort((a, b) => b.weight - a.weight)
  return weighted[0]?.format ?? "json"
}

const FHIR_HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

interface Asked {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly format: Format
  readonly query: URLSearchParams
}

const answer = (resource: Json, { format }: Asked, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(write(resource, format), {
    status,
    headers: { ...FHIR_HEADERS, ...headers },
    contentType: contentTypes[format]
  })

const etagOf = (resource: Resource) => (versionIn(resource) === "" ? {} : { etag: `W/"${versionIn(resource)}"` })

/** The version in `If-Match`; undefined without the header. */
const versionWanted = (header: string | undefined) =>
  header === undefined || header.trim() === "*" ? undefined : uncodedTag(header.trim()).replace(/^(W\/)?"(.*)"$/, "$2")

const allowed = (letter: Letter | undefined, type: ResourceType, { rights }: FhirCaller) =>
  letter !== undefined && rights.has(`${type}.${letter}`)
    ? Effect.void
    : Effect.fail(new Forbidden({ reason: `This needs the right to do this with ${type}` }))

const classOf = (type: ResourceType): CostClassName => (type === "Slot" ? "search" : "ordinary")

const makeHandler = Effect.gen(function* () {
  const apiKeys = yield* ApiKeys
  const tokens = yield* FhirTokens
  const { base, zoneOf, isOffered } = yield* FhirSettings
  const { offeredTypes, ...added } = yield* AddedResources
  const recordsOf: Readonly<Record<Exclude<ResourceType, "Slot">, Interactions>> = {
    ...added,
    Schedule: yield* FhirSchedules,
    HealthcareService: yield* FhirServices,
    Practitioner: yield* FhirPractitioners,
    Patient: yield* FhirPatients,
    Appointment: yield* FhirAppointments
  }
  const slots = yield* FhirSlots
  const bookings = yield* FhirBookings
  const audit = yield* AuditLog
  const clock = yield* DomainClock

  /** The caller, admitted, with the rows of their organisation. Fails with 404 while it does not use FHIR. */
  const callerOf = Effect.fnUntraced(function* ({ headers }: HttpServerRequest.HttpServerRequest) {
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1]
    const found =
      bearer === undefined
        ? yield* Effect.map(inClass("admission")(apiKeys.authenticate(headers["x-api-key"] ?? "")), (key) => ({
            organisation_uid: key.organisation_uid,
            actor: { kind: "api_key" as const, uid: key.uid as string },
            id: `key:${key.uid}`,
            rights: rightsOfPermissions(key.permissions)
          }))
        : yield* Effect.map(inClass("admission")(tokens.authenticate(bearer)), (client) => ({
            organisation_uid: client.organisation_uid,
            actor: { kind: "api_key" as const, uid: client.client_id },
            id: `fhir:${client.client_id}`,
            rights: client.rights
          }))
    const { organisation_uid, actor, id, rights } = found
    if (organisation_uid === null) return yield* new Forbidden({ reason: "This needs an organisation's API key" })
    yield* enter({ organisation_uid, actor })
    yield* admitCredential({ id, kind: "partner", owner: organisation_uid })
    const zone = yield* zoneOf(organisation_uid)
    if (Option.isNone(zone)) return yield* refuse(404, "not-found", "The organisation does not use FHIR")
    return { organisation_uid, actor, rights, timezone: zone.value } satisfies FhirCaller
  })

  /** Without a valid credential: 404 where nobody uses FHIR. */
  const ensureOffered = Effect.flatMap(isOffered, (offered) =>
    offered ? Effect.void : refuse(404, "not-found", "Nobody uses FHIR here")
  )

  const audited = (action: string, subject: string | null) =>
    Effect.flatMap(currentTenancy, ({ request }) =>
      request === null ? Effect.void : beginRequest({ ...request, action: `fhir.${action}`, subject })
    )

  const read = Effect.fnUntraced(function* (asked: Asked, caller: FhirCaller, type: ResourceType, id: string) {
    const view = yield* viewOf(asked.query)
    const resource = yield* inClass(classOf(type))((type === "Slot" ? slots : recordsOf[type]).read(caller, id))
    if (offers[type].audited) yield* audit.record
    return answer(viewed(type, resource, view), asked, 200, etagOf(resource))
  })

  const entryOf = (type: ResourceType, view: View) => (resource: Resource) => ({
    fullUrl: `${base}/${type}/${resource.id}`,
    resource: viewed(type, resource, view),
    search: { mode: "match" }
  })

  const found = Effect.fnUntraced(function* (caller: FhirCaller, type: ResourceType, query: SearchQuery) {
    if (type !== "Slot") {
      const { resources, total, next } = yield* inClass("ordinary")(recordsOf[type].search(caller, query))
      return { found: { resources }, count: resources.length, total, next }
    }
    const { slots: found, count, next } = yield* inClass("search")(slots.search(caller, query))
    const isWhole = next === undefined && query.after === undefined
    return { found, count, total: isWhole ? count : undefined, next }
  })

  const search = Effect.fnUntraced(function* (asked: Asked, caller: FhirCaller, type: ResourceType) {
    const { query: sent, format } = asked
    const view = yield* viewOf(sent)
    const query = {
      count: yield* countOf(sent, type === "Slot" ? SLOTS_MAX : COUNT_MAX),
      given: yield* searchGiven(type, sent, { base, timezone: caller.timezone }),
      after: yield* positionIn(type, sent.get("_cursor"))
    }
    const onlyCount = view.summary === "count" || query.count === 0
    const {
      found: shown,
      count,
      total,
      next
    } = yield* found(caller, type, onlyCount ? { ...query, count: type === "Slot" ? SLOTS_MAX : 1 } : query)
    if (offers[type].audited) yield* audit.record
    const linkOf = (changes: Readonly<Record<string, string>>) => {
      const link = new URLSearchParams(sent)
      for (const [name, value] of Object.entries(changes)) link.set(name, value)
      const text = link.toString()
      return `${base}/${type}${text === "" ? "" : `?${text}`}`
    }
    const bundle = {
      resourceType: "Bundle",
      meta: { lastUpdated: instant(yield* clock.now) },
      type: "searchset",
      ...(total !== undefined && { total }),
      link: [
        { relation: "self", url: linkOf({}) },
        ...(next === undefined || onlyCount ? [] : [{ relation: "next", url: linkOf({ _cursor: cursorOf(next) }) }])
      ]
    }
    if (onlyCount || count === 0) return answer(bundle, asked)
    const form = entryOf(type, view)
    const entry = (resource: Resource) => writeEntry(form(resource), format)
    const around = bundleAround(bundle, format)
    const pieces =
      "columns" in shown
        ? slotPieces(around, shown.columns, entry, STREAMED_ABOVE)
        : [Buffer.from(around.head + shown.resources.map(entry).join(around.comma) + around.tail)]
    const options = { status: 200, headers: FHIR_HEADERS, contentType: contentTypes[format] }
    return count > STREAMED_ABOVE
      ? HttpServerResponse.stream(Stream.fromIteratorSucceed(pieces[Symbol.iterator](), 1), options)
      : HttpServerResponse.uint8Array(Buffer.concat([...pieces]), options)
  })

  const book = Effect.fnUntraced(function* (asked: Asked, caller: FhirCaller) {
    const key = yield* keyIn(asked.request.headers).pipe(
      Effect.mapError(() => refuse(400, "value", "Idempotency-Key: must be text of 1 to 255 characters"))
    )
    const text = yield* asked.request.text
    const wanted = yield* bookRequestIn(yield* readResource(text))
    const keyed = Option.map(Option.fromNullable(key), (given) => ({ key: given, request: ["$book", text] }))
    const booked = yield* inClass("ordinary")(Effect.locally(bookings.book(caller, wanted), requestKey, keyed))
    return answer(booked, asked, 201, { ...etagOf(booked), location: `${base}/Appointment/${booked.id}` })
  })

  const patch = Effect.fnUntraced(function* (asked: Asked, caller: FhirCaller, id: string) {
    const text = yield* asked.request.text
    const body = yield* text.trimStart().startsWith("[") ? parseJson(text) : readResource(text)
    const changed = yield* inClass("ordinary")(
      bookings.patch(caller, id, body, versionWanted(asked.request.headers["if-match"]))
    )
    return answer(changed, asked, 200, etagOf(changed))
  })

  const methodRefused = (allow: ReadonlyArray<string>) =>
    new FhirRefused({
      status: 405,
      issues: [{ code: "not-supported", text: `Use ${allow.join(", ")} here` }],
      headers: { allow: allow.join(", ") }
    })

  /** One request below the base. */
  const handle = Effect.fnUntraced(function* (asked: Asked, segments: ReadonlyArray<string>) {
    const { request } = asked
    const method = request.method === "HEAD" ? "GET" : request.method
    const [first = "", second, third] = segments
    const hasCredential = request.headers["x-api-key"] !== undefined || request.headers.authorization !== undefined
    if (second === undefined && first === "metadata") {
      if (method !== "GET") return yield* methodRefused(["GET"])
      yield* hasCredential ? callerOf(request) : ensureOffered
      return answer(capabilityStatement(base, version, instant(yield* clock.now), yield* offeredTypes), asked)
    }
    if (first === ".well-known" && second === "smart-configuration" && third === undefined) {
      if (method !== "GET") return yield* methodRefused(["GET"])
      yield* ensureOffered
      return HttpServerResponse.unsafeJson(smartConfiguration(tokens.token_endpoint))
    }
    if (!hasCredential) yield* ensureOffered
    const isSearch = second === undefined || second === "_search"
    const caller = yield* callerOf(request)
    if (!isResourceType(first) || third !== undefined || !(yield* offeredTypes).includes(first))
      return yield* refuse(404, "not-supported", "There is no such resource type or path")
    const { interactions, operations } = offers[first]
    if (isSearch) {
      const own = second === undefined ? "GET" : "POST"
      if (method !== own) return yield* methodRefused([own])
      yield* audited(`${first.toLowerCase()}.search`, null)
      yield* allowed(interactions["search-type"], first, caller)
      if (second === undefined) return yield* search(asked, caller, first)
      const form = yield* request.urlParamsBody
      const query = new URLSearchParams([
        ...asked.query,
        ...(UrlParams.toString(form) === "" ? [] : new URLSearchParams(UrlParams.toString(form)))
      ])
      const format = formatFor(query.get("_format"), request.headers.accept) ?? asked.format
      return yield* search({ ...asked, query, format }, caller, first)
    }
    if (second.startsWith("$")) {
      const operation = operations[second.slice(1)]
      if (operation === undefined) return yield* refuse(404, "not-supported", "There is no such operation")
      if (method !== "POST") return yield* methodRefused(["POST"])
      yield* audited(`${first.toLowerCase()}.${second.slice(1)}`, null)
      yield* allowed(operation.letter, first, caller)
      return yield* book(asked, caller)
    }
    if (!/^[A-Za-z0-9.-]{1,64}$/.test(second)) return yield* notFound(first, second.slice(0, 64))
    if (method === "GET") {
      yield* audited(`${first.toLowerCase()}.read`, second.replaceAll(".", "_"))
      yield* allowed(interactions.read, first, caller)
      return yield* read(asked, caller, first, second)
    }
    if (method === "PATCH" && interactions.patch !== undefined) {
      yield* audited(`${first.toLowerCase()}.patch`, second.replaceAll(".", "_"))
      yield* allowed(interactions.patch, first, caller)
      return yield* patch(asked, caller, second)
    }
    return yield* methodRefused(interactions.patch === undefined ? ["GET"] : ["GET", "PATCH"])
  })

  // @effect-diagnostics-next-line returnEffectInGen:off
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { pathname, search: text } = new URL(request.url, "http://fhir")
    const query = new URLSearchParams(text)
    const wanted = formatFor(query.get("_format"), request.headers.accept)
    const format = wanted ?? "json"
    yield* FiberRef.set(errorForm, outcomeAnswer(format))
    const asked = { request, format, query }
    const segments = pathname
      .replace(/^\/fhir\/r4\/?/, "")
      .replace(/\/$/, "")
      .split("/")
      .map((part) => part.replace(/^%24/, "$"))
    const work =
      wanted === undefined ? Effect.fail(badParameter("_format", "must be json or xml")) : handle(asked, segments)
    return yield* work.pipe(
      // A change that the form's rules forbid, not its syntax
      Effect.catchIf(
        (error) => error instanceof Invalid,
        ({ faults }) =>
          Effect.fail(
            new FhirRefused({
              status: 422,
              issues: faults.map(({ field, message }) => ({ code: "business-rule", text: `${field}: ${message}` }))
            })
          )
      ),
      Effect.catchIf(
        (error) => error instanceof SlotTaken,
        ({ message }) => Effect.fail(refuse(409, "conflict", message))
      ),
      Effect.catchIf(
        (error) => error instanceof FhirRefused,
        (error) => Effect.succeed(outcomeOf(error, format))
      )
    )
  })
})

export const FhirHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const handler = yield* makeHandler
    for (const path of ["/fhir/r4", "/fhir/r4/*"] as const) {
      yield* router.get(path, handler)
      yield* router.post(path, handler)
      yield* router.patch(path, handler)
      yield* router.put(path, handler)
      yield* router.del(path, handler)
    }
  })
).pipe(
  Layer.provide([
    ApiKeys.Default,
    AuditLog.Default,
    FhirBookings.Default,
    FhirTokens.Default,
    AddedResources.Default,
    FhirAppointments.Default,
    FhirPatients.Default,
    FhirPractitioners.Default,
    FhirSchedules.Default,
    FhirServices.Default,
    FhirSettings.Default,
    FhirSlots.Default
  ])
)
