/** The fields of a new appointment that decide on the patient's limits. */
import type { Statement } from "@effect/sql"
import { PUBLIC_CUSTOMER } from "../../../schemas/access/Patient.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { DAY } from "../../../schemas/seconds.ts"
import type { Sql } from "../../database/Sql.ts"
import type { NewAppointment } from "../appointments/StoredAppointment.ts"

export type Counted = Pick<
  NewAppointment,
  | "organisation_uid"
  | "patient_uid"
  | "slot_group"
  | "booking_session_uid"
  | "replaces_appointment_uid"
  | "limited"
  | "status"
>

/** Bookings and moves of a patient within a day, as a multiple of the limit of future appointments. Rule 4.6.5. */
const TIMES_A_DAY = 5

/**
 * Whether the appointment `a`, or the first one of those that it replaced, was booked in the session of this one. All sessions that links
 * have opened for the patient count as one.
 */
const isOfSameSession = (sql: Sql, { organisation_uid, booking_session_uid }: Counted) => sql`EXISTS (
  SELECT FROM appointments f JOIN booking_sessions s ON s.organisation_uid = ${organisation_uid} AND s.uid = f.booking_session_uid
    JOIN booking_sessions own ON own.organisation_uid = ${organisation_uid} AND own.uid = ${booking_session_uid}
  WHERE f.organisation_uid = ${organisation_uid} AND f.uid = a.slot_group
    AND (s.uid = own.uid OR s.actor_kind = 'action_link' AND own.actor_kind = 'action_link'))`

/**
 * Whether the patient is neither restricted nor erased. Waits for a concurrent erasure and sees its result; a later one waits for the
 * caller's transaction, and sees the appointment.
 */
export const mayBook = (sql: Sql, owner: OrganisationUid, patient: Statement.Fragment) => sql`(
  SELECT num_nonnulls(p.restricted_at, p.erased_at) = 0 FROM patients p
  WHERE p.organisation_uid = ${owner} AND p.uid = ${patient} FOR KEY SHARE)`

/**
 * Counts the patient's other appointments and holds, without those that this one replaces or releases. A booking without a partner, whose patient is
 * identified by a typed name only, is limited to one appointment.
 */
export const limitsIn = (sql: Sql) => (row: Counted, now: number) =>
  sql`
  SELECT ${row.limited && row.status === "held"} AND count(a.uid) FILTER (WHERE a.status = 'held')
      >= o.patient_live_holds_max AS too_many_holds,
    min(a.hold_expires_at) FILTER (WHERE a.status = 'held') AS first_expires_at,
    ${row.limited && row.replaces_appointment_uid === null} AND (count(a.uid) FILTER (WHERE a.status = 'confirmed')
        >= o.patient_future_appointments_max
      OR count(a.uid) FILTER (WHERE a.status = 'confirmed' AND EXISTS (SELECT FROM patients b
          WHERE b.organisation_uid = ${row.organisation_uid} AND b.uid = ${row.patient_uid}
            AND starts_with(b.shop_customer_id, ${PUBLIC_CUSTOMER})) AND ${isOfSameSession(sql, row)}) > 0)
      OR ${row.limited} AND (SELECT count(*) FROM appointments c WHERE c.organisation_uid = ${row.organisation_uid}
        AND c.patient_uid = ${row.patient_uid} AND c.confirmed_at > to_timestamp(${now - DAY}))
          >= ${TIMES_A_DAY} * o.patient_future_appointments_max AS too_many_appointments,
    -- a missing patient is refused by the foreign key
    NOT coalesce(${mayBook(sql, row.organisation_uid, sql`${row.patient_uid}`)}, true) AS restricted
  FROM organisations o LEFT JOIN appointments a ON a.organisation_uid = ${row.organisation_uid}
    AND a.patient_uid = ${row.patient_uid} AND a.start_date > to_timestamp(${now})
    AND a.slot_group <> ${row.slot_group}
    AND (a.status = 'confirmed' OR (a.status = 'held' AND NOT a.is_offer AND a.hold_expires_at > to_timestamp(${now})
      AND a.booking_session_uid IS DISTINCT FROM ${row.booking_session_uid}))
  WHERE o.organisation_uid = ${row.organisation_uid}
  GROUP BY o.organisation_uid`
