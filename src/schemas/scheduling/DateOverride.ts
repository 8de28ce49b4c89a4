/** Overrides: other hours or a day off on one date, instead of the weekly rules (Rule 3.3.1). */
import { Schema } from "effect"
import {
  body,
  changes,
  described,
  Flag,
  MinuteOfDay,
  queryTime,
  UnixSeconds,
  UtcMidnight,
  withDefault,
  withExample
} from "../fields.ts"
import { withForms } from "../forms.ts"
import { DoctorUid, OverrideUid, ResourceUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { after, clearsAlone, type Rule, withQueryRules, withRules } from "../rules.ts"
import { DAY } from "../seconds.ts"
import { buffer, clearing, newScope, scope } from "./Availability.ts"

const window = {
  start_time: described(Schema.NullOr(MinuteOfDay), "Minutes from midnight; null for a day off"),
  end_time: Schema.NullOr(MinuteOfDay).annotations({
    description: "Minutes from midnight; null for a day off",
    examples: [720]
  })
}
const record = {
  date: UtcMidnight,
  ...window,
  buffer_minutes: buffer,
  appointment_type_uid: scope,
  updated_at: UnixSeconds
}

export const DateOverride = Schema.Struct({ uid: OverrideUid, doctor_uid: DoctorUid, ...record }).annotations({
  identifier: "DateOverride"
})
export type DateOverride = typeof DateOverride.Type

/** An override without its subject. */
export type StoredOverride = Omit<DateOverride, "doctor_uid">

/** A resource's override. */
export const ResourceOverride = Schema.Struct({ uid: OverrideUid, resource_uid: ResourceUid, ...record }).annotations({
  identifier: "ResourceDateOverride"
})
export type ResourceOverride = typeof ResourceOverride.Type

const times = ["start_time", "end_time"] as const
const isGiven = (value: unknown) => value !== undefined && value !== null

const dayOffWithoutTimes: Rule = (sent) =>
  sent.day_off === true
    ? times.flatMap((field) =>
        isGiven(sent[field]) ? [{ field, message: "must be left out when day_off is true" }] : []
      )
    : []

const windowWithTimes: Rule = (sent) =>
  sent.day_off === true
    ? []
    : times.flatMap((field) => (isGiven(sent[field]) ? [] : [{ field, message: "is required unless day_off is true" }]))

const newOverride = withExample(
  body({
    date: UtcMidnight,
    day_off: withDefault(Flag.annotations({ description: "true: nothing can be booked on the date" }), false),
    start_time: withDefault(window.start_time, null),
    end_time: withDefault(window.end_time, null),
    buffer_minutes: withDefault(buffer, 0),
    appointment_type_uid: withDefault(scope, null)
  }),
  { date: 2_051_827_200, start_time: 540, end_time: 720, buffer_minutes: 5 }
)
const rules = [dayOffWithoutTimes, windowWithTimes, after("start_time", "end_time")]
const forms = [
  {
    name: "NewDayOff",
    description: "Nothing can be booked on the date",
    fixed: { day_off: [true] },
    required: ["day_off"],
    without: ["start_time", "end_time", "buffer_minutes"]
  },
  {
    name: "NewWindow",
    description: "Other hours than the weekly rules",
    fixed: { day_off: [false] },
    required: ["start_time", "end_time"]
  }
]
/** The body that creates an override. `fields` are its fields without the `rules` across them. */
export const NewDateOverride = Object.assign(withForms(withRules(newOverride, rules), forms), {
  fields: newOverride.fields,
  rules
})
export type NewDateOverride = typeof NewDateOverride.Type

export const DateOverrideChanges = withRules(
  withExample(
    changes({
      date: UtcMidnight,
      day_off: described(Flag, "true: nothing can be booked on the date"),
      start_time: described(MinuteOfDay, "Minutes from midnight; null keeps it"),
      end_time: MinuteOfDay.annotations({ description: "Minutes from midnight; null keeps it", examples: [720] }),
      buffer_minutes: buffer,
      appointment_type_uid: newScope,
      clear_appointment_type: clearing("true removes the scope: the override then counts for all types")
    }),
    { start_time: 600, end_time: 660 }
  ),
  [dayOffWithoutTimes, after("start_time", "end_time"), clearsAlone("clear_appointment_type", "appointment_type_uid")]
)
export type DateOverrideChanges = typeof DateOverrideChanges.Type

const dateQuery = queryTime("UTC midnight of a calendar date, inclusive").pipe(
  Schema.filter((n) => n % DAY === 0, { message: () => "must be a UTC-midnight timestamp, a multiple of 86400" })
)

const inOrder: Rule = ({ from, to }) =>
  typeof from === "number" && typeof to === "number" && to < from
    ? [{ field: "to", message: "must not be before from" }]
    : []

/** The dates to list: at most 184, both ends inclusive; by default from today on. */
export const DateOverrideQuery = withQueryRules(
  body({
    ...pageQuery(200, Schema.Tuple(keys.time, keys.minute, keys.text)),
    from: Schema.optionalWith(dateQuery, { exact: true }),
    to: Schema.optionalWith(dateQuery, { exact: true }),
    ...updatedAfter
  }),
  [inOrder]
)
export type DateOverrideQuery = typeof DateOverrideQuery.Type
