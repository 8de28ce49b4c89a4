/** The only writer of payout rows: previews, intents, routes. `PayoutList` reads them. */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../schemas/fields.ts"
import { PharmacyOrderUid, type PharmacySkuUid, PharmacyUid } from "../../schemas/ids.ts"
import { ComponentType } from "../../schemas/pharmacy/Payout.ts"
import { columnsOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { PayoutOrder } from "./payouts.ts"

/** The input of an order's payout, at the pharmacy's current prices. */
const PricedOrder = Schema.Struct({
  uid: PharmacyOrderUid,
  name: Schema.String,
  currency: Schema.String,
  created_at: UnixSeconds,
  /** Paid less refunds, in cents. */
  paid_amount: Schema.Number,
  ...PayoutOrder.fields
})
export type PricedOrder = typeof PricedOrder.Type

export interface ProjectedRow {
  readonly pharmacy_order_uid: PharmacyOrderUid
  readonly component_type: ComponentType
  /** Cents. */
  readonly amount: number
  readonly currency: string
  readonly pharmacy_order_name: string
  readonly pharmacy_order_created_at: UnixSeconds
  /** `none` is a preview; completing an order makes it `pending` or `parked`. */
  readonly routing: "none" | "pending" | "parked"
  readonly routing_description: string | null
  readonly parked_reason: string | null
}

const PayoutKey = Schema.Struct({
  pharmacy_uid: PharmacyUid,
  pharmacy_order_uid: PharmacyOrderUid,
  component_type: ComponentType
})
export type PayoutKey = typeof PayoutKey.Type

/** A leased intent: the input of a request to the provider. */
const Intent = Schema.Struct({
  ...PayoutKey.fields,
  /** Cents. */
  amount: Schema.Number,
  currency: Schema.String,
  routing_description: Schema.String,
  /** Attempts so far, this one included. */
  attempts: Schema.Number
})
export type Intent = typeof Intent.Type

const ParkedPayout = Schema.Struct({
  ...Intent.pick("pharmacy_uid", "pharmacy_order_uid", "component_type", "amount", "currency").fields,
  pharmacy_order_name: Schema.NullOr(Schema.String),
  parked_reason: Schema.String
})
export type ParkedPayout = typeof ParkedPayout.Type

const OrderKey = PayoutKey.pick("pharmacy_uid", "pharmacy_order_uid")
const OrderUid = Schema.Struct({ uid: PharmacyOrderUid })

export class PayoutsRepo extends Effect.Service<PayoutsRepo>()("pharmacy/PayoutsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql

    const rowOf = ({
      pharmacy_uid,
      pharmacy_order_uid,
      component_type
    }: PayoutKey) => sql`pharmacy_uid = ${pharmacy_uid}
      AND pharmacy_order_uid = ${pharmacy_order_uid} AND component_type = ${component_type}`

    /**
     * The paid orders among these that are neither rejected nor cancelled. A line that the pharmacy does not carry counts at the price
     * paid. Lines are aggregated as far as the payout formula allows: by digital, and by whether they have a markup.
     */
    const priced = (pharmacy: PharmacyUid, uids: ReadonlyArray<PharmacyOrderUid>) =>
      rowsOf(
        PricedOrder
      ).all(sql`SELECT o.uid, o.name, o.currency, o.created_at, o.paid_amount, o.shipping_price, l.lines
        FROM pharmacy_orders o, LATERAL (
          SELECT coalesce(json_agg(json_build_object('pharmacy_price', s.pharmacy_price, 'total_price', s.total_price,
            'digital', s.digital)), '[]') AS lines
          FROM (SELECT p.digital, sum(p.pharmacy_price) AS pharmacy_price, sum(p.total_price) AS total_price
            FROM (SELECT l.digital, l.total_price, coalesce(k.price * l.quantity, l.total_price) AS pharmacy_price
              FROM pharmacy_order_lines l
                LEFT JOIN pharmacy_skus k ON k.pharmacy_uid = ${pharmacy} AND k.uid = l.pharmacy_sku_uid
              WHERE l.pharmacy_uid = ${pharmacy} AND l.pharmacy_order_uid = o.uid) p
            GROUP BY p.digital, p.total_price > p.pharmacy_price) s) l
        WHERE o.pharmacy_uid = ${pharmacy} AND ${sql.in("o.uid", uids)} AND o.paid
          AND o.status NOT IN ('rejected', 'cancelled')`)

    /** The next paid orders after `after` that are neither completed, rejected nor cancelled, by uid. */
    const openOrders = (pharmacy: PharmacyUid, after: string, limit: number, skus?: ReadonlyArray<PharmacySkuUid>) =>
      Effect.map(
        rowsOf(OrderUid).all(sql`SELECT o.uid FROM pharmacy_orders o
        WHERE o.pharmacy_uid = ${pharmacy} AND o.uid > ${after} AND o.paid
          AND o.status NOT IN ('completed', 'rejected', 'cancelled')
          ${
            skus === undefined
              ? sql``
              : sql`AND EXISTS (SELECT FROM pharmacy_order_lines l WHERE l.pharmacy_uid = ${pharmacy}
                  AND l.pharmacy_order_uid = o.uid AND ${sql.in("l.pharmacy_sku_uid", skus)})`
          }
        ORDER BY o.uid LIMIT ${limit}`),
        (rows) => rows.map(({ uid }) => uid)
      )

    /** Replaces the previews of these orders with `rows`. Pending, parked and routed rows are unchanged. */
    const replacePreviews = Effect.fn("PayoutsRepo.replacePreviews")(function* (
      pharmacy: PharmacyUid,
      uids: ReadonlyArray<PharmacyOrderUid>,
      rows: ReadonlyArray<ProjectedRow>,
      now: UnixSeconds
    ) {
      const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(pharmacy_order_uid text,
        component_type text, routing text, amount bigint, currency text, routing_description text,
        pharmacy_order_name text, pharmacy_order_created_at double precision, parked_reason text)`
      yield* sql`DELETE FROM payouts p WHERE p.pharmacy_uid = ${pharmacy} AND p.routing = 'none'
        AND ${sql.in("p.pharmacy_order_uid", uids)}
        AND NOT EXISTS (SELECT FROM ${given}
          WHERE r.pharmacy_order_uid = p.pharmacy_order_uid AND r.component_type = p.component_type)`
      if (rows.length === 0) return
      yield* sql`INSERT INTO payouts (pharmacy_uid, pharmacy_order_uid, component_type, routing, amount, currency,
          routing_description, pharmacy_order_name, pharmacy_order_created_at, parked_reason, updated_at)
        SELECT ${pharmacy}, r.pharmacy_order_uid, r.component_type, r.routing, r.amount, r.currency,
          r.routing_description, r.pharmacy_order_name, to_timestamp(r.pharmacy_order_created_at), r.parked_reason,
          to_timestamp(${now})
        FROM ${given} ORDER BY r.pharmacy_order_uid, r.component_type
        ON CONFLICT (pharmacy_uid, pharmacy_order_uid, component_type) DO UPDATE SET
          routing = excluded.routing, amount = excluded.amount, currency = excluded.currency,
          routing_description = excluded.routing_description, pharmacy_order_name = excluded.pharmacy_order_name,
          pharmacy_order_created_at = excluded.pharmacy_order_created_at, parked_reason = excluded.parked_reason,
          updated_at = excluded.updated_at
        WHERE payouts.routing = 'none' AND (payouts.routing, payouts.amount, payouts.currency,
            payouts.pharmacy_order_name, payouts.pharmacy_order_created_at)
          IS DISTINCT FROM (excluded.routing, excluded.amount, excluded.currency,
            excluded.pharmacy_order_name, excluded.pharmacy_order_created_at)`
    }, Effect.orDie)

    /** Leases an order's pending intents for `lease_seconds`, during which no other worker attempts them. */
    const lease = (pharmacy: PharmacyUid, order: PharmacyOrderUid, now: UnixSeconds, lease_seconds: number) =>
      rowsOf(Intent).all(sql`UPDATE payouts SET attempts = attempts + 1,
          tried_at = to_timestamp(${now}), leased_until = to_timestamp(${now + lease_seconds})
        WHERE pharmacy_uid = ${pharmacy} AND pharmacy_order_uid = ${order} AND routing = 'pending'
          AND (leased_until IS NULL OR leased_until <= to_timestamp(${now}))
        RETURNING ${sql.literal(columnsOf(Intent))}`)

    /** Releases the lease of an intent for a retry. */
    const release = (key: PayoutKey) =>
      sql`UPDATE payouts SET leased_until = NULL WHERE ${rowOf(key)} AND routing = 'pending'`.pipe(Effect.orDie)

    /** Records the route of an intent. */
    const settle = (key: PayoutKey, provider_route_id: string, now: UnixSeconds) =>
      sql`UPDATE payouts SET routing = 'routed', provider_route_id = ${provider_route_id},
          routing_created_at = to_timestamp(${now}), updated_at = to_timestamp(${now}), leased_until = NULL
        WHERE ${rowOf(key)} AND routing = 'pending'`.pipe(Effect.orDie)

    /** Parks an intent for an operator. */
    const park = (key: PayoutKey, reason: string) =>
      sql`UPDATE payouts SET routing = 'parked', parked_reason = ${reason}, leased_until = NULL
        WHERE ${rowOf(key)} AND routing = 'pending'`.pipe(Effect.orDie)

    /**
     * Makes parked intents of a pharmacy pending again: those with this reason, or those of one order. Orders whose payouts are more
     * than was paid stay parked. Returns the affected orders.
     */
    const unpark = (pharmacy: PharmacyUid, only: { readonly reason: string } | { readonly order: PharmacyOrderUid }) =>
      Effect.map(
        rowsOf(OrderUid).all(sql`UPDATE payouts SET routing = 'pending', parked_reason = NULL
        WHERE pharmacy_uid = ${pharmacy} AND routing = 'parked'
          AND (SELECT sum(x.amount) FROM payouts x WHERE x.pharmacy_uid = ${pharmacy}
              AND x.pharmacy_order_uid = payouts.pharmacy_order_uid AND x.routing <> 'none')
            <= (SELECT o.paid_amount FROM pharmacy_orders o WHERE o.pharmacy_uid = ${pharmacy}
              AND o.uid = payouts.pharmacy_order_uid)
          AND ${"reason" in only ? sql`parked_reason = ${only.reason}` : sql`pharmacy_order_uid = ${only.order}`}
        RETURNING pharmacy_order_uid AS uid`),
        (rows) => [...new Set(rows.map(({ uid }) => uid))]
      )

    /** A pharmacy's orders with pending intents that were last attempted before `before`, or never. */
    const stale = (pharmacy: PharmacyUid, before: number, limit: number) =>
      rowsOf(OrderKey).all(sql`SELECT DISTINCT pharmacy_uid, pharmacy_order_uid FROM payouts
        WHERE pharmacy_uid = ${pharmacy} AND routing = 'pending' AND (tried_at IS NULL OR tried_at <= to_timestamp(${before}))
        LIMIT ${limit}`)

    /** Parked intents, oldest orders first. */
    const parked = (limit: number) =>
      rowsOf(ParkedPayout).all(sql`SELECT ${sql.literal(columnsOf(ParkedPayout))}
        FROM payouts WHERE routing = 'parked'
        ORDER BY pharmacy_uid, pharmacy_order_created_at, pharmacy_order_uid, component_type LIMIT ${limit}`)

    return { parked, priced, openOrders, replacePreviews, lease, release, settle, park, unpark, stale } as const
  })
}) {}
