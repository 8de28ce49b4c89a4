/** A doctor's settings for an appointment type (Rule 7.7). */
import { Schema } from "effect"
import { body, described, Flag, Minutes, UnixSeconds, withDefault } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, DoctorUid } from "../../../schemas/ids.ts"

const active = described(Flag, "Whether the doctor takes appointments of the type")
const notice = Schema.NullOr(
  Minutes("Least notice for booking this doctor, minutes; wins over the type's value, 0 included; null: the type's")
).annotations({
  description:
    "Minimum notice for booking this doctor, minutes; wins over the type's value, also when 0; null: the type's value"
})

export const DoctorSetting = Schema.Struct({
  doctor_uid: DoctorUid,
  appointment_type_uid: AppointmentTypeUid,
  active,
  booking_min_notice_minutes: notice,
  updated_at: UnixSeconds
}).annotations({ identifier: "DoctorAppointmentTypeSetting" })
export type DoctorSetting = typeof DoctorSetting.Type

/** Replaced as a whole: omitted fields get their defaults. */
export const DoctorSettingBody = body({
  active: withDefault(active, true),
  booking_min_notice_minutes: withDefault(notice, null)
})
export type DoctorSettingBody = typeof DoctorSettingBody.Type
