/** What capabilities have for one another within the core's work. */
import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { Actor } from "../../../schemas/access/Actor.ts"
import type { StaffMember } from "../../../schemas/access/StaffMember.ts"
import type { OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import type { Invalid, TooManyRequests } from "../../../schemas/problems.ts"
import type { Extensions } from "../../../services/Extensions.ts"
import type { StoredAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import type { CurrentTenant } from "../../../services/tenancy/Tenancy.ts"
import type { Language } from "../../../texts/language.ts"
import type { AddedDates } from "../schemas/AddedDates.ts"
import type { AddedCalendarFields, CalendarQuery, CalendarSubject } from "../schemas/Calendar.ts"
import type { EarlierTime } from "../schemas/EarlierTime.ts"
import type { Organisation, OrganisationChanges } from "../schemas/Organisation.ts"

/** Where patients are who have come to their appointments. */
interface Presence {
  /** Since when the patient has been waiting, in Unix seconds; undefined: the patient is not waiting. */
  readonly waitingSince: (room_name: string, patient_uid: string) => Effect.Effect<number | undefined>
  /** When somebody last came, left or was admitted, in Unix milliseconds. */
  readonly changedAt: () => number
}
const nobodyIsPresent: Presence = { waitingSince: () => Effect.succeed(undefined), changedAt: () => 0 }

/** An earlier time for a booked appointment, which its page offers. */
export interface EarlierTimes {
  /** Whether the patient has asked for one; null: may not ask. `isMovable`: the patient may move the appointment. */
  readonly stateOf: (
    appointment: StoredAppointment,
    isMovable: boolean,
    language: Language
  ) => Effect.Effect<EarlierTime | null, never, CurrentTenant>
  /** The patient asks for one at these times of day; no times: any. False where it is not offered. */
  readonly ask: (
    appointment: StoredAppointment,
    actor: Actor,
    times: ReadonlyArray<{ readonly from: number; readonly to: number }>,
    language: Language | undefined
  ) => Effect.Effect<boolean, unknown, CurrentTenant>
  /** The patient no longer asks. */
  readonly stop: (appointment: StoredAppointment) => Effect.Effect<void, never, CurrentTenant>
}

/** The patient of an appointment, or its doctor, will be late. */
interface Lateness {
  readonly room_name: string
  readonly by: "patient" | "doctor"
  readonly uid: string
  readonly name: string
  readonly minutes: number
}

/** A record of a capability as other systems exchange it. */
interface ExchangedRecord {
  readonly uid: string
  readonly updated_at: number
  /** Without type, id and version. */
  readonly content: Readonly<Record<string, unknown>>
}
/** Reads records of one type: the one of this uid, or a patient's, oldest first. `refer`: the address of a record of a type. */
export type Exchanged = (
  owner: OrganisationUid,
  of: { readonly uid: string } | { readonly patient_uid: PatientUid },
  refer: (type: string, uid: string) => string
) => Effect.Effect<ReadonlyArray<ExchangedRecord>, never, CurrentTenant>

/** What a patient without a partner may come for beside booking a time. */
interface PublicPurpose {
  /** Of the session that it opens (`Declarations.sessionModes`), whose page has its path. */
  readonly mode: string
  /** Heading of its form, and the text of links to it. */
  readonly title: string
  readonly link: string
}

declare module "../../../services/Extensions.ts" {
  interface AddedExtension {
    /** Fails with `Invalid` for a change of an organisation that its fields do not allow. */
    readonly organisationFields: (before: Organisation, changes: OrganisationChanges) => Effect.Effect<void, Invalid>
    /** Its fields of each doctor and resource in the practice's calendar (`calendarFields`). */
    readonly inCalendar: (
      owner: OrganisationUid,
      query: CalendarQuery
    ) => Effect.Effect<(subject: Pick<CalendarSubject, "kind" | "uid">) => AddedCalendarFields, never, CurrentTenant>
    /** What patients without a partner may come for; null: nothing of its own. */
    readonly publicPurpose: (
      owner: OrganisationUid,
      language: Language
    ) => Effect.Effect<PublicPurpose | null, never, CurrentTenant>
    readonly presence: Presence
    readonly earlierTimes: EarlierTimes
    /** Follows an announcement of being late, in its transaction. */
    readonly late: (late: Lateness) => Effect.Effect<void, never, CurrentTenant>
    /** Dates that belong to an appointment, for its patient's page. */
    readonly datesOf: (
      appointment: StoredAppointment,
      language: Language
    ) => Effect.Effect<ReadonlyArray<AddedDates>, never, CurrentTenant>
    /** Records that other systems read in a standard's form, by its name of their type. */
    readonly exchanged: Readonly<Record<string, Exchanged>>
    /** The doctor whose browser sends the request, by a session of theirs; undefined: none is signed in. */
    readonly signedInDoctor: Effect.Effect<
      StaffMember | undefined,
      TooManyRequests,
      HttpServerRequest.HttpServerRequest | CurrentTenant
    >
    /** What it adds to the life of the demo's practice. An act that fails is logged. */
    readonly demo: (organisation: OrganisationUid, now: number) => Effect.Effect<unknown, unknown, CurrentTenant>
    /** Its records of a patient, by the name of their table (`patientRecords`) or their own (`appointmentRecords`). */
    readonly ofPatient: (
      owner: OrganisationUid,
      patient: PatientUid
    ) => Readonly<Record<string, Effect.Effect<ReadonlyArray<unknown>, never, CurrentTenant>>>
  }
}

/** The first that knows where patients are. */
export const presenceOf = ({ having }: Extensions["Type"]) =>
  Effect.map(having("presence"), ([first]) => first?.presence ?? nobodyIsPresent)

/** Tells all of them that somebody will be late. */
export const announceLate = ({ having }: Extensions["Type"], late: Lateness) =>
  Effect.flatMap(having("late"), (some) =>
    Effect.forEach(some, (one) => one.late?.(late) ?? Effect.void, { discard: true })
  )

/** What patients without a partner may come for, of all of them. */
export const publicPurposes = ({ having }: Extensions["Type"], owner: OrganisationUid, language: Language) =>
  Effect.flatMap(having("publicPurpose"), (some) =>
    Effect.map(
      Effect.forEach(some, ({ publicPurpose }) => publicPurpose?.(owner, language) ?? Effect.succeed(null)),
      (all) => all.filter((one) => one !== null)
    )
  )
