import { Schema } from "effect"
import { ProfileFields } from "../access/PatientProfile.ts"
import { body, EXAMPLE_TIME, Opaque, withDefault, withExample } from "../fields.ts"
import { withForms } from "../forms.ts"
import { PatientUid, ShopUid } from "../ids.ts"
import { eitherOf, withRules } from "../rules.ts"
import { MeetingFormat } from "./AppointmentType.ts"
import { NewBooking, NewHold } from "./Booking.ts"

/** A hold that an integration creates for one of its customers. */
export const NewKeyHold = withExample(
  body({
    ...NewHold.fields,
    shop_uid: ShopUid,
    shop_customer_id: Opaque(255).annotations({
      description: "The shop's identifier of the customer",
      examples: ["customer-1"]
    }),
    patient_profile_fields: withDefault(
      ProfileFields.annotations({ description: "Profile fields of the patient" }),
      {}
    ),
    meeting_format: withDefault(MeetingFormat, "DIGITAL")
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

const newKeyBooking = withRules(
  withExample(
    body({
      ...NewBooking.fields,
      appointment_type_uid: NewHold.fields.appointment_type_uid,
      shop_uid: ShopUid,
      patient_uid: Schema.optionalWith(PatientUid, { exact: true }).annotations({
        description: "A patient of the shop; this or shop_customer_id"
      }),
      shop_customer_id: Schema.optionalWith(Opaque(255), { exact: true }).annotations({
        description: "The shop's own identifier; the patient is made or updated"
      }),
      patient_profile_fields: withDefault(
        ProfileFields.annotations({ description: "Profile fields of the customer" }),
        {}
      ),
      meeting_format: withDefault(MeetingFormat, "DIGITAL")
    }),
    {
      shop_uid: "shop_demo",
      shop_customer_id: "customer-1",
      appointment_type_uid: "aty_demo_consultation",
      start_date: EXAMPLE_TIME,
      visit_reason: "Follow-up on blood pressure"
    }
  ),
  [eitherOf("patient_uid", "shop_customer_id")]
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
