import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import type { PharmacyUid, SubscriptionUid } from "../../schemas/ids.ts"
import { Deliveries } from "../../services/events/Deliveries.ts"
import { Subscriptions } from "../../services/events/Subscriptions.ts"
import { Api } from "../Api.ts"
import { scoped } from "./scope.ts"

interface Route {
  readonly path: { readonly subscription_uid: SubscriptionUid }
  readonly urlParams: { readonly pharmacy_uid?: PharmacyUid | undefined }
}

const owner_kind = "pharmacy"

export const PharmacyWebhooksHttp = HttpApiBuilder.group(Api, "pharmacy.webhooks", (handlers) =>
  Effect.gen(function* () {
    const subscriptions = yield* Subscriptions
    const deliveries = yield* Deliveries
    const within = yield* scoped
    const subscriberOf = ({ path, urlParams }: Route) =>
      within(urlParams, ({ pharmacy_uid }) =>
        Effect.succeed({ owner_uid: pharmacy_uid, subscription_uid: path.subscription_uid })
      )
    return handlers
      .handle("list", ({ urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => Effect.map(subscriptions.list(pharmacy_uid), (data) => ({ data })))
      )
      .handle("create", ({ urlParams, payload: { url, event_types } }) =>
        within(urlParams, ({ pharmacy_uid }) => subscriptions.create(pharmacy_uid, { owner_kind, event_types, url }))
      )
      .handle("get", (request) => Effect.flatMap(subscriberOf(request), subscriptions.get))
      .handle("update", (request) =>
        Effect.flatMap(subscriberOf(request), (one) => subscriptions.update(one, request.payload))
      )
      .handle("remove", (request) => Effect.flatMap(subscriberOf(request), subscriptions.remove))
      .handle("rotateSecret", (request) => Effect.flatMap(subscriberOf(request), subscriptions.rotateSecret))
      .handle("test", (request) => Effect.flatMap(subscriberOf(request), (one) => deliveries.sendTest(owner_kind, one)))
      .handle("deliveries", (request) =>
        Effect.flatMap(subscriberOf(request), (one) => deliveries.list(one, request.urlParams))
      )
      .handle("replay", (request) =>
        Effect.flatMap(subscriberOf(request), (one) => deliveries.replay(one, request.path.delivery_uid))
      )
  })
).pipe(Layer.provide([Deliveries.Default, Subscriptions.Default]))
