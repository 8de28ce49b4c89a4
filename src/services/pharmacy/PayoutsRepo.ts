/** The SQL that writes payout rows: previews, intents, routes. `PayoutList` reads them. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { UnixSeconds } from "../../schemas/fields.ts"
import type { PharmacyOrderUid, PharmacySkuUid, PharmacyUid } from "../../schemas/ids.ts"
import type { ComponentType, PayoutOrder } from "./payouts.ts"

/** An order with what its payout depends on, the pharmacy's prices as they are now. */
export interface PricedOrder extends PayoutOrder {
  readonly uid: PharmacyOrderUid
  readonly name: string
  readonly currency: string
  readonly created_at: UnixSeconds
}

export interface ProjectedRow {
  readonly pharmacy_order_uid: PharmacyOrderUid
  readonly component_type: ComponentType
  readonly amount: number
  readonly currency: string
  readonly pharmacy_order_name: string
  readonly pharmacy_order_created_at: UnixSeconds
  /** `none` is a preview; the others are what completing an order makes of it. */
  readonly routing: "none" | "pending" | "parked"
  readonly routing_description: string | null
  readonly parked_reason: string | null
}

/** An intent whose turn it is, and what the provider has to know. */
export interface Intent {
  readonly pharmacy_uid: PharmacyUid
  readonly pharmacy_order_uid: PharmacyOrderUid
  readonly component_type: ComponentType
  readonly amount: number
  readonly currency: string
  readonly routing_description: string
  /** How often it has been tried, this time included. */
  readonly attempts: number
}

export type PayoutKey = Pick<Intent, "pharmacy_uid" | "pharmacy_order_uid" | "component_type">

export interface ParkedPayout extends PayoutKey {
  readonly amount: number
  readonly currency: string
  readonly parked_reason: string
}

