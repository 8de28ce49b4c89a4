/**
 * Finds a patient's records: by the patient's uid where records have it. Prescriptions and orders have it if exactly one patient had
 * their name and birth date when they were created; otherwise they are matched by these. Drafts of the embedded shop are matched by the
 * buyer's mail address or phone number, unless they are in another's name.
 */
import { Effect, Number, Schema } from "effect"
import { type Patient, PUBLIC_CUSTOMER } from "../../schemas/access/Patient.ts"
import { midnightOf } from "../../schemas/birthDate.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import {
  AppointmentUid,
  type OrganisationUid,
  type PatientUid,
  PharmacyOrderUid,
  PharmacyUid,
  PrescriptionUid
} from "../../schemas/ids.ts"
import { ExportedNote } from "../../schemas/patients/PatientRights.ts"
import { invalid } from "../../schemas/problems.ts"
import { HOUR } from "../../schemas/seconds.ts"
import { countOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { ANSWER_LIMITS } from "../recordLimits.ts"
import { Envelope } from "../sealing/Envelope.ts"
import { withOwner } from "../tenancy/Tenancy.ts"

export const OrderRef = Schema.Struct({ pharmacy_uid: PharmacyUid, pharmacy_order_uid: PharmacyOrderUid })
export type OrderRef = typeof OrderRef.Type
export const keyOf = ({ pharmacy_uid, pharmacy_order_uid }: OrderRef) => `${pharmacy_uid}/${pharmacy_order_uid}`

/** The records to erase. They cannot be found again once the names are erased. */
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

const uidsOf = <A>(Uid: Schema.Schema<A, string>) => rowsOf(Schema.Struct({ uid: Uid }))

/** A birth date may have been sent as midnight of any zone. Seconds. */
const ZONES = { before: 14 * HOUR, after: 12 * HOUR }

/** The patient has more data than one request may hold in memory. */
export const tooLarge = (most: string) =>
  invalid("patient_uid", `the patient has more than ${most}: ask the operator, who has \`cli patients\``)

/** Runs `read` for the orders of each pharmacy, as that pharmacy. */
export const ofEachPharmacy = <A, E, R>(
  refs: ReadonlyArray<OrderRef>,
  read: (pharmacy: PharmacyUid, orders: ReadonlyArray<PharmacyOrderUid>) => Effect.Effect<A, E, R>
) =>
  Effect.forEach(
    Map.groupBy(refs, ({ pharmacy_uid }) => pharmacy_uid),
    ([pharmacy_uid, some]) =>
      read(
        pharmacy_uid,
        some.map(({ pharmacy_order_uid }) => pharmacy_order_uid)
      ).pipe(withOwner({ pharmacy_uid }))
  )

/** A patient who booked without a partner has verified a mail address, not an identity: no records are matched by name then. */
const isIdentified = ({ shop_customer_id }: Pick<Patient, "shop_customer_id">) =>
  shop_customer_id?.startsWith(PUBLIC_CUSTOMER) !== true

const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : null)
const birthOf = ({ date_of_birth }: Patient["profile"]) => midnightOf(date_of_birth ?? "") ?? null

export class Belongings extends Effect.Service<Belongings>()("rights/Belongings", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const appointmentUids = uidsOf(AppointmentUid)
    const prescriptionUids = uidsOf(PrescriptionUid)
    const orders = rowsOf(OrderRef)
    const boughtOrders = rowsOf(Schema.Struct({ ...OrderRef.fields, prescription_uid: Schema.NullOr(PrescriptionUid) }))
    const envelope = yield* Envelope
    const noteRows = rowsOf(
      ExportedNote,
      envelope.openRows("appointment_notes", ["organisation_uid", "appointment_uid"])
    )
    const boughtShopOrders = rowsOf(BoughtOrder)

    /**
     * Locks the patient's appointments until the transaction ends: what is written about them concurrently, such as a reminder's event, is
     * committed before and can be erased, or written afterwards without the erased data.
     */
    const lockAppointments = Effect.fn("Belongings.lockAppointments")(function* (
      owner: OrganisationUid,
      patient: PatientUid
    ) {
      const rows = yield* appointmentUids.all(sql`SELECT uid FROM appointments
        WHERE organisation_uid = ${owner} AND patient_uid = ${patient} ORDER BY start_date, uid FOR UPDATE`)
      return rows.map(({ uid }) => uid)
    })

    /** Fails with `Invalid` if the patient has more records than one request may hold in memory. */
    const ensureAtMost = Effect.fn("Belongings.ensureAtMost")(function* (
      owner: OrganisationUid,
      patient: PatientUid,
      { prescription_uids, orders }: Linked,
      most: number
    ) {
      const count = yield* countOf(sql`SELECT count(*) FROM (SELECT FROM appointments
        WHERE organisation_uid = ${owner} AND patient_uid = ${patient} LIMIT ${most + 1}) found`)
      if (count + prescription_uids.length + orders.length > most)
        return yield* tooLarge(`${most} appointments, prescriptions and orders`)
      const lines = yield* ofEachPharmacy(orders, (pharmacy_uid, uids) =>
        countOf(sql`SELECT count(*) FROM pharmacy_order_lines WHERE pharmacy_uid = ${pharmacy_uid}
          AND pharmacy_order_uid = ANY (${[...uids]})`)
      )
      if (Number.sumAll(lines) > ANSWER_LIMITS.patientLines)
        return yield* tooLarge(`${ANSWER_LIMITS.patientLines} lines of orders`)
      const items = yield* countOf(sql`SELECT count(*) FROM (SELECT FROM prescription_items
        WHERE organisation_uid = ${owner} AND prescription_uid = ANY (${[...prescription_uids]}) LIMIT ${ANSWER_LIMITS.patientItems + 1}) found`)
      if (items > ANSWER_LIMITS.patientItems)
        return yield* tooLarge(`${ANSWER_LIMITS.patientItems} items of prescriptions`)
    })

    /** Doctors' notes on the patient's appointments. */
    const notes = Effect.fn("Belongings.notes")((owner: OrganisationUid, patient: PatientUid) =>
      noteRows.all(sql`SELECT n.organisation_uid, n.appointment_uid, n.note_encrypted, n.updated_at FROM appointment_notes n
        JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = n.appointment_uid
        WHERE n.organisation_uid = ${owner} AND a.patient_uid = ${patient} ORDER BY a.start_date, a.uid`)
    )

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

    /** What the patient bought for others. */
    const boughtForOthers = Effect.fn("Belongings.boughtForOthers")((owner: OrganisationUid, patient: Patient) =>
      Effect.map(bought(owner, patient), (all) => all.filter(({ for_another }) => for_another))
    )

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

    return { lockAppointments, notes, recorded, boughtForOthers, ensureAtMost } as const
  })
}) {}
