/** Weekly availability of a doctor (Rule 3.2.1) or of a resource (Rule 18.1.3). */
import { Schema, Struct } from "effect"
import {
  body,
  changes,
  described,
  EXAMPLE_TIME,
  Flag,
  integer,
  listOf,
  MinuteOfDay,
  Minutes,
  UnixSeconds,
  withDefault,
  withExample
} from "../fields.ts"
import { AppointmentTypeUid, DoctorUid, optionalUid, ResourceUid, RuleUid } from "../ids.ts"
import { after, clearsAlone, withRules } from "../rules.ts"
import { DAY } from "../seconds.ts"

export const buffer = Minutes("Buffer between appointments, minutes")
/** The single type to which a window applies. */
export const scope = described(Schema.NullOr(AppointmentTypeUid), "One appointment type; null means all")

/** A flag of a change that removes a value. */
export const clearing = (what: string) => Flag.annotations({ description: what, default: false })

const weekday = integer(0, 6, "0 = Monday … 6 = Sunday")
const bound = Schema.NullOr(UnixSeconds)

const window = { weekday, start_time: MinuteOfDay, end_time: MinuteOfDay.annotations({ examples: [720] }) }
const active = described(Flag, "Whether the rule counts")

const record = {
  ...window,
  buffer_minutes: buffer,
  valid_from: described(bound, "Slots start at or after it, Unix seconds"),
  valid_until: described(bound, "Slots start before it, Unix seconds"),
  active,
  appointment_type_uid: scope,
  updated_at: UnixSeconds
}

export const AvailabilityRule = Schema.Struct({ uid: RuleUid, doctor_uid: DoctorUid, ...record }).annotations({
  identifier: "AvailabilityRule"
})
export type AvailabilityRule = typeof AvailabilityRule.Type

/** A resource's rule. */
export const ResourceRule = Schema.Struct({ uid: RuleUid, resource_uid: ResourceUid, ...record }).annotations({
  identifier: "ResourceAvailabilityRule"
})
export type ResourceRule = typeof ResourceRule.Type

/** As sent. */
const bounds = {
  valid_from: described(bound, "Slots start at or after it, Unix seconds; null without a bound"),
  valid_until: bound.annotations({
    description: "Slots start before it, Unix seconds; null without a bound",
    examples: [UnixSeconds.make(EXAMPLE_TIME + 365 * DAY)]
  })
}

/** The scope of a window as a PATCH changes it. */
export const newScope = described(optionalUid(AppointmentTypeUid), "One appointment type; null keeps it")

const newRule = withExample(
  body({
    ...window,
    buffer_minutes: withDefault(buffer, 0),
    valid_from: withDefault(bounds.valid_from, null),
    valid_until: withDefault(bounds.valid_until, null),
    active: withDefault(active, true),
    appointment_type_uid: withDefault(scope, null)
  }),
  { weekday: 0, start_time: 540, end_time: 720, buffer_minutes: 5 }
)
const weekly = Struct.pick(newRule.fields, "weekday", "start_time", "end_time", "buffer_minutes")
const inOrder = [after("start_time", "end_time"), after("valid_from", "valid_until")]
/** The body that creates a rule. `fields` are its fields without the `rules` across them. */
export const NewAvailabilityRule = Object.assign(withRules(newRule, inOrder), {
  fields: newRule.fields,
  rules: inOrder
})
export type NewAvailabilityRule = typeof NewAvailabilityRule.Type

/** Windows of a week, at most ten a day. */
const WINDOWS_MAX = 70

/** The weekly hours for all types as a whole. */
export const WeeklyHours = withExample(
  body({
    rules: listOf(withRules(Schema.Struct(weekly), [after("start_time", "end_time")]), {
      max: WINDOWS_MAX,
      description: "The windows of the week; none: no weekly hours"
    })
  }),
  { rules: [{ weekday: 0, start_time: 540, end_time: 720 }] }
)
export type WeeklyHours = typeof WeeklyHours.Type

/** Null keeps a bound or a scope: only its flag removes it. */
export const AvailabilityRuleChanges = withRules(
  withExample(
    changes({
      ...window,
      buffer_minutes: buffer,
      valid_from: described(UnixSeconds, "Slots start at or after it, Unix seconds; null keeps the bound"),
      valid_until: UnixSeconds.annotations({
        description: "Slots start before it, Unix seconds; null keeps the bound",
        examples: [UnixSeconds.make(EXAMPLE_TIME + 365 * DAY)]
      }),
      active,
      appointment_type_uid: newScope,
      clear_valid_from: clearing("true removes the bound"),
      clear_valid_until: clearing("true removes the bound"),
      clear_appointment_type: clearing("true removes the scope: the rule then counts for all types")
    }),
    { start_time: 600, clear_valid_until: true }
  ),
  [
    ...inOrder,
    clearsAlone("clear_valid_from", "valid_from"),
    clearsAlone("clear_valid_until", "valid_until"),
    clearsAlone("clear_appointment_type", "appointment_type_uid")
  ]
)
export type AvailabilityRuleChanges = typeof AvailabilityRuleChanges.Type
