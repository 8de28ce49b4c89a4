/** Where prescriptions and the orders that carry them meet: each side asks the other through a port of its own. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { OrdersRepo } from "../../services/pharmacy/OrdersRepo.ts"
import { PrescriptionProgress } from "../../services/pharmacy/PrescriptionProgress.ts"
import { PaidOrders } from "../../services/prescriptions/PaidOrders.ts"
import { Prescriptions } from "../../services/prescriptions/Prescriptions.ts"

const PaidOrdersLive = Layer.effect(
  PaidOrders,
  Effect.map(OrdersRepo, (orders) => ({ carry: orders.isCarriedPaid }))
).pipe(Layer.provide(OrdersRepo.Default))

const PrescriptionProgressLive = Layer.effect(
  PrescriptionProgress,
  Effect.zipWith(Prescriptions, SqlClient.SqlClient, (prescriptions, sql) => {
    const within = Effect.provideService(SqlClient.SqlClient, sql)
    return {
      dispatched: (ref) => within(prescriptions.dispatch(ref)),
      // A provisioned order may have been paid before its prescription was there to be dispatched.
      completed: (ref) => within(Effect.zipRight(prescriptions.dispatch(ref), prescriptions.complete(ref))),
      onOrders: prescriptions.forOrders
    }
  })
).pipe(Layer.provide(Prescriptions.Default))

export const CarriedPrescriptionsLive = Layer.merge(PaidOrdersLive, PrescriptionProgressLive)