export class PayoutsRepo extends Effect.Service<PayoutsRepo>()("pharmacy/PayoutsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const anyOf = (uids: ReadonlyArray<string>) =>
      sql`(SELECT jsonb_array_elements_text(${JSON.stringify(uids)}::jsonb))`
    const rowOf = ({
      pharmacy_uid,
      pharmacy_order_uid,
      component_type
    }: PayoutKey) => sql`pharmacy_uid = ${pharmacy_uid}
      AND pharmacy_order_uid = ${pharmacy_order_uid} AND component_type = ${component_type}`

    /**
     * Those of these orders that are owed for: paid and not called off. A line that the pharmacy does not carry counts at
     * the price paid.
     */
    const priced = (pharmacy: PharmacyUid, uids: ReadonlyArray<PharmacyOrderUid>) =>
      sql<PricedOrder>`SELECT o.uid, o.name, o.currency, o.created_at, o.shipping_price, l.lines
        FROM pharmacy_orders o, LATERAL (
          SELECT coalesce(json_agg(json_build_object('pharmacy_price', coalesce(k.price, l.unit_price),
            'unit_price', l.unit_price, 'quantity', l.quantity, 'digital', l.digital)), '[]') AS lines
          FROM pharmacy_order_lines l
            LEFT JOIN pharmacy_skus k ON k.pharmacy_uid = l.pharmacy_uid AND k.uid = l.pharmacy_sku_uid
          WHERE l.pharmacy_uid = o.pharmacy_uid AND l.pharmacy_order_uid = o.uid) l
        WHERE o.pharmacy_uid = ${pharmacy} AND o.uid IN ${anyOf(uids)} AND o.paid
          AND o.status NOT IN ('rejected', 'cancelled')`.pipe(Effect.orDie)

    /** The next paid orders after `after` that are neither completed nor called off, by uid. */
    const openOrders = (pharmacy: PharmacyUid, after: string, limit: number, skus?: ReadonlyArray<PharmacySkuUid>) =>
      sql<{ uid: PharmacyOrderUid }>`SELECT o.uid FROM pharmacy_orders o
        WHERE o.pharmacy_uid = ${pharmacy} AND o.uid > ${after} AND o.paid
          AND o.status NOT IN ('completed', 'rejected', 'cancelled')
          ${
            skus === undefined
              ? sql``
              : sql`AND EXISTS (SELECT FROM pharmacy_order_lines l WHERE l.pharmacy_uid = o.pharmacy_uid
                  AND l.pharmacy_order_uid = o.uid AND l.pharmacy_sku_uid IN ${anyOf(skus)})`
          }
        ORDER BY o.uid LIMIT ${limit}`.pipe(
        Effect.orDie,
        Effect.map((rows) => rows.map(({ uid }) => uid))
      )

    /** Makes `rows` the rows of these orders. What is no preview any more is left as it is. */
    const replacePreviews = Effect.fn("PayoutsRepo.replacePreviews")(function* (
      pharmacy: PharmacyUid,
      uids: ReadonlyArray<PharmacyOrderUid>,
      rows: ReadonlyArray<ProjectedRow>
    ) {
      const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(pharmacy_order_uid text,
        component_type text, routing text, amount bigint, currency text, routing_description text,
        pharmacy_order_name text, pharmacy_order_created_at double precision, parked_reason text)`
      yield* sql`DELETE FROM payouts p WHERE p.pharmacy_uid = ${pharmacy} AND p.routing = 'none'
        AND p.pharmacy_order_uid IN ${anyOf(uids)}
        AND NOT EXISTS (SELECT FROM ${given}
          WHERE r.pharmacy_order_uid = p.pharmacy_order_uid AND r.component_type = p.component_type)`
      if (rows.length === 0) return
      yield* sql`INSERT INTO payouts (pharmacy_uid, pharmacy_order_uid, component_type, routing, amount, currency,
          routing_description, pharmacy_order_name, pharmacy_order_created_at, parked_reason)
        SELECT ${pharmacy}, r.pharmacy_order_uid, r.component_type, r.routing, r.amount, r.currency,
          r.routing_description, r.pharmacy_order_name, to_timestamp(r.pharmacy_order_created_at), r.parked_reason
        FROM ${given} ORDER BY r.pharmacy_order_uid, r.component_type
        ON CONFLICT (pharmacy_uid, pharmacy_order_uid, component_type) DO UPDATE SET
          routing = excluded.routing, amount = excluded.amount, currency = excluded.currency,
          routing_description = excluded.routing_description, pharmacy_order_name = excluded.pharmacy_order_name,
          pharmacy_order_created_at = excluded.pharmacy_order_created_at, parked_reason = excluded.parked_reason
        WHERE payouts.routing = 'none' AND (payouts.routing, payouts.amount, payouts.currency,
            payouts.pharmacy_order_name, payouts.pharmacy_order_created_at)
          IS DISTINCT FROM (excluded.routing, excluded.amount, excluded.currency,
            excluded.pharmacy_order_name, excluded.pharmacy_order_created_at)`
    }, Effect.orDie)

    /** Takes an order's pending intents for `lease_seconds`, so that nobody else tries them meanwhile. */
    const lease = (pharmacy: PharmacyUid, order: PharmacyOrderUid, now: UnixSeconds, lease_seconds: number) =>
      sql<Intent>`UPDATE payouts SET attempts = attempts + 1,
          tried_at = to_timestamp(${now}), leased_until = to_timestamp(${now + lease_seconds})
        WHERE pharmacy_uid = ${pharmacy} AND pharmacy_order_uid = ${order} AND routing = 'pending'
          AND (leased_until IS NULL OR leased_until <= to_timestamp(${now}))
        RETURNING pharmacy_uid, pharmacy_order_uid, component_type, amount, currency, routing_description,
          attempts`.pipe(Effect.orDie)

    /** Gives an intent back, to be tried again. */
    const release = (key: PayoutKey) =>
      sql`UPDATE payouts SET leased_until = NULL WHERE ${rowOf(key)} AND routing = 'pending'`.pipe(Effect.orDie)

    /** The route is there. */
    const settle = (key: PayoutKey, provider_route_id: string, now: UnixSeconds) =>
      sql`UPDATE payouts SET routing = 'routed', provider_route_id = ${provider_route_id},
          routing_created_at = to_timestamp(${now}), leased_until = NULL
        WHERE ${rowOf(key)} AND routing = 'pending'`.pipe(Effect.orDie)

    /** The intent waits for an operator. */
    const park = (key: PayoutKey, reason: string) =>
      sql`UPDATE payouts SET routing = 'parked', parked_reason = ${reason}, leased_until = NULL
        WHERE ${rowOf(key)} AND routing = 'pending'`.pipe(Effect.orDie)

    /** Intents that wait for an operator go back to be routed: a pharmacy's, those with this reason, or one order's. */
    const unpark = (pharmacy: PharmacyUid, only: { readonly reason: string } | { readonly order: PharmacyOrderUid }) =>
      sql<{ pharmacy_order_uid: PharmacyOrderUid }>`UPDATE payouts SET routing = 'pending', parked_reason = NULL
        WHERE pharmacy_uid = ${pharmacy} AND routing = 'parked'
          AND ${"reason" in only ? sql`parked_reason = ${only.reason}` : sql`pharmacy_order_uid = ${only.order}`}
        RETURNING pharmacy_order_uid`.pipe(
        Effect.orDie,
        Effect.map((rows) => [...new Set(rows.map(({ pharmacy_order_uid }) => pharmacy_order_uid))])
      )

    /** Orders with pending intents that nobody has tried since `before`. */
    const neglected = (before: number, limit: number) =>
      sql<Pick<PayoutKey, "pharmacy_uid" | "pharmacy_order_uid">>`SELECT DISTINCT pharmacy_uid, pharmacy_order_uid
        FROM payouts WHERE routing = 'pending' AND (tried_at IS NULL OR tried_at <= to_timestamp(${before}))
        LIMIT ${limit}`.pipe(Effect.orDie)

    /** What waits for an operator, oldest orders first. */
    const parked = (limit: number) =>
      sql<ParkedPayout>`SELECT pharmacy_uid, pharmacy_order_uid, component_type, amount, currency, parked_reason
        FROM payouts WHERE routing = 'parked'
        ORDER BY pharmacy_uid, pharmacy_order_created_at, pharmacy_order_uid, component_type LIMIT ${limit}`.pipe(
        Effect.orDie
      )

    return { parked, priced, openOrders, replacePreviews, lease, release, settle, park, unpark, neglected } as const
  })
}) {}
