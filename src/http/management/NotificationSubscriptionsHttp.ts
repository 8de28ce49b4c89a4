import { Effect, Layer } from "effect"
import {
  eventTypesOf,
  NotificationSubscription,
  NotificationSubscriptionCreated,
  notificationTypesOf,
  RotatedSecret,
  type Subscription
} from "../../schemas/events/Subscription.ts"
import type { OrganisationUid, SubscriptionUid } from "../../schemas/ids.ts"
import { Listed, ListQuery } from "../../schemas/paging.ts"
import { Deliveries } from "../../services/events/Deliveries.ts"
import type { Subscriber } from "../../services/events/DeliveriesRepo.ts"
import { Subscriptions } from "../../services/events/Subscriptions.ts"
import { Idempotency } from "../../services/Idempotency.ts"
import { Conditional, listTags, recordTags } from "../conditional.ts"
import { CurrentOrganisationKey, currentOrganisation } from "../credentials/credentials.ts"
import { group } from "../group.ts"
import { holders, idempotent, idempotentRemote } from "../idempotent.ts"
import { mayActForPatients } from "./EventsHttp.ts"

/** Organisations subscribe to types by their `notification_type`. */
const shown = <S extends Subscription>(subscription: S) => ({
  ...subscription,
  ...notificationTypesOf(subscription.event_types)
})

const subscriberOf = ({ subscription_uid }: { readonly subscription_uid: SubscriptionUid }) =>
  Effect.map(currentOrganisation, (owner_uid) => ({ owner_uid, subscription_uid }))

const single = recordTags(NotificationSubscription)
const listed = listTags(Listed(NotificationSubscription), ListQuery)

const owner_kind = "organisation"

export const NotificationSubscriptionsHttp = group("management.notification_subscriptions", (handlers) =>
  Effect.gen(function* () {
    const subscriptions = yield* Subscriptions
    const deliveries = yield* Deliveries
    const { changeIfMatch } = yield* Conditional
    const listOf = (owner: OrganisationUid, query: ListQuery) =>
      Effect.map(subscriptions.list(owner, query), (rows) => ({ data: rows.map(shown) }))
    const currentTags = (one: Subscriber) => ({
      record: Effect.map(subscriptions.findForChange(one), (row) => single.tagOf(shown(row))),
      isListed: listed.isCurrent((query) => Effect.flatMap(currentOrganisation, (owner) => listOf(owner, query)))
    })
    return handlers
      .handle("list", ({ urlParams }) =>
        listed.tagged(
          Effect.flatMap(currentOrganisation, (owner) => listOf(owner, urlParams)),
          urlParams
        )
      )
      .handle("create", (request) => {
        const { url, notification_type, notification_types } = request.payload
        const names = notification_types ?? (notification_type === undefined ? [] : [notification_type])
        return idempotentRemote(
          request,
          { name: "subscriptions", answer: NotificationSubscriptionCreated, by: holders.key },
          Effect.flatMap(currentOrganisation, (owner) =>
            subscriptions.create(owner, { owner_kind, event_types: names.flatMap(eventTypesOf), url })
          ).pipe(Effect.map(shown))
        ).pipe(single.tagged)
      })
      .handle("get", ({ path }) =>
        Effect.flatMap(subscriberOf(path), (one) => Effect.map(subscriptions.get(one), shown)).pipe(single.tagged)
      )
      .handle("update", ({ path, payload, headers }) =>
        subscriptions.examine(payload).pipe(
          Effect.zipRight(subscriberOf(path)),
          Effect.flatMap((one) =>
            changeIfMatch(headers, currentTags(one), Effect.map(subscriptions.update(one, payload), shown))
          ),
          single.tagged
        )
      )
      .handle("remove", ({ path, headers }) =>
        Effect.flatMap(subscriberOf(path), (one) => changeIfMatch(headers, currentTags(one), subscriptions.remove(one)))
      )
      .handle("rotateSecret", (request) =>
        idempotent(
          request,
          { name: "subscription secrets", answer: RotatedSecret, by: holders.key },
          Effect.flatMap(subscriberOf(request.path), subscriptions.rotateSecret)
        )
      )
      .handle("test", ({ path }) => Effect.flatMap(subscriberOf(path), (one) => deliveries.sendTest(owner_kind, one)))
      .handle("deliveries", ({ path, urlParams }) =>
        Effect.flatMap(subscriberOf(path), (one) => deliveries.list(one, urlParams))
      )
      .handle("delivery", ({ path }) =>
        Effect.flatMap(CurrentOrganisationKey, ({ organisation_uid: owner_uid, permissions }) =>
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
).pipe(Layer.provide([Idempotency.Default, Conditional.Default, Deliveries.Default, Subscriptions.Default]))
