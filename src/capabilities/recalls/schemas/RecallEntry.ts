/** Provisioning of recalls. */
import { Schema } from "effect"
import { named } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, PatientUid } from "../../../schemas/ids.ts"
import { organisation_uid } from "../../../schemas/provisioning/tenancy.ts"
import { NewRecall, RecallUid } from "./Recall.ts"

export const RecallEntry = Schema.Struct({
  uid: named(RecallUid),
  organisation_uid,
  ...NewRecall.fields,
  patient_uid: named(PatientUid),
  appointment_type_uid: named(AppointmentTypeUid)
})
export type RecallEntry = typeof RecallEntry.Type
