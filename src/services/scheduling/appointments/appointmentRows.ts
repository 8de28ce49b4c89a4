/** SQL of reading appointments as `Appointment` or `StoredAppointment`; within the domain, for its repositories only. */
import type { Statement } from "@effect/sql"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import type { Sql } from "../../database/Sql.ts"
import type { SealedPlace } from "../../sealing/Envelope.ts"

/** Where the sealed columns of appointments are, for `Envelope.openRows`. */
export const sealedIn = ["appointments", ["organisation_uid", "uid"]] as const satisfies readonly [
  SealedPlace["table"],
  ReadonlyArray<string>
]

export type AppointmentFields = ReturnType<ReturnType<typeof appointmentRows>["fields"]>

export const appointmentRows = (sql: Sql) => {
  /** A hold reads as expired from the second it expires, whether or not a job has stored that yet. */
  const isOverdue = (now: number) => sql`(a.status = 'held' AND a.hold_expires_at <= to_timestamp(${now}))`
  const statusAt = (now: number) => sql`(CASE WHEN ${isOverdue(now)} THEN 'expired' ELSE a.status END)`
  /** Expiring also changes the record. */
  const updatedAt = (now: number) =>
    sql`(CASE WHEN ${isOverdue(now)} THEN greatest(a.updated_at, a.hold_expires_at) ELSE a.updated_at END)`
  /** What conditions are made of. `stored_status` does not know holds that are over, and is in indexes. */
  const fields = (now: number) => ({
    uid: sql`a.uid`,
    stored_status: sql`a.status`,
    status: statusAt(now),
    patient_uid: sql`a.patient_uid`,
    doctor_uid: sql`a.doctor_uid`,
    further_doctor_uids: sql`a.further_doctor_uids`,
    appointment_type_uid: sql`a.appointment_type_uid`,
    start_date: sql`a.start_date`,
    updated_at: updatedAt(now)
  })
  /** The columns of the public record, and its owner. */
  const publicColumns = (now: number) => sql`a.organisation_uid, a.uid, ${statusAt(now)} AS status, a.doctor_uid,
    d.display_name AS doctor_display_name, a.patient_uid,
    trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name')) AS patient_display_name,
    a.appointment_type_uid, t.name AS appointment_type_name, a.visit_reason_encrypted, a.meeting_type, a.meeting_format,
    a.start_date, a.end_date, a.created_at, ${updatedAt(now)} AS updated_at, a.cancelled_at, a.cancellation_reason,
    a.cancellation_reason_encrypted, a.previous_meeting_uid, a.series_uid, taken.resources, further.further_doctors`
  /** The columns of `StoredAppointment`. */
  const columns = (now: number) => sql`${publicColumns(now)},
    a.slot_group, a.booking_session_uid, a.replaces_appointment_uid, a.hold_ttl_seconds, a.hold_expires_at,
    a.further_doctor_uids, a.resource_uids, a.shared_group, a.seat, taken.rooms,
    a.buffer_minutes, a.is_offer, a.room_name, a.confirmed_at, a.late_minutes, a.doctor_late_minutes, a.moved_by_practice,
    coalesce(t.active AND t.deleted_at IS NULL, false) AS type_bookable,
    coalesce(t.allow_patient_rebooking, false) AS allow_patient_rebooking,
    coalesce(t.rebooking_mode, 'same_doctor_only') AS rebooking_mode,
    coalesce(t.rebooking_min_notice_minutes, 0) AS rebooking_min_notice_minutes,
    coalesce(t.cancellation_min_notice_minutes, 0) AS cancellation_min_notice_minutes`
  /** The joins that the columns need. */
  const others = (
    owner: OrganisationUid
  ) => sql`JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = a.doctor_uid
    JOIN patients p ON p.organisation_uid = ${owner} AND p.uid = a.patient_uid
    LEFT JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = a.appointment_type_uid
    CROSS JOIN LATERAL (SELECT coalesce(json_agg(json_build_object('uid', r.uid, 'kind', r.kind, 'name', r.name)
        ORDER BY array_position(a.resource_uids, r.uid)), '[]') AS resources,
        coalesce(json_agg(json_build_object('name', r.name, 'site', r.site)
          ORDER BY array_position(a.resource_uids, r.uid)) FILTER (WHERE r.kind = 'room'), '[]') AS rooms
      FROM resources r WHERE a.resource_uids <> '{}' AND r.organisation_uid = ${owner} AND r.uid = ANY (a.resource_uids)) taken
    CROSS JOIN LATERAL (SELECT coalesce(json_agg(json_build_object('uid', f.uid, 'display_name', f.display_name)
        ORDER BY array_position(a.further_doctor_uids, f.uid)), '[]') AS further_doctors
      FROM doctors f
      WHERE a.further_doctor_uids <> '{}' AND f.organisation_uid = ${owner} AND f.uid = ANY (a.further_doctor_uids)) further`
  /** FROM and WHERE of an organisation's appointments `a`, with these joins. */
  const joined = (owner: OrganisationUid, where: Statement.Fragment) =>
    sql`FROM appointments a ${others(owner)} WHERE a.organisation_uid = ${owner} AND ${where}`
  /** Appointments that the doctor is taken by beside another one: the index of the few with further doctors finds them. */
  const isFurther = (doctor: DoctorUid) =>
    sql`(a.further_doctor_uids <> '{}' AND ${doctor} = ANY (a.further_doctor_uids))`
  return { isOverdue, isFurther, fields, publicColumns, columns, others, joined } as const
}
