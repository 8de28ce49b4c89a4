import { Context, type Effect } from "effect"
import type {
  OrganisationUid,
  PharmacyOrderLineUid,
  PharmacyOrderUid,
  PharmacyUid,
  PrescriptionUid,
  SkuUid
} from "../../schemas/ids.ts"
import type { OrderPatient, PrescriptionFile } from "../../schemas/pharmacy/PharmacyOrder.ts"
import type { Undispensable } from "../../schemas/pharmacy/PharmacyOrderStates.ts"
import type { CurrentTenant } from "../tenancy/Tenancy.ts"

export interface CarriedPrescription {
  readonly organisation_uid: OrganisationUid
  readonly prescription_uid: PrescriptionUid
}

export interface OrderRef {
  readonly pharmacy_uid: PharmacyUid
  readonly pharmacy_order_uid: PharmacyOrderUid
}

/** A line of an order, to be dispensed from a prescription. */
export interface RefilledLine {
  readonly uid: PharmacyOrderLineUid
  readonly sku_uid: SkuUid
  readonly quantity: number
  readonly anamnesis_uid: string | null
}

/** The prescription's data on an order that carries it. */
export interface PrescriptionOnOrder extends CarriedPrescription {
  readonly patient: OrderPatient
  /** The signed PDF, else the rendered one; null without either. */
  readonly file: PrescriptionFile | null
}

export interface PrescriptionProgressShape {
  /** A paid order carries it. Runs in the order's transaction; no-op for a prescription in a later status. */
  readonly dispatched: (prescription: CarriedPrescription) => Effect.Effect<void, never, CurrentTenant>
  /** Whether it waits for a doctor or was cancelled, signed or not; else null. Valid until the order's transaction ends. */
  readonly undispensable: (
    prescription: CarriedPrescription
  ) => Effect.Effect<Undispensable | null, never, CurrentTenant>
  /** The order that carries it is completed. Runs in the order's transaction. */
  readonly completed: (prescription: CarriedPrescription) => Effect.Effect<void, never, CurrentTenant>
  /** The order was rejected or cancelled: releases its quantities. Runs in the order's transaction. */
  readonly released: (prescription: CarriedPrescription, order: OrderRef) => Effect.Effect<void, never, CurrentTenant>
  /**
   * The order's lines have changed: they are dispensed instead. Returns the prescription, which is another one where the first waits for
   * a doctor; null if it does not cover them, and then nothing changes. Runs in the order's transaction.
   */
  readonly refilled: (
    prescription: CarriedPrescription,
    order: OrderRef,
    lines: ReadonlyArray<RefilledLine>
  ) => Effect.Effect<PrescriptionUid | null, never, CurrentTenant>
  /** The order was cancelled: cancels a waiting prescription that no other order carries. */
  readonly withdrawn: (prescription: CarriedPrescription) => Effect.Effect<void, never, CurrentTenant>
  /** Data of these prescriptions on orders; unknown ones are left out. */
  readonly onOrders: (
    prescriptions: ReadonlyArray<CarriedPrescription>
  ) => Effect.Effect<ReadonlyArray<PrescriptionOnOrder>, never, CurrentTenant>
}

/** The pharmacy domain's port to prescriptions, implemented in the layers. */
export class PrescriptionProgress extends Context.Tag("pharmacy/PrescriptionProgress")<
  PrescriptionProgress,
  PrescriptionProgressShape
>() {}
