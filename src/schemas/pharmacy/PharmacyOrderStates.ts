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

/** The operation that performs a transition: setting the status, or completing, which also fixes the payouts. */
export type PharmacyOrderTrigger = "set_status" | "complete_order"

/** Why a prescription cannot be dispensed: it waits for a doctor, or was cancelled after or before it was signed. */
export type Undispensable = "waiting" | "cancelled" | "cancelled_unsigned"

interface Transition {
  readonly from: PharmacyOrderStatus
  readonly to: PharmacyOrderStatus
  readonly trigger: PharmacyOrderTrigger
  /** A further condition; empty if there is none. */
  readonly condition: string
  /** The states of the order's prescription that forbid the transition (Rules 9.6.3 and 9.6.5). */
  readonly forbiddenBy: ReadonlyArray<Undispensable>
}

const step = (from: PharmacyOrderStatus, to: PharmacyOrderStatus): Transition => ({
  from,
  to,
  trigger: "set_status",
  condition: "",
  forbiddenBy: []
})

/** A transition towards handing the order over. */
const dispense = (from: PharmacyOrderStatus, to: PharmacyOrderStatus): Transition => ({
  ...step(from, to),
  condition: "its prescription was not cancelled",
  forbiddenBy: ["cancelled", "cancelled_unsigned"]
})

const complete = (from: PharmacyOrderStatus): Transition => ({
  from,
  to: "completed",
  trigger: "complete_order",
  condition: "the order is paid, and its prescription neither waits for a doctor nor was cancelled",
  forbiddenBy: ["waiting", "cancelled", "cancelled_unsigned"]
})

/** An order that has left the pharmacy can be completed after its prescription was cancelled, if that was signed. */
const completeShipped: Transition = {
  ...complete("shipped"),
  condition: "the order is paid, and its prescription was signed",
  forbiddenBy: ["waiting", "cancelled_unsigned"]
}

/** The allowed transitions of a pharmacy order. Guards and descriptions of operations are derived from it. */
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

/** Whether `trigger` may change an order from one status to the other. */
export const isAllowed = (trigger: PharmacyOrderTrigger, from: PharmacyOrderStatus, to: PharmacyOrderStatus): boolean =>
  stepOf(trigger, from, to) !== undefined

/** The states of the order's prescription that forbid the transition. */
export const forbiddenBy = (
  trigger: PharmacyOrderTrigger,
  from: PharmacyOrderStatus,
  to: PharmacyOrderStatus
): ReadonlyArray<Undispensable> => stepOf(trigger, from, to)?.forbiddenBy ?? []

/** Steps without an effect outside of the pharmacy and its subscribers: each can be undone for a moment. */
const undoable: ReadonlyArray<PharmacyOrderStatus> = ["accepted", "in_preparation", "ready_for_pickup", "shipped"]
export const canBeUndone = (to: PharmacyOrderStatus): boolean => undoable.includes(to)
/** How long, seconds. */
export const UNDO_SECONDS = 10

/** Whether the order was rejected or cancelled: it has no payouts and takes no stock. */
export const isVoid = (status: PharmacyOrderStatus): boolean => status === "rejected" || status === "cancelled"

/** Whether nothing more happens to the order. */
export const isFinalOrder = (status: PharmacyOrderStatus): boolean => isVoid(status) || status === "completed"

/** For the description of an operation: its transitions, and that all others are refused. */
export const describeTrigger = (trigger: PharmacyOrderTrigger): string => {
  const rows = pharmacyOrderTransitions
    .filter((row) => row.trigger === trigger)
    .map(({ from, to, condition }) => `\`${from}\` → \`${to}\`${condition === "" ? "" : ` (${condition})`}`)
  return `Allowed: ${rows.join("; ")}. The current status of the order: nothing changes. Any other transition: 409.`
}
