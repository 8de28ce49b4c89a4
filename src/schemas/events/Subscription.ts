/** Webhook subscriptions: of organisations by `notification_type`, of pharmacies by `event_types`. */
import { Schema } from "effect"
import {
  body,
  Count,
  changes,
  described,
  Flag,
  listOf,
  memberOf,
  Opaque,
  omittable,
  oneOf,
  optional,
  UnixSeconds,
  withExample
} from "../fields.ts"
import { withForms } from "../forms.ts"
import { DeliveryUid, EventUid, SubscriptionUid } from "../ids.ts"
import { keys, pageQuery, updatedAfter } from "../paging.ts"
import { eitherOf, withRules } from "../rules.ts"
import { Event, type EventDefinition, type EventType, eventDefinitions, StoredEventType } from "./catalogue.ts"

/** The notification types that an organisation can subscribe to: those in the catalogue. */
type NotificationName =
  Extract<EventDefinition, { readonly notification_type?: string }> extends infer One
    ? One extends { readonly notification_type?: infer Name extends string }
      ? Name
      : never
    : never
export const notificationTypes = (): ReadonlyArray<NotificationName> =>
  eventDefinitions().flatMap(({ notification_type }) => notification_type ?? [])
export const NotificationType = memberOf(notificationTypes)
export type NotificationType = typeof NotificationType.Type

export const eventTypesOf = (name: NotificationType): ReadonlyArray<EventType> =>
  eventDefinitions().flatMap(({ notification_type, type }) => (notification_type === name ? [type] : []))

/** The notification types of a subscription; the first one is also a field of its own. */
export const notificationTypesOf = (types: ReadonlyArray<EventType>) => {
  const names = notificationTypes().filter((name) => eventTypesOf(name).some((type) => types.includes(type)))
  return { notification_type: names[0] ?? "APPOINTMENT_REMINDER_DUE", notification_types: names }
}

/** The event types that a pharmacy can subscribe to. */
export const pharmacyEventTypes = (): ReadonlyArray<EventType> =>
  eventDefinitions().flatMap(({ owners, type }) => (owners.some((kind) => kind === "pharmacy") ? [type] : []))
export const PharmacyEventType = memberOf(pharmacyEventTypes)

/** More than there are types of events: a list of types has no repetition that would matter. */
const TYPES_MAX = 50

/** The delivery guarantees, for the interface's description. */
export const deliveryPromise =
  "Deliveries follow Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A 2xx within 15 seconds counts; otherwise it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, later where `retry-after` says so. Redirects are not followed. 410 disables the subscription."

const url = described(Opaque(2048), "http or https; not into a private network")
const secret = described(Schema.String, "`whsec_…`; signs deliveries (Standard Webhooks)")
const shared = {
  uid: SubscriptionUid,
  url: described(Schema.String, "http or https address that deliveries are sent to"),
  active: described(Schema.Boolean, "Whether deliveries are sent"),
  created_at: UnixSeconds,
  updated_at: UnixSeconds
}

const newNotificationSubscription = withRules(
  withExample(
    body({
      notification_type: optional(
        described(NotificationType, "Events that are sent; either this or notification_types")
      ),
      notification_types: optional(
        listOf(NotificationType, {
          min: 1,
          max: TYPES_MAX,
          description: "Several kinds of events; instead of notification_type"
        })
      ),
      url
    }),
    { notification_type: "REBOOKED", url: "https://partner.example/webhooks" }
  ),
  [eitherOf("notification_type", "notification_types")]
)
export const NewNotificationSubscription = withForms(newNotificationSubscription, [
  {
    name: "NewSubscriptionToOne",
    description: "One kind of events",
    required: ["notification_type"],
    without: ["notification_types"]
  },
  {
    name: "NewSubscriptionToSeveral",
    description: "Several kinds of events",
    required: ["notification_types"],
    without: ["notification_type"]
  }
])
export const NotificationSubscription = Schema.Struct({
  ...shared,
  notification_type: described(NotificationType, "The first kind of events that are sent"),
  notification_types: described(Schema.Array(NotificationType), "Every kind of events that are sent")
}).annotations({
  identifier: "NotificationSubscription"
})
export const NotificationSubscriptionCreated = Schema.Struct({ ...NotificationSubscription.fields, secret })

export const NewPharmacyWebhook = withExample(
  body({
    url,
    event_types: listOf(PharmacyEventType, {
      min: 1,
      max: TYPES_MAX,
      description: "Types of the events that are sent"
    })
  }),
  { url: "https://partner.example/webhooks", event_types: ["pharmacy_order.created"] }
)
/** A subscription of either kind of owner, without its secrets. */
export const Subscription = Schema.Struct({
  ...shared,
  event_types: described(Schema.Array(StoredEventType), "Types of the events that are sent")
})
export type Subscription = typeof Subscription.Type
export const PharmacyWebhook = Subscription.annotations({ identifier: "PharmacyWebhook" })
export const PharmacyWebhookCreated = Schema.Struct({ ...Subscription.fields, secret })

export const SubscriptionChanges = withExample(
  changes({
    active: described(Flag, "Whether deliveries are sent"),
    url
  }),
  { active: true }
)
export type SubscriptionChanges = typeof SubscriptionChanges.Type

export const RotatedSecret = Schema.Struct({ secret })

export const Attempt = Schema.Struct({
  at: UnixSeconds,
  status_code: described(Schema.NullOr(Count), "HTTP status of the answer; null without one"),
  latency_ms: described(Count, "Milliseconds until the answer"),
  error: described(Schema.NullOr(Schema.String), "What went wrong; null on success")
})
export type Attempt = typeof Attempt.Type

const DeliveryStatus = described(oneOf("pending", "delivered", "failed"), "Whether the receiver has accepted it")

/** The query of a list of deliveries. */
export const deliveryQuery = {
  ...pageQuery(200, Schema.Tuple(keys.time, keys.text)),
  ...updatedAfter,
  status: omittable(DeliveryStatus.annotations({ description: "Only deliveries in this status" }))
}
const DeliveryQuery = Schema.Struct(deliveryQuery)
export type DeliveryQuery = typeof DeliveryQuery.Type

export const Delivery = Schema.Struct({
  uid: DeliveryUid,
  event_id: EventUid,
  event_type: described(StoredEventType, "The event's type"),
  status: DeliveryStatus,
  attempts: described(Schema.Array(Attempt), "Every attempt, the first one first; of more than 100 the latest"),
  created_at: described(UnixSeconds, "When the event was written, Unix seconds"),
  updated_at: UnixSeconds,
  next_attempt_at: described(Schema.NullOr(UnixSeconds), "Unix seconds; null when none is planned")
}).annotations({ identifier: "WebhookDelivery" })
export type Delivery = typeof Delivery.Type

export const DeliveryWithPayload = Schema.Struct({
  ...Delivery.fields,
  payload: Schema.NullOr(Event).annotations({
    description:
      "The event as it is sent; null once it is no longer kept, and for a key that may not read what it is about"
  })
}).annotations({ identifier: "WebhookDeliveryWithPayload" })
export type DeliveryWithPayload = typeof DeliveryWithPayload.Type
