/** The kinds of event that the service tells of, and the envelope they come in (specification §6). */
import { Schema } from "effect"
import { body, oneOf, queryInteger, UnixSeconds, withDefault } from "../fields.ts"
import { EventUid, OrganisationUid, PharmacyUid } from "../ids.ts"

export const EventType = oneOf(
  "patient_doctor_meeting_updated",
  "rebooked",
  "scheduling.appointment_reminder_due",
  "prescription.render",
  "prescription.rendered",
  "pharmacy_manager.send_prescription",
  "pharmacy_order.created",
  "pharmacy_order.status_updated",
  "pharmacy_order.completed",
  "pharmacy_sku.updated"
)
export type EventType = typeof EventType.Type

/** An event as webhooks and the feed tell it. */
export const Envelope = Schema.Struct({
  id: EventUid,
  type: EventType,
  timestamp: UnixSeconds,
  organisation_uid: Schema.optionalWith(OrganisationUid, { exact: true }),
  pharmacy_uid: Schema.optionalWith(PharmacyUid, { exact: true }),
  data: Schema.Record({ key: Schema.String, value: Schema.Unknown })
}).annotations({ identifier: "Event" })
export type Envelope = typeof Envelope.Type

export const EventFeed = Schema.Struct({
  data: Schema.Array(Envelope),
  next: Schema.NullOr(EventUid).annotations({ description: "Send it as `after` for what follows; null at the end" })
})

export const EventFeedQuery = body({
  after: Schema.optionalWith(EventUid, { exact: true }).annotations({ description: "The last event that is known" }),
  type: Schema.optionalWith(EventType, { exact: true }),
  limit: withDefault(
    queryInteger(1, Number.MAX_SAFE_INTEGER, "Events an answer; more than 500 is reduced to 500").pipe(
      Schema.transform(Schema.Number, { strict: true, decode: (n) => Math.min(n, 500), encode: (n) => n })
    ),
    50
  )
})
export type EventFeedQuery = typeof EventFeedQuery.Type
