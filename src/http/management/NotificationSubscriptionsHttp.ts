import { Array, Effect, Layer } from "effect"
import {
  eventTypesOf,
  type NewNotificationSubscription,
  NotificationSubscription,
  notificationTypesOf,
  type Subscription
} from "../../schemas/events/Subscription.ts"
import type { OrganisationUid, SubscriptionUid } from "../../schemas/ids.ts"
import type { ListQuery } from "../../schemas/paging.ts"
import { Deliveries } from "../../services/events/Deliveries.ts"
import { Subscriptions } from "../../services/events/Subscriptions.ts"
import { Conditional } from "../conditional.ts"
import { asKey, currentOrganisation, mayActForPatients } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { byKey, listedRecords } from "../records.ts"

/** Organisations subscribe to types by their `notification_type`. */
const shown = <S extends Subscription>(subscription: S) => ({
  ...subscription,
  ...notificationTypesOf(subscription.event_types)
})

const subscriber = (owner_uid: OrganisationUid, subscription_uid: SubscriptionUid) => ({ owner_uid, subscription_uid })
const subscriberOf = ({ subscription_uid }: { readonly subscription_uid: SubscriptionUid }) =>
  Effect.map(currentOrganisation, (owner) => subscriber(owner, subscription_uid))

const handling = listedRecords(NotificationSubscription)

const owner_kind = "organisation"

export const NotificationSubscriptionsHttp = group("management.notification_subscriptions", (handlers) =>
  Effect.gen(function* () {
    const service = yield* Subscriptions
    const deliveries = yield* Deliveries
    const shownOf = <S extends Subscription, E, R>(self: Effect.Effect<S, E, R>) => Effect.map(self, shown)
    const subscriptions = handling(
      {
        list: (owner: OrganisationUid, query: ListQuery) => Effect.map(service.list(owner, query), Array.map(shown)),
        findForChange: (owner: OrganisationUid, uid: SubscriptionUid) =>
          shownOf(service.findForChange(subscriber(owner, uid)))
      },
      yield* Conditional,
      byKey,
      "subscription_uid"
    )
    return handlers
      .handle("list", subscriptions.list)
      .handle(
        "create",
        subscriptions.create(
          (owner, { url, notification_type, notification_types }: typeof NewNotificationSubscription.Type) => {
            const names = notification_types ?? (notification_type === undefined ? [] : [notification_type])
            return shownOf(service.create(owner, { owner_kind, event_types: names.flatMap(eventTypesOf), url }))
          }
        )
      )
      .handle(
        "get",
        subscriptions.read((...of) => shownOf(service.get(subscriber(...of))))
      )
      .handle(
        "update",
        subscriptions.update(
          (owner, uid, changes) => shownOf(service.update(subscriber(owner, uid), changes)),
          service.examine
        )
      )
      .handle(
        "remove",
        subscriptions.remove((...of) => service.remove(subscriber(...of)))
      )
      .handle("rotateSecret", (request) => Effect.flatMap(subscriberOf(request.path), service.rotateSecret))
      .handle("test", ({ path }) => Effect.flatMap(subscriberOf(path), (one) => deliveries.sendTest(owner_kind, one)))
      .handle("deliveries", ({ path, urlParams }) =>
        Effect.flatMap(subscriberOf(path), (one) => deliveries.list(one, urlParams))
      )
      .handle("delivery", ({ path }) =>
        asKey(({ organisation_uid: owner_uid, permissions }) =>
          deliveries.get({ owner_uid, subscription_uid: path.subscription_uid }, path.delivery_uid, {
            mayRead: () => true,
            showsCredentials: mayActForPatients(permissions)
          })
        )
      )
      .handle("replay", ({ path }) =>
        Effect.flatMap(subscriberOf(path), (one) => deliveries.replay(one, path.delivery_uid))
      )
  })
).pipe(Layer.provide([Deliveries.Default, Subscriptions.Default]))
