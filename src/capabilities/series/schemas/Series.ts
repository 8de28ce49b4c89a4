/** A series: several appointments booked as one act (Rule 4.12). */
import { Schema } from "effect"
import {
  body,
  described,
  EXAMPLE_TIME,
  Flag,
  integer,
  listOf,
  oneOf,
  optional,
  Reason,
  UnixSeconds,
  withDefault,
  withExample
} from "../../../schemas/fields.ts"
import { AppointmentUid, SeriesUid } from "../../../schemas/ids.ts"
import { eitherOf, withRules } from "../../../schemas/rules.ts"
import { completed } from "../../../schemas/scheduling/appointmentAnswers.ts"
import { AppointmentWithOverlaps, keyBookingFields } from "../../../schemas/scheduling/KeyHold.ts"

/** An appointment of a series, as it is booked. */
export type SeriesAppointment = AppointmentWithOverlaps
/** The same as it is answered. */
const StaffAppointment = completed("SeriesAppointment", AppointmentWithOverlaps)

export const NewSeries = withRules(
  withExample(
    body({
      ...keyBookingFields,
      count: integer(2, 26, "Appointments in the series"),
      interval_weeks: integer(1, 52, "Weeks from one to the next; the wall-clock time is kept"),
      on_conflict: withDefault(
        oneOf("fail", "skip", "shift").annotations({
          description:
            "Where a start is not free: `fail` books nothing, `skip` leaves it out, `shift` takes the nearest free start within three days"
        }),
        "fail"
      ),
      except: withDefault(
        listOf(UnixSeconds, { max: 26, description: "Regular starts that are left out, as the plan has them" }),
        []
      ),
      dry_run: withDefault(described(Flag, "Plan only: nothing is booked, and the status is 200"), false)
    }),
    {
      shop_uid: "shop_demo",
      shop_customer_id: "customer-1",
      appointment_type_uid: "aty_demo_consultation",
      start_date: EXAMPLE_TIME,
      count: 2,
      interval_weeks: 1,
      on_conflict: "skip",
      dry_run: true
    }
  ),
  [eitherOf("patient_uid", "shop_customer_id")]
)
export type NewSeries = typeof NewSeries.Type

const planned = <A, I>(appointment: Schema.Schema<A, I>) => ({
  appointments: described(Schema.Array(appointment), "By start"),
  skipped: Schema.Array(
    Schema.Struct({
      start_date: UnixSeconds,
      code: described(Schema.Literal("slot_taken", "slot_not_offered"), "Why it is not booked")
    })
  ).annotations({ description: "Starts that are left out" })
})
/** As it is stored for its key. */
export const SeriesBooked = Schema.Struct({ series_uid: SeriesUid, ...planned(AppointmentWithOverlaps) })
export type SeriesBooked = typeof SeriesBooked.Type
export const SeriesAnswer = Schema.Struct({ series_uid: SeriesUid, ...planned(StaffAppointment) }).annotations({
  identifier: "AppointmentSeries"
})
/** What a dry run answers: the records are what would be booked; their `uid` names nothing. */
export const SeriesPlan = Schema.Struct({
  series_uid: described(Schema.Null, "Nothing is booked"),
  ...planned(StaffAppointment)
}).annotations({
  identifier: "AppointmentSeriesPlan"
})
export type SeriesPlan = typeof SeriesPlan.Type

export const SeriesCancellation = withExample(
  body({
    reason: described(Reason, "Why they are cancelled"),
    from: optional(UnixSeconds).annotations({
      description: "Only those starting at or after; if omitted: all that have not begun"
    })
  }),
  { reason: "The therapy has ended" }
)
export const SeriesCancelled = Schema.Struct({
  series_uid: SeriesUid,
  cancelled: described(Schema.Array(AppointmentUid), "By start"),
  skipped: Schema.Array(
    Schema.Struct({ uid: AppointmentUid, code: described(Schema.String, "Why it was not cancelled") })
  ).annotations({ description: "Appointments that changed meanwhile" })
}).annotations({ identifier: "CancelledSeries" })
