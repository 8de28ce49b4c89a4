import { ProfileFields } from "../access/PatientProfile.ts"
import { body, Opaque, withDefault } from "../fields.ts"
import { ShopUid } from "../ids.ts"
import { MeetingFormat } from "./AppointmentType.ts"
import { NewHold } from "./Booking.ts"

/** A hold that an integration makes for one of its customers. */
export const NewKeyHold = body({
  ...NewHold.fields,
  shop_uid: ShopUid,
  shop_customer_id: Opaque(255).annotations({ description: "The shop's identifier of the customer" }),
  patient_profile_fields: withDefault(
    ProfileFields.annotations({ description: "What is known of the patient, field by field" }),
    {}
  ),
  meeting_format: withDefault(MeetingFormat, "DIGITAL")
})
export type NewKeyHold = typeof NewKeyHold.Type
