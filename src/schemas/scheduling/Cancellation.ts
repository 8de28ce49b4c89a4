import { Schema } from "effect"
import { body, OptionalText, Reason, UnixSeconds, withDefault } from "../fields.ts"
import { AppointmentUid } from "../ids.ts"

/** A cancellation by or for the patient; the reason is kept for audit. */
export const Cancellation = body({
  reason: withDefault(OptionalText.annotations({ description: "Why it is cancelled" }), null)
})

/** A cancellation by the practice, which owes a reason. */
export const ReasonedCancellation = body({ reason: Reason.annotations({ description: "Why it is cancelled" }) })

/** What the patient's side is told. */
export const Cancelled = Schema.Struct({
  appointment_uid: AppointmentUid,
  status: Schema.Literal("cancelled").annotations({ description: "Where the appointment stands" })
}).annotations({ identifier: "CancelledAppointment" })

/** What the practice is told. */
export const CancelledWithReason = Schema.Struct({
  ...Cancelled.fields,
  cancelled_at: UnixSeconds,
  cancellation_reason: Schema.NullOr(Schema.String).annotations({
    description: "Reason given at cancellation; null without one"
  })
}).annotations({ identifier: "CancelledAppointmentWithReason" })
