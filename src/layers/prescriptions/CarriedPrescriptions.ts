/** The ports through which prescriptions and pharmacy orders ask each other; neither domain imports the other. */
import { Effect, Layer } from "effect"
import { isVoid } from "../../schemas/pharmacy/PharmacyOrderStates.ts"
import { OrdersRepo } from "../../services/pharmacy/OrdersRepo.ts"
import { PrescriptionProgress } from "../../services/pharmacy/PrescriptionProgress.ts"
import { CarryingOrders } from "../../services/prescriptions/CarryingOrders.ts"
import { Prescriptions } from "../../services/prescriptions/Prescriptions.ts"

const CarryingOrdersLive = Layer.effect(
  CarryingOrders,
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
  Effect.map(Prescriptions, (prescriptions) => ({
    dispatched: prescriptions.dispatch,
    // A provisioned order can have been paid before its prescription existed to be dispatched.
    completed: (ref) => Effect.zipRight(prescriptions.dispatch(ref), prescriptions.complete(ref)),
    onOrders: prescriptions.forOrders
  }))
).pipe(Layer.provide(Prescriptions.Default))

export const CarriedPrescriptionsLive = Layer.merge(CarryingOrdersLive, PrescriptionProgressLive)
