import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { eventTypesOf, notificationTypeOf, type Subscription } from "../../schemas/events/Subscription.ts"
import type { SubscriptionUid } from "../../schemas/ids.ts"
import { Deliveries } from "../../services/events/Deliveries.ts"
import { Subscriptions } from "../../services/events/Subscriptions.ts"
import { Api } from "../Api.ts"
import { currentOrganisation } from "../credentials.ts"

/** Organisations subscribe to one type each, by its `notification_type`. */
const shown = <S extends Subscription>(subscription: S) => ({
  ...subscription,
  notification_type: notificationTypeOf(subscription.event_types)
})

const subscriberOf = ({ subscription_uid }: { readonly subscription_uid: SubscriptionUid }) =>
  Effect.map(currentOrganisation, (owner_uid) => ({ owner_uid, subscription_uid }))

const owner_kind = "organisation"

export const NotificationSubscriptionsHttp = HttpApiBuilder.group(
  Api,
  "management.notification_subscriptions",
  (handlers) =>
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const deliveries = yield* Deliveries
      return handlers
        .handle("list", () =>
          Effect.map(Effect.flatMap(currentOrganisation, subscriptions.list), (rows) => ({ data: rows.map(shown) }))
        )
        .handle("create", ({ payload: { url, notification_type } }) =>
          Effect.flatMap(currentOrganisation, (owner) =>
            subscriptions.create(owner, { owner_kind, event_types: eventTypesOf(notification_type), url })
          ).pipe(Effect.map(shown))
        )
        .handle("update", ({ path, payload }) =>
          Effect.flatMap(subscriberOf(path), (one) => subscriptions.update(one, payload)).pipe(Effect.map(shown))
        )
        .handle("remove", ({ path }) => Effect.flatMap(subscriberOf(path), subscriptions.remove))
        .handle("rotateSecret", ({ path }) => Effect.flatMap(subscriberOf(path), subscriptions.rotateSecret))
        .handle("test", ({ path }) => Effect.flatMap(subscriberOf(path), (one) => deliveries.sendTest(owner_kind, one)))
        .handle("deliveries", ({ path, urlParams }) =>
          Effect.flatMap(subscriberOf(path), (one) => deliveries.list(one, urlParams))
        )
        .handle("replay", ({ path }) =>
          Effect.flatMap(subscriberOf(path), (one) => deliveries.replay(one, path.delivery_uid))
        )
    })
).pipe(Layer.provide([Deliveries.Default, Subscriptions.Default]))
