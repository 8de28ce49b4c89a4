/** Errors on the wire: which status and code each has, and the one envelope that all of them share. */
import { HttpApiSchema, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, FiberRef, Option, Predicate, Schema, SchemaAST } from "effect"
import * as access from "../schemas/access/errors.ts"
import * as checkout from "../schemas/checkout/errors.ts"
import * as storefront from "../schemas/checkout/storefrontProblems.ts"
import * as events from "../schemas/events/errors.ts"
import * as hosted from "../schemas/hosted/errors.ts"
import * as meetings from "../schemas/meetings/errors.ts"
import * as operation from "../schemas/operation/errors.ts"
import * as patients from "../schemas/patients/errors.ts"
import * as pharmacy from "../schemas/pharmacy/errors.ts"
import * as prescriptions from "../schemas/prescriptions/errors.ts"
import * as general from "../schemas/problems.ts"
import * as scheduling from "../schemas/scheduling/errors.ts"

/** Every error that a caller can be answered with, by its status. One that is not here is a defect at the edge. */
const byStatus = {
  400: [general.Invalid, scheduling.CancellationTooLate, scheduling.RebookingBlocked, scheduling.SlotNotOffered],
  401: [general.Unauthenticated],
  403: [general.Forbidden],
  404: [
    access.ApiKeyNotFound,
    access.DevelopmentIssuerNotFound,
    access.OrganisationNotFound,
    access.PatientOperationNotFound,
    access.PatientNotFound,
    access.SandboxNotFound,
    access.SecretNotFound,
    access.ShopNotFound,
    checkout.CheckoutNotFound,
    checkout.DraftOrderNotFound,
    events.DeliveryNotFound,
    events.SubscriptionNotFound,
    hosted.PageNotFound,
    meetings.MeetingNotFound,
    operation.DeadLetterNotFound,
    patients.ConsentNotFound,
    pharmacy.PharmacyNotFound,
    pharmacy.PharmacyOrderNotFound,
    pharmacy.PharmacySkuNotFound,
    prescriptions.FileNotFound,
    prescriptions.PrescriptionNotFound,
    scheduling.ActionLinkNotFound,
    scheduling.CalendarFeedNotFound,
    scheduling.AppointmentNotFound,
    scheduling.AppointmentTypeNotFound,
    scheduling.AvailabilityRuleNotFound,
    scheduling.BookableTypeNotFound,
    scheduling.BookingSessionNotFound,
    scheduling.DateOverrideNotFound,
    scheduling.DoctorNotFound,
    scheduling.DoctorSettingNotFound,
    scheduling.HoldNotFound,
    scheduling.ReminderNotFound
  ],
  409: [
    access.AlreadyUsed,
    access.IdempotencyKeyReused,
    access.InProgress,
    checkout.DraftOrderCompleted,
    checkout.LineAlreadyPrescribed,
    checkout.NoPharmacy,
    checkout.PrescriptionAlreadyAccepted,
    checkout.PrescriptionNotUsable,
    checkout.ReservationExpired,
    events.SubscriptionInactive,
    events.TooManySubscriptions,
    pharmacy.OrderNotPaid,
    pharmacy.PrescriptionNotSigned,
    pharmacy.StatusNotAllowed,
    prescriptions.HasAnamnesis,
    prescriptions.NotRendered,
    prescriptions.PrescriptionNotCancellable,
    prescriptions.PrescriptionNotWaiting,
    prescriptions.RenderedAgain,
    scheduling.ActionNotPossible,
    scheduling.AppointmentCancelled,
    scheduling.AppointmentCompleted,
    scheduling.AppointmentExpired,
    scheduling.AppointmentHeld,
    scheduling.AppointmentNoShow,
    scheduling.AppointmentNotConfirmed,
    scheduling.AppointmentNotStarted,
    scheduling.DoctorHasAppointments,
    scheduling.HoldNotConfirmable,
    scheduling.ReminderExists,
    scheduling.SlotTaken,
    scheduling.TooManyAppointments,
    scheduling.PatientRestricted,
    scheduling.TooManyHolds,
    storefront.StorefrontRefused
  ],
  412: [general.PreconditionFailed],
  429: [general.TooManyRequests],
  503: [general.Unavailable, general.Overloaded, storefront.StorefrontUnavailable]
} as const

/** Codes are the tag in snake_case, but for these. */
const codes: Readonly<Record<string, string>> = {
  ActionNotPossible: "not_possible_any_more",
  AppointmentNotConfirmed: "not_confirmed",
  HoldNotConfirmable: "not_confirmable",
  PrescriptionNotCancellable: "not_cancellable",
  PrescriptionNotWaiting: "not_waiting_for_doctor"
}

