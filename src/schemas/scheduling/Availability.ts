/** When a doctor can be booked: weekly rules and overrides of single dates (specification §2.4, §2.5). */
import { Schema } from "effect"
import { body, Flag, integer, MinuteOfDay, Minutes, UnixSeconds, UtcMidnight, withDefault } from "../fields.ts"
import { AppointmentTypeUid, DoctorUid, OverrideUid, RuleUid } from "../ids.ts"

const buffer = Minutes("Buffer between appointments, minutes")
const weekday = integer(0, 6, "0 = Monday … 6 = Sunday")
const scope = Schema.NullOr(AppointmentTypeUid).annotations({ description: "One appointment type; null means all" })
const instant = Schema.NullOr(UnixSeconds)

export const AvailabilityRule = Schema.Struct({
  uid: RuleUid,
  doctor_uid: DoctorUid,
  weekday,
  start_time: MinuteOfDay,
  end_time: MinuteOfDay,
  buffer_minutes: buffer,
  valid_from: instant,
  valid_until: instant,
  active: Flag,
  appointment_type_uid: scope
}).annotations({ identifier: "AvailabilityRule" })
export type AvailabilityRule = typeof AvailabilityRule.Type

export const NewAvailabilityRule = body({
  weekday,
  start_time: MinuteOfDay,
  end_time: MinuteOfDay,
  buffer_minutes: withDefault(buffer, 0),
  valid_from: withDefault(instant, null),
  valid_until: withDefault(instant, null),
  active: withDefault(Flag, true),
  appointment_type_uid: withDefault(scope, null)
})
export type NewAvailabilityRule = typeof NewAvailabilityRule.Type

export const DateOverride = Schema.Struct({
  uid: OverrideUid,
  doctor_uid: DoctorUid,
  date: UtcMidnight,
  start_time: Schema.NullOr(MinuteOfDay).annotations({ description: "null for a day off" }),
  end_time: Schema.NullOr(MinuteOfDay).annotations({ description: "null for a day off" }),
  buffer_minutes: buffer,
  appointment_type_uid: scope
}).annotations({ identifier: "DateOverride" })
export type DateOverride = typeof DateOverride.Type

export const NewDateOverride = body({
  date: UtcMidnight,
  day_off: withDefault(Flag, false),
  start_time: withDefault(Schema.NullOr(MinuteOfDay), null),
  end_time: withDefault(Schema.NullOr(MinuteOfDay), null),
  buffer_minutes: withDefault(buffer, 0),
  appointment_type_uid: withDefault(scope, null)
})
export type NewDateOverride = typeof NewDateOverride.Type
