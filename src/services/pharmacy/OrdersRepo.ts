/** The repository of pharmacy orders and their lines. */

import type { Statement } from "@effect/sql"
import { Array, Effect, Predicate, Schema } from "effect"
import { UnixSeconds } from "../../schemas/fields.ts"
import {
  OrganisationUid,
  PatientUid,
  type PharmacyOrderUid,
  PharmacyUid,
  type PrescriptionUid,
  type ShopUid,
  type SkuUid
} from "../../schemas/ids.ts"
import { PharmacyOrderNotFound } from "../../schemas/pharmacy/errors.ts"
import {
  type OrderPatient,
  type OrderQuery,
  PharmacyOrder,
  PharmacyOrderLine,
  type ShippingAddress
} from "../../schemas/pharmacy/PharmacyOrder.ts"
import type { PharmacyOrderStatus } from "../../schemas/pharmacy/PharmacyOrderStates.ts"
import { columnsOf, countOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { ensurePageFits, Held, longPageOf, type Window } from "../database/totals.ts"
import { hasTrigram } from "../database/trigrams.ts"
import { ANSWER_LIMITS } from "../recordLimits.ts"
import { byTextIndex, withOwner } from "../tenancy/Tenancy.ts"
import { type OrderKeys, orderKeysWith } from "./orderKeys.ts"
import type { CarriedPrescription } from "./PrescriptionProgress.ts"
import type { StoredChange } from "./shopChanges.ts"

/** An order as stored: the public record without data of its prescription. */
const StoredOrder = Schema.Struct({
  ...PharmacyOrder.omit("prescription_file", "shop_change").fields,
  /** With those that a person has settled. */
  shop_change: Schema.NullOr(Schema.declare((stored: unknown): stored is StoredChange => Predicate.isRecord(stored))),
  organisation_uid: OrganisationUid,
  /** Whether stock is reduced by its lines once it is paid (Rule 10.4.12). */
  takes_stock: Schema.Boolean
})
export type StoredOrder = typeof StoredOrder.Type

const Article = PharmacyOrderLine.pick(
  "sku_uid",
  "pharmacy_sku_uid",
  "external_id",
  "pzn",
  "display_name",
  "product_display_name"
)
type Article = typeof Article.Type

/** An order without the articles of its lines. */
const OrderRow = Schema.Struct({
  ...StoredOrder.fields,
  lines: Schema.Array(PharmacyOrderLine.omit("external_id", "pzn", "display_name", "product_display_name"))
})
type OrderRow = typeof OrderRow.Type

const articleKey = ({ sku_uid, pharmacy_sku_uid }: Pick<Article, "sku_uid" | "pharmacy_sku_uid">) =>
  JSON.stringify([sku_uid, pharmacy_sku_uid])

export interface NewLine {
  readonly sku_uid: SkuUid
  readonly quantity: number
  /** Paid for the whole quantity after discounts, in cents. */
  readonly total_price: number
}

export interface NewOrder {
  readonly pharmacy_uid: PharmacyUid
  readonly uid: PharmacyOrderUid
  /** Readable, e.g. the shop's `#1001`. */
  readonly name: string
  readonly status: PharmacyOrderStatus
  readonly paid: boolean
  readonly organisation_uid: OrganisationUid
  readonly shop_uid: ShopUid
  readonly prescription_uid: PrescriptionUid | null
  /** The payment provider's id of the patient's payment. */
  readonly payment_id: string | null
  /** Cents. */
  readonly shipping_price: number
  /** ISO 4217. */
  readonly currency: string
  /** Cents, less refunds. */
  readonly paid_amount: number
  /** Cents, of the shop's whole order. */
  readonly refunded_amount: number
  readonly patient: OrderPatient | null
  readonly shipping_address: ShippingAddress | null
  readonly takes_stock: boolean
  readonly created_at: UnixSeconds
  readonly lines: ReadonlyArray<NewLine>
}

/** Changes of an order; an omitted field is unchanged, but a status sets or clears its reason. */
export interface OrderChange {
  readonly status?: PharmacyOrderStatus
  readonly status_reason?: string | null
  readonly tracking?: PharmacyOrder["tracking"]
  readonly prescription_uid?: PrescriptionUid
  readonly payment_id?: string
  /** Null: it is no longer paid. */
  readonly paid_at?: UnixSeconds | null
  readonly paid_amount?: number
  readonly refunded_amount?: number
  readonly shipping_price?: number
  readonly shop_change?: StoredChange | null
  readonly problem?: PharmacyOrder["problem"]
  readonly undo?: PharmacyOrder["undo"]
  /** Takes the tracking number away. */
  readonly without_tracking?: true
  readonly completed_at?: UnixSeconds
}

/** Data of an order for routing its payouts. */
const RoutedOrder = Schema.Struct({
  payment_id: Schema.NullOr(Schema.String),
  payment_account: Schema.NullOr(Schema.String),
  paid_at: UnixSeconds,
  /** Amount paid by the patient less refunds, in cents. */
  paid_amount: Schema.Number,
  /** The sum of the order's payouts that are routed or about to be, in cents. */
  payout_amount: Schema.Number
})
export type RoutedOrder = typeof RoutedOrder.Type

/** What decides over the share of a pharmacy order in the shop's order. */
const OrderShare = Schema.Struct({
  ...PharmacyOrder.pick("status", "prescription_uid").fields,
  /** Cents. */
  total: Schema.Number,
  committed: Schema.Number
})
export type OrderShare = typeof OrderShare.Type

export interface ShopOrderRef {
  readonly shop_uid: ShopUid
  /** The shop's id of the order. */
  readonly order_id: string
}

/** An order that carries a prescription. */
const CarryingOrder = Schema.Struct({
  pharmacy_uid: PharmacyUid,
  ...PharmacyOrder.pick("uid", "name", "status", "paid", "created_at", "tracking").fields
})

/** Orders found by a search up to which the text index is used; for more, all of the pharmacy's are compared, which is cheaper. */
const BY_INDEX = 20_000

const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))
const notFound = () => new PharmacyOrderNotFound()

