import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Deliveries } from "../../services/events/Deliveries.ts"
import { Subscriptions } from "../../services/events/Subscriptions.ts"
import { Api } from "../Api.ts"
import { scoped } from "./scope.ts"

export const PharmacyWebhooksHttp = HttpApiBuilder.group(Api, "pharmacy.webhooks", (handlers) =>
  Effect.gen(function* () {
    const subscriptions = yield* Subscriptions
    const deliveries = yield* Deliveries
    const within = yield* scoped
    return handlers
      .handle("list", ({ urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => Effect.map(subscriptions.list(pharmacy_uid), (data) => ({ data })))
      )
      .handle("create", ({ urlParams, payload: { url, event_types } }) =>
        within(urlParams, ({ pharmacy_uid }) =>
          subscriptions.create(pharmacy_uid, { owner_kind: "pharmacy", event_types, url })
        )
      )
      .handle("update", ({ path, urlParams, payload }) =>
        within(urlParams, ({ pharmacy_uid }) => subscriptions.update(pharmacy_uid, path.subscription_uid, payload))
      )
      .handle("remove", ({ path, urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => subscriptions.remove(pharmacy_uid, path.subscription_uid))
      )
      .handle("rotateSecret", ({ path, urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => subscriptions.rotateSecret(pharmacy_uid, path.subscription_uid))
      )
      .handle("test", ({ path, urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => deliveries.sendTest(pharmacy_uid, "pharmacy", path.subscription_uid))
      )
      .handle("deliveries", ({ path, urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) => deliveries.list(pharmacy_uid, path.subscription_uid, urlParams))
      )
      .handle("replay", ({ path, urlParams }) =>
        within(urlParams, ({ pharmacy_uid }) =>
          deliveries.replay(pharmacy_uid, path.subscription_uid, path.delivery_uid)
        )
      )
  })
).pipe(Layer.provide([Deliveries.Default, Subscriptions.Default]))
