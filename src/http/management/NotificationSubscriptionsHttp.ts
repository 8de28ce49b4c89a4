import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { notificationTypeOf, notificationTypes, type Subscription } from "../../schemas/events/Subscription.ts"
import { Deliveries } from "../../services/events/Deliveries.ts"
import { Subscriptions } from "../../services/events/Subscriptions.ts"
import { Api } from "../Api.ts"
import { CurrentOrganisationKey } from "../credentials.ts"

const owner = Effect.map(CurrentOrganisationKey, ({ organisation_uid }) => organisation_uid)

/** An organisation subscribes to one type each, under the name that the interface has for it. */
const shown = <S extends Subscription>(subscription: S) => ({
  ...subscription,
  notification_type: notificationTypeOf(subscription.event_types[0]) ?? "APPOINTMENT_REMINDER_DUE"
})

export const NotificationSubscriptionsHttp = HttpApiBuilder.group(
  Api,
  "management.notification_subscriptions",
  (handlers) =>
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const deliveries = yield* Deliveries
      const create = (organisation_uid: string, url: string, type: keyof typeof notificationTypes) =>
        subscriptions.create(organisation_uid, {
          owner_kind: "organisation",
          event_types: [notificationTypes[type]],
          url
        })
      return handlers
        .handle("list", () =>
          Effect.map(Effect.flatMap(owner, subscriptions.list), (rows) => ({ data: rows.map(shown) }))
        )
        .handle("create", ({ payload }) =>
          Effect.flatMap(owner, (uid) => create(uid, payload.url, payload.notification_type)).pipe(Effect.map(shown))
        )
        .handle("update", ({ path, payload }) =>
          Effect.flatMap(owner, (uid) => subscriptions.update(uid, path.subscription_uid, payload)).pipe(
            Effect.map(shown)
          )
        )
        .handle("remove", ({ path }) =>
          Effect.flatMap(owner, (uid) => subscriptions.remove(uid, path.subscription_uid))
        )
        .handle("rotateSecret", ({ path }) =>
          Effect.flatMap(owner, (uid) => subscriptions.rotateSecret(uid, path.subscription_uid))
        )
        .handle("test", ({ path }) =>
          Effect.flatMap(owner, (uid) => deliveries.sendTest(uid, "organisation", path.subscription_uid))
        )
        .handle("deliveries", ({ path, urlParams }) =>
          Effect.flatMap(owner, (uid) => deliveries.list(uid, path.subscription_uid, urlParams))
        )
        .handle("replay", ({ path }) =>
          Effect.flatMap(owner, (uid) => deliveries.replay(uid, path.subscription_uid, path.delivery_uid))
        )
    })
).pipe(Layer.provide([Deliveries.Default, Subscriptions.Default]))
