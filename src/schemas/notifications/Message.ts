/** Messages to patients, doctors and administrators, as the practice's lists show them (Rules 7.8.2 and 7.8.3). */
import { Schema } from "effect"
import { Count, described, omittable, oneOf, query, UnixSeconds, withDefault } from "../fields.ts"
import { AppointmentTypeUid, AppointmentUid, MessageUid, PatientUid } from "../ids.ts"
import { keys, pageQuery } from "../paging.ts"
import { AnyNoticeKind, appointmentNoticeKinds } from "./notices.ts"

const Status = Schema.Literal("pending", "sent", "failed", "skipped")

export const SentMessage = Schema.Struct({
  uid: MessageUid,
  kind: described(AnyNoticeKind, "Subject of the message"),
  channel: described(Schema.Literal("email", "sms"), "Channel"),
  status: described(Status, "pending: not sent yet, or to be tried again; skipped: no longer needed when it was due"),
  recipient_role: described(Schema.Literal("patient", "doctor", "admin"), "Role of the recipient"),
  recipient_uid: described(Schema.String, "Identifier of the recipient"),
  appointment_uid: described(Schema.NullOr(AppointmentUid), "Null for messages about other records"),
  patient_uid: Schema.NullOr(PatientUid).annotations({
    description: "The patient who gets the message, or whose appointment it is about; null if there is none"
  }),
  attempts: described(Count, "Attempts so far"),
  error: described(
    Schema.NullOr(Schema.String),
    "Why it was not sent, or the last attempt failed; null where none has"
  ),
  created_at: UnixSeconds,
  sent_at: described(Schema.NullOr(UnixSeconds), "When it was handed over; null until then"),
  told_at: described(
    Schema.NullOr(UnixSeconds),
    "When somebody told the recipient otherwise, such as by telephone; null: never"
  )
}).annotations({ identifier: "SentMessage" })
export type SentMessage = typeof SentMessage.Type

export const MessageQuery = query({
  ...pageQuery(200, Schema.Tuple(keys.time, keys.text)),
  status: omittable(oneOf(...Status.literals).annotations({ description: "Only messages of this status" })),
  patient_uid: omittable(described(PatientUid, "Only messages to this patient")),
  unreached: omittable(
    oneOf("true").annotations({
      description:
        "Only those about appointments that a patient did not get, for want of an address or since it failed, and was not told otherwise"
    })
  )
})
export type MessageQuery = typeof MessageQuery.Type

export const MessagePreviewQuery = query({
  appointment_type_uid: described(AppointmentTypeUid, "Type of the appointment"),
  kind: withDefault(described(oneOf(...appointmentNoticeKinds), "Subject of the message"), "reminder"),
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
