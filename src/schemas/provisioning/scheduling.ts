/** Provisioning of resources, appointment types, availability, reminders and appointments. */
import { Schema } from "effect"
import { later, named, OptionalText, UnixSeconds, withDefault } from "../fields.ts"
import {
  AppointmentTypeUid,
  AppointmentUid,
  OverrideUid,
  PatientUid,
  ReminderUid,
  ResourceUid,
  RuleUid
} from "../ids.ts"
import { after, eitherOf, withRules } from "../rules.ts"
import { AppointmentStatus } from "../scheduling/AppointmentStates.ts"
import { MeetingType, NewAppointmentType, typeFields, wishedFormat } from "../scheduling/AppointmentType.ts"
import { NewAvailabilityRule } from "../scheduling/Availability.ts"
import { NewDateOverride } from "../scheduling/DateOverride.ts"
import { NewReminder } from "../scheduling/Reminder.ts"
import { NewResource } from "../scheduling/Resource.ts"
import { doctor_uid, optional, organisation_uid } from "./tenancy.ts"

const appointment_type_uid = named(AppointmentTypeUid)

const resource_uid = named(ResourceUid)

export const ResourceEntry = Schema.Struct({ uid: resource_uid, organisation_uid, ...NewResource.fields })
export type ResourceEntry = typeof ResourceEntry.Type

/** A rule or an override has one of them. */
const subject = {
  doctor_uid: optional(doctor_uid),
  resource_uid: optional(resource_uid)
}
const ofOneSubject = eitherOf("doctor_uid", "resource_uid")

const Entry = Schema.Struct({ uid: appointment_type_uid, organisation_uid, ...NewAppointmentType.fields })
export type AppointmentTypeEntry = typeof Entry.Type
/** With the fields that capabilities add. */
export const AppointmentTypeEntry: Schema.Schema<AppointmentTypeEntry, typeof Entry.Encoded> = later(
  "AppointmentTypeEntry",
  () => Schema.Struct({ ...Entry.fields, ...typeFields.withDefaults() })
)

export const ReminderEntry = Schema.Struct({ uid: named(ReminderUid), appointment_type_uid, ...NewReminder.fields })
export type ReminderEntry = typeof ReminderEntry.Type

export const RuleEntry = withRules(Schema.Struct({ uid: named(RuleUid), ...subject, ...NewAvailabilityRule.fields }), [
  ofOneSubject,
  ...NewAvailabilityRule.rules
])
export type RuleEntry = typeof RuleEntry.Type

export const OverrideEntry = withRules(
  Schema.Struct({ uid: named(OverrideUid), ...subject, ...NewDateOverride.fields }),
  [ofOneSubject, ...NewDateOverride.rules]
)
export type OverrideEntry = typeof OverrideEntry.Type

export const AppointmentEntry = withRules(
  Schema.Struct({
    uid: named(AppointmentUid),
    organisation_uid,
    doctor_uid,
    patient_uid: named(PatientUid),
    appointment_type_uid: optional(appointment_type_uid),
    status: AppointmentStatus,
    start_date: UnixSeconds,
    end_date: UnixSeconds,
    visit_reason: withDefault(OptionalText, null),
    meeting_type: optional(MeetingType),
    meeting_format: optional(wishedFormat),
    created_at: optional(UnixSeconds),
    resource_uids: optional(Schema.Array(resource_uid)),
    further_doctor_uids: optional(Schema.Array(doctor_uid))
  }),
  [after("start_date", "end_date")]
)
export type AppointmentEntry = typeof AppointmentEntry.Type
