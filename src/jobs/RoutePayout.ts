import { Effect, Layer } from "effect"
import { Routing } from "../services/pharmacy/Routing.ts"
import { cronWorker, worker } from "./worker.ts"

/**
 * Routes the payouts of completed orders. A job whose outcome at the provider is unknown fails and is run again; every
 * five minutes, intents that have lost their job get a new one.
 */
export const RoutePayout = Layer.unwrapEffect(
  Effect.map(Routing, (routing) =>
    Layer.merge(
      worker("payout.route", ({ pharmacy_uid, pharmacy_order_uid }) =>
        routing.routeOrder(pharmacy_uid, pharmacy_order_uid)
      ),
      cronWorker("maintenance.payouts", "*/5 * * * *", routing.sweep())
    )
  )
).pipe(Layer.provide(Routing.Default))
