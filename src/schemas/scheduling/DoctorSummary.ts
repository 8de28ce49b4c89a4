/** Doctors as whoever books them lists them (Rule 7.7). */
import { Schema } from "effect"
import { described, UnixSeconds } from "../fields.ts"
import { DoctorUid } from "../ids.ts"

export const DoctorSummary = Schema.Struct({
  uid: DoctorUid,
  display_name: described(Schema.String, "Name of the doctor"),
  timezone: described(Schema.String, "IANA zone in which availability is meant"),
  updated_at: UnixSeconds
}).annotations({ identifier: "DoctorSummary" })
export type DoctorSummary = typeof DoctorSummary.Type
