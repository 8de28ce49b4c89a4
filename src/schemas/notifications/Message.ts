/** Messages to patients, doctors and administrators, as the practice's lists show them (Rules 7.8.2 and 7.8.3). */
import { Schema } from "effect"
import { Count, oneOf, query, UnixSeconds, withDefault } from "../fields.ts"
import { AppointmentTypeUid, AppointmentUid, MessageUid, PatientUid } from "../ids.ts"
import { keys, pageQuery } from "../paging.ts"
import { allNoticeKinds, appointmentNoticeKinds } from "./notices.ts"

const Kind = Schema.Literal(...allNoticeKinds)
const Status = Schema.Literal("pending", "sent", "failed", "skipped")

export const SentMessage = Schema.Struct({
  uid: MessageUid,
  kind: Kind.annotations({ description: "Subject of the message" }),
  channel: Schema.Literal("email", "sms").annotations({ description: "Channel" }),
  status: Status.annotations({
    description: "pending: not sent yet, or to be tried again; skipped: no longer needed when it was due"
  }),
  recipient_role: Schema.Literal("patient", "doctor", "admin").annotations({ description: "Role of the recipient" }),
  recipient_uid: Schema.String.annotations({ description: "Identifier of the recipient" }),
  appointment_uid: Schema.NullOr(AppointmentUid).annotations({ description: "Null for messages about other records" }),
  patient_uid: Schema.NullOr(PatientUid).annotations({
    description: "The patient who gets the message, or whose appointment it is about; null if there is none"
  }),
  attempts: Count.annotations({ description: "Attempts so far" }),
  error: Schema.NullOr(Schema.String).annotations({ description: "Why the last attempt failed; null where none has" }),
  created_at: UnixSeconds,
  sent_at: Schema.NullOr(UnixSeconds).annotations({ description: "When it was handed over; null until then" })
}).annotations({ identifier: "SentMessage" })
export type SentMessage = typeof SentMessage.Type

export const MessageQuery = query({
  ...pageQuery(200, Schema.Tuple(keys.time, keys.text)),
  status: Schema.optionalWith(oneOf(...Status.literals).annotations({ description: "Only messages of this status" }), {
    exact: true
  })
})
export type MessageQuery = typeof MessageQuery.Type

export const MessagePreviewQuery = query({
  appointment_type_uid: AppointmentTypeUid.annotations({ description: "Type of the appointment" }),
  kind: withDefault(
    oneOf(...appointmentNoticeKinds).annotations({ description: "Subject of the message" }),
    "reminder"
  ),
  recipient_role: withDefault(
    oneOf("patient", "doctor", "admin").annotations({ description: "Role of the recipient" }),
    "patient"
  ),
  language: withDefault(oneOf("de", "en").annotations({ description: "Language of the mail" }), "de")
})
export type MessagePreviewQuery = typeof MessagePreviewQuery.Type

const mail = {
  subject: Schema.String.annotations({ description: "Subject of the mail" }),
  text: Schema.String.annotations({ description: "The mail as plain text" }),
  html: Schema.String.annotations({
    description: "The same as a document in HTML; its logo is an attachment of the mail"
  })
}
export const MessagePreview = Schema.Struct(mail).annotations({ identifier: "MessagePreview" })

export const MessageTextPreview = Schema.Struct({
  ...mail,
  sms: Schema.String.annotations({
    description: "The text message",
    examples: ["Demo-Praxis: your appointment is on Monday, 8 January at 10:00, local time Berlin"]
  })
}).annotations({ identifier: "MessageTextPreview" })
