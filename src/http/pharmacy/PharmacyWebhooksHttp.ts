import { Effect, Layer } from "effect"
import type { Permission } from "../../schemas/access/permissions.ts"
import type { EventType } from "../../schemas/events/catalogue.ts"
import { type NewPharmacyWebhook, pharmacyEventTypes, Subscription } from "../../schemas/events/Subscription.ts"
import type { PharmacyUid, SubscriptionUid } from "../../schemas/ids.ts"
import type { ListQuery } from "../../schemas/paging.ts"
import { Deliveries } from "../../services/events/Deliveries.ts"
import { EventLog } from "../../services/events/EventLog.ts"
import { Subscriptions } from "../../services/events/Subscriptions.ts"
import { Conditional } from "../conditional.ts"
import { CurrentPharmacyKey } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { listedRecords } from "../records.ts"
import { scoped } from "./scope.ts"

interface Route {
  readonly path: { readonly subscription_uid: SubscriptionUid }
  readonly urlParams: { readonly pharmacy_uid?: PharmacyUid | undefined }
}

const handling = listedRecords(Subscription)

const subscriber = (owner_uid: PharmacyUid, subscription_uid: SubscriptionUid) => ({ owner_uid, subscription_uid })

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
    const service = yield* Subscriptions
    const deliveries = yield* Deliveries
    const events = yield* EventLog
    const within = yield* scoped
    const ofPharmacy = ({ urlParams }: Pick<Route, "urlParams">) =>
      within(urlParams, ({ pharmacy_uid }) => Effect.succeed<[PharmacyUid]>([pharmacy_uid]))
    const webhooks = handling(
      {
        list: (owner: PharmacyUid, query: ListQuery) => service.list(owner, query),
        findForChange: (owner: PharmacyUid, uid: SubscriptionUid) => service.findForChange(subscriber(owner, uid))
      },
      yield* Conditional,
      ofPharmacy,
      "subscription_uid"
    )
    const subscriberOf = ({ path: { subscription_uid }, urlParams }: Route) =>
      Effect.map(ofPharmacy({ urlParams }), ([owner]) => subscriber(owner, subscription_uid))
    return handlers
      .handle("list", webhooks.list)
      .handle("feed", ({ urlParams: { pharmacy_uid: named, ...asked } }) =>
        within({ pharmacy_uid: named }, ({ pharmacy_uid }) =>
          Effect.flatMap(CurrentPharmacyKey, ({ permissions }) => {
            const types = pharmacyEventTypes().filter(isReadableWith(permissions))
            // without a filter a page is read by the index alone
            return events.feed(
              pharmacy_uid,
              asked,
              true,
              types.length === pharmacyEventTypes().length ? undefined : types
            )
          })
        )
      )
      .handle(
        "create",
        webhooks.create((owner, { url, event_types }: typeof NewPharmacyWebhook.Type) =>
          service.create(owner, { owner_kind, event_types, url })
        )
      )
      .handle(
        "get",
        webhooks.read((...of) => service.get(subscriber(...of)))
      )
      .handle(
        "update",
        webhooks.update((owner, uid, changes) => service.update(subscriber(owner, uid), changes), service.examine)
      )
      .handle(
        "remove",
        webhooks.remove((...of) => service.remove(subscriber(...of)))
      )
      .handle("rotateSecret", (request) => Effect.flatMap(subscriberOf(request), (one) => service.rotateSecret(one)))
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
).pipe(Layer.provide([Deliveries.Default, Subscriptions.Default]))
