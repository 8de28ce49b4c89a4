import { Schema } from "effect"

/** Rule 9.1. */
export const PrescriptionStatus = Schema.Literal(
  "WAITING_FOR_DOCTOR",
  "EXTERNALLY_SIGNED",
  "SIGNED",
  "DISPATCHED",
  "COMPLETED",
  "CANCELLED"
)
export type PrescriptionStatus = typeof PrescriptionStatus.Type

export const PrescriptionStatusShown = Schema.Literal(
  "waiting_for_doctor",
  "externally_signed",
  "signed",
  "dispatched",
  "completed",
  "cancelled"
)

/** The read view's form of each status. */
export const shownStatus = {
  WAITING_FOR_DOCTOR: "waiting_for_doctor",
  EXTERNALLY_SIGNED: "externally_signed",
  SIGNED: "signed",
  DISPATCHED: "dispatched",
  COMPLETED: "completed",
  CANCELLED: "cancelled"
} as const satisfies Record<PrescriptionStatus, typeof PrescriptionStatusShown.Type>

export type PrescriptionTrigger = "external_sign" | "dispatch" | "complete" | "cancel"

interface Transition {
  readonly from: PrescriptionStatus
  readonly to: PrescriptionStatus
  readonly trigger: PrescriptionTrigger
  /** A further condition; empty if there is none. */
  readonly condition: string
}

const cancel = (from: PrescriptionStatus): Transition => ({ from, to: "CANCELLED", trigger: "cancel", condition: "" })

/**
 * The allowed transitions of a prescription (Rule 9.1). The initial state is `SIGNED` for a signed PDF from a checkout,
 * otherwise `WAITING_FOR_DOCTOR`.
 */
export const prescriptionTransitions: ReadonlyArray<Transition> = [
  {
    from: "WAITING_FOR_DOCTOR",
    to: "EXTERNALLY_SIGNED",
    trigger: "external_sign",
    condition: "no item has an anamnesis and the rendered file exists"
  },
  { from: "EXTERNALLY_SIGNED", to: "DISPATCHED", trigger: "dispatch", condition: "a paid pharmacy order carries it" },
  { from: "SIGNED", to: "DISPATCHED", trigger: "dispatch", condition: "a paid pharmacy order carries it" },
  { from: "DISPATCHED", to: "COMPLETED", trigger: "complete", condition: "the order that carries it is completed" },
  cancel("WAITING_FOR_DOCTOR"),
  cancel("EXTERNALLY_SIGNED"),
  cancel("SIGNED"),
  cancel("DISPATCHED")
]

/** Whether the prescription may be dispensed (Rule 9.6.2): it is signed, and neither completed nor cancelled. */
export const isDispensable = (status: PrescriptionStatus): boolean =>
  status === "SIGNED" || status === "EXTERNALLY_SIGNED" || status === "DISPATCHED"

/** The status that `trigger` leads to from `from`, or undefined if the transition is not allowed. */
export const nextStatus = (trigger: PrescriptionTrigger, from: PrescriptionStatus): PrescriptionStatus | undefined =>
  prescriptionTransitions.find((row) => row.trigger === trigger && row.from === from)?.to
