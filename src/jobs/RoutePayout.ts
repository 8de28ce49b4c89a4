import { Effect } from "effect"
import { Routing } from "../services/pharmacy/Routing.ts"
import { worker } from "./worker.ts"

/** Routes the payouts of completed orders. A job whose outcome at the provider is unknown fails and is retried. */
export const RoutePayout = worker("payout.route", ({ pharmacy_uid, pharmacy_order_uid }) =>
  Effect.flatMap(Routing, ({ routeOrder }) => routeOrder(pharmacy_uid, pharmacy_order_uid))
)
