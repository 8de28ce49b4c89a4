/**
 * Finds a patient's records: by the patient's uid where records have it. Prescriptions and orders have it if exactly one patient had
 * their name and birth date when they were created; otherwise they are matched by these. Drafts of the embedded shop are matched by the
 * buyer's mail address or phone number, unless they are in another's name.
 */
import { Effect, Schema } from "effect"
import { type Patient, PUBLIC_CUSTOMER } from "../../../../schemas/access/Patient.ts"
import { midnightOf } from "../../../../schemas/birthDate.ts"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { type OrganisationUid, PharmacyOrderUid, PharmacyUid, PrescriptionUid } from "../../../../schemas/ids.ts"
import { HOUR } from "../../../../schemas/seconds.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"

export const OrderRef = Schema.Struct({ pharmacy_uid: PharmacyUid, pharmacy_order_uid: PharmacyOrderUid })
export type OrderRef = typeof OrderRef.Type
export const keyOf = ({ pharmacy_uid, pharmacy_order_uid }: OrderRef) => `${pharmacy_uid}/${pharmacy_order_uid}`

/** Records of a patient. They cannot be found by names that are gone. */
export const Linked = Schema.Struct({
  prescription_uids: Schema.Array(PrescriptionUid),
  orders: Schema.Array(OrderRef),
  /** Drafts and orders of the embedded shop. */
  shop_order_ids: Schema.Array(Schema.String)
})
export type Linked = typeof Linked.Type

/** An order of the embedded shop with the patient's mail address or phone number. */
const BoughtOrder = Schema.Struct({
  id: Schema.String,
  /** It names another as the patient. */
  for_another: Schema.Boolean,
  /** Its addresses have another's name. */
  billed_to_another: Schema.Boolean,
  shipped_to_another: Schema.Boolean,
  email: Schema.NullOr(Schema.String),
  phone: Schema.NullOr(Schema.String),
  billing_address: Schema.Unknown,
  shipping_address: Schema.Unknown,
  paid_at: Schema.NullOr(UnixSeconds)
})
export type BoughtOrder = typeof BoughtOrder.Type

/** A birth date may have been sent as midnight of any zone. Seconds. */
const ZONES = { before: 14 * HOUR, after: 12 * HOUR }

/** A patient who booked without a partner has verified a mail address, not an identity: no records are matched by name then. */
const isIdentified = ({ shop_customer_id }: Pick<Patient, "shop_customer_id">) =>
  shop_customer_id?.startsWith(PUBLIC_CUSTOMER) !== true

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : null)
const birthOf = ({ date_of_birth }: Patient["profile"]) => midnightOf(date_of_birth ?? "") ?? null

