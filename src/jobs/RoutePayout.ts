import { Effect, Layer } from "effect"
import { Routing } from "../services/pharmacy/Routing.ts"
import { worker } from "./worker.ts"

/**
 * Routes the payouts of completed orders. A job whose outcome at the provider is unknown fails and is retried.
 */
export const payoutWorker = Layer.unwrapEffect(
  Effect.map(Routing, (routing) =>
    worker("payout.route", ({ pharmacy_uid, pharmacy_order_uid }) =>
      routing.routeOrder(pharmacy_uid, pharmacy_order_uid)
    )
  )
)

export const RoutePayout = Layer.provide(payoutWorker, Routing.Default)
