/**
 * What happens to the time of appointments, as `BookingRepo` tells it to the capabilities' consumers (`Extensions`), in the transaction
 * of the change and before any later step of it.
 */
import type { Statement } from "@effect/sql"
import { type Effect, Struct } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
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
   * A condition in SQL on the appointment `a`, of which the columns of `FactRow` are known, under which there may be something to do. Most
   * appointments concern no consumer, so the statement that changes them answers the conditions of all. They see other tables as they were
   * when that statement began: with all that was committed before the change had its locks, and nothing of what comes at the same time,
   * as a statement after it might not either.
   */
  readonly concerns: (owner: OrganisationUid) => Statement.Fragment
  /** For those that it concerns. */
  readonly run: (facts: ReadonlyArray<BookingFact>) => Effect.Effect<void, never, CurrentTenant>
}

/** `taken`: begins to take its time. `released`: gives it back before it is over. `completed`: ends, whether or not the patient came. */
export type BookingConsumers = Partial<
  Readonly<Record<"taken" | "confirmed" | "released" | "completed", BookingConsumer>>
>
