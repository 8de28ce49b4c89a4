import { Context, type Effect } from "effect"
import type { PharmacyOrderUid, PharmacyUid } from "../../schemas/ids.ts"
import type { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"

/** A pharmacy's order that carries a prescription. */
export interface Carrier {
  readonly pharmacy_uid: PharmacyUid
  readonly pharmacy_order_uid: PharmacyOrderUid
  readonly paid: boolean
  readonly completed: boolean
}

/** What prescriptions ask of the pharmacies' side, so that they need not know it (decided by the layers). */
export class Carriers extends Context.Tag("prescriptions/Carriers")<
  Carriers,
  {
    /** The orders that carry the prescription and are neither rejected nor cancelled. */
    readonly of: (prescription: PrescriptionRef) => Effect.Effect<ReadonlyArray<Carrier>>
  }
>() {}
