/** "Come again in six months": a patient is asked to book before a date (Rule 3.13). */
import { Schema, Struct } from "effect"
import { NotFoundError } from "../../../schemas/DomainError.ts"
import {
  body,
  Count,
  changes,
  described,
  integer,
  OptionalText,
  oneOf,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, PatientUid, uid } from "../../../schemas/ids.ts"
import { keys, pageQuery, updatedAfter } from "../../../schemas/paging.ts"
import { IsoDate } from "../../../schemas/scheduling/Holiday.ts"

export class RecallNotFound extends NotFoundError("RecallNotFound", "Recall") {}

export const RecallUid = uid("RecallUid", "rcl")
export type RecallUid = typeof RecallUid.Type

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

/** A recall for an own patient of a doctor, who is the one to book. */
export const OwnRecall = withExample(body(Struct.omit(NewRecall.fields, "doctor_uid")), {
  patient_uid: "pat_demo",
  appointment_type_uid: "aty_demo_consultation",
  due_date: "2035-01-22"
})

/** What became of a week's recalls. */
export const RecallsWeek = Schema.Struct({
  week_starts_at: described(UnixSeconds, "Midnight of its Monday in the organisation's zone"),
  sent: described(Count, "Recalls that were due in the week"),
  booked: described(Count, "Those of them that led to a booking"),
  lost: described(Count, "Those that did not: the patient objected, the practice cancelled it, or the date has passed")
}).annotations({ identifier: "RecallsWeek" })
export type RecallsWeek = typeof RecallsWeek.Type
