/** Reminders to patients, doctors and administrators before an appointment (Rule 6.6.1). */
import { Schema, Struct } from "effect"
import { body, changes, described, Flag, integer, oneOf, UnixSeconds, withDefault } from "../fields.ts"
import { AppointmentTypeUid, ReminderUid } from "../ids.ts"

const fields = {
  recipient_role: described(oneOf("patient", "doctor", "admin"), "Who is reminded"),
  minutes_before: integer(1, 86_400, "Minutes before the start").annotations({ examples: [2880] }),
  send_email: described(Flag, "Whether an e-mail is sent"),
  send_sms: described(Flag, "Whether a text message is sent"),
  active: described(Flag, "Whether the reminder fires")
}

export const Reminder = Schema.Struct({
  uid: ReminderUid,
  appointment_type_uid: AppointmentTypeUid,
  ...fields,
  updated_at: UnixSeconds
}).annotations({ identifier: "Reminder" })
export type Reminder = typeof Reminder.Type

export const NewReminder = body(
  Struct.evolve(fields, {
    send_email: (field) => withDefault(field, false),
    send_sms: (field) => withDefault(field, false),
    active: (field) => withDefault(field, true)
  })
)
export type NewReminder = typeof NewReminder.Type

export const ReminderChanges = changes(fields)
export type ReminderChanges = typeof ReminderChanges.Type
