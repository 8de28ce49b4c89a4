/** Messages to patients, doctors and administrators, as the practice's lists show them (Rule 7.8.2). */
import { Schema } from "effect"
import { Count, described, omittable, oneOf, query, UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, MessageUid, PatientUid } from "../../../schemas/ids.ts"
import { StoredNoticeKind } from "../../../schemas/notifications/notices.ts"
import { keys, pageQuery } from "../../../schemas/paging.ts"

const Status = Schema.Literal("pending", "sent", "failed", "skipped")

export const SentMessage = Schema.Struct({
  uid: MessageUid,
  kind: described(StoredNoticeKind, "Subject of the message"),
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
