/** When and how somebody is reminded of an appointment (Rule 6.6.1). */
import { Schema } from "effect"
import { body, changes, Flag, integer, oneOf, withDefault } from "../fields.ts"
import { AppointmentTypeUid, ReminderUid } from "../ids.ts"

const fields = {
  recipient_role: oneOf("patient", "doctor", "admin"),
  minutes_before: integer(1, 86_400, "Minutes before the start"),
  send_email: Flag,
  send_sms: Flag,
  active: Flag
}

export const Reminder = Schema.Struct({
  uid: ReminderUid,
  appointment_type_uid: AppointmentTypeUid,
  ...fields
}).annotations({ identifier: "Reminder" })
export type Reminder = typeof Reminder.Type

export const NewReminder = body({
  recipient_role: fields.recipient_role,
  minutes_before: fields.minutes_before,
  send_email: withDefault(Flag, false),
  send_sms: withDefault(Flag, false),
  active: withDefault(Flag, true)
})
export type NewReminder = typeof NewReminder.Type

export const ReminderChanges = changes(fields)
export type ReminderChanges = typeof ReminderChanges.Type
