import { Schema } from "effect"
import {
  body,
  described,
  EXAMPLE_TIME,
  Flag,
  OptionalText,
  Reason,
  UnixSeconds,
  withDefault,
  withExample
} from "../fields.ts"
import { AppointmentUid, DoctorUid, optionalUid } from "../ids.ts"
import { after, withRules } from "../rules.ts"
import { DAY } from "../seconds.ts"

/** A cancellation by or for the patient; the reason is stored. */
export const Cancellation = body({
  reason: withDefault(OptionalText.annotations({ description: "Why it is cancelled" }), null)
})

/** A cancellation by the practice, with its reason. */
export const ReasonedCancellation = body({ reason: described(Reason, "Why it is cancelled") })

/** The response to patients. */
export const Cancelled = Schema.Struct({
  appointment_uid: AppointmentUid,
  status: described(Schema.Literal("cancelled"), "Status of the appointment")
}).annotations({ identifier: "CancelledAppointment" })

/** The response to the practice. */
export const CancelledWithReason = Schema.Struct({
  ...Cancelled.fields,
  cancelled_at: UnixSeconds,
  cancellation_reason: described(Schema.NullOr(Schema.String), "Reason given at cancellation; null without one")
}).annotations({ identifier: "CancelledAppointmentWithReason" })

/** Cancels all held and confirmed appointments that start in a range. */
export const BulkCancellation = withRules(
  withExample(
    body({
      doctor_uid: described(optionalUid(DoctorUid), "If omitted: all doctors"),
      from: described(UnixSeconds, "Starting at or after, Unix seconds"),
      to: described(UnixSeconds, "Starting before, Unix seconds"),
      reason: described(Reason, "Why they are cancelled"),
      dry_run: withDefault(Flag.annotations({ description: "Change nothing: return what would be cancelled" }), false)
    }),
    { from: EXAMPLE_TIME, to: EXAMPLE_TIME + DAY, reason: "The practice is closed", dry_run: true }
  ),
  [after("from", "to")]
)
export type BulkCancellation = typeof BulkCancellation.Type

export const BulkCancelled = Schema.Struct({
  cancelled: described(Schema.Array(AppointmentUid), "At most 1,000, by start; call again for more"),
  skipped: Schema.Array(
    Schema.Struct({
      uid: AppointmentUid,
      code: described(Schema.String, "Error code of the refused cancellation")
    })
  ).annotations({ description: "Appointments that changed concurrently and were skipped" })
}).annotations({ identifier: "BulkCancelledAppointments" })
