/**
 * Every word by which a conflict is told to programs, and what it means. Endpoints declare which of them they can answer,
 * the compiler holds them to it, and the OpenAPI document and the error catalogue are made from both.
 */
import { Data } from "effect"

export const conflicts = {
  appointment_cancelled: "The appointment is cancelled",
  appointment_completed: "The appointment is completed",
  appointment_expired: "The appointment is expired",
  appointment_held: "The appointment is held, not confirmed",
  appointment_no_show: "The appointment is no-show",
  appointment_not_started: "The appointment has not started yet",
  draft_order_completed: "The reserved draft order has become an order already",
  has_anamnesis: "At least one item has an anamnesis: it needs the doctor's own decision",
  in_progress: "The same thing is being worked on; try again in a moment",
  line_already_prescribed: "A line of the reserved draft order already has another accepted prescription",
  no_pharmacy:
    "Nothing was paid: no pharmacy carries every line. Give the shop a default pharmacy, or one pharmacy all of the SKUs",
  not_cancellable: "The prescription is completed or cancelled; `error` says which",
  not_confirmable: "The hold was cancelled, or has gone on; `error` says what: search again and hold a new slot",
  not_confirmed: "Only a confirmed appointment can be moved; `error` says what this one is",
  not_possible_any_more: "What this link is for is not possible any more; `error` says which rule is against it",
  not_rendered: "No PDF has been rendered yet: render it first",
  not_waiting_for_doctor: "The prescription does not wait for a doctor; `error` says where it stands",
  order_not_paid: "Only a paid order can be completed",
  prescription_already_accepted: "A `prescriptions[].id` was accepted before; `error` names ids and prescriptions",
  reminder_exists:
    "This role has a reminder of the same minutes_before already: change that one, or choose another time",
  rendered_again: "The PDF has just changed: try again",
  reservation_expired: "The reservation has expired: reserve again, or send the checkout without it",
  slot_taken: "Somebody else has taken this slot: search again and choose another",
  status_not_allowed: "The order cannot take this step; `error` says from where to where",
  subscription_inactive: "This subscription is not active: PATCH it with active true first"
} as const

export type ConflictReason = keyof typeof conflicts

interface Told<R> {
  readonly reason: R
  /** Says more than the reason's own meaning. */
  readonly hint?: string
}

/** The request is well formed but the state of things forbids it. Its type says for which reason. */
export class Conflict<R extends ConflictReason = ConflictReason> extends Data.TaggedError("Conflict")<
  Told<ConflictReason>
> {
  declare readonly reason: R
  constructor(told: Told<R>) {
    super(told)
  }
  override get message() {
    return this.hint ?? conflicts[this.reason]
  }
}
