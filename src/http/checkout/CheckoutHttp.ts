import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Checkouts } from "../../services/checkout/Checkouts.ts"
import { PrescriptionOrders } from "../../services/checkout/PrescriptionOrders.ts"
import { Reservations } from "../../services/checkout/Reservations.ts"
import { Treatments } from "../../services/checkout/Treatments.ts"
import { Api } from "../Api.ts"
import { CurrentOrganisationKey } from "../credentials.ts"

const organisation = Effect.map(CurrentOrganisationKey, ({ organisation_uid }) => organisation_uid)
export const CheckoutHttp = HttpApiBuilder.group(Api, "checkout", (handlers) =>
  Effect.gen(function* () {
    const checkouts = yield* Checkouts
    const treatments = yield* Treatments
    const reservations = yield* Reservations
    const orders = yield* PrescriptionOrders
    return handlers
      .handle("prescriptions", ({ path, payload }) =>
        Effect.flatMap(organisation, (owner) => checkouts.submit(owner, path.shop_identifier, payload))
      )
      .handle("treatments", ({ path, payload }) =>
        Effect.flatMap(organisation, (owner) => treatments.open(owner, path.shop_identifier, payload))
      )
      .handle("reserve", ({ path, payload }) =>
        Effect.flatMap(organisation, (owner) => reservations.reserve(owner, path.shop_identifier, payload))
      )
      .handle("orders", ({ path }) =>
        Effect.flatMap(organisation, (organisation_uid) => orders.of({ organisation_uid, ...path }))
      )
  })
).pipe(Layer.provide([Checkouts.Default, PrescriptionOrders.Default, Reservations.Default, Treatments.Default]))
