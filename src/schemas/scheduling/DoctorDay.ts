/** The doctor's portal for the day (Rules 8.4.1 to 8.4.6). */
import { Schema } from "effect"
import { body, EXAMPLE_TIME, OptionalText, UnixSeconds, withDefault, withExample } from "../fields.ts"
import { AppointmentTypeUid, AppointmentUid, PatientUid, ShopUid } from "../ids.ts"
import { Appointment } from "./Appointment.ts"
import { MeetingFormat } from "./AppointmentType.ts"

export const WaitingPatient = Schema.Struct({
  appointment_uid: AppointmentUid,
  patient_uid: PatientUid,
  waiting_since: UnixSeconds.annotations({ description: "Since when the patient is in the waiting room" })
}).annotations({ identifier: "WaitingPatient" })

export const PatientCard = Schema.Struct({
  uid: PatientUid,
  shop_uid: ShopUid,
  display_name: Schema.String.annotations({ description: "Name of the patient" }),
  date_of_birth: Schema.NullOr(Schema.String).annotations({ description: "YYYY-MM-DD; null when unknown" }),
  visits: Schema.Array(Appointment).annotations({
    description: "The latest 50 appointments with the organisation, by start"
  })
}).annotations({ identifier: "PatientCard" })

export const AppointmentNote = Schema.Struct({
  note: Schema.NullOr(Schema.String).annotations({ description: "The doctor's own words; null without a note" }),
  updated_at: Schema.NullOr(UnixSeconds).annotations({ description: "Unix seconds; null without a note" })
}).annotations({ identifier: "AppointmentNote" })
export type AppointmentNote = typeof AppointmentNote.Type

export const NoteChange = withExample(
  body({ note: OptionalText.annotations({ description: "The whole note; null or blank removes it" }) }),
  { note: "Blood pressure at the next visit" }
)

export const FollowUp = withExample(
  body({
    patient_uid: PatientUid,
    appointment_type_uid: AppointmentTypeUid,
    start_date: UnixSeconds,
    visit_reason: withDefault(
      OptionalText.annotations({ description: "Why the patient comes; null: not given" }),
      null
    ),
    meeting_format: withDefault(MeetingFormat, "DIGITAL")
  }),
  { patient_uid: "pat_demo", appointment_type_uid: "aty_demo_consultation", start_date: EXAMPLE_TIME }
)
export type FollowUp = typeof FollowUp.Type
