/**
 * What the capabilities that are on do within the core's own work, by kind. A capability's services are built on the core's, which
 * in turn call them here: so the list is known only once all of them are built, and is read on use.
 */

import type { HttpApp } from "@effect/platform"
import { Statement } from "@effect/sql"
import { Context, Deferred, Effect, Layer, Record, type Scope } from "effect"
import type { Actor } from "../schemas/access/Actor.ts"
import type { StaffClaims } from "../schemas/access/StaffMember.ts"
import type { StorefrontSettings } from "../schemas/checkout/StorefrontSettings.ts"
import type { NoneSuitsTexts } from "../schemas/hosted/OtherTimes.ts"
import type {
  AppointmentTypeUid,
  AppointmentUid,
  BookingSessionUid,
  DoctorUid,
  OrganisationUid,
  PatientUid,
  ShopUid
} from "../schemas/ids.ts"
import type { RecordNoticeKind } from "../schemas/notifications/notices.ts"
import type { Signature } from "../schemas/prescriptions/Signature.ts"
import type { Invalid } from "../schemas/problems.ts"
import type { CodeKind } from "../schemas/scheduling/ActionLink.ts"
import type { Appointment } from "../schemas/scheduling/Appointment.ts"
import type { PreparationMissing } from "../schemas/scheduling/errors.ts"
import type { Language } from "../texts/language.ts"
import type { Verify } from "./access/Identity.ts"
import type { Shop } from "./checkout/Shops.ts"
import type { Storefront } from "./checkout/Storefront.ts"
import type { EventConsumer } from "./events/EventConsumers.ts"
import type { NoticeWriter } from "./notifications/NoticeSource.ts"
import type { Payload, QueueName, WorkerSettings } from "./queue/queues.ts"
import type { StoredAppointment } from "./scheduling/appointments/StoredAppointment.ts"
import type { BookingConsumers } from "./scheduling/booking/bookingFacts.ts"
import type { CurrentTenant } from "./tenancy/Tenancy.ts"

/** Minutes between two runs of a periodic task. */
export type Interval = 1 | 5 | 10

/** Work that a job does each interval; moving domain time does it at once. */
export interface PeriodicTask {
  /** In logs, traces and metrics: `maintenance.…`. */
  readonly name: string
  readonly every: Interval
  /** Returns the number of rows that it found. */
  readonly run: Effect.Effect<number, never, CurrentTenant>
  /** What becomes due when domain time moves. Default: nothing. */
  readonly onMove?: Effect.Effect<unknown, never, CurrentTenant>
}

/** Whose booking session it is, and how it was opened. */
export interface SessionBearer {
  readonly organisation_uid: OrganisationUid
  readonly uid: BookingSessionUid
  readonly patient_uid: PatientUid
  readonly appointment_type_uid: AppointmentTypeUid
  readonly mode: "booking" | "rebooking"
  readonly actor: Actor
  /** Kind of the action code that opened it; null: another credential. */
  readonly link_kind: CodeKind | null
  /** What capabilities have added to its type, as stored. */
  readonly type_fields: Readonly<Record<string, unknown>>
}

/** What the patient of an appointment is to do before it. */
export interface ToDo {
  readonly title: string
  readonly tasks: ReadonlyArray<{
    /** Of the page below the appointment's. */
    readonly path: `/${string}`
    readonly text: string
    /** How far it is. */
    readonly state: string
  }>
  /** Why the patient cannot enter the room yet; null: the patient can. */
  readonly blocked: string | null
  /** An entry of reminders that are sent now; null: none. */
  readonly reminder: readonly [label: string, text: string] | null
}

type StorefrontKinds = {
  readonly [Kind in StorefrontSettings["kind"]]?: (
    shop: Shop,
    settings: Extract<StorefrontSettings, { readonly kind: Kind }>
  ) => Storefront
}

/** Why a PDF is not taken. */
export interface PdfFault {
  /** Not examinable: its examination was stopped, and may have used up much time. */
  readonly _tag: "PdfRefused" | "PdfNotExaminable"
  /** Phrased to follow a field's name. */
  readonly message: string
}
/** The signatures that a PDF from outside carries; null: it was not examined. */
type Examined = (pdf: Uint8Array) => Effect.Effect<Signature | null, PdfFault, CurrentTenant>

interface AddedToAppointments {
  /** A condition in SQL without which it has added nothing to any of the owner's. */
  readonly isAny: (owner: OrganisationUid) => Statement.Fragment
  /** As one of their doctors sees them, or (null) the practice; `isNew`: as they were made. */
  readonly read: (
    owner: OrganisationUid,
    doctor: DoctorUid | null,
    appointments: ReadonlyArray<AppointmentUid>,
    isNew: boolean
  ) => Effect.Effect<(appointment: AppointmentUid) => object, never, CurrentTenant>
}

