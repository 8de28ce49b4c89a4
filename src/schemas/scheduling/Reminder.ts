/** When and how somebody is reminded of an appointment (Rule 6.6.1). */
import { Schema } from "effect"
import { body, changes, Flag, integer, oneOf, withDefault } from "../fields.ts"
import { AppointmentTypeUid, ReminderUid } from "../ids.ts"

const fields = {
  recipient_role: oneOf("patient", "doctor", "admin").annotations({ description: "Who is reminded" }),
  minutes_before: integer(1, 86_400, "Minutes before the start").annotations({ examples: [2880] }),
  send_email: Flag.annotations({ description: "Whether an e-mail is sent" }),
  send_sms: Flag.annotations({ description: "Whether a text message is sent" }),
  active: Flag.annotations({ description: "Whether the reminder fires" })
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
  send_email: withDefault(Flag.annotations({ description: "Whether an e-mail is sent" }), false),
  send_sms: withDefault(Flag.annotations({ description: "Whether a text message is sent" }), false),
  active: withDefault(Flag.annotations({ description: "Whether the reminder fires" }), true)
})
export type NewReminder = typeof NewReminder.Type

export const ReminderChanges = changes(fields)
export type ReminderChanges = typeof ReminderChanges.Type
