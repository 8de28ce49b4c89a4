import { Schema } from "effect"

/** Where a pharmacy order stands. */
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

/** The operation that takes a step: setting the status, or completing, which also pays out. */
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
  condition: "the order is paid"
})

/**
 * The whole life of a pharmacy order, one row per allowed step. The guards, the interface's descriptions and the test
 * of every pair are derived from it, so that a step is allowed everywhere or nowhere.
 */
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

/** Whether an order in this status has been called off: it owes the pharmacy nothing and holds none of its stock. */
export const isVoid = (status: PharmacyOrderStatus): boolean => status === "rejected" || status === "cancelled"

/** A sentence for the interface's description of an operation: which steps it takes, and that all others are 409. */
export const describeTrigger = (trigger: PharmacyOrderTrigger): string => {
  const rows = pharmacyOrderTransitions
    .filter((row) => row.trigger === trigger)
    .map(({ from, to, condition }) => `\`${from}\` → \`${to}\`${condition === "" ? "" : ` (${condition})`}`)
  return `Allowed: ${rows.join("; ")}. The status that the order already has: nothing happens. Any other step: 409.`
}
