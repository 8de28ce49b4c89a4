import { Context, type Effect } from "effect"
import type { OrganisationUid, PharmacyOrderUid, PharmacyUid, PrescriptionUid } from "../../schemas/ids.ts"
import type { OrderPatient, PrescriptionFile } from "../../schemas/pharmacy/PharmacyOrder.ts"
import type { Undispensable } from "../../schemas/pharmacy/PharmacyOrderStates.ts"

export interface CarriedPrescription {
  readonly organisation_uid: OrganisationUid
  readonly prescription_uid: PrescriptionUid
}

export interface OrderRef {
  readonly pharmacy_uid: PharmacyUid
  readonly pharmacy_order_uid: PharmacyOrderUid
}

/** What an order shows of the prescription that it carries. */
export interface PrescriptionOnOrder {
  readonly prescription_uid: PrescriptionUid
  readonly patient: OrderPatient
  /** The signed PDF, or the rendered one; null when there is none. */
  readonly file: PrescriptionFile | null
}

export interface PrescriptionProgressShape {
  /** A paid order carries it. Runs in the order's transaction; a prescription that is past this stays as it is. */
  readonly dispatched: (prescription: CarriedPrescription) => Effect.Effect<void>
  /** Whether it waits for a doctor or was cancelled, signed or not; else null. The answer holds until the order's transaction ends. */
  readonly undispensable: (prescription: CarriedPrescription) => Effect.Effect<Undispensable | null>
  /** The order that carries it is completed. Runs in the order's transaction. */
  readonly completed: (prescription: CarriedPrescription) => Effect.Effect<void>
  /** The order was rejected or cancelled: its quantities are available again. Runs in the order's transaction. */
  readonly released: (prescription: CarriedPrescription, order: OrderRef) => Effect.Effect<void>
  /** The order was cancelled: a prescription that no other order carries stops waiting for a doctor. */
  readonly withdrawn: (prescription: CarriedPrescription) => Effect.Effect<void>
  /** What orders show of these prescriptions; unknown ones are left out. */
  readonly onOrders: (
    prescriptions: ReadonlyArray<CarriedPrescription>
  ) => Effect.Effect<ReadonlyArray<PrescriptionOnOrder>>
}

/** What the pharmacy's side asks of prescriptions, so that it need not know them (decided by the layers). */
export class PrescriptionProgress extends Context.Tag("pharmacy/PrescriptionProgress")<
  PrescriptionProgress,
  PrescriptionProgressShape
>() {}
