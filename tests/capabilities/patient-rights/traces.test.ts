/** Every tenant table is declared: with patient data, or without. Rule 12.2.2. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { tracesOf } from "../../../src/capabilities/patient-rights/services/traces.ts"
import { OrganisationUid, PatientUid } from "../../../src/schemas/ids.ts"
import { testServer } from "../../support/server.ts"

const server = testServer()

/** Tables of tenants without a patient's data, except uids. */
const withoutPatients: ReadonlyArray<string> = [
  "abandoned_checkouts",
  "absence_appointments", // deleted with the appointment
  "absences",
  "accepted_prescriptions",
  "admins",
  "api_keys",
  "appointment_counts",
  "appointment_types",
  "audit_chain",
  "audit_entries",
  "audit_heads",
  "availability_date_overrides",
  "availability_rules",
  "booking_token_secrets",
  "staff_people",
  "busy_sources",
  "calendar_feeds",
  "checkouts",
  "calendar_connections",
  "connected_calendars",
  "connected_times",
  "calendar_entries", // times of appointments, deleted when these are over
  "claims", // deleted with the appointment, or when it ends
  "consent_texts",
  "data_keys",
  "dispensings",
  "doctor_appointment_type_settings",
  "doctors",
  "erasures",
  "fhir_assertions",
  "fhir_clients",
  "form_files", // sealed, left to retention
  "form_responses", // the same
  "form_versions",
  "forms",
  "images",
  "intake_let_ins", // deleted with the appointment
  "intake_looks", // times, deleted with the appointment
  "meeting_dismissals", // a time, deleted with the appointment
  "organisations",
  "payments",
  "payout_counts",
  "payouts",
  "pharmacies",
  "pharmacy_order_lines",
  "pharmacy_skus",
  "published_reminders",
  "public_bookings", // encrypted, and blanked within an hour; a confirmed booking creates a patient
  "reminder_watermarks",
  "reminders",
  "request_types",
  "requests", // what the practice has written is sealed, left to retention
  "reservations",
  "resources",
  "retained_records",
  "shops",
  "storefront_order_parts",
  "storefront_webhooks",
  "waitlist_offers", // deleted with the entry
  "waitlist_openings",
  "webhook_delivery_counts",
  "webhook_subscriptions"
]

const nobody = {
  organisation_uid: OrganisationUid.make("none"),
  patient_uid: PatientUid.make("none"),
  merged_uids: [],
  appointment_uids: [],
  pharmacy_uids: [],
  prescription_uids: [],
  orders: [],
  shop_order_ids: [],
  bought: { ids: [], billed: [], shipped: [] }
}

test("every table with patient data is covered by the erasure", async () => {
  const [tables, declared] = await server.current.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ name: string }>`SELECT DISTINCT c.relname AS name FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('organisation_uid', 'pharmacy_uid', 'owner_uid')
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`
      const traces = (yield* tracesOf)(nobody, nobody.organisation_uid)
      return [rows.map(({ name }) => name), traces.map(({ table }) => table)] as const
    })
  )
  const known = new Set([...declared, ...withoutPatients])
  expect(tables.filter((table) => !known.has(table))).toEqual([])
  expect(declared.filter((table) => withoutPatients.includes(table))).toEqual([])
})
