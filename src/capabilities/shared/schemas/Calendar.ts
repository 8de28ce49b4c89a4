/** The calendar of a practice: when doctors and resources are open, busy or absent. Rule 7.2.9. */
import { Schema } from "effect"
import type { Declarations } from "../../../declarations.ts"
import { described, later, query, queryTime, UnixSeconds, UtcMidnight } from "../../../schemas/fields.ts"
import { AppointmentUid, DoctorUid } from "../../../schemas/ids.ts"
import { after, type Rule, withQueryRules } from "../../../schemas/rules.ts"
import { Holiday } from "../../../schemas/scheduling/Holiday.ts"
import { DAY } from "../../../schemas/seconds.ts"

/** Maximum range of a calendar, in seconds: a month and the hours of a change of the clocks. */
const LONGEST = 32 * DAY

const aMonthAtMost: Rule = ({ from, to }) =>
  typeof from === "number" && typeof to === "number" && to - from > LONGEST
    ? [{ field: "to", message: "must be at most 32 days after from" }]
    : []

export const CalendarQuery = withQueryRules(
  query({
    from: queryTime("Start of the range, Unix seconds"),
    to: queryTime("End of the range, Unix seconds; at most 32 days after from"),
    doctor_uid: Schema.optionalWith(DoctorUid, { exact: true }).annotations({
      description: "Only this doctor; if omitted, all doctors and resources"
    })
  }),
  [after("from", "to"), aMonthAtMost]
)
export type CalendarQuery = typeof CalendarQuery.Type

export const Period = Schema.Struct({
  from: described(UnixSeconds, "Start, Unix seconds"),
  to: described(UnixSeconds, "End, Unix seconds")
}).annotations({ identifier: "Period" })
export type Period = typeof Period.Type

const CalendarSubject = Schema.Struct({
  kind: described(Schema.Literal("doctor", "room", "device", "person"), "What it is"),
  uid: described(Schema.String, "UID of the doctor or the resource"),
  name: described(Schema.String, "Name of the doctor or the resource"),
  open: Schema.Array(Period).annotations({
    description: "Hours for any type, disjoint and by start; they may begin before the range and end after it"
  }),
  busy: described(Schema.Array(Period), "Busy times from other calendars, by start"),
  days_off: described(Schema.Array(UtcMidnight), "Days off for all types"),
  holidays: described(Schema.Array(Holiday), "Holidays of the doctor; a day with hours of its own is open nevertheless")
})
/** Fields of capabilities: `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add to it
export interface AddedCalendarFields {}
export type CalendarSubject = typeof CalendarSubject.Type & AddedCalendarFields

declare module "../../../declarations.ts" {
  interface AddedParts {
    /** Fields that it adds to doctors and resources in the practice's calendar, by name; their values are of `inCalendar`. */
    readonly calendarFields: Readonly<Record<string, Schema.Schema.AnyNoContext>>
  }
}

const added = new Map<string, Schema.Schema.AnyNoContext>()
/** Adds what these capabilities show of a doctor or a resource. Called at start. */
export const addCalendarFields = (on: ReadonlyArray<Declarations>) => {
  for (const [name, schema] of on.flatMap(({ calendarFields = {} }) => Object.entries(calendarFields)))
    added.set(name, schema)
}
const WholeSubject: Schema.Schema<CalendarSubject, typeof CalendarSubject.Encoded> = later("CalendarSubject", () =>
  Schema.Struct({ ...CalendarSubject.fields, ...Object.fromEntries(added) })
)

/** Where the patient of a confirmed appointment is. */
export const Presence = Schema.Struct({
  appointment_uid: AppointmentUid,
  state: Schema.Literal("waiting", "in_call").annotations({
    description: "`waiting`: the patient is in the waiting room; `in_call`: patient and doctor have joined"
  }),
  since: described(UnixSeconds, "Since when")
}).annotations({ identifier: "Presence" })
export type Presence = typeof Presence.Type

export const Calendar = Schema.Struct({
  subjects: described(Schema.Array(WholeSubject), "Doctors by name, then resources by name"),
  squeezed_in: Schema.Array(AppointmentUid).annotations({
    description: "Appointments of the range that were squeezed in, at most 1,000"
  }),
  presence: Schema.Array(Presence).annotations({
    description: "Appointments whose join window is open now, whatever the range, at most 1,000"
  })
}).annotations({ identifier: "Calendar" })
export type Calendar = typeof Calendar.Type
