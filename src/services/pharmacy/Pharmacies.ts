/** Pharmacies, their terms, and the scope of pharmacy keys (Rule 10.1). */
import { Effect, Option, Schema } from "effect"
import { type PharmacyGroupUid, PharmacyUid, type SkuUid } from "../../schemas/ids.ts"
import { PharmacyNotFound } from "../../schemas/pharmacy/errors.ts"
import { SkuType } from "../../schemas/pharmacy/PharmacySku.ts"
import { invalid } from "../../schemas/problems.ts"
import type { Pharmacy as PharmacyEntry, PharmacyGroup } from "../../schemas/provisioning/pharmacy.ts"
import { columnsOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { enter, withOwner } from "../tenancy/Tenancy.ts"
import { PayoutTerms } from "./payouts.ts"

export const Pharmacy = Schema.Struct({
  pharmacy_uid: PharmacyUid,
  name: Schema.String,
  /** SKUs of these types are hidden from this pharmacy (Rule 10.3.4). */
  hidden_sku_types: Schema.Array(SkuType),
  /** ISO 4217. */
  currency: Schema.String,
  ...PayoutTerms.fields,
  /** Account at the payment provider; null: payouts are parked until one is set (Rule 10.5.7). */
  payment_account: Schema.NullOr(Schema.String)
})
export type Pharmacy = typeof Pharmacy.Type

/** The owner of a pharmacy key: exactly one of the two is set. */
export interface PharmacyKeyOwner {
  readonly pharmacy_uid: PharmacyUid | null
  readonly pharmacy_group_uid: PharmacyGroupUid | null
}

export interface WantedLine {
  readonly sku_uid: SkuUid
  readonly quantity: number
}

const notFound = () => new PharmacyNotFound()

export class Pharmacies extends Effect.Service<Pharmacies>()("pharmacy/Pharmacies", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const pharmacies = rowsOf(Pharmacy)
    const uids = rowsOf(Pharmacy.pick("pharmacy_uid"))
    const selected = sql`SELECT ${sql.literal(columnsOf(Pharmacy))} FROM pharmacies`

    /**
     * The pharmacy of a request: the key's own, or one of the key's group named by the query. Fails with `Invalid` if a group-wide key
     * names none and with `PharmacyNotFound` for a pharmacy outside the key's scope.
     */
    const inScope = Effect.fn("Pharmacies.inScope")(function* (
      owner: PharmacyKeyOwner,
      asked: PharmacyUid | undefined
    ) {
      const uid = asked === undefined || asked.length === 0 ? owner.pharmacy_uid : asked
      if (uid === null) return yield* invalid("pharmacy_uid", "required for group-wide keys")
      return yield* pharmacies
        .firstOr(
          sql`SELECT ${sql.literal(columnsOf(Pharmacy))}
            FROM pharmacy_in_scope(${uid}, ${owner.pharmacy_uid}, ${owner.pharmacy_group_uid})`,
          notFound
        )
        .pipe(Effect.tap(enter))
    })

    const exists = Effect.fn("Pharmacies.exists")((uid: PharmacyUid) =>
      uids
        .first(sql`SELECT pharmacy_uid FROM pharmacies WHERE pharmacy_uid = ${uid}`)
        .pipe(withOwner({ pharmacy_uid: uid }), Effect.map(Option.isSome))
    )

    // By name, before the row is read: a row lock in a table that is copied to every node would lock all of its rows
    const locked = (uid: PharmacyUid, lock: "pg_advisory_xact_lock" | "pg_advisory_xact_lock_shared") =>
      Effect.zipRight(
        Effect.orDie(sql`SELECT ${sql.literal(lock)}(hashtextextended(${`pharmacies/${uid}`}, 0))`),
        pharmacies.firstOr(sql`${selected} WHERE pharmacy_uid = ${uid}`, notFound)
      )

    /**
     * Locks the pharmacy's terms and prices against changes until the caller's transaction ends. Lock order: after the order, before
     * SKUs. Fails with `PharmacyNotFound`.
     */
    const lockTerms = (uid: PharmacyUid) => locked(uid, "pg_advisory_xact_lock_shared")
    /**
     * Locks the pharmacy for a change of its terms or prices; payout calculations wait. Lock order: before SKUs. Fails with
     * `PharmacyNotFound`.
     */
    const lockForChange = (uid: PharmacyUid) => locked(uid, "pg_advisory_xact_lock")

    /** The pharmacy among `among` (null: all) that carries all of these SKUs at the lowest total of its own prices. */
    const cheapestCarrying = Effect.fn("Pharmacies.cheapestCarrying")(function* (
      lines: ReadonlyArray<WantedLine>,
      among: ReadonlyArray<PharmacyUid> | null
    ) {
      const wanted = new Map<SkuUid, number>()
      for (const { sku_uid, quantity } of lines) wanted.set(sku_uid, (wanted.get(sku_uid) ?? 0) + quantity)
      // A database function, since it compares pharmacies of several tenants
      const found = yield* uids.first(sql`SELECT pharmacy_uid FROM cheapest_pharmacy(
          ${JSON.stringify([...wanted].map(([sku_uid, quantity]) => ({ sku_uid, quantity })))}::jsonb,
          ${among === null ? null : [...among]}::text[]) AS found (pharmacy_uid) WHERE pharmacy_uid IS NOT NULL`)
      return Option.map(found, ({ pharmacy_uid }) => pharmacy_uid)
    })

    /** Creates or replaces a group of a provisioning file. */
    const provisionGroup = Effect.fn("Pharmacies.provisionGroup")(
      ({ uid, name, email }: PharmacyGroup) =>
        sql`INSERT INTO pharmacy_groups (pharmacy_group_uid, name, email) VALUES (${uid}, ${name}, ${email})
          ON CONFLICT (pharmacy_group_uid) DO UPDATE SET name = excluded.name, email = excluded.email`
    )

    /** Creates or replaces a pharmacy of a provisioning file. The caller must reproject its open payouts. */
    const provision = Effect.fn("Pharmacies.provision")(
      ({ uid, group_uid, name, email, hidden_sku_types, payout_terms }: PharmacyEntry) =>
        sql`INSERT INTO pharmacies (pharmacy_uid, pharmacy_group_uid, name, hidden_sku_types, currency, commission_bps,
            markup_share_bps, shipping_share_bps, payment_account, email)
          VALUES (${uid}, ${group_uid}, ${name}, ${[...new Set(hidden_sku_types)]}, ${payout_terms.currency},
            ${payout_terms.commission_bps}, ${payout_terms.markup_share_bps}, ${payout_terms.shipping_share_bps},
            ${payout_terms.payment_account}, ${email})
          ON CONFLICT (pharmacy_uid) DO UPDATE SET pharmacy_group_uid = excluded.pharmacy_group_uid,
            name = excluded.name, hidden_sku_types = excluded.hidden_sku_types, currency = excluded.currency,
            commission_bps = excluded.commission_bps, markup_share_bps = excluded.markup_share_bps,
            shipping_share_bps = excluded.shipping_share_bps, payment_account = excluded.payment_account, email = excluded.email`
    )

    return { provision, provisionGroup, inScope, exists, lockTerms, lockForChange, cheapestCarrying } as const
  })
}) {}
