import { Schema } from "effect"

/** Where an appointment stands (Rule 4.2). */
export const AppointmentStatus = Schema.Literal("held", "confirmed", "cancelled", "expired", "completed", "no_show")
export type AppointmentStatus = typeof AppointmentStatus.Type

/** What can happen to an appointment once it exists. */
export const AppointmentTrigger = Schema.Literal("expire", "confirm", "cancel", "rebook", "complete", "no_show")
export type AppointmentTrigger = typeof AppointmentTrigger.Type

interface Transition {
  readonly from: AppointmentStatus
  readonly trigger: AppointmentTrigger
  readonly to: AppointmentStatus
  /** What must hold besides the state; empty when nothing must. */
  readonly condition: string
}

/**
 * The whole life of an appointment, one row per allowed step. Guards, the interface's descriptions and the test of
 * every pair are derived from it, so that a step is allowed everywhere or nowhere.
 */
export const appointmentTransitions: ReadonlyArray<Transition> = [
  { from: "held", trigger: "expire", to: "expired", condition: "the hold's lifetime is over" },
  { from: "held", trigger: "confirm", to: "confirmed", condition: "the appointment has not ended" },
  { from: "expired", trigger: "confirm", to: "confirmed", condition: "the same; no other appointment overlaps" },
  { from: "confirmed", trigger: "confirm", to: "confirmed", condition: "a repeated confirmation changes nothing" },
  { from: "held", trigger: "cancel", to: "cancelled", condition: "" },
  { from: "confirmed", trigger: "cancel", to: "cancelled", condition: "patients: outside the cancellation notice" },
  { from: "confirmed", trigger: "rebook", to: "cancelled", condition: "a new confirmed appointment replaces it" },
  { from: "confirmed", trigger: "complete", to: "completed", condition: "from the start time on" },
  { from: "confirmed", trigger: "no_show", to: "no_show", condition: "from the start time on" }
]

const table: ReadonlyMap<string, AppointmentStatus> = new Map(
  appointmentTransitions.map(({ from, trigger, to }) => [`${from} ${trigger}`, to])
)

/** The state that `trigger` leads to from `state`, or `refused`. */
export const transition = (state: AppointmentStatus, trigger: AppointmentTrigger): AppointmentStatus | "refused" =>
  table.get(`${state} ${trigger}`) ?? "refused"

/** The states that an appointment never leaves by itself; a filter that names one of them reads history. */
export const finalStatuses = [
  "cancelled",
  "expired",
  "completed",
  "no_show"
] as const satisfies ReadonlyArray<AppointmentStatus>

/** A sentence for the interface's description of an operation: which steps it takes, and that all others are 409. */
export const describeTrigger = (trigger: AppointmentTrigger): string => {
  const steps = appointmentTransitions
    .filter((row) => row.trigger === trigger)
    .map(({ from, to, condition }) => `\`${from}\` → \`${to}\`${condition === "" ? "" : ` (${condition})`}`)
  return `Allowed: ${steps.join("; ")}. From any other status: 409, and nothing changes.`
}
