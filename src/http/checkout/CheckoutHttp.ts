import { Effect, Layer } from "effect"
import { Checkouts } from "../../services/checkout/Checkouts.ts"
import { PrescriptionOrders } from "../../services/checkout/PrescriptionOrders.ts"
import { Reservations } from "../../services/checkout/Reservations.ts"
import { Treatments } from "../../services/checkout/Treatments.ts"
import { CurrentOrganisationKey } from "../credentials/credentials.ts"
import { group } from "../group.ts"

const organisation = Effect.map(CurrentOrganisationKey, ({ organisation_uid }) => organisation_uid)
export const CheckoutHttp = group("checkout", (handlers) =>
  Effect.gen(function* () {
    const checkouts = yield* Checkouts
    const treatments = yield* Treatments
    const reservations = yield* Reservations
    const orders = yield* PrescriptionOrders
    return handlers
      .handle("prescriptions", (request) =>
        Effect.flatMap(organisation, (owner) => checkouts.submit(owner, request.path.shop_identifier, request.payload))
      )
      .handle("treatments", (request) =>
        Effect.flatMap(organisation, (owner) => treatments.open(owner, request.path.shop_identifier, request.payload))
      )
      .handle("reserve", (request) =>
        Effect.flatMap(organisation, (owner) =>
          reservations.reserve(owner, request.path.shop_identifier, request.payload)
        )
      )
      .handle("orders", ({ path }) =>
        Effect.flatMap(organisation, (organisation_uid) => orders.of({ organisation_uid, ...path }))
      )
  })
).pipe(Layer.provide([Checkouts.Default, PrescriptionOrders.Default, Reservations.Default, Treatments.Default]))
