import { Schema } from "effect"
import { NOTHING_SENT, ProfileFields } from "../access/PatientProfile.ts"
import {
  body,
  CustomerId,
  described,
  EXAMPLE_TIME,
  Flag,
  optional,
  optionalCustomerId,
  UnixSeconds,
  withDefault,
  withExample
} from "../fields.ts"
import { withForms } from "../forms.ts"
import { AppointmentUid, optionalUid, PatientUid, ShopUid } from "../ids.ts"
import { eitherOf, isAbsent, type Rule, withRules } from "../rules.ts"
import { Appointment } from "./Appointment.ts"
import { wishedFormat } from "./AppointmentType.ts"
import { Hold, IgnoredProfileFields, NewBooking, NewHold } from "./Booking.ts"
import { overLimit } from "./Requirements.ts"

/** A hold that an integration creates for one of its customers. */
export const NewKeyHold = withExample(
  body({
    ...NewHold.fields,
    shop_uid: ShopUid,
    shop_customer_id: CustomerId.annotations({
      description: "The shop's identifier of the customer",
      examples: ["customer-1"]
    }),
    patient_profile_fields: withDefault(described(ProfileFields, "Profile fields of the patient"), NOTHING_SENT),
    meeting_format: optional(wishedFormat),
    over_limit: overLimit
  }),
  {
    shop_uid: "shop_demo",
    shop_customer_id: "customer-1",
    doctor_uid: "doc_demo_1",
    appointment_type_uid: "aty_demo_consultation",
    start_date: EXAMPLE_TIME,
    visit_reason: "Follow-up on blood pressure",
    patient_profile_fields: [{ field: "first_name", value: "Ada", source: "shop" }]
  }
)
export type NewKeyHold = typeof NewKeyHold.Type

/** A booking by key, without its rule that a patient is named one way or the other. */
export const keyBookingFields = {
  ...NewBooking.fields,
  appointment_type_uid: NewHold.fields.appointment_type_uid,
  shop_uid: ShopUid,
  patient_uid: described(optionalUid(PatientUid), "A patient of the shop; this or shop_customer_id"),
  shop_customer_id: described(optionalCustomerId, "The shop's own identifier; the patient is made or updated"),
  patient_profile_fields: withDefault(described(ProfileFields, "Profile fields of the customer"), NOTHING_SENT),
  meeting_format: optional(wishedFormat),
  over_limit: overLimit
}

const squeezeIn = withDefault(
  Flag.annotations({
    description:
      "Book at this start whatever hours, grid, notice, buffers and limits say, over one taken time at most; needs `doctor_uid`, takes no resources"
  }),
  false
)
const squeezesWithDoctor: Rule = ({ squeeze_in, doctor_uid }) =>
  squeeze_in === true && isAbsent(doctor_uid) ? [{ field: "doctor_uid", message: "is required with squeeze_in" }] : []

const newKeyBooking = withRules(
  withExample(body({ ...keyBookingFields, squeeze_in: squeezeIn }), {
    shop_uid: "shop_demo",
    shop_customer_id: "customer-1",
    appointment_type_uid: "aty_demo_consultation",
    start_date: EXAMPLE_TIME,
    visit_reason: "Follow-up on blood pressure"
  }),
  [eitherOf("patient_uid", "shop_customer_id"), squeezesWithDoctor]
)
/** A booking without a hold, for a known patient or a customer of the shop. */
export const NewKeyBooking = withForms(newKeyBooking, [
  {
    name: "NewPatientBooking",
    description: "For a patient who is known",
    required: ["patient_uid"],
    without: ["shop_customer_id", "patient_profile_fields"]
  },
  {
    name: "NewCustomerBooking",
    description: "For a customer of the shop, who is made a patient where there is none yet",
    required: ["shop_customer_id"],
    without: ["patient_uid"]
  }
])
export type NewKeyBooking = typeof NewKeyBooking.Type

/** The patient's other confirmed appointments at the same time, the earliest first. Rule 4.9.7. */
const overlaps = Schema.Array(
  Schema.Struct({
    uid: AppointmentUid,
    start_date: UnixSeconds,
    doctor_display_name: described(Schema.String, "Name of the doctor")
  })
).annotations({ description: "The patient's other confirmed appointments at the same time, at most ten, by start" })

/** A hold by API key, with what the patient has at the same time. */
export const KeyHold = Schema.Struct({ ...Hold.fields, overlaps }).annotations({ identifier: "KeyHold" })
export type KeyHold = typeof KeyHold.Type

/** An appointment, with what the patient has at the same time. */
export const AppointmentWithOverlaps = Schema.Struct({ ...Appointment.fields, overlaps })
export type AppointmentWithOverlaps = typeof AppointmentWithOverlaps.Type

/** The record of lists, as a booking answers it. */
export const BookedAppointment = Schema.Struct({
  ...AppointmentWithOverlaps.fields,
  ignored_profile_fields: IgnoredProfileFields
}).annotations({ identifier: "BookedAppointment" })
export type BookedAppointment = typeof BookedAppointment.Type
