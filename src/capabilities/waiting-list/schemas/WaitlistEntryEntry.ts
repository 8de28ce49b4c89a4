/** An entry of the waiting list in the provisioning file. */
import { Schema } from "effect"
import { named } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { NewWaitlistEntry, WaitlistEntryUid } from "./Waitlist.ts"

export const WaitlistEntryEntry = Schema.Struct({
  uid: named(WaitlistEntryUid),
  organisation_uid: named(OrganisationUid),
  ...NewWaitlistEntry.fields,
  patient_uid: named(PatientUid),
  appointment_type_uid: named(AppointmentTypeUid)
})
export type WaitlistEntryEntry = typeof WaitlistEntryEntry.Type
