/** An appointment in lists and events (Rule 4.1.1). */
import { Schema } from "effect"
import { described, EXAMPLE_TIME, UnixSeconds } from "../fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, PatientUid, SeriesUid } from "../ids.ts"
import { AppointmentStatus } from "./AppointmentStates.ts"
import { MeetingFormat, MeetingType } from "./AppointmentType.ts"
import { TakenResource } from "./Resource.ts"

/** A doctor that an appointment takes beside the one who is booked. */
export const FurtherDoctor = Schema.Struct({
  uid: DoctorUid,
  display_name: described(Schema.String, "Name of the doctor")
}).annotations({ identifier: "FurtherDoctor" })
export type FurtherDoctor = typeof FurtherDoctor.Type

export const Appointment = Schema.Struct({
  uid: AppointmentUid,
  status: described(AppointmentStatus, "Status of the appointment"),
  doctor_uid: DoctorUid,
  doctor_display_name: described(Schema.String, "Name of the doctor"),
  patient_uid: PatientUid,
  patient_display_name: described(Schema.String, "Name of the patient"),
  appointment_type_uid: described(Schema.NullOr(AppointmentTypeUid), "null without a type"),
  appointment_type_name: described(Schema.NullOr(Schema.String), "Name of the appointment type; null without a type"),
  visit_reason: described(Schema.NullOr(Schema.String), "Why the patient comes; null when not given"),
  meeting_type: MeetingType,
  meeting_format: MeetingFormat,
  start_date: UnixSeconds,
  end_date: UnixSeconds.annotations({ examples: [UnixSeconds.make(EXAMPLE_TIME + 1200)] }),
  created_at: UnixSeconds,
  updated_at: described(UnixSeconds, "The last change of this record; the second it expired, of a hold"),
  cancelled_at: described(Schema.NullOr(UnixSeconds), "Unix seconds; null unless cancelled"),
  cancellation_reason: described(Schema.NullOr(Schema.String), "Reason given at cancellation; null without one"),
  resources: described(Schema.Array(TakenResource), "Rooms, devices and persons that it takes; empty without any"),
  further_doctors: Schema.Array(FurtherDoctor).annotations({
    description: "Doctors that it takes beside `doctor_uid`; empty without any"
  }),
  previous_meeting_uid: described(Schema.NullOr(AppointmentUid), "The appointment that it replaced"),
  series_uid: described(Schema.NullOr(SeriesUid), "The same for all that were booked as one act; null: booked alone")
}).annotations({ identifier: "Appointment" })
export type Appointment = typeof Appointment.Type

/** An appointment as answered to a key that may change appointments and perhaps not read them. Rule 7.2.7. */
export const FinishedAppointment = Schema.Struct({
  ...Appointment.fields,
  patient_display_name: Schema.optionalWith(Appointment.fields.patient_display_name, { exact: true }).annotations({
    description: "Name of the patient; left out for a key without `scheduling:read`"
  })
}).annotations({ identifier: "FinishedAppointment" })
