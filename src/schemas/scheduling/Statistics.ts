/** A practice's weekly statistics by doctor (Rule 7.8.1). */
import { Schema } from "effect"
import { Count, query, queryTime, UnixSeconds } from "../fields.ts"
import { DoctorUid, ResourceUid } from "../ids.ts"
import { ResourceKind } from "./Resource.ts"

/** Maximum weeks in a response. */
export const WEEKS_MAX = 60

const moment = (what: string) => Schema.optionalWith(queryTime(what), { exact: true })

export const StatisticsQuery = query({
  from: moment("The week of this second is the first one; by default the one twelve weeks ago"),
  to: moment(`The week of this second is the last one; by default this one. At most ${WEEKS_MAX} weeks`)
})
export type StatisticsQuery = typeof StatisticsQuery.Type

export const DoctorsWeek = Schema.Struct({
  doctor_uid: DoctorUid,
  doctor_display_name: Schema.String.annotations({ description: "Name of the doctor" }),
  week_starts_at: UnixSeconds.annotations({ description: "Midnight of its Monday in the organisation's zone" }),
  booked: Count.annotations({ description: "Appointments of the week that were confirmed, whatever became of them" }),
  completed: Count.annotations({ description: "Those that took place" }),
  cancelled: Count.annotations({ description: "Those that were cancelled; a move is no cancellation" }),
  no_show: Count.annotations({ description: "Those to which the patient did not come" }),
  lead_time_seconds: Schema.NullOr(Count).annotations({
    description: "From the confirmation to the start, on average; null without appointments"
  }),
  booked_minutes: Count.annotations({ description: "Length of those that were not cancelled" }),
  offered_minutes: Count.annotations({ description: "Length of the doctor's hours, days off and exceptions included" }),
  waitlist_offers: Count.annotations({ description: "Offers of the waiting list for times of the week" }),
  refilled_appointments: Count.annotations({ description: "Those of them that were accepted" }),
  refilled_minutes: Count.annotations({ description: "The length of these, which would have been lost" }),
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
  week_starts_at: UnixSeconds.annotations({ description: "Midnight of its Monday in the organisation's zone" }),
  booked: Count.annotations({ description: "Appointments of the week that took it; the seats of a group are one" }),
  booked_minutes: Count.annotations({ description: "Their length" })
}).annotations({ identifier: "ResourcesWeek" })
export type ResourcesWeek = typeof ResourcesWeek.Type

/** What became of a week's recalls. */
export const RecallsWeek = Schema.Struct({
  week_starts_at: UnixSeconds.annotations({ description: "Midnight of its Monday in the organisation's zone" }),
  sent: Count.annotations({ description: "Recalls that were due in the week" }),
  booked: Count.annotations({ description: "Those of them that led to a booking" }),
  lost: Count.annotations({
    description: "Those that did not: the patient objected, the practice cancelled it, or the date has passed"
  })
}).annotations({ identifier: "RecallsWeek" })
export type RecallsWeek = typeof RecallsWeek.Type
