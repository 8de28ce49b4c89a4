/**
 * Declares where a patient's data is stored and how it is erased; `Erasures` executes it. A test fails for a tenant's table that is
 * listed neither here nor in tests/capabilities/patient-rights/traces.test.ts.
 */

import type { Statement } from "@effect/sql"
import { Effect } from "effect"
import type { AppointmentUid, OrganisationUid, PatientUid, PharmacyUid } from "../../../schemas/ids.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { keptRecords } from "../../../services/operation/addedRetention.ts"
import { addedAppointmentRecords, addedPatientRecords } from "../../shared/schemas/addedRecords.ts"
import { NOT_WAITING } from "../../shared/services/intake/notWaiting.ts"
import type { Linked } from "../../shared/services/patients/Belongings.ts"

export interface Subject extends Linked {
  readonly organisation_uid: OrganisationUid
  readonly patient_uid: PatientUid
  /** Records that were merged into the patient's: their events keep the uid that they had. */
  readonly merged_uids: ReadonlyArray<PatientUid>
  readonly appointment_uids: ReadonlyArray<AppointmentUid>
  /** Orders of the embedded shop that the patient bought for others; of them those billed, and shipped, to no other. */
  readonly bought: Readonly<Record<"ids" | "billed" | "shipped", ReadonlyArray<string>>>
  /** Pharmacies that received events of the patient's orders or prescriptions. */
  readonly pharmacy_uids: ReadonlyArray<PharmacyUid>
}

export interface Trace {
  /** The kind of data in responses. */
  readonly what: string
  readonly table: string
  /** Columns to blank, as SQL assignments; if omitted, rows are deleted. */
  readonly set?: string
  /** The patient's rows with data left to erase. */
  readonly rows: Statement.Fragment
  /** Whether pharmacies own such rows too, beside the organisation. */
  readonly pharmacies?: boolean
}

