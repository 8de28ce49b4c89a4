import { ProfileFields } from "../access/PatientProfile.ts"
import { body, Opaque, withDefault } from "../fields.ts"
import { ShopUid } from "../ids.ts"
import { MeetingFormat } from "./AppointmentType.ts"
import { NewHold } from "./Booking.ts"

/** A hold that an integration makes for one of its customers. */
export const NewKeyHold = body({
  ...NewHold.fields,
  shop_uid: ShopUid,
  shop_customer_id: Opaque(255),
  patient_profile_fields: withDefault(ProfileFields, {}),
  meeting_format: withDefault(MeetingFormat, "DIGITAL")
})
export type NewKeyHold = typeof NewKeyHold.Type
