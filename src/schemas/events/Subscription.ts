/** Webhook subscriptions: of organisations by `notification_type`, of pharmacies by `event_types`. */
import { Schema } from "effect"
import { body, changes, Flag, Opaque, oneOf, UnixSeconds } from "../fields.ts"
import { DeliveryUid, EventUid, SubscriptionUid } from "../ids.ts"
import { EventType } from "./Event.ts"

/** What an organisation can subscribe to, and the event that it stands for. */
export const notificationTypes = {
  APPOINTMENT_REMINDER_DUE: "scheduling.appointment_reminder_due",
  PATIENT_DOCTOR_MEETING_UPDATED: "patient_doctor_meeting_updated",
  REBOOKED: "rebooked",
  PRESCRIPTION_RENDERED: "prescription.rendered"
} as const satisfies Readonly<Record<string, EventType>>

export const NotificationType = oneOf(
  "APPOINTMENT_REMINDER_DUE",
  "PATIENT_DOCTOR_MEETING_UPDATED",
  "REBOOKED",
  "PRESCRIPTION_RENDERED"
)
export type NotificationType = typeof NotificationType.Type

export const notificationTypeOf = (type: EventType | undefined): NotificationType | undefined =>
  Object.keys(notificationTypes)
    .filter(Schema.is(NotificationType))
    .find((name) => notificationTypes[name] === type)

/** What a pharmacy can subscribe to. */
export const PharmacyEventType = oneOf(
  "pharmacy_order.created",
  "pharmacy_order.status_updated",
  "pharmacy_order.completed",
  "pharmacy_sku.updated",
  "pharmacy_manager.send_prescription"
)

/** What a subscriber is promised, for the interface's description. */
export const deliveryPromise =
  "Deliveries follow Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A 2xx within 15 seconds counts; otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, later where `retry-after` says so. Redirects are not followed. 410 disables the subscription."

const url = Opaque(2048).annotations({ description: "http or https; not into a private network" })
const secret = Schema.String.annotations({ description: "`whsec_…`; signs deliveries (Standard Webhooks)" })
const shared = { uid: SubscriptionUid, url: Schema.String, active: Schema.Boolean, created_at: UnixSeconds }

export const NewNotificationSubscription = body({ notification_type: NotificationType, url })
export const NotificationSubscription = Schema.Struct({ ...shared, notification_type: NotificationType }).annotations({
  identifier: "NotificationSubscription"
})
export const NotificationSubscriptionCreated = Schema.Struct({ ...NotificationSubscription.fields, secret })

export const NewPharmacyWebhook = body({
  url,
  event_types: Schema.NonEmptyArray(PharmacyEventType).annotations({ message: () => "must be a list of event types" })
})
export const PharmacyWebhook = Schema.Struct({
  ...shared,
  event_types: Schema.Array(EventType)
}).annotations({ identifier: "PharmacyWebhook" })
export const PharmacyWebhookCreated = Schema.Struct({ ...PharmacyWebhook.fields, secret })

export const SubscriptionChanges = changes({ active: Flag, url })
export type SubscriptionChanges = typeof SubscriptionChanges.Type

export const RotatedSecret = Schema.Struct({ secret })

/** A subscription as it is stored, its secrets left out. */
export interface Subscription {
  readonly uid: SubscriptionUid
  readonly event_types: ReadonlyArray<EventType>
  readonly url: string
  readonly active: boolean
  readonly created_at: UnixSeconds
}

export const Attempt = Schema.Struct({
  at: UnixSeconds,
  status_code: Schema.NullOr(Schema.Number),
  latency_ms: Schema.Number,
  error: Schema.NullOr(Schema.String)
})
export type Attempt = typeof Attempt.Type

export const Delivery = Schema.Struct({
  uid: DeliveryUid,
  event_id: EventUid,
  event_type: EventType,
  status: Schema.Literal("pending", "delivered", "failed"),
  attempts: Schema.Array(Attempt),
  next_attempt_at: Schema.NullOr(UnixSeconds)
}).annotations({ identifier: "WebhookDelivery" })
export type Delivery = typeof Delivery.Type