/** `owner` of the rows that pharmacies have too: one at a time, since a statement looks for each pair of owner and subject. */
export const tracesOf = Effect.map(Sql, (sql) => (subject: Subject, owner: string): ReadonlyArray<Trace> => {
  const {
    organisation_uid,
    patient_uid,
    merged_uids,
    appointment_uids,
    prescription_uids,
    orders,
    shop_order_ids,
    bought
  } = subject
  const any = (uids: ReadonlyArray<string>) => sql`ANY (${[...uids]}::text[])`
  const own = sql`organisation_uid = ${organisation_uid}`
  const ordered = sql`(pharmacy_uid, uid) IN (SELECT k.pharmacy_uid, k.pharmacy_order_uid
    FROM jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) AS k(pharmacy_uid text, pharmacy_order_uid text))`
  const subjects = any([
    patient_uid,
    ...merged_uids,
    ...appointment_uids,
    ...prescription_uids,
    ...orders.map((order) => order.pharmacy_order_uid)
  ])
  const about = sql`owner_uid = ${owner} AND subject = ${subjects}`
  return [
    {
      what: "profile",
      table: "patients",
      set: "profile = '{}', shop_customer_id = NULL, restricted_at = NULL",
      rows: sql`${own} AND uid = ${patient_uid} AND (profile <> '{}' OR shop_customer_id IS NOT NULL)`
    },
    {
      what: "visit_reasons",
      table: "appointments",
      set: "visit_reason_encrypted = NULL, cancellation_reason_encrypted = NULL",
      rows: sql`${own} AND uid = ${any(appointment_uids)} AND num_nonnulls(visit_reason_encrypted, cancellation_reason_encrypted) > 0`
    },
    ...addedAppointmentRecords().map(({ name, table, blanked }) => ({
      what: name,
      table,
      set: blanked.map((column) => `${column} = NULL`).join(", "),
      rows: sql`${own} AND appointment_uid = ${any(appointment_uids)} AND num_nonnulls(${sql.literal(blanked.join(", "))}) > 0`
    })),
    { what: "merges", table: "patient_merges", rows: sql`${own} AND patient_uid = ${patient_uid}` },
    { what: "notes", table: "appointment_notes", rows: sql`${own} AND appointment_uid = ${any(appointment_uids)}` },
    {
      what: "action_links",
      table: "action_links",
      rows: sql`${own} AND appointment_uid = ${any(appointment_uids)}`
    },
    { what: "sessions", table: "booking_sessions", rows: sql`${own} AND patient_uid = ${patient_uid}` },
    ...Object.keys(addedPatientRecords())
      .filter((table) => !keptRecords().includes(table))
      .map((table) => ({ what: table, table, rows: sql`${own} AND patient_uid = ${patient_uid}` })),
    { what: "consents", table: "consents", rows: sql`${own} AND patient_uid = ${patient_uid}` },
    {
      what: "messages",
      table: "messages",
      rows: sql`${own} AND recipient_role = 'patient' AND recipient_uid = ${patient_uid}`
    },
    {
      what: "repeated_answers",
      table: "idempotency_keys",
      rows: sql`owner_uid = ${organisation_uid} AND scope = ${any([patient_uid, ...merged_uids].map((uid) => `patient:${uid}`))}`
    },
    {
      what: "events",
      table: "events",
      set: "data_encrypted = NULL",
      rows: sql`${about} AND data_encrypted IS NOT NULL AND type <> 'patient.erased'`,
      pharmacies: true
    },
    {
      what: "deliveries",
      table: "webhook_deliveries",
      rows: sql`${about} AND status = 'pending' AND event_type <> 'patient.erased'`,
      pharmacies: true
    },
    {
      what: "prescriptions",
      table: "prescriptions",
      set: "first_name = NULL, last_name = NULL, date_of_birth = NULL, gender = NULL, signature = NULL",
      rows: sql`${own} AND uid = ${any(prescription_uids)}
        AND num_nonnulls(first_name, last_name, date_of_birth, gender, signature) > 0`
    },
    {
      what: "dosages",
      table: "prescription_items",
      set: "dosage_encrypted = NULL, anamnesis_uid = NULL",
      rows: sql`${own} AND prescription_uid = ${any(prescription_uids)} AND num_nonnulls(dosage_encrypted, anamnesis_uid) > 0`
    },
    {
      what: "prescription_reasons",
      table: "prescription_log",
      set: "reason_encrypted = NULL",
      rows: sql`${own} AND prescription_uid = ${any(prescription_uids)} AND reason_encrypted IS NOT NULL`
    },
    { what: "files", table: "files", rows: sql`${own} AND prescription_uid = ${any(prescription_uids)}` },
    {
      what: "orders",
      table: "pharmacy_orders",
      set: "patient = NULL, shipping_address = NULL, tracking = NULL, status_reason = NULL",
      rows: sql`${ordered} AND num_nonnulls(patient, shipping_address, tracking, status_reason) > 0`
    },
    {
      what: "waiting_orders",
      table: "storefront_orders",
      set: `cancelled = true, ${NOT_WAITING}`,
      rows: sql`${own} AND waiting_since IS NOT NULL
        AND (${patient_uid} = ANY (waiting_patients) OR order_id = ${any(shop_order_ids)})`
    },
    {
      what: "drafts",
      table: "embedded_orders",
      rows: sql`${own} AND id = ${any(shop_order_ids)} AND paid_at IS NULL`
    },
    {
      what: "buyers",
      table: "embedded_orders",
      set: "email = NULL, phone = NULL, billing_address = NULL, shipping_address = NULL, attributes = '{}'",
      rows: sql`${own} AND id = ${any(shop_order_ids)} AND (attributes <> '{}'
        OR num_nonnulls(email, phone, billing_address, shipping_address) > 0)`
    },
    {
      what: "buyers", // of others' orders, which keep the others' names and addresses
      table: "embedded_orders",
      set: "email = NULL, phone = NULL",
      rows: sql`${own} AND id = ${any(bought.ids)} AND num_nonnulls(email, phone) > 0`
    },
    {
      what: "buyer_addresses",
      table: "embedded_orders",
      set: "billing_address = NULL",
      rows: sql`${own} AND id = ${any(bought.billed)} AND billing_address IS NOT NULL`
    },
    {
      what: "buyer_addresses",
      table: "embedded_orders",
      set: "shipping_address = NULL",
      rows: sql`${own} AND id = ${any(bought.shipped)} AND shipping_address IS NOT NULL`
    }
  ]
})
