import { Effect, Layer } from "effect"
import type { Permission } from "../../schemas/access/permissions.ts"
import type { EventType } from "../../schemas/events/catalogue.ts"
import type { OwnerUid } from "../../schemas/events/definition.ts"
import {
  PharmacyWebhookCreated,
  pharmacyEventTypes,
  RotatedSecret,
  Subscription
} from "../../schemas/events/Subscription.ts"
import type { PharmacyUid, SubscriptionUid } from "../../schemas/ids.ts"
import { Listed, ListQuery } from "../../schemas/paging.ts"
import { Deliveries } from "../../services/events/Deliveries.ts"
import type { Subscriber } from "../../services/events/DeliveriesRepo.ts"
import { EventLog } from "../../services/events/EventLog.ts"
import { Subscriptions } from "../../services/events/Subscriptions.ts"
import { Idempotency } from "../../services/Idempotency.ts"
import { Conditional, listTags, recordTags } from "../conditional.ts"
import { CurrentPharmacyKey } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { holders, idempotent, idempotentRemote } from "../idempotent.ts"
import { inData } from "../inData.ts"
import { scoped } from "./scope.ts"

interface Route {
  readonly path: { readonly subscription_uid: SubscriptionUid }
  readonly urlParams: { readonly pharmacy_uid?: PharmacyUid | undefined }
}

const single = recordTags(Subscription)
const listed = listTags(Listed(Subscription), ListQuery)

const owner_kind = "pharmacy"

/** The permissions with which the API would show the subject of an event. */
const readsOf = (type: EventType): ReadonlyArray<Permission> => {
  if (type === "subscription.failing") return []
  return [type === "pharmacy_sku.updated" ? "stock_read" : "orders_read"]
}

const isReadableWith = (permissions: ReadonlyArray<Permission>) => (type: EventType) =>
  readsOf(type).every((needed) => permissions.includes(needed))

export const PharmacyWebhooksHttp = group("pharmacy.webhooks", (handlers) =>
  Effect.gen(function* () {
    const subscriptions = yield* Subscriptions
    const deliveries = yield* Deliveries
    const events = yield* EventLog
    const within = yield* scoped
    const { changeIfMatch } = yield* Conditional
    const listOf = (owner: OwnerUid, query: ListQuery) => inData(subscriptions.list(owner, query))
    const currentTags = (one: Subscriber) => ({
      record: Effect.map(subscriptions.findForChange(one), single.tagOf),
      isListed: listed.isCurrent((query) => listOf(one.owner_uid, query))
    })
    const subscriberOf = ({ path, urlParams }: Route) =>
      within(urlParams, ({ pharmacy_uid }) =>
        Effect.succeed({ owner_uid: pharmacy_uid, subscription_uid: path.subscription_uid })
      )
    return handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(
          within(urlParams, ({ pharmacy_uid }) => listOf(pharmacy_uid, urlParams)),
          urlParams
        )
      )
      .handle("feed", ({ urlParams: { pharmacy_uid: named, ...asked } }) =>
        within({ pharmacy_uid: named }, ({ pharmacy_uid }) =>
          Effect.flatMap(CurrentPharmacyKey, ({ permissions }) => {
            const types = pharmacyEventTypes.filter(isReadableWith(permissions))
            // without a filter a page is read by the index alone
            return events.feed(
              pharmacy_uid,
              asked,
              true,
              types.length === pharmacyEventTypes.length ? undefined : types
            )
          })
        )
      )
      .handle("create", (request) => {
        const { url, event_types } = request.payload
        return within(request.urlParams, ({ pharmacy_uid }) =>
          idempotentRemote(
            request,
            { name: "webhooks", answer: PharmacyWebhookCreated, by: holders.pharmacy(pharmacy_uid) },
            subscriptions.create(pharmacy_uid, { owner_kind, event_types, url })
          ).pipe(single.tagged)
        )
      })
      .handle("get", (request) => single.tagged(Effect.flatMap(subscriberOf(request), subscriptions.get)))
      .handle("update", (request) =>
        Effect.tap(subscriberOf(request), subscriptions.examine(request.payload)).pipe(
          Effect.flatMap((one) =>
            changeIfMatch(request.headers, currentTags(one), subscriptions.update(one, request.payload))
          ),
          single.tagged
        )
      )
      .handle("remove", (request) =>
        Effect.flatMap(subscriberOf(request), (one) =>
          changeIfMatch(request.headers, currentTags(one), subscriptions.remove(one))
        )
      )
      .handle("rotateSecret", (request) =>
        Effect.flatMap(subscriberOf(request), (one) =>
          idempotent(
            request,
            { name: "webhook secrets", answer: RotatedSecret, by: holders.pharmacy(one.owner_uid) },
            subscriptions.rotateSecret(one)
          )
        )
      )
      .handle("test", (request) => Effect.flatMap(subscriberOf(request), (one) => deliveries.sendTest(owner_kind, one)))
      .handle("deliveries", (request) =>
        Effect.flatMap(subscriberOf(request), (one) => deliveries.list(one, request.urlParams))
      )
      .handle("delivery", (request) =>
        Effect.flatMap(Effect.zip(subscriberOf(request), CurrentPharmacyKey), ([one, { permissions }]) =>
          deliveries.get(one, request.path.delivery_uid, {
            mayRead: isReadableWith(permissions),
            showsCredentials: true
          })
        )
      )
      .handle("replay", (request) =>
        Effect.flatMap(subscriberOf(request), (one) => deliveries.replay(one, request.path.delivery_uid))
      )
  })
).pipe(
  Layer.provide([Idempotency.Default, Conditional.Default, Deliveries.Default, EventLog.Default, Subscriptions.Default])
)
