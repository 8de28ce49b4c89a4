/**
 * What happens to the time of appointments, as `BookingRepo` tells it to the capabilities' consumers (`Extensions`), in the transaction
 * of the change and before any later step of it.
 */
import type { Statement } from "@effect/sql"
import { type Effect, Struct } from "effect"
import type { CurrentTenant } from "../../tenancy/Tenancy.ts"
import { StoredAppointment } from "../appointments/StoredAppointment.ts"

/** The appointment after the change, without what its type and its patient add. */
export const FactRow = StoredAppointment.pick(
  "organisation_uid",
  "uid",
  "doctor_uid",
  "further_doctor_uids",
  "resource_uids",
  "shared_group",
  "patient_uid",
  "appointment_type_uid",
  "previous_meeting_uid",
  "start_date",
  "end_date",
  "confirmed_at",
  "updated_at",
  "status",
  "buffer_minutes",
  "is_offer"
)
export type FactRow = typeof FactRow.Type
export const factRow: (appointment: FactRow) => FactRow = Struct.pick(...Struct.keys(FactRow.fields))

export interface BookingFact extends FactRow {
  /** Its status before; null: there was none. */
  readonly previous: FactRow["status"] | null
}

/** Handles facts of one organisation. */
export interface BookingConsumer {
  /**
   * A condition in SQL under which there is something to do; undefined: there is nothing. Most appointments concern no consumer, so the
   * conditions of all are asked in one statement, before the first of them runs.
   */
  readonly concerns: (facts: ReadonlyArray<BookingFact>) => Statement.Fragment | undefined
  readonly run: (facts: ReadonlyArray<BookingFact>) => Effect.Effect<void, never, CurrentTenant>
}

/** `taken`: begins to take its time. `released`: gives it back before it is over. `completed`: ends, whether or not the patient came. */
export type BookingConsumers = Partial<
  Readonly<Record<"taken" | "confirmed" | "released" | "completed", BookingConsumer>>
>
