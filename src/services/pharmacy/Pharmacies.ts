/** Pharmacies, their terms, and whose of them a key may see. */
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { PharmacyGroupUid, PharmacyUid, SkuUid } from "../../schemas/ids.ts"
import type { SkuType } from "../../schemas/pharmacy/PharmacySku.ts"
import { invalid, NotFound } from "../../schemas/problems.ts"
import type { PayoutTerms } from "./payouts.ts"

export interface Pharmacy extends PayoutTerms {
  readonly pharmacy_uid: PharmacyUid
  readonly name: string
  /** SKUs of these types are not there for this pharmacy (Rule 10.3.4). */
  readonly hidden_sku_types: ReadonlyArray<SkuType>
  /** ISO 4217. */
  readonly currency: string
  /** Its account with the payment provider; null until an operator knows it. */
  readonly payment_account: string | null
}

/** What a pharmacy key is bound to: exactly one of the two is set. */
export interface PharmacyBound {
  readonly pharmacy_uid: PharmacyUid | null
  readonly pharmacy_group_uid: PharmacyGroupUid | null
}

export interface WantedLine {
  readonly sku_uid: SkuUid
  readonly quantity: number
}

export class Pharmacies extends Effect.Service<Pharmacies>()("pharmacy/Pharmacies", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const columns = sql`pharmacy_uid, name, hidden_sku_types, currency, commission_bps, markup_share_bps,
      shipping_share_bps, payment_account`
    const row = (uid: PharmacyUid) => sql<Pharmacy>`SELECT ${columns} FROM pharmacies WHERE pharmacy_uid = ${uid}`

    /**
     * The pharmacy that a call is about: the key's own, or the one of its group that is asked for. 400 when a group-wide
     * key asks for none, 404 for a pharmacy that is not the key's.
     */
    const inScope = Effect.fn("Pharmacies.inScope")(function* (bound: PharmacyBound, asked: PharmacyUid | undefined) {
      const uid = asked === undefined || asked.length === 0 ? bound.pharmacy_uid : asked
      if (uid === null) return yield* invalid("pharmacy_uid", "required for group-wide keys")
      const [found] = yield* sql<Pharmacy>`SELECT ${columns} FROM pharmacies WHERE pharmacy_uid = ${uid}
        AND (pharmacy_uid = ${bound.pharmacy_uid} OR pharmacy_group_uid = ${bound.pharmacy_group_uid})`.pipe(
        Effect.orDie
      )
      return found ?? (yield* new NotFound({ what: "Pharmacy" }))
    })

    const exists = Effect.fn("Pharmacies.exists")((uid: PharmacyUid) =>
      Effect.map(Effect.orDie(row(uid)), (rows) => rows.length > 0)
    )

    const locked = (uid: PharmacyUid, strength: "SHARE" | "NO KEY UPDATE") =>
      sql<Pharmacy>`${row(uid)} FOR ${sql.literal(strength)}`.pipe(
        Effect.orDie,
        Effect.flatMap(([found]) =>
          found === undefined ? Effect.fail(new NotFound({ what: "Pharmacy" })) : Effect.succeed(found)
        )
      )

    /** Its terms and prices stand still until the caller's transaction ends. Taken after an order, before SKUs. */
    const holdTerms = (uid: PharmacyUid) => locked(uid, "SHARE")
    /** The caller is about to change its terms or prices: nobody works payouts out meanwhile. Taken before SKUs. */
    const holdForChange = (uid: PharmacyUid) => locked(uid, "NO KEY UPDATE")

    /** The pharmacy that carries every one of these SKUs at the lowest sum of its own prices. */
    const cheapestCarrying = Effect.fn("Pharmacies.cheapestCarrying")(function* (lines: ReadonlyArray<WantedLine>) {
      const wanted = new Map<SkuUid, number>()
      for (const { sku_uid, quantity } of lines) wanted.set(sku_uid, (wanted.get(sku_uid) ?? 0) + quantity)
      const rows = yield* sql<{ pharmacy_uid: PharmacyUid }>`
        WITH wanted AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(
          [...wanted].map(([sku_uid, quantity]) => ({ sku_uid, quantity }))
        )}::jsonb) AS w(sku_uid text, quantity bigint)),
        offers AS (SELECT k.pharmacy_uid, k.sku_uid, min(k.price) * w.quantity AS price
          FROM wanted w JOIN pharmacy_skus k ON k.sku_uid = w.sku_uid AND k.deleted_at IS NULL
          GROUP BY k.pharmacy_uid, k.sku_uid, w.quantity)
        SELECT pharmacy_uid FROM offers GROUP BY pharmacy_uid HAVING count(*) = ${wanted.size}
        ORDER BY sum(price), pharmacy_uid LIMIT 1`.pipe(Effect.orDie)
      return Option.fromNullable(rows[0]?.pharmacy_uid)
    })

    return { inScope, exists, holdTerms, holdForChange, cheapestCarrying } as const
  })
}) {}
