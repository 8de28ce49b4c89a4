/** Contract: a pharmacy's webhooks (Rule 6.3). */
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { EventFeed, eventFeedQuery } from "../../schemas/events/EventFeed.ts"
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
  NewPharmacyWebhook,
  PharmacyWebhook,
  PharmacyWebhookCreated,
  RotatedSecret,
  SubscriptionChanges
} from "../../schemas/events/Subscription.ts"
import { query } from "../../schemas/fields.ts"
import { DeliveryUid, SubscriptionUid } from "../../schemas/ids.ts"
import { Listed, Paged, updatedAfter } from "../../schemas/paging.ts"
import { PharmacyNotFound } from "../../schemas/pharmacy/errors.ts"
import { Invalid, TooManyRequests } from "../../schemas/problems.ts"
import { Noun, Recorded } from "../annotations.ts"
import { apiGroup } from "../apiGroup.ts"
import { PharmacyKey } from "../credentials/credentials.ts"
import { GroupPermissions } from "../credentials/requiredPermissions.ts"
import { problem } from "../problems.ts"
import { recordEndpoints } from "../recordEndpoints.ts"
import { pharmacyScope } from "./scope.ts"

const path = Schema.Struct({ subscription_uid: SubscriptionUid })
const webhooks = recordEndpoints("/webhooks/:subscription_uid", path, PharmacyWebhook, SubscriptionNotFound)
const deliveryPath = Schema.Struct({ subscription_uid: SubscriptionUid, delivery_uid: DeliveryUid })
const scope = query(pharmacyScope)

export class PharmacyWebhooksApi extends apiGroup(
  "pharmacy.webhooks",
  HttpApiEndpoint.get("list", "/webhooks/")
    .setUrlParams(query({ ...pharmacyScope, ...updatedAfter }))
    .addSuccess(Listed(PharmacyWebhook))
    .annotate(Recorded, "settings and stock, no patients and no secrets")
    .annotate(OpenApi.Summary, "List webhook subscriptions"),
  HttpApiEndpoint.get("feed", "/events")
    .setUrlParams(query({ ...pharmacyScope, ...eventFeedQuery }))
    .addSuccess(EventFeed)
    .annotate(OpenApi.Identifier, "listPharmacyEvents")
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "Read the pharmacy's events in order")
    .annotate(
      OpenApi.Description,
      "The same as webhooks deliver, kept for 30 days. Keys with `orders_read` see events about orders and prescriptions, " +
        "keys with `stock_read` events about SKUs."
    ),
  HttpApiEndpoint.post("create", "/webhooks/")
    .setUrlParams(scope)
    .setPayload(NewPharmacyWebhook)
    .addSuccess(PharmacyWebhookCreated, { status: 201 })
    .addError(problem(TooManySubscriptions))
    .annotate(OpenApi.Summary, "Register a webhook; only this response shows the secret")
    .annotate(OpenApi.Description, deliveryPromise),
  webhooks
    .read("get", "Read a webhook subscription")
    .setUrlParams(scope)
    .annotate(Recorded, "settings and stock, no patients and no secrets"),
  webhooks
    .update("update", "Move, pause or re-enable a webhook", SubscriptionChanges)
    .setUrlParams(scope)
    .annotate(
      OpenApi.Description,
      "Pausing it fails its pending deliveries; events that are published in the meantime are not sent to it."
    ),
  webhooks.remove("remove", "Remove a webhook").setUrlParams(scope),
  HttpApiEndpoint.post("rotateSecret", "/webhooks/:subscription_uid/rotate-secret")
    .setPath(path)
    .setUrlParams(scope)
    .addSuccess(RotatedSecret)
    .addError(problem(SubscriptionNotFound))
    .annotate(OpenApi.Identifier, "rotatePharmacyWebhookSecret")
    .annotate(OpenApi.Summary, "Replace the signing secret; both sign for 24 hours"),
  HttpApiEndpoint.post("test", "/webhooks/:subscription_uid/test")
    .setPath(path)
    .setUrlParams(scope)
    .addSuccess(Delivery, { status: 202 })
    .addError(problem(SubscriptionNotFound, SubscriptionInactive, TooManyRequests))
    .annotate(OpenApi.Identifier, "testPharmacyWebhook")
    .annotate(OpenApi.Summary, "Send an example event")
    .annotate(OpenApi.Description, "At most once a minute; an owner's subscriptions together at most 20 times."),
  HttpApiEndpoint.get("deliveries", "/webhooks/:subscription_uid/deliveries")
    .setPath(path)
    .setUrlParams(query({ ...pharmacyScope, ...deliveryQuery }))
    .addSuccess(Paged(Delivery))
    .addError(problem(SubscriptionNotFound))
    .annotate(OpenApi.Identifier, "listPharmacyDeliveries")
    .annotate(Recorded, "attempts alone, no events")
    .annotate(OpenApi.Summary, "List deliveries and their attempts, newest first"),
  HttpApiEndpoint.get("delivery", "/webhooks/:subscription_uid/deliveries/:delivery_uid")
    .setPath(deliveryPath)
    .setUrlParams(scope)
    .addSuccess(DeliveryWithPayload)
    .addError(problem(SubscriptionNotFound, DeliveryNotFound))
    .annotate(OpenApi.Identifier, "getPharmacyDelivery")
    .annotate(Recorded, true)
    .annotate(OpenApi.Summary, "Read a delivery with its payload")
    .annotate(
      OpenApi.Description,
      "The payload of events about orders and prescriptions needs `orders_read` as well, of those about SKUs `stock_read`; " +
        "otherwise it is null."
    ),
  HttpApiEndpoint.post("replay", "/webhooks/:subscription_uid/deliveries/:delivery_uid/replay")
    .setPath(deliveryPath)
    .setUrlParams(scope)
    .addSuccess(Delivery, { status: 202 })
    .addError(problem(SubscriptionNotFound, DeliveryNotFound, SubscriptionInactive))
    .annotate(OpenApi.Identifier, "replayPharmacyDelivery")
    .annotate(OpenApi.Summary, "Send a delivery again, under the same webhook-id")
)
  .addError(problem(Invalid, PharmacyNotFound))
  .middleware(PharmacyKey)
  .prefix("/v1/external_pharmacy_api")
  .annotate(GroupPermissions, { read: ["webhooks_read"], change: ["webhooks_write"] })
  .annotate(Noun, "PharmacyWebhook")
  .annotate(OpenApi.Title, "Pharmacy: webhooks")
  .annotate(OpenApi.Description, "Subscriptions of a pharmacy to its events, their deliveries, replay and test") {}
