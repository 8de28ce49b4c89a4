/** Retention rules: the rows of each kind of data, and the start of their period. Section 12.6. */
import { DAY } from "../../../schemas/seconds.ts"
import { addedRetentionRules, keptRecords, type RetentionRule } from "../../../services/operation/addedRetention.ts"
import { ownKind } from "../schemas/retention.ts"

/** The patient's processing is restricted, so their data must not be deleted. */
export const restricted = `EXISTS (SELECT FROM patients p WHERE p.organisation_uid = {owner}
  AND p.uid = r.patient_uid AND p.restricted_at IS NOT NULL)`

/** Of the core's tables. */
const ownRules: ReadonlyArray<RetentionRule> = [
  {
    table: "webhook_deliveries",
    since: "created_at",
    after: ownKind("deliveries"),
    key: ["owner_uid", "uid"],
    unless: "r.status = 'pending'"
  },
  { table: "events", since: "created_at", after: ownKind("events"), key: ["owner_uid", "id"] },
  { table: "messages", since: "created_at", after: ownKind("messages") },
  {
    table: "published_reminders",
    since: "start_date",
    after: DAY,
    key: ["organisation_uid", "appointment_uid", "reminder_uid", "minutes_before"]
  },
  { table: "action_links", since: "expires_at", after: ownKind("links") },
  { table: "idempotency_keys", since: "created_at", after: DAY, key: ["owner_uid", "scope", "key"] },
  {
    table: "appointments",
    since: "hold_expires_at",
    after: ownKind("holds"),
    // an expired hold can be confirmed until its end (Rule 4.5.3)
    unless: `r.status NOT IN ('expired', 'cancelled') OR r.confirmed_at IS NOT NULL
      OR (r.status = 'expired' AND r.end_date >= {end})`
  },
  { table: "booking_sessions", since: "kept_until", after: ownKind("sessions") },
  {
    table: "appointments",
    since: "cancelled_at",
    after: ownKind("cancelled_appointments"),
    unless: `r.confirmed_at IS NULL OR ${restricted}`
  },
  {
    table: "appointments",
    since: "end_date",
    after: ownKind("records"),
    unless: `r.status NOT IN ('completed', 'no_show') OR ${restricted} OR EXISTS (SELECT FROM appointments later
      WHERE later.organisation_uid = {owner} AND later.patient_uid = r.patient_uid AND later.end_date >= {end}
        AND later.status IN ('confirmed', 'completed', 'no_show'))`
  },
  { table: "prescriptions", since: "updated_at", after: ownKind("records") },
  { table: "accepted_prescriptions", since: "accepted_at", after: ownKind("records"), key: ["organisation_uid", "id"] },
  {
    table: "checkouts",
    since: "created_at",
    after: ownKind("records"),
    unless: `EXISTS (SELECT FROM accepted_prescriptions a
      WHERE a.organisation_uid = {owner} AND a.checkout_uid = r.uid)`
  },
  {
    table: "pharmacy_orders",
    since: "updated_at",
    after: ownKind("orders"),
    key: ["pharmacy_uid", "uid"],
    unless:
      "r.status NOT IN ('completed', 'rejected', 'cancelled') OR num_nonnulls(r.patient, r.shipping_address, r.tracking) = 0",
    set: "patient = NULL, shipping_address = NULL, tracking = NULL, status_reason = NULL"
  },
  {
    table: "reservations",
    since: "expires_at",
    after: ownKind("drafts"),
    key: ["organisation_uid", "shop_uid", "draft_order_id"]
  },
  { table: "consents", since: "withdrawn_at", after: ownKind("consents") },
  {
    table: "patients",
    since: "updated_at",
    after: ownKind("patients"),
    /** A patient stays for as long as something of theirs does. */
    get unless() {
      const left = ["appointments", "booking_sessions", ...keptRecords()].map(
        (table) => `EXISTS (SELECT FROM ${table} x WHERE x.organisation_uid = {owner} AND x.patient_uid = r.uid)`
      )
      return ["r.restricted_at IS NOT NULL", ...left].join(" OR ")
    }
  }
]

/** The core's, and those of the tables of capabilities. */
export const retentionRules = (): ReadonlyArray<RetentionRule> => [...ownRules, ...addedRetentionRules()]

export const keyOf = ({ key = ["organisation_uid", "uid"] }: RetentionRule) => key

/**
 * The column of the organisation or pharmacy that the period applies to; for a pharmacy's order the organisation that it was made for.
 */
export const ownerColumn = (rule: RetentionRule) => {
  const [owner] = keyOf(rule)
  return owner === "pharmacy_uid" ? "organisation_uid" : owner
}

/** SQL condition for a row `r` past retention, with `{end}` and `{owner}` as in `unless`. */
export const isOver = ({ since, unless }: RetentionRule) =>
  `r.${since} < {end}${unless === undefined ? "" : ` AND NOT (${unless})`}`
