/** Moving many appointments out of a range (Rule 7.2.8). */
import { Schema } from "effect"
import { body, described, EXAMPLE_TIME, Flag, UnixSeconds, withDefault, withExample } from "../../../schemas/fields.ts"
import { AppointmentUid, DoctorUid, optionalUid, ResourceUid } from "../../../schemas/ids.ts"
import { after, type Rule, withRules } from "../../../schemas/rules.ts"
import { completed } from "../../../schemas/scheduling/appointmentAnswers.ts"
import { DAY } from "../../../schemas/seconds.ts"

/** Maximum range of a move or an absence, in seconds. */
export const LONGEST_RANGE = 366 * DAY

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

const MovedAppointment = completed(
  "MovedAppointment",
  Schema.Struct({
    uid: AppointmentUid,
    new_uid: described(Schema.NullOr(AppointmentUid), "The appointment that replaces it; null in a dry run"),
    new_doctor_uid: described(DoctorUid, "Doctor of the new appointment"),
    new_start_date: UnixSeconds
  })
)
export const BulkMoved = Schema.Struct({
  moved: Schema.Array(MovedAppointment).annotations({ description: "At most 200, by start; call again for more" }),
  left: Schema.Array(
    Schema.Struct({
      uid: AppointmentUid,
      code: Schema.String.annotations({
        description:
          "As of a refused move; `slot_taken` where no time is free, `too_many_requests` where the search took too long: call again"
      })
    })
  ).annotations({ description: "Appointments that were not moved" })
}).annotations({ identifier: "BulkMovedAppointments" })
