import { Schema } from "effect"

/** Rules 10.4.3 to 10.4.7. */
export const PharmacyOrderStatus = Schema.Literal(
  "new",
  "accepted",
  "in_preparation",
  "ready_for_pickup",
  "shipped",
  "completed",
  "rejected",
  "cancelled"
)
export type PharmacyOrderStatus = typeof PharmacyOrderStatus.Type

/** The operation that takes a step: setting the status, or completing, which also freezes the payouts. */
export type PharmacyOrderTrigger = "set_status" | "complete_order"

/** Why a prescription cannot be dispensed: it waits for a doctor, it was cancelled, or that before anybody signed it. */
export type Undispensable = "waiting" | "cancelled" | "cancelled_unsigned"

interface Transition {
  readonly from: PharmacyOrderStatus
  readonly to: PharmacyOrderStatus
  readonly trigger: PharmacyOrderTrigger
  /** What must hold besides the state; empty when nothing must. */
  readonly condition: string
  /** What of its prescription ends the step (Rules 9.6.3 and 9.6.5). */
  readonly endedBy: ReadonlyArray<Undispensable>
}

const step = (from: PharmacyOrderStatus, to: PharmacyOrderStatus): Transition => ({
  from,
  to,
  trigger: "set_status",
  condition: "",
  endedBy: []
})

/** A step on the way to the patient. */
const dispense = (from: PharmacyOrderStatus, to: PharmacyOrderStatus): Transition => ({
  ...step(from, to),
  condition: "its prescription was not cancelled",
  endedBy: ["cancelled", "cancelled_unsigned"]
})

const complete = (from: PharmacyOrderStatus): Transition => ({
  from,
  to: "completed",
  trigger: "complete_order",
  condition: "the order is paid, and its prescription neither waits for a doctor nor was cancelled",
  endedBy: ["waiting", "cancelled", "cancelled_unsigned"]
})

/** What has left the pharmacy is completed, whatever became of its prescription since, if that was signed. */
const completeShipped: Transition = {
  ...complete("shipped"),
  condition: "the order is paid, and its prescription was signed",
  endedBy: ["waiting", "cancelled_unsigned"]
}

/** Every allowed step of a pharmacy order. Guards, descriptions of operations and tests are derived from it. */
export const pharmacyOrderTransitions: ReadonlyArray<Transition> = [
  step("new", "accepted"),
  step("new", "rejected"),
  dispense("accepted", "in_preparation"),
  dispense("in_preparation", "ready_for_pickup"),
  dispense("in_preparation", "shipped"),
  step("new", "cancelled"),
  step("accepted", "cancelled"),
  step("in_preparation", "cancelled"),
  step("ready_for_pickup", "cancelled"),
  step("shipped", "cancelled"),
  complete("in_preparation"),
  complete("ready_for_pickup"),
  completeShipped
]

const stepOf = (trigger: PharmacyOrderTrigger, from: PharmacyOrderStatus, to: PharmacyOrderStatus) =>
  pharmacyOrderTransitions.find((row) => row.trigger === trigger && row.from === from && row.to === to)

/** Whether `trigger` may take an order from one status to another. */
export const isAllowed = (trigger: PharmacyOrderTrigger, from: PharmacyOrderStatus, to: PharmacyOrderStatus): boolean =>
  stepOf(trigger, from, to) !== undefined

/** What of the order's prescription ends the step. */
export const endedBy = (
  trigger: PharmacyOrderTrigger,
  from: PharmacyOrderStatus,
  to: PharmacyOrderStatus
): ReadonlyArray<Undispensable> => stepOf(trigger, from, to)?.endedBy ?? []

/** Whether the order was rejected or cancelled: it has no payouts and takes no stock. */
export const isVoid = (status: PharmacyOrderStatus): boolean => status === "rejected" || status === "cancelled"

/** Whether nothing more happens to the order. */
export const isFinalOrder = (status: PharmacyOrderStatus): boolean => isVoid(status) || status === "completed"

/** For the description of an operation: the steps that it takes, and that all others are 409. */
export const describeTrigger = (trigger: PharmacyOrderTrigger): string => {
  const rows = pharmacyOrderTransitions
    .filter((row) => row.trigger === trigger)
    .map(({ from, to, condition }) => `\`${from}\` → \`${to}\`${condition === "" ? "" : ` (${condition})`}`)
  return `Allowed: ${rows.join("; ")}. The status that the order already has: nothing happens. Any other step: 409.`
}