/** What a job of a capability's queue does. */
export interface AddedJob extends WorkerSettings {
  readonly queue: QueueName
  // biome-ignore lint/suspicious/noExplicitAny: the payload, which `jobOf` gives its type
  readonly run: (payload: any) => Effect.Effect<void, unknown, CurrentTenant>
}
export const jobOf = <Q extends QueueName>(
  queue: Q,
  run: (payload: Payload<Q>) => Effect.Effect<void, unknown, CurrentTenant>,
  settings: WorkerSettings = {}
): AddedJob => ({ queue, run, ...settings })

/** What capabilities have for one another within the core's work, by name: `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add to it
export interface AddedExtension {}

export interface Extension extends Partial<AddedExtension> {
  /** Once, before the service serves; commands do not run it. The service does not start if it fails. */
  readonly onStart: Effect.Effect<unknown, Error, CurrentTenant>
  /** Once the process listens; what it forks ends with it. */
  readonly whileServing: Effect.Effect<unknown, never, Scope.Scope | CurrentTenant>
  /** Wraps every request, to see its answer. */
  readonly aroundRequests: <E, R>(app: HttpApp.Default<E, R>) => HttpApp.Default<E, R | CurrentTenant>
  readonly periodic: ReadonlyArray<PeriodicTask>
  readonly jobs: ReadonlyArray<AddedJob>
  readonly consumers: ReadonlyArray<EventConsumer>
  /** Follows what happens to the time of appointments, in the transaction of the change. */
  readonly on: BookingConsumers
  /** Runs a change of hours of these doctors (undefined: all), in one transaction with what it does about the time that opens. */
  readonly aroundHours: <A, E, R>(
    owner: OrganisationUid,
    doctors: ReadonlyArray<DoctorUid> | undefined,
    change: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R | CurrentTenant>
  /** Fails with `Invalid` for fields that the capability has added to appointment types (`Declarations.typeFields`), before they are stored. */
  readonly typeFields: (
    owner: OrganisationUid,
    sent: Readonly<Record<string, unknown>>
  ) => Effect.Effect<void, Invalid, CurrentTenant>
  /** What it has added to appointments (`Declarations.appointmentFields`). To a new one it adds only where it follows the booking (`on`). */
  readonly ofAppointments: AddedToAppointments
  /** Fails with `Invalid` where the bearer of a session may not hold a time of its type yet. */
  readonly beforeHold: (session: SessionBearer) => Effect.Effect<void, Invalid, CurrentTenant>
  /** The page below a booking session's where its bearer goes before times are shown; null: times are shown. */
  readonly beforeTimes: (session: SessionBearer) => Effect.Effect<`/${string}` | null, never, CurrentTenant>
  /** Fails where the patient may not enter the room of the appointment yet. */
  readonly beforeJoin: (appointment: StoredAppointment) => Effect.Effect<void, PreparationMissing, CurrentTenant>
  /** The page below a booking session's where patients go to whom no time of these types suits; null: there is none. */
  readonly noTimeSuits: (
    owner: OrganisationUid,
    types: ReadonlyArray<AppointmentTypeUid>,
    language: Language
  ) => Effect.Effect<{ readonly path: `/${string}`; readonly texts: NoneSuitsTexts } | null, never, CurrentTenant>
  /** The page below MEETINGS_URL where the patient of a session that has expired begins again; null: there is none. */
  readonly beginsAgain: (session: {
    readonly organisation_uid: OrganisationUid
    readonly shop_uid: ShopUid
    readonly patient_uid: PatientUid
  }) => Effect.Effect<`/${string}` | null, never, CurrentTenant>
  /** The page below an appointment's where its patient prepares for it, and the text of the link; null: there is none. */
  readonly preparation: (
    appointment: Pick<Appointment, "meeting_format">,
    language: Language
  ) => { readonly path: `/${string}`; readonly text: string } | null
  /** What the patient is to do before an appointment, for its page and its reminders; null: nothing. */
  readonly toDo: (
    owner: OrganisationUid,
    appointment: Pick<Appointment, "appointment_type_uid" | "start_date"> & {
      /** The first of a chain of moved appointments. */
      readonly first_uid: AppointmentUid
    },
    language: Language
  ) => Effect.Effect<ToDo | null, never, CurrentTenant>
  /** Writers of messages about records, by kind of message. */
  readonly notices: Readonly<Record<string, NoticeWriter>>
  /** The message about a record that confirms this appointment together with others, instead of its own; null: none. */
  readonly confirms: (
    appointment: Appointment
  ) => { readonly kind: RecordNoticeKind; readonly subject_uid: string } | null
  readonly examined: Examined | undefined
  /** Verifies access tokens of staff where there is no OpenID Connect provider. */
  readonly verify: Verify | undefined
  /** Storefronts by the kind in a shop's settings. */
  readonly storefronts: StorefrontKinds
  /** Whom an access token of its own stands for: in each place where they work. None for a token that is not its own or has ended. */
  readonly staffOf: (token: string) => Effect.Effect<ReadonlyArray<StaffClaims>, never, CurrentTenant>
}

