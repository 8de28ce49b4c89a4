import { Schema } from "effect"
import { body, described, EXAMPLE_TIME, UnixSeconds } from "../fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, optionalUid } from "../ids.ts"
import { DAY } from "../seconds.ts"
import { overLimit } from "./Requirements.ts"

/** Moving an appointment (Rule 4.8.1). */
export const Rebooking = body({
  new_start_date: UnixSeconds.annotations({ examples: [UnixSeconds.make(EXAMPLE_TIME + DAY)] }),
  new_doctor_uid: optionalUid(DoctorUid).annotations({
    description: "Required when the type's mode is any_doctor_same_organisation",
    examples: [DoctorUid.make("doc_demo_1")]
  }),
  appointment_type_uid: optionalUid(AppointmentTypeUid).annotations({
    description:
      "Duration and availability of the new time; the original's when left out, as long as that can be booked"
  }),
  over_limit: overLimit
})
export type Rebooking = typeof Rebooking.Type

export const Rebooked = Schema.Struct({
  appointment_uid: described(AppointmentUid, "The new appointment"),
  status: described(Schema.Literal("confirmed"), "Status of the new appointment")
}).annotations({ identifier: "RebookedAppointment" })
export type Rebooked = typeof Rebooked.Type
