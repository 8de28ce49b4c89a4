/** Previews of messages. Rules 7.8.3 and 7.8.5. */
import { Schema } from "effect"
import { described, memberOf, oneOf, query, withDefault } from "../../../schemas/fields.ts"
import { AppointmentTypeUid } from "../../../schemas/ids.ts"
import { appointmentNoticeKinds } from "../../../schemas/notifications/notices.ts"

export const MessagePreviewQuery = query({
  appointment_type_uid: described(AppointmentTypeUid, "Type of the appointment"),
  kind: withDefault(described(memberOf(appointmentNoticeKinds), "Subject of the message"), "reminder"),
  recipient_role: withDefault(described(oneOf("patient", "doctor", "admin"), "Role of the recipient"), "patient"),
  language: withDefault(oneOf("de", "en").annotations({ description: "Language of the mail" }), "de")
})
export type MessagePreviewQuery = typeof MessagePreviewQuery.Type

const mail = {
  subject: described(Schema.String, "Subject of the mail"),
  text: described(Schema.String, "The mail as plain text"),
  html: described(Schema.String, "The same as a document in HTML; its logo is an attachment of the mail")
}
export const MessagePreview = Schema.Struct(mail).annotations({ identifier: "MessagePreview" })

export const MessageTextPreview = Schema.Struct({
  ...mail,
  sms: Schema.String.annotations({
    description: "The text message",
    examples: ["Demo-Praxis: your appointment is on Monday, 8 January at 10:00, local time Berlin"]
  })
}).annotations({ identifier: "MessageTextPreview" })
