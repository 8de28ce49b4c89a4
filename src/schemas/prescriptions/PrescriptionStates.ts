import { Schema } from "effect"

/** Where a prescription stands. The read view shows these in lower case. */
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
export const shownStatus = (status: PrescriptionStatus) => status.toLowerCase() as Lowercase<PrescriptionStatus>

/** What takes a prescription a step further. */
export type PrescriptionTrigger = "external_sign" | "dispatch" | "complete" | "cancel"

interface Transition {
  readonly from: PrescriptionStatus
  readonly to: PrescriptionStatus
  readonly trigger: PrescriptionTrigger
  /** What must hold besides the state; empty when nothing must. */
  readonly condition: string
}

const cancel = (from: PrescriptionStatus): Transition => ({ from, to: "CANCELLED", trigger: "cancel", condition: "" })

/**
 * The whole life of a prescription (specification §3.3), one row per allowed step. One that comes signed from a checkout
 * is born `SIGNED`, every other one `WAITING_FOR_DOCTOR`.
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

/** The status that `trigger` leads to from this one, or undefined when the step is not allowed. */
export const nextStatus = (trigger: PrescriptionTrigger, from: PrescriptionStatus): PrescriptionStatus | undefined =>
  prescriptionTransitions.find((row) => row.trigger === trigger && row.from === from)?.to
