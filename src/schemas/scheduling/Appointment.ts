/** An appointment as lists and events show it (Rule 4.1.1). */
import { Schema } from "effect"
import { UnixSeconds } from "../fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, PatientUid } from "../ids.ts"
import { AppointmentStatus } from "./AppointmentStates.ts"
import { MeetingFormat, MeetingType } from "./AppointmentType.ts"

export const Appointment = Schema.Struct({
  uid: AppointmentUid,
  status: AppointmentStatus,
  doctor_uid: DoctorUid,
  doctor_display_name: Schema.String,
  patient_uid: PatientUid,
  patient_display_name: Schema.String,
  appointment_type_uid: Schema.NullOr(AppointmentTypeUid),
  appointment_type_name: Schema.NullOr(Schema.String),
  visit_reason: Schema.NullOr(Schema.String),
  meeting_type: MeetingType,
  meeting_format: MeetingFormat,
  start_date: UnixSeconds,
  end_date: UnixSeconds,
  created_at: UnixSeconds,
  cancelled_at: Schema.NullOr(UnixSeconds),
  cancellation_reason: Schema.NullOr(Schema.String),
  previous_meeting_uid: Schema.NullOr(AppointmentUid).annotations({ description: "The appointment that it replaced" })
}).annotations({ identifier: "Appointment" })
export type Appointment = typeof Appointment.Type
