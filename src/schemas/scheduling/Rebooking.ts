import { Schema } from "effect"
import { body, EXAMPLE_TIME, UnixSeconds } from "../fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid } from "../ids.ts"
import { DAY } from "../seconds.ts"

/** Moving an appointment (Rule 4.8.1). */
export const Rebooking = body({
  new_start_date: UnixSeconds.annotations({ examples: [UnixSeconds.make(EXAMPLE_TIME + DAY)] }),
  new_doctor_uid: Schema.optionalWith(DoctorUid, { exact: true }).annotations({
    description: "Required when the type's mode is any_doctor_same_organisation",
    examples: [DoctorUid.make("doc_demo_1")]
  }),
  appointment_type_uid: Schema.optionalWith(AppointmentTypeUid, { exact: true }).annotations({
    description:
      "Duration and availability of the new time; the original's when left out, as long as that can be booked"
  })
})
export type Rebooking = typeof Rebooking.Type

export const Rebooked = Schema.Struct({
  appointment_uid: AppointmentUid.annotations({ description: "The new appointment" }),
  status: Schema.Literal("confirmed").annotations({ description: "Where the new appointment stands" })
}).annotations({ identifier: "RebookedAppointment" })
export type Rebooked = typeof Rebooked.Type
