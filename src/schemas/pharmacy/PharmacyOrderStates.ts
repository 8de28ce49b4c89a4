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

interface Transition {
  readonly from: PharmacyOrderStatus
  readonly to: PharmacyOrderStatus
  readonly trigger: PharmacyOrderTrigger
  /** What must hold besides the state; empty when nothing must. */
  readonly condition: string
}

const step = (from: PharmacyOrderStatus, to: PharmacyOrderStatus): Transition => ({
  from,
  to,
  trigger: "set_status",
  condition: ""
})

const complete = (from: PharmacyOrderStatus): Transition => ({
  from,
  to: "completed",
  trigger: "complete_order",
  condition: "the order is paid, and its prescription does not wait for a doctor"
})

/** Every allowed step of a pharmacy order. Guards, descriptions of operations and tests are derived from it. */
export const pharmacyOrderTransitions: ReadonlyArray<Transition> = [
  step("new", "accepted"),
  step("new", "rejected"),
  step("accepted", "in_preparation"),
  step("in_preparation", "ready_for_pickup"),
  step("in_preparation", "shipped"),
  step("new", "cancelled"),
  step("accepted", "cancelled"),
  step("in_preparation", "cancelled"),
  step("ready_for_pickup", "cancelled"),
  step("shipped", "cancelled"),
  complete("in_preparation"),
  complete("ready_for_pickup"),
  complete("shipped")
]

const steps: ReadonlySet<string> = new Set(
  pharmacyOrderTransitions.map(({ from, to, trigger }) => `${trigger} ${from} ${to}`)
)

/** Whether `trigger` may take an order from one status to another. */
export const isAllowed = (trigger: PharmacyOrderTrigger, from: PharmacyOrderStatus, to: PharmacyOrderStatus): boolean =>
  steps.has(`${trigger} ${from} ${to}`)

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
