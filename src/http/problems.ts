/** Errors on the wire: the status and code of each, and the body format that they share. */

import { HttpApiSchema, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, FiberRef, Option, Predicate, Schema, SchemaAST } from "effect"
import * as access from "../schemas/access/errors.ts"
import { byWord } from "../schemas/byWord.ts"
import * as checkout from "../schemas/checkout/errors.ts"
import * as storefront from "../schemas/checkout/storefrontProblems.ts"
import * as events from "../schemas/events/errors.ts"
import * as hosted from "../schemas/hosted/errors.ts"
import * as patients from "../schemas/patients/errors.ts"
import * as pharmacy from "../schemas/pharmacy/errors.ts"
import * as prescriptions from "../schemas/prescriptions/errors.ts"
import * as general from "../schemas/problems.ts"
import * as scheduling from "../schemas/scheduling/errors.ts"
import { memoised } from "../services/memoised.ts"

const domains = {
  ...access,
  ...checkout,
  ...events,
  ...hosted,
  ...patients,
  ...pharmacy,
  ...prescriptions,
  ...scheduling
}
type NotFoundName = Extract<keyof typeof domains, `${string}NotFound`>
const isNotFound = (name: string): name is NotFoundName => name.endsWith("NotFound")

/** The error of a record that does not exist has a name that says so. */
const notFound = Object.keys(domains)
  .filter(isNotFound)
  .map((name) => domains[name])

/** Every error that a response can have, by status. An error that is missing here is answered as a defect (500). */
const byStatus = {
  400: [
    general.Invalid,
    scheduling.CancellationTooLate,
    scheduling.PatientRestricted,
    scheduling.RebookingBlocked,
    scheduling.SlotNotOffered,
    scheduling.TooManyAppointments
  ],
  401: [
    general.Unauthenticated,
    access.TokenAudience,
    access.TokenExpired,
    access.TokenKeyUnknown,
    access.TokenMalformed,
    access.TokenNotYetValid,
    access.TokenShopUnknown,
    access.TokenSignature,
    access.TokenTooLong
  ],
  403: [general.Forbidden],
  404: [access.PatientMerged, ...notFound],
  409: [
    access.AlreadyUsed,
    access.IdempotencyKeyReused,
    access.InProgress,
    checkout.AnamnesisRequired,
    checkout.DraftOrderCompleted,
    checkout.LineAlreadyPrescribed,
    checkout.NoPharmacy,
    checkout.PrescriptionAlreadyAccepted,
    checkout.PrescriptionNotUsable,
    checkout.ReservationExpired,
    events.SubscriptionInactive,
    events.TooManySubscriptions,
    pharmacy.OrderChanged,
    pharmacy.OrderNotPaid,
    pharmacy.NothingToUndo,
    pharmacy.OrderNotShipped,
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
    scheduling.ReopeningTooLate,
    scheduling.DoctorHasAppointments,
    scheduling.HoldNotConfirmable,
    scheduling.PreparationMissing,
    scheduling.ReminderExists,
    scheduling.SlotTaken,
    storefront.StorefrontRefused
  ],
  412: [general.PreconditionFailed],
  429: [general.TooManyRequests, scheduling.TooManyHolds],
  503: [general.Unavailable, general.Overloaded, storefront.StorefrontUnavailable]
} as const

/** Exceptions; the code of any other 400 is `invalid_request`, of any other status the tag in snake_case. */
const codes = byWord<string>({
  ActionNotPossible: "not_possible_any_more",
  AppointmentNotConfirmed: "not_confirmed",
  HoldNotConfirmable: "not_confirmable",
  PrescriptionNotCancellable: "not_cancellable",
  PatientRestricted: "patient_restricted",
  PrescriptionNotWaiting: "not_waiting_for_doctor",
  TooManyAppointments: "too_many_appointments"
})

/** An error that a response can have: `DomainError` makes its class. */
export type ErrorClass = ErrorOf & {
  readonly meaning: string
  /** Its code where it is another error's. */
  readonly code?: string
}
type ErrorOf = abstract new (...args: never) => { readonly _tag: string; readonly message: string }

export interface Problem {
  readonly status: number
  readonly code: string
  /** Description of the code for API clients. */
  readonly meaning: string
}

const snakeCase = (tag: string) => tag.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

const codeOf = (status: number, tag: string) => {
  if (status === 400) return codes[tag] ?? "invalid_request"
  return status === 404 ? "not_found" : (codes[tag] ?? snakeCase(tag))
}

/** All 404s share one code, hence one meaning. */
const meaningOf = (status: number, error: ErrorClass) =>
  status === 404 ? "Not found, or not visible to the caller: the two are indistinguishable" : error.meaning

const tagOf = (error: ErrorClass): string => error.prototype.name

