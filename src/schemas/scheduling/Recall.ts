/** "Come again in six months": a patient is asked to book before a date (Rule 3.13). */
import { Schema, Struct } from "effect"
import { body, changes, described, integer, OptionalText, oneOf, UnixSeconds, withDefault } from "../fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, PatientUid, RecallUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { IsoDate } from "./Holiday.ts"

const fields = {
  doctor_uid: described(Schema.NullOr(DoctorUid), "The doctor to book; null: any"),
  due_date: described(IsoDate, "When the patient is to come again, YYYY-MM-DD"),
  lead_days: integer(0, 365, "Days before `due_date` on which the patient is asked, at 9:00 of the patient's zone"),
  message_text: OptionalText.annotations({
    description: "A sentence of the practice in the message; null: none",
    examples: ["Bitte bringen Sie Ihren Medikationsplan mit."]
  })
}
const statuses = ["waiting", "sent", "booked", "cancelled"] as const

export const Recall = Schema.Struct({
  uid: RecallUid,
  patient_uid: PatientUid,
  appointment_type_uid: AppointmentTypeUid,
  ...fields,
  message_text: Schema.NullOr(Schema.String).annotations({
    description: "A sentence of the practice; null: none",
    examples: ["Bitte bringen Sie Ihren Medikationsplan mit."]
  }),
  status: described(Schema.Literal(...statuses), "`booked` by whatever way the patient books the type"),
  appointment_uid: described(Schema.NullOr(AppointmentUid), "The booking that ended it; null: none"),
  sent_at: described(Schema.NullOr(UnixSeconds), "When it became due; null until then"),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}).annotations({ identifier: "Recall" })
export type Recall = typeof Recall.Type

export const NewRecall = body({
  patient_uid: PatientUid,
  appointment_type_uid: AppointmentTypeUid,
  ...Struct.evolve(fields, {
    doctor_uid: (field) => withDefault(field, null),
    lead_days: (field) => withDefault(field, 14),
    message_text: (field) => withDefault(field, null)
  })
})
export type NewRecall = typeof NewRecall.Type

export const RecallChanges = changes({
  ...fields,
  status: described(oneOf("cancelled"), "`cancelled` ends it")
})
export type RecallChanges = typeof RecallChanges.Type

export const RecallQuery = body({
  ...pageQuery(200, Schema.Tuple(IsoDate, keys.text)),
  ...updatedAfter,
  patient_uid: described(Schema.optionalWith(PatientUid, { exact: true }), "Only this patient's"),
  status: Schema.optionalWith(oneOf(...statuses).annotations({ description: "Only of this status" }), { exact: true })
})
export type RecallQuery = typeof RecallQuery.Type