type ErrorClass = (typeof byStatus)[keyof typeof byStatus][number]

export interface Problem {
  readonly status: number
  readonly code: string
  /** What the code means to a caller. */
  readonly meaning: string
}

const snakeCase = (tag: string) => tag.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

const codeOf = (status: number, tag: string) => {
  if (status === 400) return "invalid_request"
  return status === 404 ? "not_found" : (codes[tag] ?? snakeCase(tag))
}

/** All 404s have one meaning, since they have one code. */
const meaningOf = (status: number, error: ErrorClass) =>
  status === 404 ? "Not there, or not the caller's to see: both look the same from outside" : error.meaning

const tagOf = (error: ErrorClass): string => error.prototype.name

const table: ReadonlyMap<string, Problem> = new Map(
  Object.entries(byStatus).flatMap(([status, classes]) =>
    classes.map((error) => [
      tagOf(error),
      {
        status: Number(status),
        code: codeOf(Number(status), tagOf(error)),
        meaning: meaningOf(Number(status), error)
      }
    ])
  )
)

/** Status and code of an error; undefined for one that no caller is answered with. */
export const problemOf = (tag: string): Problem | undefined => table.get(tag)

/** The status of whatever went wrong; undefined for what no caller is answered with. */
export const statusOf = (error: unknown): number | undefined =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" ? problemOf(error._tag)?.status : undefined

/** Every code with its status and its meaning. */
export const problemCodes: ReadonlyArray<Problem> = [
  ...new Map([...table.values()].reverse().map((problem) => [problem.code, problem])).values()
]

const CODES = Symbol.for("http/problems/codes")
const shown = <A>(status: number, shownCodes: ReadonlyArray<string>): Schema.Annotations.Schema<A> => ({
  ...HttpApiSchema.annotations<A>({ status }),
  jsonSchema: { type: "object" },
  [CODES]: shownCodes
})

const declared = (error: ErrorClass) => {
  const { status, code } = table.get(tagOf(error)) ?? { status: 500, code: "internal" }
  return Schema.declare((value): value is InstanceType<ErrorClass> => value instanceof error, shown(status, [code]))
}

/**
 * The errors that an endpoint declares, with their statuses; it does not compile while its handler can fail with another.
 * Bodies are written by `ProblemsMiddleware` and described by the OpenAPI document.
 */
export const problem = <const C extends ReadonlyArray<ErrorClass>>(...classes: C) =>
  Schema.Union(...classes.map(declared)) as Schema.Schema<InstanceType<C[number]>> // a mapped tuple loses its members

/** The codes that an error of an endpoint can have, as `problem` has noted them. */
export const codesIn = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return [...new Set(ast.types.flatMap(codesIn))]
  const found = ast.annotations[CODES]
  return Array.isArray(found) ? found : []
}

const PROBLEM_JSON = "application/problem+json"

/** Whether the caller asks for problems as RFC 9457 has them. Rule 2.3.6. */
const asksForProblem = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  Option.exists(({ headers }) =>
    (headers.accept ?? "")
      .toLowerCase()
      .split(",")
      .some((kind) => /^\s*application\/problem\+json\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/.test(kind))
  )
)

const titles: Readonly<Record<string, string>> = Object.fromEntries(
  problemCodes.map(({ code, meaning }) => [code, meaning])
)

/** The `code` that the request of this fiber was answered with. */
export const problemCode = FiberRef.unsafeMake<string | null>(null)

/** The envelope, with the trace that the request belongs to. */
export const reply = (
  status: number,
  code: string,
  error: string | ReadonlyArray<string>,
  headers: Readonly<Record<string, string>> = {}
) =>
  Effect.zipWith(Effect.option(Effect.currentSpan), asksForProblem, (span, asProblem) => {
    const trace_id = Option.match(span, { onNone: () => "", onSome: ({ traceId }) => traceId })
    if (!asProblem) return HttpServerResponse.unsafeJson({ error, code, trace_id }, { status, headers })
    const detail = typeof error === "string" ? { detail: error } : { detail: error.join("; "), errors: error }
    const title = titles[code] ?? code
    const body = { type: `urn:sprechstunde:problem:${code}`, title, status, ...detail, code, trace_id }
    return HttpServerResponse.unsafeJson(body, { status, headers, contentType: PROBLEM_JSON })
  }).pipe(Effect.zipLeft(FiberRef.set(problemCode, code)))
