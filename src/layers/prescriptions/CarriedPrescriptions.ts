/** Where prescriptions and the orders that carry them meet: each side asks the other through a port of its own. */
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { isVoid } from "../../schemas/pharmacy/PharmacyOrderStates.ts"
import { OrdersRepo } from "../../services/pharmacy/OrdersRepo.ts"
import { PrescriptionProgress } from "../../services/pharmacy/PrescriptionProgress.ts"
import { Carriers } from "../../services/prescriptions/Carriers.ts"
import { Prescriptions } from "../../services/prescriptions/Prescriptions.ts"

const CarriersLive = Layer.effect(
  Carriers,
  Effect.map(OrdersRepo, (orders) => ({
    of: (ref) =>
      Effect.map(orders.carrying(ref), (carrying) =>
        carrying
          .filter(({ status }) => !isVoid(status))
          .map(({ pharmacy_uid, uid, paid, status }) => ({
            pharmacy_uid,
            pharmacy_order_uid: uid,
            paid,
            completed: status === "completed"
          }))
      )
  }))
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

export const CarriedPrescriptionsLive = Layer.merge(CarriersLive, PrescriptionProgressLive)
