import { Context, type Effect } from "effect"
import type { PharmacyOrderUid, PharmacyUid } from "../../schemas/ids.ts"
import type { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"

/** A pharmacy's order that carries a prescription. */
export interface CarryingOrder {
  readonly pharmacy_uid: PharmacyUid
  readonly pharmacy_order_uid: PharmacyOrderUid
  readonly paid: boolean
  readonly completed: boolean
}

/**
 * The port by which prescriptions query pharmacy orders. Implemented in `layers/prescriptions`, since neither domain imports the other.
 */
export class CarryingOrders extends Context.Tag("prescriptions/CarryingOrders")<
  CarryingOrders,
  {
    /** The orders that carry the prescription and are neither rejected nor cancelled. */
    readonly of: (prescription: PrescriptionRef) => Effect.Effect<ReadonlyArray<CarryingOrder>, never, CurrentTenant>
  }
>() {}