export class Belongings extends Effect.Service<Belongings>()("rights/Belongings", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const prescriptionUids = rowsOf(Schema.Struct({ uid: PrescriptionUid }))
    const orders = rowsOf(OrderRef)
    const boughtOrders = rowsOf(Schema.Struct({ ...OrderRef.fields, prescription_uid: Schema.NullOr(PrescriptionUid) }))
    const boughtShopOrders = rowsOf(BoughtOrder)

    /**
     * The patient's orders of the embedded shop. The patient of an order is named by its attributes, or else by the prescriptions of its
     * lines; without either it is the buyer's.
     */
    const bought = Effect.fnUntraced(function* (owner: OrganisationUid, { profile, shop_uid, uid }: Patient) {
      const [first, last] = [textOf(profile.first_name), textOf(profile.last_name)]
      const [email, phone] = [textOf(profile.email), textOf(profile.phone)]
      // A name that is unknown on either side is no other
      const isAnother = (of: string) => sql`(
        coalesce(lower(${sql.literal(`${of}->>'first_name'`)}) <> lower(${first}::text), false)
        OR coalesce(lower(${sql.literal(`${of}->>'last_name'`)}) <> lower(${last}::text), false))`
      return yield* boughtShopOrders.all(sql`SELECT e.id, e.email, e.phone, e.billing_address, e.shipping_address, e.paid_at,
          ${isAnother("e.billing_address")} AS billed_to_another, ${isAnother("e.shipping_address")} AS shipped_to_another,
          ${isAnother("e.attributes")} OR EXISTS (SELECT FROM jsonb_array_elements(e.lines) AS l(line)
            JOIN prescriptions p ON p.organisation_uid = ${owner} AND p.uid = l.line->'attributes'->>'_prescription_uid'
            WHERE p.patient_uid <> ${uid} OR (p.patient_uid IS NULL AND ${isAnother("to_jsonb(p)")})) AS for_another
        FROM embedded_orders e WHERE e.organisation_uid = ${owner} AND e.shop_uid = ${shop_uid}
          AND (lower(e.email) = lower(${email}::text) OR e.phone = ${phone}::text)`)
    })

    /** Prescriptions, orders and drafts of the patient. */
    const recorded = Effect.fn("Belongings.recorded")(function* (owner: OrganisationUid, patient: Patient) {
      const { profile, shop_uid, shop_customer_id, uid } = patient
      const [first, last] = [textOf(profile.first_name), textOf(profile.last_name)]
      const birth = birthOf(profile)
      const born = (column: string) => sql`${sql.literal(column)}
        BETWEEN ${birth}::bigint - ${ZONES.before} AND ${birth}::bigint + ${ZONES.after}`
      const called = isIdentified({ shop_customer_id })
        ? sql`patient_name = lower(${last}::text) || E'\\n' || lower(${first}::text)`
        : sql`false`

      const drafts = yield* bought(owner, patient)
      const drafted = drafts.flatMap(({ id, for_another }) => (for_another ? [] : [id]))
      const isTheirs = sql`p.patient_uid = ${uid} OR (p.patient_uid IS NULL
        AND ${called} AND ${born("p.date_of_birth")})`
      // Separate statements: with several nodes, orders are on their pharmacies' nodes
      const named = yield* prescriptionUids.all(sql`SELECT p.uid FROM prescriptions p
        WHERE p.organisation_uid = ${owner} AND (${isTheirs})`)
      const ordered = yield* orders.all(sql`SELECT s.pharmacy_uid, s.pharmacy_order_uid FROM storefront_order_parts s
        WHERE s.organisation_uid = ${owner} AND s.shop_uid = ${shop_uid} AND s.order_id = ANY (${drafted})`)
      // One statement for each index: combined, PostgreSQL may read all orders without patient_uid
      const found = yield* Effect.forEach(
        [
          sql`o.patient_uid = ${uid}`,
          sql`o.patient_uid IS NULL AND ${called} AND ${born("(o.patient->>'date_of_birth')::bigint")}`,
          sql`o.patient_uid IS NULL AND o.prescription_uid = ANY (${named.map((one) => one.uid)})`,
          sql`o.patient_uid IS NULL AND o.pharmacy_uid = ANY (${ordered.map((one) => one.pharmacy_uid)})
            AND o.uid = ANY (${ordered.map((one) => one.pharmacy_order_uid)})
            AND o.pharmacy_uid || '/' || o.uid = ANY (${ordered.map(keyOf)})`
        ],
        (where) =>
          boughtOrders.all(sql`SELECT o.pharmacy_uid, o.uid AS pharmacy_order_uid, o.prescription_uid
            FROM pharmacy_orders o WHERE o.organisation_uid = ${owner} AND ${where}`)
      )
      const all = [...new Map(found.flat().map((order) => [keyOf(order), order])).values()]
      const carried = all.flatMap(({ prescription_uid }) => prescription_uid ?? [])
      const prescribed = yield* prescriptionUids.all(sql`SELECT p.uid FROM prescriptions p
        WHERE p.organisation_uid = ${owner} AND (${isTheirs} OR (p.patient_uid IS NULL AND p.date_of_birth IS NULL
          AND ${called} AND p.uid = ANY (${carried})))`)
      const linked: Linked = {
        prescription_uids: prescribed.map(({ uid }) => uid),
        orders: all.map(({ pharmacy_uid, pharmacy_order_uid }) => ({ pharmacy_uid, pharmacy_order_uid })),
        shop_order_ids: drafted
      }
      return linked
    })

    return { recorded, bought } as const
  })
}) {}
