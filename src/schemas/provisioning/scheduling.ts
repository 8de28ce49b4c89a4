/** Provisioning of what is booked, when, and what is booked already. */
import { Schema } from "effect"
import { Minutes, OptionalText, UnixSeconds, withDefault } from "../fields.ts"
import { after, withRules } from "../rules.ts"
import { AppointmentStatus } from "../scheduling/AppointmentStates.ts"
import { MeetingFormat, MeetingType, NewAppointmentType } from "../scheduling/AppointmentType.ts"
import { NewAvailabilityRule } from "../scheduling/Availability.ts"
import { NewDateOverride } from "../scheduling/DateOverride.ts"
import { NewReminder } from "../scheduling/Reminder.ts"
import { optional, uid } from "./tenancy.ts"

export const AppointmentTypeEntry = Schema.Struct({ uid, organisation_uid: uid, ...NewAppointmentType.fields })
export const ReminderEntry = Schema.Struct({ uid, appointment_type_uid: uid, ...NewReminder.fields })
export const RuleEntry = withRules(
  Schema.Struct({ uid, doctor_uid: uid, ...NewAvailabilityRule.fields }),
  NewAvailabilityRule.rules
)
export const OverrideEntry = withRules(
  Schema.Struct({ uid, doctor_uid: uid, ...NewDateOverride.fields }),
  NewDateOverride.rules
)
export const SettingEntry = Schema.Struct({
  doctor_uid: uid,
  appointment_type_uid: uid,
  active: withDefault(Schema.Boolean, true),
  booking_min_notice_minutes: optional(Minutes("Minutes of notice"))
})
export const AppointmentEntry = withRules(
  Schema.Struct({
    uid,
    organisation_uid: uid,
    doctor_uid: uid,
    patient_uid: uid,
    appointment_type_uid: optional(uid),
    status: AppointmentStatus,
    start_date: UnixSeconds,
    end_date: UnixSeconds,
    visit_reason: withDefault(OptionalText, null),
    meeting_type: optional(MeetingType),
    meeting_format: withDefault(MeetingFormat, "DIGITAL")
  }),
  [after("start_date", "end_date")]
)
