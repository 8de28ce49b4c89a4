import { Context, type Effect } from "effect"
import type { PrescriptionRef } from "../../schemas/prescriptions/Prescription.ts"

/** What prescriptions ask of the pharmacies' side, so that they need not know it (decided by the layers). */
export class PaidOrders extends Context.Tag("prescriptions/PaidOrders")<
  PaidOrders,
  {
    /** Whether a paid order, neither rejected nor cancelled, carries the prescription. */
    readonly carry: (prescription: PrescriptionRef) => Effect.Effect<boolean>
  }
>() {}
