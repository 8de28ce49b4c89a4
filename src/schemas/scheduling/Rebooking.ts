import { Schema } from "effect"
import { body, described, EXAMPLE_TIME, Flag, UnixSeconds, withDefault, withExample } from "../fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, optionalUid, ResourceUid } from "../ids.ts"
import { after, type Rule, withRules } from "../rules.ts"
import { DAY } from "../seconds.ts"
import { overLimit } from "./Requirements.ts"

/** Maximum range of a bulk move, in seconds. */
export const LONGEST_RANGE = 366 * DAY

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

/** Limits the range of an absence: the search for new times extends a month beyond it. */
export const aYearAtMost: Rule = ({ from, to }) =>
  typeof from === "number" && typeof to === "number" && to - from > LONGEST_RANGE
    ? [{ field: "to", message: "must be at most 366 days after from" }]
    : []

/** Who may take over what is moved. */
export const anySpecialty = withDefault(
  described(Flag, "Also to doctors of another specialty than the appointment's own"),
  false
)

/** Moves all confirmed appointments that start in a range out of it (Rule 7.2.8). */
export const BulkMove = withRules(
  withExample(
    body({
      doctor_uid: described(optionalUid(DoctorUid), "The absent doctor; if omitted, all doctors"),
      resource_uid: optionalUid(ResourceUid).annotations({
        description:
          "The room or device that is closed: only appointments that take it, which keep their time where another is free"
      }),
      including_further: withDefault(
        described(Flag, "Also appointments in which `doctor_uid` is a further doctor"),
        false
      ),
      any_specialty: anySpecialty,
      from: described(UnixSeconds, "Starting at or after, Unix seconds"),
      to: described(UnixSeconds, "Starting before, Unix seconds; the absence ends here"),
      dry_run: withDefault(Flag.annotations({ description: "Change nothing: return what would be moved where" }), false)
    }),
    { from: EXAMPLE_TIME, to: EXAMPLE_TIME + DAY, dry_run: true }
  ),
  [after("from", "to"), aYearAtMost]
)
export type BulkMove = typeof BulkMove.Type
