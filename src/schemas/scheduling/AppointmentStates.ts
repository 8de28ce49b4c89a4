import { Schema } from "effect"
import { MINUTE } from "../seconds.ts"

/** The states of an appointment (Rule 4.2). */
export const AppointmentStatus = Schema.Literal("held", "confirmed", "cancelled", "expired", "completed", "no_show")
export type AppointmentStatus = typeof AppointmentStatus.Type

/** The triggers of an appointment's transitions. */
export const AppointmentTrigger = Schema.Literal(
  "expire",
  "confirm",
  "cancel",
  "rebook",
  "complete",
  "no_show",
  "reopen"
)
export type AppointmentTrigger = typeof AppointmentTrigger.Type

interface Transition {
  readonly from: AppointmentStatus
  readonly trigger: AppointmentTrigger
  readonly to: AppointmentStatus
  /** A further condition; empty if there is none. */
  readonly condition: string
}

/** Minutes in which completing and missing can be taken back. */
const REOPENABLE_MINUTES = 10
const REOPENABLE = `within ${REOPENABLE_MINUTES} minutes, while the join window is open; no other one overlaps`

/**
 * The state machine of an appointment, one row per allowed transition. Guards, the interface's descriptions and the
 * tests of every state and trigger are derived from it.
 */
export const appointmentTransitions: ReadonlyArray<Transition> = [
  { from: "held", trigger: "expire", to: "expired", condition: "the hold's lifetime has ended" },
  { from: "held", trigger: "confirm", to: "confirmed", condition: "the appointment has not ended" },
  {
    from: "expired",
    trigger: "confirm",
    to: "confirmed",
    condition: "the appointment has not ended; no other one overlaps"
  },
  { from: "confirmed", trigger: "confirm", to: "confirmed", condition: "a repeated confirmation changes nothing" },
  { from: "held", trigger: "cancel", to: "cancelled", condition: "" },
  { from: "confirmed", trigger: "cancel", to: "cancelled", condition: "patients: outside the cancellation notice" },
  { from: "confirmed", trigger: "rebook", to: "cancelled", condition: "a new confirmed appointment replaces it" },
  { from: "confirmed", trigger: "complete", to: "completed", condition: "from its start on" },
  { from: "confirmed", trigger: "no_show", to: "no_show", condition: "from its start on" },
  { from: "completed", trigger: "reopen", to: "confirmed", condition: REOPENABLE },
  { from: "no_show", trigger: "reopen", to: "confirmed", condition: REOPENABLE },
  { from: "confirmed", trigger: "reopen", to: "confirmed", condition: "a repetition changes nothing" }
]

const table: ReadonlyMap<string, AppointmentStatus> = new Map(
  appointmentTransitions.map(({ from, trigger, to }) => [`${from} ${trigger}`, to])
)

/** The state that `trigger` leads to from `state`, or `refused`. */
export const transition = (state: AppointmentStatus, trigger: AppointmentTrigger): AppointmentStatus | "refused" =>
  table.get(`${state} ${trigger}`) ?? "refused"

/** Whether it was completed or missed so lately that this can be taken back. */
export const isReopenable = (
  { status, updated_at }: { readonly status: AppointmentStatus; readonly updated_at: number },
  now: number
): boolean => (status === "completed" || status === "no_show") && now - updated_at <= REOPENABLE_MINUTES * MINUTE

/** The states without automatic transitions; a list that filters by one of them includes the past. */
export const finalStatuses = [
  "cancelled",
  "expired",
  "completed",
  "no_show"
] as const satisfies ReadonlyArray<AppointmentStatus>

/** For the description of an operation: its transitions, and that all others are refused. */
export const describeTrigger = (trigger: AppointmentTrigger): string => {
  const steps = appointmentTransitions
    .filter((row) => row.trigger === trigger)
    .map(({ from, to, condition }) => `\`${from}\` → \`${to}\`${condition === "" ? "" : ` (${condition})`}`)
  return `Allowed: ${steps.join("; ")}. From any other status: 409, and nothing changes.`
}
