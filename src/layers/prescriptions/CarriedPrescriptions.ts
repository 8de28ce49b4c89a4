/** Ports between prescriptions and pharmacy orders; neither domain imports the other. */
import { Effect, Layer } from "effect"
import { isVoid } from "../../schemas/pharmacy/PharmacyOrderStates.ts"
import { OrdersRepo } from "../../services/pharmacy/OrdersRepo.ts"
import { PrescriptionProgress } from "../../services/pharmacy/PrescriptionProgress.ts"
import { CarryingOrders } from "../../services/prescriptions/CarryingOrders.ts"
import { Dispensing } from "../../services/prescriptions/Dispensing.ts"
import { Prescriptions } from "../../services/prescriptions/Prescriptions.ts"
import { withOwner } from "../../services/tenancy/Tenancy.ts"

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
  Effect.map(Effect.all([Prescriptions, Dispensing, CarryingOrders]), ([prescriptions, dispensing, orders]) => ({
    // The pharmacy's requests also change the prescription, which belongs to an organisation
    dispatched: (ref) => withOwner(ref)(prescriptions.dispatch(ref)),
    undispensable: (ref) => withOwner(ref)(dispensing.undispensable(ref)),
    // A provisioned order can have been paid before its prescription existed to be dispatched.
    completed: (ref) => withOwner(ref)(Effect.zipRight(prescriptions.dispatch(ref), prescriptions.complete(ref))),
    released: (ref, order) => withOwner(ref)(dispensing.release(ref, order)),
    refilled: (ref, order, lines) => withOwner(ref)(dispensing.refill(ref, order, lines)),
    withdrawn: (ref) =>
      withOwner(ref)(
        dispensing.withdraw(
          ref,
          Effect.map(orders.of(ref), (carrying) => carrying.length > 0)
        )
      ),
    // One page of orders may have prescriptions of several organisations
    onOrders: (refs) =>
      Effect.map(
        Effect.forEach(
          Map.groupBy(refs, ({ organisation_uid }) => organisation_uid),
          ([organisation_uid, some]) => withOwner({ organisation_uid })(prescriptions.forOrders(some))
        ),
        (found) => found.flat()
      )
  }))
).pipe(Layer.provide([Prescriptions.Default, Dispensing.Default, CarryingOrdersLive]))

export const CarriedPrescriptionsLive = Layer.merge(CarryingOrdersLive, PrescriptionProgressLive)