const nothing: Extension = {
  onStart: Effect.void,
  whileServing: Effect.void,
  aroundRequests: (app) => app,
  periodic: [],
  jobs: [],
  consumers: [],
  on: {},
  aroundHours: (_owner, _doctors, change) => change,
  typeFields: () => Effect.void,
  ofAppointments: { isAny: () => Statement.unsafeFragment("false"), read: () => Effect.succeed(() => ({})) },
  beforeHold: () => Effect.void,
  beforeTimes: () => Effect.succeed(null),
  beforeJoin: () => Effect.void,
  noTimeSuits: () => Effect.succeed(null),
  beginsAgain: () => Effect.succeed(null),
  preparation: () => null,
  toDo: () => Effect.succeed(null),
  notices: {},
  confirms: () => null,
  examined: undefined,
  verify: undefined,
  storefronts: {},
  staffOf: () => Effect.succeed([])
}

/** An extension by the parts that it has. */
export const extension = (parts: Partial<Extension>): Extension => ({ ...nothing, ...parts })

export class Extensions extends Context.Tag("services/Extensions")<
  Extensions,
  {
    /** Those of the capabilities that are on and have this part, in the order of `complete`. Waits until all are built. */
    readonly having: (part: keyof Extension) => Effect.Effect<ReadonlyArray<Extension>>
    /** The first page of theirs before times are shown. */
    readonly beforeTimes: Extension["beforeTimes"]
    /** The first page of theirs for those whom no time of the types suits. */
    readonly noTimeSuits: Extension["noTimeSuits"]
    /** The first page of theirs where a patient begins again. */
    readonly beginsAgain: Extension["beginsAgain"]
    /** Of the first that examines PDFs. */
    readonly examined: Examined
    /** What all of them ask of the patient. */
    readonly toDo: (...of: Parameters<Extension["toDo"]>) => Effect.Effect<ReadonlyArray<ToDo>, never, CurrentTenant>
    /** The first page where a patient prepares. */
    readonly preparation: (
      ...of: Parameters<Extension["preparation"]>
    ) => Effect.Effect<ReturnType<Extension["preparation"]>>
    /** Called by the layer of each capability. */
    readonly add: (name: string, extension: Extension) => Effect.Effect<void>
    /** Called once, after all were added. */
    readonly complete: (names: ReadonlyArray<string>) => Effect.Effect<void>
  }
>() {}

type ByPart = Partial<Record<keyof Extension, ReadonlyArray<Extension>>>

export const ExtensionsLive = Layer.effect(
  Extensions,
  Effect.map(Deferred.make<ByPart>(), (made) => {
    const added = new Map<string, Extension>()
    const having = (part: keyof Extension) => Effect.map(Deferred.await(made), (byPart) => byPart[part] ?? [])
    const found = <A>(
      part: keyof Extension,
      of: (one: Extension) => Effect.Effect<A | null, never, CurrentTenant>
    ): Effect.Effect<ReadonlyArray<A>, never, CurrentTenant> =>
      Effect.flatMap(having(part), (some) =>
        Effect.map(Effect.forEach(some, of), (each) => each.filter((one) => one !== null))
      )
    const firstPage = <A>(
      part: keyof Extension,
      of: (one: Extension) => Effect.Effect<A | null, never, CurrentTenant>
    ) => Effect.map(found(part, of), ([first = null]) => first)
    return {
      having,
      beforeTimes: (session) => firstPage("beforeTimes", (one) => one.beforeTimes(session)),
      noTimeSuits: (...of) => firstPage("noTimeSuits", (one) => one.noTimeSuits(...of)),
      beginsAgain: (session) => firstPage("beginsAgain", (one) => one.beginsAgain(session)),
      examined: (pdf) =>
        Effect.flatMap(having("examined"), ([first]) => first?.examined?.(pdf) ?? Effect.succeed(null)),
      toDo: (...of) => found("toDo", (one) => one.toDo(...of)),
      preparation: (appointment, language) =>
        Effect.map(
          having("preparation"),
          (some) => some.map((one) => one.preparation(appointment, language)).find(Boolean) ?? null
        ),
      add: (name, extension) => Effect.sync(() => added.set(name, extension)),
      complete: (names) => {
        const all = names.flatMap((name) => added.get(name) ?? [])
        // The cast: keys of extensions
        const parts = new Set([nothing, ...all].flatMap((one) => Object.keys(one) as ReadonlyArray<keyof Extension>))
        const byPart = [...parts].map((part) => [part, all.filter((one) => one[part] !== nothing[part])] as const)
        return Effect.asVoid(Deferred.succeed(made, Record.fromEntries(byPart)))
      }
    }
  })
)
