import { ProfileFields } from "../access/PatientProfile.ts"
import { body, EXAMPLE_TIME, Opaque, withDefault, withExample } from "../fields.ts"
import { ShopUid } from "../ids.ts"
import { MeetingFormat } from "./AppointmentType.ts"
import { NewHold } from "./Booking.ts"

/** A hold that an integration makes for one of its customers. */
export const NewKeyHold = withExample(
  body({
    ...NewHold.fields,
    shop_uid: ShopUid,
    shop_customer_id: Opaque(255).annotations({
      description: "The shop's identifier of the customer",
      examples: ["customer-1"]
    }),
    patient_profile_fields: withDefault(
      ProfileFields.annotations({ description: "What is known of the patient, field by field" }),
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
