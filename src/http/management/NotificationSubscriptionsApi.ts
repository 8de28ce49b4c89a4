/** Contract: an organisation's webhooks (Rules 6.3 and 6.4). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import {
  DeliveryNotFound,
  SubscriptionInactive,
  SubscriptionNotFound,
  TooManySubscriptions
} from "../../schemas/events/errors.ts"
import {
  Delivery,
  DeliveryWithPayload,
  deliveryPromise,
  deliveryQuery,
  NewNotificationSubscription,
  NotificationSubscription,
  NotificationSubscriptionCreated,
  RotatedSecret,
  SubscriptionChanges
} from "../../schemas/events/Subscription.ts"
import { query } from "../../schemas/fields.ts"
import { DeliveryUid, SubscriptionUid } from "../../schemas/ids.ts"
import { Listed, ListQuery, Paged } from "../../schemas/paging.ts"
import { Invalid, TooManyRequests } from "../../schemas/problems.ts"
import { Noun, Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { OrganisationKey } from "../credentials/credentials.ts"
import { GroupPermissions } from "../credentials/requiredPermissions.ts"
import { UsesKey } from "../idempotent.ts"
import { problem } from "../problems.ts"
import { recordEndpoints } from "../recordEndpoints.ts"

const path = Schema.Struct({ subscription_uid: SubscriptionUid })
const subscriptions = recordEndpoints("/:subscription_uid", path, NotificationSubscription, SubscriptionNotFound)
const deliveryPath = Schema.Struct({ subscription_uid: SubscriptionUid, delivery_uid: DeliveryUid })

export class NotificationSubscriptionsApi extends apiGroup(
  "management.notification_subscriptions",
  subscriptions
    .list("list", "List webhook subscriptions", ListQuery, Listed(NotificationSubscription))
    .annotate(Recorded, "settings and stock, no patients and no secrets"),
  HttpApiEndpoint.post("create", "/")
    .setPayload(NewNotificationSubscription)
    .addSuccess(NotificationSubscriptionCreated, { status: 201 })
    .addError(problem(Invalid, TooManySubscriptions))
    .annotate(OpenApi.Summary, "Subscribe to a type of event; only this response shows the secret")
    .annotate(OpenApi.Description, deliveryPromise),
  subscriptions.read("get", "Read a subscription").annotate(Recorded, "settings and stock, no patients and no secrets"),
  subscriptions
    .update("update", "Move, pause or re-enable a subscription", SubscriptionChanges)
    .annotate(
      OpenApi.Description,
      "Pausing it fails its pending deliveries; events that are published in the meantime are not sent to it."
    ),
  subscriptions.remove("remove", "Remove a subscription"),
  HttpApiEndpoint.post("rotateSecret", "/:subscription_uid/rotate-secret")
    .setPath(path)
    .annotate(UsesKey, "transaction")
    .addSuccess(RotatedSecret)
    .annotate(OpenApi.Identifier, "rotateNotificationSubscriptionSecret")
    .annotate(OpenApi.Summary, "Replace the signing secret; both sign for 24 hours"),
  HttpApiEndpoint.post("test", "/:subscription_uid/test")
    .setPath(path)
    .addSuccess(Delivery, { status: 202 })
    .addError(problem(SubscriptionInactive, TooManyRequests))
    .annotate(OpenApi.Identifier, "testNotificationSubscription")
    .annotate(OpenApi.Summary, "Send an example event")
    .annotate(OpenApi.Description, "At most once a minute; an owner's subscriptions together at most 20 times."),
  HttpApiEndpoint.get("deliveries", "/:subscription_uid/deliveries")
    .setPath(path)
    .setUrlParams(query(deliveryQuery))
    .addSuccess(Paged(Delivery))
    .addError(problem(Invalid))
    .annotate(OpenApi.Identifier, "listNotificationDeliveries")
    .annotate(Recorded, "attempts alone, no events")
    .annotate(OpenApi.Summary, "List deliveries and their attempts, newest first"),
  HttpApiEndpoint.get("delivery", "/:subscription_uid/deliveries/:delivery_uid")
    .setPath(deliveryPath)
    .addSuccess(DeliveryWithPayload)
    .addError(problem(DeliveryNotFound))
    .annotate(OpenApi.Identifier, "getNotificationDelivery")
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "Read a delivery with its payload")
    .annotate(
      OpenApi.Description,
      "As in the feed, `action_links` are null for a key with neither `scheduling:write` nor `scheduling:admin`."
    ),
  HttpApiEndpoint.post("replay", "/:subscription_uid/deliveries/:delivery_uid/replay")
    .setPath(deliveryPath)
    .addSuccess(Delivery, { status: 202 })
    .addError(problem(DeliveryNotFound, SubscriptionInactive))
    .annotate(OpenApi.Identifier, "replayNotificationDelivery")
    .annotate(OpenApi.Summary, "Send a delivery again, under the same webhook-id")
)
  .addError(problem(SubscriptionNotFound))
  .middleware(OrganisationKey)
  .prefix("/v1/management/notification-subscriptions")
  .annotate(GroupPermissions, { read: ["scheduling:read"], change: ["scheduling:admin"] })
  .annotate(Noun, "NotificationSubscription")
  .annotate(OpenApi.Title, "Management: webhooks")
  .annotate(OpenApi.Description, "Subscriptions to events, their deliveries, replay and test") {}
