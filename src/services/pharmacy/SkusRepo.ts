/** The repository of pharmacy SKUs. */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../schemas/fields.ts"
import {
  type PharmacyOrderUid,
  type PharmacySkuUid,
  type PharmacyUid,
  ProductUid,
  type SkuUid
} from "../../schemas/ids.ts"
import {
  PharmacyProduct,
  PharmacySku,
  type ProductQuery,
  type SkuChanges,
  type SkuQuery
} from "../../schemas/pharmacy/PharmacySku.ts"
import { invalid } from "../../schemas/problems.ts"
import type { PharmacySku as PharmacySkuEntry } from "../../schemas/provisioning/pharmacy.ts"
import { changedSince } from "../database/changedSince.ts"
import { countOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { longPageOf, type Window } from "../database/totals.ts"
import { ANSWER_LIMITS } from "../recordLimits.ts"
import type { Pharmacy } from "./Pharmacies.ts"

export interface SkuChange extends SkuChanges {
  readonly uid: PharmacySkuUid
}

const ProductRow = Schema.Struct({ product: PharmacyProduct.omit("skus", "updated_at"), ...PharmacySku.fields })
type ProductRow = typeof ProductRow.Type

/** What a pharmacy's SKU copies from the SKU that it sells. */
const Copied = Schema.Struct({ product_uid: ProductUid, digital: Schema.Boolean })

const byProduct = (rows: ReadonlyArray<ProductRow>): ReadonlyArray<PharmacyProduct> =>
  [...Map.groupBy(rows, ({ product }) => product.uid).values()].flatMap((group) =>
    group.slice(0, 1).map(({ product }) => ({
      ...product,
      skus: group.map(({ product: _, ...sku }) => sku),
      updated_at: UnixSeconds.make(Math.max(...group.map(({ updated_at }) => updated_at)))
    }))
  )

type Scope = Pick<Pharmacy, "pharmacy_uid" | "hidden_sku_types">

export class SkusRepo extends Effect.Service<SkusRepo>()("pharmacy/SkusRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const skus = rowsOf(PharmacySku)
    const productRows = rowsOf(ProductRow)
    const copies = rowsOf(Copied)

    const columns = sql`k.uid, k.external_id, k.price, k.stock, k.pharmacy_uid AS pharmacy,
      json_build_object('uid', s.sku_uid, 'display_name', s.display_name, 'pzn', s.pzn, 'product_uid', p.product_uid,
        'product_display_name', p.display_name, 'standard_selling_unit', s.standard_selling_unit, 'unit', s.unit,
        'product_handle', p.handle, 'digital', s.digital) AS sku,
      k.created_at, k.updated_at, k.deleted_at`
    const described = sql`skus s JOIN products p USING (product_uid)`
    /** Excludes SKUs of hidden types (Rule 10.3.4), by the columns of the lists' indexes. */
    const visible = ({ pharmacy_uid, hidden_sku_types }: Scope) =>
      sql.and([
        sql`k.pharmacy_uid = ${pharmacy_uid} AND k.deleted_at IS NULL`,
        ...(hidden_sku_types.includes("digital") ? [sql`NOT k.digital`] : []),
        ...(hidden_sku_types.includes("physical") ? [sql`k.digital`] : [])
      ])

    /** Each kind of name has an index: a pharmacy may carry a hundred thousand SKUs. */
    const named = (pharmacy: PharmacyUid, names: string | undefined) => {
      if (names === undefined) return []
      const any = sql`ANY (${names.split("\n")})`
      const own = sql`SELECT o.uid FROM pharmacy_skus o`
      return [
        sql`k.uid = ANY (ARRAY(${own} WHERE o.pharmacy_uid = ${pharmacy} AND o.uid = ${any}
          UNION ALL ${own} WHERE o.pharmacy_uid = ${pharmacy} AND o.external_id = ${any}
          UNION ALL ${own} WHERE o.pharmacy_uid = ${pharmacy}
            AND o.sku_uid = ANY (ARRAY(SELECT sku_uid FROM skus WHERE pzn = ${any}))))`
      ]
    }

    const list = Effect.fn("SkusRepo.list")((scope: Scope, query: SkuQuery) => {
      const matching = sql.and([
        visible(scope),
        ...named(scope.pharmacy_uid, query.names),
        ...changedSince(sql, query, "k.updated_at")
      ])
      const afterCursor = query.after === undefined ? [] : [sql`k.uid > ${query.after[0]}`]
      // Keys first: those of the rows before the page are in an index
      const page = ({ limit, offset, reversed }: Window) => {
        const sorted = sql`ORDER BY k.uid ${sql.literal(reversed ? "DESC" : "ASC")}`
        return skus.all(sql`SELECT ${columns}
          FROM (SELECT k.uid FROM pharmacy_skus k WHERE ${sql.and([matching, ...afterCursor])}
              ${sorted} LIMIT ${limit} OFFSET ${offset}) f
            JOIN pharmacy_skus k ON k.pharmacy_uid = ${scope.pharmacy_uid} AND k.uid = f.uid
            JOIN (${described}) USING (sku_uid) ${sorted}`)
      }
      return longPageOf(
        query,
        page,
        ({ uid }) => [uid] as const,
        countOf(sql`SELECT count(*) FROM pharmacy_skus k WHERE ${matching}`)
      )
    })

    /** Locks SKUs until the transaction ends, in the order of their uids; without those that are unknown or of a hidden type. */
    const findForChange = Effect.fn("SkusRepo.findForChange")((scope: Scope, uids: ReadonlyArray<PharmacySkuUid>) =>
      skus.all(sql`SELECT ${columns} FROM pharmacy_skus k JOIN (${described}) USING (sku_uid)
        WHERE ${visible(scope)} AND k.uid = ANY (${uids}) ORDER BY k.uid FOR NO KEY UPDATE OF k`)
    )

    /** Products that the pharmacy carries, with its SKUs. Fails with `Invalid` if those of the page have too many together. */
    const products = Effect.fn("SkusRepo.products")((scope: Scope, query: ProductQuery) => {
      const matching = sql.and([visible(scope), ...changedSince(sql, query, "k.updated_at")])
      const carried = sql`SELECT DISTINCT k.product_uid FROM pharmacy_skus k WHERE ${matching}`
      // OFFSET 0: the time of a change is not in the index of products, and reading each row by it costs three times as much
      const counted =
        query.updated_after === undefined
          ? carried
          : sql`SELECT DISTINCT product_uid FROM (SELECT k.product_uid FROM pharmacy_skus k WHERE ${matching} OFFSET 0) k`
      const afterCursor = query.after === undefined ? sql`` : sql`AND k.product_uid > ${query.after[0]}`
      const page = ({ limit, offset, reversed }: Window) => {
        const direction = sql.literal(reversed ? "DESC" : "ASC")
        const rows = productRows.all(sql`
          SELECT json_build_object('uid', p.product_uid, 'display_name', p.display_name, 'handle', p.handle) AS product,
            ${columns}
          FROM (${carried} ${afterCursor} ORDER BY 1 ${direction} LIMIT ${limit} OFFSET ${offset}) c
            JOIN ${described} USING (product_uid) JOIN pharmacy_skus k USING (sku_uid)
          WHERE ${visible(scope)} ORDER BY p.product_uid ${direction}, k.uid LIMIT ${ANSWER_LIMITS.skusOfPage + 1}`)
        return Effect.flatMap(rows, (found) =>
          found.length > ANSWER_LIMITS.skusOfPage
            ? invalid("limit", `these products have more than ${ANSWER_LIMITS.skusOfPage} SKUs together: ask for fewer`)
            : Effect.succeed(byProduct(found))
        )
      }
      return longPageOf(query, page, ({ uid }) => [uid] as const, countOf(sql`SELECT count(*) FROM (${counted}) c`))
    })

    /** Updates the fields sent of these SKUs, in one statement; unknown ones are left out of the result. */
    const change = Effect.fn("SkusRepo.change")((scope: Scope, changes: ReadonlyArray<SkuChange>, now: UnixSeconds) =>
      skus.all(sql`WITH k AS (UPDATE pharmacy_skus k SET price = coalesce(c.price, k.price),
          stock = coalesce(c.stock, k.stock), external_id = coalesce(c.external_id, k.external_id),
          updated_at = to_timestamp(${now})
        FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
            AS c(uid text, price bigint, stock bigint, external_id text), skus s
        WHERE k.uid = c.uid AND s.sku_uid = k.sku_uid AND ${visible(scope)} RETURNING k.*)
        SELECT ${columns} FROM k JOIN (${described}) USING (sku_uid)`)
    )

    /** What a pharmacy's SKU copies from the SKU of this uid, as one row; none if it is unknown. */
    const copied = Effect.fn("SkusRepo.copied")((sku_uid: SkuUid) =>
      copies.all(sql`SELECT product_uid, digital FROM skus WHERE sku_uid = ${sku_uid}`)
    )

    /** Creates or replaces a pharmacy's SKU of a provisioning file, also a deleted one. The caller has locked the pharmacy for change. */
    const provision = Effect.fn("SkusRepo.provision")(
      (
        { pharmacy_uid, uid, sku_uid, external_id, price, stock }: PharmacySkuEntry,
        { product_uid, digital }: typeof Copied.Type,
        now: UnixSeconds
      ) =>
        sql`INSERT INTO pharmacy_skus (pharmacy_uid, uid, sku_uid, product_uid, digital, external_id, price, stock,
            created_at, updated_at)
          VALUES (${pharmacy_uid}, ${uid}, ${sku_uid}, ${product_uid}, ${digital}, ${external_id}, ${price}, ${stock},
            to_timestamp(${now}), to_timestamp(${now}))
          ON CONFLICT (pharmacy_uid, uid) DO UPDATE SET sku_uid = excluded.sku_uid, product_uid = excluded.product_uid,
            digital = excluded.digital, external_id = excluded.external_id, price = excluded.price, stock = excluded.stock,
            updated_at = excluded.updated_at, deleted_at = NULL`
    )

    /** Adds `sign` × the quantities of an order to the stock. Rows are locked by uid, which prevents deadlocks. */
    const moveStock = Effect.fn("SkusRepo.moveStock")(function* (
      pharmacy_uid: PharmacyUid,
      order: PharmacyOrderUid,
      sign: 1 | -1,
      now: UnixSeconds
    ) {
      const held = sql`SELECT pharmacy_sku_uid, sum(quantity) AS quantity FROM pharmacy_order_lines
        WHERE pharmacy_uid = ${pharmacy_uid} AND pharmacy_order_uid = ${order} AND pharmacy_sku_uid IS NOT NULL
        GROUP BY 1`
      yield* sql`SELECT FROM pharmacy_skus WHERE pharmacy_uid = ${pharmacy_uid}
        AND uid IN (SELECT pharmacy_sku_uid FROM (${held}) h) ORDER BY uid FOR NO KEY UPDATE`
      yield* sql`UPDATE pharmacy_skus k SET stock = k.stock + ${sign} * h.quantity, updated_at = to_timestamp(${now})
        FROM (${held}) h WHERE k.pharmacy_uid = ${pharmacy_uid} AND k.uid = h.pharmacy_sku_uid`
    }, Effect.orDie)

    return { list, findForChange, products, change, copied, provision, moveStock } as const
  })
}) {}
