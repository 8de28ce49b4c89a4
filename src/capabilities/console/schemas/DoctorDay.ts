/** The doctor's portal for the day (Rules 8.4.1 to 8.4.6). */
import { Schema } from "effect"
import { StoredProfile } from "../../../schemas/access/PatientProfile.ts"
import {
  body,
  described,
  EXAMPLE_TIME,
  integer,
  OptionalText,
  optional,
  query,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { AppointmentTypeUid, AppointmentUid, PatientUid, ShopUid } from "../../../schemas/ids.ts"
import { SearchText } from "../../../schemas/SearchText.ts"
import { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import { wishedFormat } from "../../../schemas/scheduling/AppointmentType.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { PatientsPrescription } from "./DoctorsPrescription.ts"

export const WaitingPatient = Schema.Struct({
  appointment_uid: AppointmentUid,
  patient_uid: PatientUid,
  waiting_since: described(UnixSeconds, "Since when the patient is in the waiting room")
}).annotations({ identifier: "WaitingPatient" })

const person = {
  uid: PatientUid,
  display_name: described(Schema.String, "Name of the patient"),
  date_of_birth: described(Schema.NullOr(Schema.String), "YYYY-MM-DD; null when unknown"),
  phone: described(Schema.NullOr(Schema.String), "Telephone number; null when unknown"),
  email: described(Schema.NullOr(Schema.String), "Mail address; null when unknown")
}

/** A patient in the doctor's search. */
export const OwnPatient = Schema.Struct(person).annotations({ identifier: "OwnPatient" })

/** Patients found by a search. */
export const OWN_PATIENTS_MAX = 50

export const OwnPatientQuery = query({
  search: Schema.optionalWith(SearchText("As in the practice's list of patients (Rule 12.1.8)"), { exact: true })
})
export type OwnPatientQuery = typeof OwnPatientQuery.Type

export const PatientCard = Schema.Struct({
  ...person,
  shop_uid: ShopUid,
  visits: described(Schema.Array(Appointment), "The latest 50 appointments with the organisation, by start"),
  profile: StoredProfile.annotations({
    description:
      "All that is known of the patient, with the partner's own fields, e.g. of the insurance or of questionnaires"
  }),
  prescriptions: described(Schema.Array(PatientsPrescription), "The latest 20 prescriptions")
}).annotations({ identifier: "PatientCard" })
export type PatientCard = typeof PatientCard.Type

export const NoteChange = withExample(
  body({ note: described(OptionalText, "The whole note; null or blank removes it") }),
  { note: "Blood pressure at the next visit" }
)

/** Moving an own appointment: to another time of the same doctor. */
export const OwnMove = withExample(
  body({
    new_start_date: UnixSeconds.annotations({ examples: [UnixSeconds.make(EXAMPLE_TIME + DAY)] })
  }),
  { new_start_date: EXAMPLE_TIME + DAY }
)

/** How late the doctor will be for the next appointments. */
export const Delay = withExample(
  body({
    minutes: integer(0, 120, "Minutes later than planned; 0: on time after all", 10),
    within_minutes: withDefault(
      integer(15, 720, "Appointments that start within so many minutes from now on", 180),
      180
    )
  }),
  { minutes: 10 }
)
export type Delay = typeof Delay.Type

export const FollowUp = withExample(
  body({
    patient_uid: PatientUid,
    appointment_type_uid: AppointmentTypeUid,
    start_date: UnixSeconds,
    visit_reason: withDefault(described(OptionalText, "Why the patient comes; null: not given"), null),
    meeting_format: optional(wishedFormat)
  }),
  { patient_uid: "pat_demo", appointment_type_uid: "aty_demo_consultation", start_date: EXAMPLE_TIME }
)
export type FollowUp = typeof FollowUp.Type