export class OrdersRepo extends Effect.Service<OrdersRepo>()("pharmacy/OrdersRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const keys = orderKeysWith(sql)
    const orders = rowsOf(OrderRow)
    const listed = rowsOf(Schema.Struct({ ...OrderRow.fields, ...Held }))
    const articles = rowsOf(Article)
    const linked = rowsOf(Schema.Struct({ patient_uid: Schema.NullOr(PatientUid) }))
    const owners = rowsOf(Schema.Struct({ organisation_uid: OrganisationUid }))

    /** Enters the change into the organisation's audit log, unless the database did: the order may be on its pharmacy's own node. */
    const audited = (owner: OrganisationUid, uid: PharmacyOrderUid) =>
      Effect.orDie(sql`SELECT audit_changed(${owner}, ${uid})`)

    const lines = (pharmacy: PharmacyUid) => sql`(SELECT coalesce(json_agg(json_build_object('uid', l.uid,
          'sku_uid', l.sku_uid, 'pharmacy_sku_uid', l.pharmacy_sku_uid, 'quantity', l.quantity,
          'unit_price', round(l.total_price::numeric / l.quantity), 'total_price', l.total_price) ORDER BY l.position), '[]')
        FROM pharmacy_order_lines l WHERE l.pharmacy_uid = ${pharmacy} AND l.pharmacy_order_uid = o.uid)`
    const parked = (
      pharmacy: PharmacyUid
    ) => sql`(SELECT coalesce(json_agg(json_build_object('component_type', p.component_type,
          'reason', p.parked_reason) ORDER BY p.component_type), '[]')
        FROM payouts p WHERE p.pharmacy_uid = ${pharmacy} AND p.pharmacy_order_uid = o.uid
          AND p.routing = 'parked') AS parked_payouts`
    const columns = (
      pharmacy: PharmacyUid,
      shown = lines(pharmacy)
    ) => sql`o.uid, o.name, o.status, o.status_reason, o.paid, o.paid_amount, o.refunded_amount, o.shop_change,
      o.prescription_uid, o.shipping_price,
      o.currency, ${shown} AS lines, o.patient, o.shipping_address, o.tracking, o.problem, o.undo, ${parked(pharmacy)}, o.created_at, o.updated_at,
      o.completed_at, o.organisation_uid, o.takes_stock`

    /** The orders with the articles of their lines, each article read once: a page may have thousands of lines. */
    const withArticles = Effect.fnUntraced(function* (pharmacy: PharmacyUid, orders: ReadonlyArray<OrderRow>) {
      const wanted = new Map(orders.flatMap((order) => order.lines).map((line) => [articleKey(line), line]))
      const pairs = [...wanted.values()]
      if (pairs.length === 0) return orders.map((order): StoredOrder => ({ ...order, lines: [] }))
      const found = yield* articles.all(sql`SELECT w.sku_uid, w.pharmacy_sku_uid, k.external_id, s.pzn, s.display_name,
          p.display_name AS product_display_name
        FROM unnest(${pairs.map(({ sku_uid }) => sku_uid)}::text[],
            ${pairs.map(({ pharmacy_sku_uid }) => pharmacy_sku_uid)}::text[]) AS w (sku_uid, pharmacy_sku_uid)
          JOIN skus s USING (sku_uid)
          JOIN products p ON p.product_uid = s.product_uid
          LEFT JOIN pharmacy_skus k ON k.pharmacy_uid = ${pharmacy} AND k.uid = w.pharmacy_sku_uid`)
      const byKey = new Map(found.map((article) => [articleKey(article), article]))
      return orders.map(
        (order): StoredOrder => ({
          ...order,
          lines: order.lines.flatMap((line) => {
            // always found: the line refers to its SKU
            const article = byKey.get(articleKey(line))
            return article === undefined ? [] : [{ ...line, ...article }]
          })
        })
      )
    })

    /** The existing ones of these orders, oldest first. */
    const findAll = Effect.fn("OrdersRepo.findAll")((pharmacy: PharmacyUid, uids: ReadonlyArray<PharmacyOrderUid>) =>
      orders
        .all(sql`SELECT ${columns(pharmacy)} FROM pharmacy_orders o
          WHERE o.pharmacy_uid = ${pharmacy} AND o.uid = ANY (${[...uids]}) ORDER BY o.created_at, o.uid`)
        .pipe(Effect.flatMap((found) => withArticles(pharmacy, found)))
    )

    /** Fails with `PharmacyOrderNotFound`. */
    const find = Effect.fn("OrdersRepo.find")((pharmacy: PharmacyUid, uid: PharmacyOrderUid) =>
      Effect.mapError(Effect.flatMap(findAll(pharmacy, [uid]), Array.head), notFound)
    )

    /** The order, locked until the caller's transaction ends. Fails with `PharmacyOrderNotFound`. */
    const lock = Effect.fn("OrdersRepo.lock")(function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid) {
      yield* sql`SELECT FROM pharmacy_orders WHERE pharmacy_uid = ${pharmacy} AND uid = ${uid}
        FOR NO KEY UPDATE`.pipe(Effect.orDie)
      return yield* find(pharmacy, uid)
    })

    /** A page, newest first. Fails with `Invalid` if its orders have too many lines together. */
    const page = (pharmacy: PharmacyUid, query: OrderQuery, keys: OrderKeys, { limit, offset, reversed }: Window) => {
      const [created_at, uid] = query.after ?? []
      const afterCursor =
        created_at === undefined ? sql`true` : sql`(o.created_at, o.uid) < (to_timestamp(${created_at}), ${uid})`
      const direction = reversed ? "ASC" : "DESC"
      const shown = sql`CASE WHEN o.held <= ${ANSWER_LIMITS.orderLines} THEN ${lines(pharmacy)} ELSE '[]' END`
      return listed
        .all(sql`SELECT ${columns(pharmacy, shown)}, o.held
          FROM (SELECT o.*, (sum((SELECT count(*) FROM pharmacy_order_lines l
              WHERE l.pharmacy_uid = ${pharmacy} AND l.pharmacy_order_uid = o.uid)) OVER ())::bigint AS held
            FROM (${keys(pharmacy, query, direction, afterCursor)} LIMIT ${limit} OFFSET ${offset}) k
              JOIN pharmacy_orders o ON o.pharmacy_uid = ${pharmacy} AND o.uid = k.uid) o
          ORDER BY o.created_at ${sql.literal(direction)}, o.uid ${sql.literal(direction)}`)
        .pipe(
          Effect.flatMap((rows) => ensurePageFits(rows, ANSWER_LIMITS.orderLines, "lines")),
          Effect.flatMap((rows) => withArticles(pharmacy, rows))
        )
    }

    const numberOf = (rows: Statement.Fragment) => countOf(sql`SELECT count(*) FROM (${rows}) o`)

    /** Newest first. Fails with `Invalid` if the page's orders have too many lines together. */
    const list = Effect.fn("OrdersRepo.list")(
      function* (pharmacy: PharmacyUid, query: OrderQuery) {
        const few = hasTrigram(query.search ?? "")
          ? yield* numberOf(keys.someFound(pharmacy, query, BY_INDEX + 1))
          : Number.POSITIVE_INFINITY
        const [keysOf, count] =
          few <= BY_INDEX
            ? [keys.found, Effect.succeed(few)]
            : [keys.all, numberOf(sql`${keys.all(pharmacy, query, "ASC", sql`true`)} OFFSET 0`)]
        return yield* longPageOf(
          query,
          (window) => page(pharmacy, query, keysOf, window),
          (order) => [order.created_at, order.uid] as const,
          count
        )
      },
      (listed, _, { search }) => byTextIndex(search)(listed)
    )

    /**
     * The payment, if it belongs to this order of this shop: the first one that names it owns it. Null for another's, which is not
     * recorded. Rule 10.5.7.
     */
    const ownPayment = Effect.fn("OrdersRepo.ownPayment")(
      function* (organisation_uid: OrganisationUid, payment_id: string | null, { shop_uid, order_id }: ShopOrderRef) {
        if (payment_id === null) return null
        yield* sql`INSERT INTO payments (organisation_uid, payment_id, provisioned, shop_uid, order_id)
          SELECT ${organisation_uid}, ${payment_id}, false, ${shop_uid}, ${order_id}
          WHERE NOT is_payment_of_another(${organisation_uid}, ${payment_id}) ON CONFLICT DO NOTHING`
        const own = yield* sql`SELECT FROM payments WHERE organisation_uid = ${organisation_uid}
          AND payment_id = ${payment_id} AND shop_uid = ${shop_uid} AND order_id = ${order_id}`
        if (own.length > 0) return payment_id
        yield* Effect.logError("an order names another order's payment; it is not recorded, and payouts will wait", {
          organisation: organisation_uid
        })
        return null
      },
      (recorded, organisation_uid) => withOwner({ organisation_uid })(recorded),
      Effect.orDie
    )

    /** Records a payment of a provisioning file, which may name one for several orders. */
    const provisionPayment = Effect.fn("OrdersRepo.provisionPayment")(
      (organisation_uid: OrganisationUid, payment_id: string) =>
        sql`INSERT INTO payments (organisation_uid, payment_id, provisioned)
          VALUES (${organisation_uid}, ${payment_id}, true) ON CONFLICT DO NOTHING`,
      (recorded, organisation_uid) => withOwner({ organisation_uid })(recorded),
      Effect.orDie
    )

    /** The order's patient: the prescription's, else the organisation's only one with this name and birth date. */
    const patientOf = Effect.fnUntraced(function* ({ organisation_uid, prescription_uid, patient }: NewOrder) {
      const [prescribed] =
        prescription_uid === null
          ? []
          : yield* linked.all(sql`SELECT patient_uid FROM prescriptions
              WHERE organisation_uid = ${organisation_uid} AND uid = ${prescription_uid}`)
      if (prescribed?.patient_uid != null) return prescribed.patient_uid
      const { first_name = null, last_name = null, date_of_birth = null } = patient ?? {}
      const matched = yield* linked.one(sql`SELECT patient_called(${organisation_uid}, ${first_name}, ${last_name},
        ${date_of_birth}::bigint) AS patient_uid`)
      return matched.patient_uid
    })

    /** Inserts lines, each with the pharmacy's SKU, the cheapest if it has several. */
    const insertLines = (pharmacy_uid: PharmacyUid, uid: PharmacyOrderUid, added: ReadonlyArray<NewLine>) =>
      sql`INSERT INTO pharmacy_order_lines (pharmacy_uid, pharmacy_order_uid, uid, position, sku_uid,
          pharmacy_sku_uid, quantity, total_price, digital)
        SELECT ${pharmacy_uid}, ${uid}, ${uid} || '_' || l.position, l.position, l.line->>'sku_uid',
          (SELECT k.uid FROM pharmacy_skus k WHERE k.pharmacy_uid = ${pharmacy_uid}
            AND k.sku_uid = l.line->>'sku_uid' AND k.deleted_at IS NULL ORDER BY k.price, k.uid LIMIT 1),
          (l.line->>'quantity')::integer, (l.line->>'total_price')::bigint, s.digital
        FROM jsonb_array_elements(${JSON.stringify(added)}::jsonb) WITH ORDINALITY AS l(line, position)
          LEFT JOIN skus s ON s.sku_uid = l.line->>'sku_uid'
        ON CONFLICT DO NOTHING` // never conflicts: without it several nodes would use COPY, which bypasses row-level security

    /** Replaces an order's lines. The caller has locked the order, and updates it afterwards. */
    const replaceLines = Effect.fn("OrdersRepo.replaceLines")(function* (
      pharmacy_uid: PharmacyUid,
      uid: PharmacyOrderUid,
      lines: ReadonlyArray<NewLine>
    ) {
      yield* sql`DELETE FROM pharmacy_order_lines WHERE pharmacy_uid = ${pharmacy_uid} AND pharmacy_order_uid = ${uid}`
      yield* insertLines(pharmacy_uid, uid, lines)
    }, Effect.orDie)

    /** Inserts an order with its lines. */
    const insert = Effect.fn("OrdersRepo.insert")(function* (order: NewOrder) {
      const { pharmacy_uid, uid, created_at } = order
      yield* sql`INSERT INTO pharmacy_orders (pharmacy_uid, uid, name, status, paid, organisation_uid, shop_uid,
          prescription_uid, payment_id, shipping_price, currency, paid_amount, refunded_amount, patient, patient_uid, shipping_address, takes_stock, created_at,
          updated_at, paid_at, completed_at)
        VALUES (${pharmacy_uid}, ${uid}, ${order.name}, ${order.status}, ${order.paid}, ${order.organisation_uid},
          ${order.shop_uid}, ${order.prescription_uid}, ${order.payment_id}, ${order.shipping_price}, ${order.currency},
          ${order.paid_amount}, ${order.refunded_amount}, ${json(order.patient)}::jsonb, ${yield* patientOf(order)}, ${json(order.shipping_address)}::jsonb, ${order.takes_stock},
          to_timestamp(${created_at}), to_timestamp(${created_at}),
          to_timestamp(${order.paid ? created_at : null}),
          to_timestamp(${order.status === "completed" ? created_at : null}))`
      yield* insertLines(pharmacy_uid, uid, order.lines)
      yield* audited(order.organisation_uid, uid)
    }, Effect.orDie)

    /** Records the patient of these orders before the patient's name changes. */
    const assignPatient = (
      owner: OrganisationUid,
      patient: PatientUid,
      orders: ReadonlyArray<{ readonly pharmacy_uid: PharmacyUid; readonly pharmacy_order_uid: PharmacyOrderUid }>
    ) =>
      Effect.forEach(
        Map.groupBy(orders, ({ pharmacy_uid }) => pharmacy_uid),
        ([pharmacy_uid, some]) => {
          const uids = some.map(({ pharmacy_order_uid }) => pharmacy_order_uid)
          return Effect.orDie(sql`UPDATE pharmacy_orders SET patient_uid = ${patient}
            WHERE pharmacy_uid = ${pharmacy_uid} AND uid = ANY (${uids}) AND organisation_uid = ${owner}
              AND patient_uid IS NULL`).pipe(
            Effect.zipRight(Effect.forEach(uids, (uid) => audited(owner, uid), { discard: true }))
          )
        },
        { discard: true }
      )

    /** Updates name, payment and prescription of an existing order from a provisioning file. Returns whether it exists. */
    const provision = Effect.fn("OrdersRepo.provision")(function* (
      order: Pick<NewOrder, "pharmacy_uid" | "uid" | "name" | "payment_id" | "prescription_uid">,
      now: UnixSeconds
    ) {
      const given = sql`${order.name}, ${order.payment_id}, ${order.prescription_uid}`
      const rows =
        yield* owners.all(sql`UPDATE pharmacy_orders SET (name, payment_id, prescription_uid) = ROW (${given}),
          updated_at = CASE WHEN (name, payment_id, prescription_uid) IS DISTINCT FROM (${given})
            THEN to_timestamp(${now}) ELSE updated_at END
        WHERE pharmacy_uid = ${order.pharmacy_uid} AND uid = ${order.uid} RETURNING organisation_uid`)
      yield* Effect.forEach(rows, ({ organisation_uid }) => audited(organisation_uid, order.uid), { discard: true })
      return rows.length > 0
    })

    /** Returns the updated order. An empty change only sets `updated_at`. The caller has locked the order. */
    const update = Effect.fn("OrdersRepo.update")(
      (pharmacy: PharmacyUid, uid: PharmacyOrderUid, change: OrderChange, now: UnixSeconds) =>
        orders
          .one(sql`WITH o AS (UPDATE pharmacy_orders SET updated_at = to_timestamp(${now}),
          status = coalesce(${change.status ?? null}, status),
          status_reason = CASE WHEN ${change.status === undefined} THEN status_reason
            ELSE ${change.status_reason ?? null} END,
          tracking = CASE WHEN ${change.without_tracking === true} THEN NULL ELSE coalesce(${json(change.tracking)}::jsonb, tracking) END,
          problem = CASE WHEN ${change.problem === undefined} THEN problem ELSE ${json(change.problem)}::jsonb END,
          undo = CASE WHEN ${change.undo === undefined && change.status === undefined} THEN undo ELSE ${json(change.undo)}::jsonb END,
          prescription_uid = coalesce(${change.prescription_uid ?? null}, prescription_uid),
          payment_id = coalesce(${change.payment_id ?? null}, payment_id),
          paid = CASE WHEN ${change.paid_at === undefined} THEN paid ELSE ${change.paid_at != null} END,
          paid_at = CASE WHEN ${change.paid_at === undefined} THEN paid_at ELSE to_timestamp(${change.paid_at ?? null}) END,
          paid_amount = coalesce(${change.paid_amount ?? null}::bigint, paid_amount),
          refunded_amount = coalesce(${change.refunded_amount ?? null}::bigint, refunded_amount),
          shipping_price = coalesce(${change.shipping_price ?? null}::bigint, shipping_price),
          shop_change = CASE WHEN ${change.shop_change === undefined} THEN shop_change
            ELSE ${json(change.shop_change)}::jsonb END,
          completed_at = coalesce(to_timestamp(${change.completed_at ?? null}), completed_at)
        WHERE pharmacy_uid = ${pharmacy} AND uid = ${uid} RETURNING *) SELECT ${columns(pharmacy)} FROM o`)
          .pipe(
            Effect.tap(({ organisation_uid }) => audited(organisation_uid, uid)),
            Effect.flatMap((order) => Effect.orDie(Effect.head(withArticles(pharmacy, [order]))))
          )
    )

    /** Sum of the payouts that are routed, or about to be. */
    const committed = (pharmacy: PharmacyUid) => sql`(SELECT coalesce(sum(p.amount), 0)::bigint FROM payouts p
      WHERE p.pharmacy_uid = ${pharmacy} AND p.pharmacy_order_uid = o.uid AND p.routing IN ('pending', 'routed'))`

    /** Orders of a shop's order: each one's total, and what of its payouts is routed or about to be, in cents. Locks them. */
    const shares = Effect.fn("OrdersRepo.shares")((pharmacy: PharmacyUid, uid: PharmacyOrderUid) =>
      rowsOf(OrderShare).firstOr(
        sql`SELECT o.status, o.prescription_uid, ${committed(pharmacy)} AS committed,
          (o.shipping_price + (SELECT coalesce(sum(l.total_price), 0) FROM pharmacy_order_lines l
            WHERE l.pharmacy_uid = ${pharmacy} AND l.pharmacy_order_uid = o.uid))::bigint AS total
        FROM pharmacy_orders o WHERE o.pharmacy_uid = ${pharmacy} AND o.uid = ${uid} FOR NO KEY UPDATE OF o`,
        notFound
      )
    )

    /** Fails with `PharmacyOrderNotFound`. */
    const routed = Effect.fn("OrdersRepo.routed")((pharmacy: PharmacyUid, uid: PharmacyOrderUid) =>
      rowsOf(RoutedOrder).firstOr(
        sql`SELECT o.payment_id, f.payment_account,
          coalesce(o.paid_at, o.created_at) AS paid_at,
          o.paid_amount, ${committed(pharmacy)} AS payout_amount
        FROM pharmacy_orders o JOIN pharmacies f USING (pharmacy_uid)
        WHERE o.pharmacy_uid = ${pharmacy} AND o.uid = ${uid}`,
        notFound
      )
    )

    /** The orders of every pharmacy that carry a prescription, oldest first. */
    const carrying = Effect.fn("OrdersRepo.carrying")(({ organisation_uid, prescription_uid }: CarriedPrescription) =>
      rowsOf(CarryingOrder).all(sql`SELECT ${sql.literal(columnsOf(CarryingOrder))} FROM pharmacy_orders
        WHERE prescription_uid = ${prescription_uid} AND organisation_uid = ${organisation_uid} ORDER BY created_at, uid`)
    )

    const reads = { find, findAll, lock, list, carrying, routed, shares } as const
    return { ...reads, ownPayment, provisionPayment, insert, replaceLines, assignPatient, provision, update } as const
  })
}) {}
