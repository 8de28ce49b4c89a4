/** A practice's weekly statistics by doctor (Rule 7.8.1). */
import { Schema } from "effect"
import { Count, described, UnixSeconds } from "../../../schemas/fields.ts"
import { DoctorUid, ResourceUid } from "../../../schemas/ids.ts"
import { ResourceKind } from "../../../schemas/scheduling/Resource.ts"

export const DoctorsWeek = Schema.Struct({
  doctor_uid: DoctorUid,
  doctor_display_name: described(Schema.String, "Name of the doctor"),
  week_starts_at: described(UnixSeconds, "Midnight of its Monday in the organisation's zone"),
  booked: described(Count, "Appointments of the week that were confirmed, whatever became of them"),
  completed: described(Count, "Those that took place"),
  cancelled: described(Count, "Those that were cancelled; a move is no cancellation"),
  no_show: described(Count, "Those to which the patient did not come"),
  lead_time_seconds: Schema.NullOr(Count).annotations({
    description: "From the confirmation to the start, on average; null without appointments"
  }),
  booked_minutes: described(Count, "Length of those that were not cancelled"),
  offered_minutes: described(Count, "Length of the doctor's hours, days off and exceptions included"),
  waitlist_offers: described(Count, "Offers of the waiting list for times of the week").annotations({ examples: [4] }),
  refilled_appointments: described(Count, "Those of them that were accepted"),
  refilled_minutes: described(Count, "The length of these, which would have been lost"),
  utilisation_percent: Schema.NullOr(Count).annotations({
    description: "`booked_minutes` by `offered_minutes`, at most 100; null in a week without hours"
  })
}).annotations({ identifier: "DoctorsWeek" })
export type DoctorsWeek = typeof DoctorsWeek.Type

/** The use of a resource in a week. */
export const ResourcesWeek = Schema.Struct({
  resource_uid: ResourceUid,
  kind: ResourceKind,
  name: Schema.String.annotations({ description: "Name of the resource", examples: ["Room 1"] }),
  week_starts_at: described(UnixSeconds, "Midnight of its Monday in the organisation's zone"),
  booked: described(Count, "Appointments of the week that took it; the seats of a group are one"),
  booked_minutes: described(Count, "Their length")
}).annotations({ identifier: "ResourcesWeek" })
export type ResourcesWeek = typeof ResourcesWeek.Type