const table = new Map<string, Problem>()

/** Adds errors that responses of this status can have. A capability calls it beside its contract, before it declares them. */
export const addProblems = (status: number, ...classes: ReadonlyArray<ErrorClass>) => {
  for (const error of classes) {
    const tag = tagOf(error)
    table.set(tag, { status, code: error.code ?? codeOf(status, tag), meaning: meaningOf(status, error) })
  }
}
for (const [status, classes] of Object.entries(byStatus)) addProblems(Number(status), ...classes)

/** Codes of the core's errors, which every installation has. */
export const coreCodes: ReadonlyArray<string> = [...table.values()].map(({ code }) => code)

/** Status and code of an error; undefined for an error that is not in the table. */
export const problemOf = (tag: string): Problem | undefined => table.get(tag)

/** The status of any failure; undefined for one that is not in the table. */
export const statusOf = (error: unknown): number | undefined =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" ? problemOf(error._tag)?.status : undefined

/** Every code with its status and meaning, also those of capabilities that are off. */
export const problemCodes = (): ReadonlyArray<Problem> => [
  ...new Map([...table.values()].reverse().map((problem) => [problem.code, problem])).values()
]

const CODES = Symbol.for("http/problems/codes")
const responseAnnotations = <A>(status: number, codesShown: ReadonlyArray<string>): Schema.Annotations.Schema<A> => ({
  ...HttpApiSchema.annotations<A>({ status }),
  jsonSchema: { type: "object" },
  [CODES]: codesShown
})

const declared = (error: ErrorClass) => {
  const { status, code } = table.get(tagOf(error)) ?? { status: 500, code: "internal" }
  return Schema.declare(
    (value): value is InstanceType<ErrorClass> => value instanceof error,
    responseAnnotations(status, [code])
  )
}

/**
 * Declares an endpoint's errors with their statuses; a handler that can fail with another error does not compile.
 * `ProblemsMiddleware` writes the bodies, the OpenAPI document describes them.
 */
export const problem = <const C extends ReadonlyArray<ErrorClass>>(...classes: C) =>
  Schema.Union(...classes.map(declared)) as Schema.Schema<InstanceType<C[number]>> // a mapped tuple loses its members

/** The codes that `problem` has annotated on an endpoint's error schema. */
export const codesIn = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return [...new Set(ast.types.flatMap(codesIn))]
  const found = ast.annotations[CODES]
  return Array.isArray(found) ? found : []
}

const PROBLEM_JSON = "application/problem+json"

/** Whether the client accepts RFC 9457 problem details. Rule 2.3.6. */
const acceptsProblemJson = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  Option.exists(({ headers }) =>
    (headers.accept ?? "")
      .toLowerCase()
      .split(",")
      .some((kind) => /^\s*application\/problem\+json\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/.test(kind))
  )
)

/** The meaning of a code. */
const titleOf = memoised(() => new Map(problemCodes().map(({ code, meaning }) => [code, meaning])))

/** The error code of this fiber's response; null if there was no error. */
export const problemCode = FiberRef.unsafeMake<string | null>(null)

/** An error response before it has a form. */
export interface ErrorAnswer {
  readonly status: number
  readonly code: string
  readonly error: string | ReadonlyArray<string>
  readonly headers: Readonly<Record<string, string>>
}

/** Another form for the errors of this fiber's request; null: the common format. */
export const errorForm = FiberRef.unsafeMake<((answer: ErrorAnswer) => HttpServerResponse.HttpServerResponse) | null>(
  null
)

/** An error response in the common format, with the request's trace id. */
export const reply = (
  status: number,
  code: string,
  error: string | ReadonlyArray<string>,
  headers: Readonly<Record<string, string>> = {},
  more: Readonly<Record<string, unknown>> = {}
) =>
  Effect.zipWith(
    Effect.option(Effect.currentSpan),
    Effect.zip(acceptsProblemJson, FiberRef.get(errorForm)),
    (span, [asProblem, form]) => {
      if (form !== null) return form({ status, code, error, headers })
      const trace_id = Option.match(span, { onNone: () => "", onSome: ({ traceId }) => traceId })
      if (!asProblem) return HttpServerResponse.unsafeJson({ error, code, trace_id, ...more }, { status, headers })
      const detail = typeof error === "string" ? { detail: error } : { detail: error.join("; "), errors: error }
      const title = titleOf().get(code) ?? code
      const body = { type: `urn:sprechstunde:problem:${code}`, title, status, ...detail, code, trace_id, ...more }
      return HttpServerResponse.unsafeJson(body, { status, headers, contentType: PROBLEM_JSON })
    }
  ).pipe(Effect.zipLeft(FiberRef.set(problemCode, code)))
