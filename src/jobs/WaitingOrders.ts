import { Effect, Layer } from "effect"
import { OrderIntake } from "../services/checkout/intake/OrderIntake.ts"
import { cronWorker } from "./worker.ts"

/** Every five minutes: makes the pharmacy orders that waited for a pharmacy and now have one. */
export const WaitingOrders = Layer.unwrapEffect(
  Effect.map(OrderIntake, ({ retryWaiting }) => cronWorker("maintenance.orders", "*/5 * * * *", retryWaiting()))
).pipe(Layer.provide(OrderIntake.Default))
