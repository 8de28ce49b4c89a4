/** The pharmacy orders of a prescription, for the partner that sent it (Rule 11.1.4). */
import { Effect } from "effect"
import type { OrdersOfPrescription } from "../../schemas/checkout/Checkout.ts"
import type { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"
import { Orders } from "../pharmacy/Orders.ts"
import { Prescriptions } from "../prescriptions/Prescriptions.ts"
import { Service } from "../Service.ts"

export class PrescriptionOrders extends Service<PrescriptionOrders>()("checkout/PrescriptionOrders", {
  effect: Effect.gen(function* () {
    const prescriptions = yield* Prescriptions
    const orders = yield* Orders

    /** Status and orders, the newest order last. Fails with `PrescriptionNotFound`. */
    const of = Effect.fn("PrescriptionOrders.of")(function* (ref: PrescriptionRef) {
      const { uid, status } = yield* prescriptions.get(ref)
      const found: OrdersOfPrescription = { prescription_uid: uid, status, orders: yield* orders.carrying(ref) }
      return found
    })
    return { of } as const
  }),
  dependencies: [Prescriptions.Default, Orders.Default]
}) {}
