/** The repository of checkouts and of the prescription ids that they block. */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { CheckoutUid, OrganisationUid, PrescriptionUid, ShopUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Database } from "../../database/Database.ts"
import { any, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { newUid } from "../../uid.ts"

/** A partner's id of a prescription, and ours. */
const Numbered = Schema.Struct({ id: Schema.String, prescription_uid: PrescriptionUid })
export type Numbered = typeof Numbered.Type

/** A checkout claimed by a request. */
export interface Claim {
  /** Also the idempotency key at the storefront. */
  readonly checkout_uid: CheckoutUid
  readonly prescriptions: ReadonlyArray<Numbered>
  /** An earlier request for the same ids was aborted after claiming; what it created may exist. */
  readonly repeated: boolean
}

/** An unfinished checkout, with its ids. */
const Unfinished = Schema.Struct({
  organisation_uid: OrganisationUid,
  uid: CheckoutUid,
  ids: Schema.Array(Schema.String)
})
export type Unfinished = typeof Unfinished.Type

/** An abandoned checkout, with the keys of its files and its draft order. */
const Abandoned = Schema.Struct({
  organisation_uid: OrganisationUid,
  uid: CheckoutUid,
  shop_identifier: Schema.String,
  prescription_uids: Schema.Array(PrescriptionUid)
})
export type Abandoned = typeof Abandoned.Type

const Known = Schema.Struct({
  ...Numbered.fields,
  checkout_uid: CheckoutUid,
  shop_uid: ShopUid,
  /** Number of ids of its checkout. */
  siblings: Schema.Number,
  accepted_at: Schema.NullOr(UnixSeconds)
})

/** Name of the lease on a partner's id of a prescription. */
export const leaseOf = (organisation_uid: OrganisationUid, id: string) =>
  `prescription id ${JSON.stringify([organisation_uid, id])}`

export class AcceptancesRepo extends Effect.Service<AcceptancesRepo>()("checkout/AcceptancesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const knownRows = rowsOf(Known)

    const inList = (ids: ReadonlyArray<string>) =>
      sql`IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

    const known = (organisation_uid: OrganisationUid, ids: ReadonlyArray<string>) =>
      knownRows.all(sql`SELECT p.id, p.prescription_uid, p.checkout_uid, c.shop_uid, p.accepted_at,
          (SELECT count(*) FROM accepted_prescriptions s WHERE s.organisation_uid = ${organisation_uid}
            AND s.checkout_uid = p.checkout_uid) AS siblings
        FROM accepted_prescriptions p
          JOIN checkouts c ON c.organisation_uid = ${organisation_uid} AND c.uid = p.checkout_uid
        WHERE p.organisation_uid = ${organisation_uid} AND p.id ${inList(ids)} ORDER BY p.id`)

    /** The blocked ids among these, with the prescriptions that block them. */
    const accepted = Effect.fn("AcceptancesRepo.accepted")(
      (organisation_uid: OrganisationUid, ids: ReadonlyArray<string>) =>
        Effect.map(known(organisation_uid, ids), (rows) => rows.filter(({ accepted_at }) => accepted_at !== null))
    )

    const open = Effect.fnUntraced(function* (
      organisation_uid: OrganisationUid,
      shop_uid: ShopUid,
      ids: ReadonlyArray<string>
    ) {
      const checkout_uid = yield* newUid(CheckoutUid)
      const now = yield* clock.now
      yield* sql`INSERT INTO checkouts (organisation_uid, uid, shop_uid, created_at)
        VALUES (${organisation_uid}, ${checkout_uid}, ${shop_uid}, to_timestamp(${now}))`
      const prescriptions = yield* Effect.forEach(ids, (id) =>
        Effect.map(newUid(PrescriptionUid), (prescription_uid) => ({ id, prescription_uid }))
      )
      for (const { id, prescription_uid } of prescriptions) {
        yield* sql`INSERT INTO accepted_prescriptions (organisation_uid, id, prescription_uid, checkout_uid)
          VALUES (${organisation_uid}, ${id}, ${prescription_uid}, ${checkout_uid})`
      }
      return { checkout_uid, prescriptions }
    })

    /**
     * Claims a checkout for these ids, none of which is accepted: the unfinished one of an earlier request for the same ids and shop,
     * else a new one. Abandons other unfinished checkouts of the ids.
     */
    const claim = Effect.fn("AcceptancesRepo.claim")(function* (
      organisation_uid: OrganisationUid,
      shop_uid: ShopUid,
      ids: ReadonlyArray<string>
    ) {
      const unfinished = yield* known(organisation_uid, ids)
      const [first] = unfinished
      const same = (one: typeof Known.Type) => one.checkout_uid === first?.checkout_uid && one.siblings === ids.length
      if (first && unfinished.length === ids.length && unfinished.every(same) && first.shop_uid === shop_uid) {
        const prescriptions = unfinished.map(({ id, prescription_uid }) => ({ id, prescription_uid }))
        return { checkout_uid: first.checkout_uid, prescriptions, repeated: true }
      }
      for (const { checkout_uid } of unfinished) yield* abandon(organisation_uid, checkout_uid)
      const opened = yield* open(organisation_uid, shop_uid, ids)
      return { ...opened, repeated: false }
    }, Effect.orDie)

    /** Removes a checkout that has been cleaned up. */
    const forget = Effect.fn("AcceptancesRepo.forget")(
      (organisation_uid: OrganisationUid, uid: CheckoutUid) =>
        sql`DELETE FROM abandoned_checkouts WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`,
      Effect.orDie
    )

    /**
     * Releases the ids of a checkout and records what is to be deleted. False if it is already accepted or abandoned: of this and a
     * concurrent `accept`, the second sees what the first has done.
     */
    const abandon = Effect.fn("AcceptancesRepo.abandon")(
      function* (organisation_uid: OrganisationUid, checkout_uid: CheckoutUid) {
        const now = yield* clock.now
        yield* sql`INSERT INTO abandoned_checkouts (organisation_uid, uid, shop_uid, prescription_uids, abandoned_at)
        SELECT c.organisation_uid, c.uid, c.shop_uid, (SELECT coalesce(jsonb_agg(p.prescription_uid), '[]')
            FROM accepted_prescriptions p WHERE p.organisation_uid = ${organisation_uid} AND p.checkout_uid = c.uid),
          to_timestamp(${now})
        FROM checkouts c
        WHERE c.organisation_uid = ${organisation_uid} AND c.uid = ${checkout_uid} AND c.accepted_at IS NULL
        ON CONFLICT DO NOTHING`
        const freed = yield* any(sql`DELETE FROM checkouts WHERE organisation_uid = ${organisation_uid}
        AND uid = ${checkout_uid} AND accepted_at IS NULL RETURNING uid`)
        // Accepted concurrently: nothing is to be deleted
        if (!freed)
          yield* sql`DELETE FROM abandoned_checkouts WHERE organisation_uid = ${organisation_uid} AND uid = ${checkout_uid}
            AND EXISTS (SELECT FROM checkouts WHERE organisation_uid = ${organisation_uid} AND uid = ${checkout_uid})`
        return freed
      },
      transaction,
      Effect.orDie
    )

    /** An organisation's checkouts created before this time and neither accepted nor abandoned, oldest first. */
    const unfinished = Effect.fn("AcceptancesRepo.unfinished")(
      (owner: OrganisationUid, before: number, limit: number) =>
        rowsOf(
          Unfinished
        ).all(sql`SELECT c.organisation_uid, c.uid, (SELECT coalesce(json_agg(p.id ORDER BY p.id), '[]')
            FROM accepted_prescriptions p WHERE p.organisation_uid = ${owner} AND p.checkout_uid = c.uid) AS ids
          FROM checkouts c
          WHERE c.organisation_uid = ${owner} AND c.accepted_at IS NULL AND c.created_at < to_timestamp(${before})
          ORDER BY c.created_at LIMIT ${limit}`)
    )

    /** An organisation's checkouts abandoned before this time and not cleaned up yet. */
    const abandoned = Effect.fn("AcceptancesRepo.abandoned")((owner: OrganisationUid, before: number, limit: number) =>
      rowsOf(Abandoned).all(sql`SELECT a.organisation_uid, a.uid, s.shop_identifier, a.prescription_uids
        FROM abandoned_checkouts a JOIN shops s ON s.organisation_uid = ${owner} AND s.uid = a.shop_uid
        WHERE a.organisation_uid = ${owner} AND a.abandoned_at < to_timestamp(${before})
        ORDER BY a.abandoned_at LIMIT ${limit}`)
    )

    /** Blocks the ids: `now`, or `before` if that was done already for this checkout, or `gone` if it was abandoned. */
    const accept = Effect.fn("AcceptancesRepo.accept")(function* (
      organisation_uid: OrganisationUid,
      checkout_uid: CheckoutUid,
      draft_order_id: string | null
    ) {
      const now = yield* clock.now
      const done = yield* any(sql`UPDATE checkouts SET accepted_at = to_timestamp(${now}),
          draft_order_id = ${draft_order_id}
        WHERE organisation_uid = ${organisation_uid} AND uid = ${checkout_uid} AND accepted_at IS NULL RETURNING uid`)
      yield* sql`UPDATE accepted_prescriptions SET accepted_at = to_timestamp(${now})
        WHERE organisation_uid = ${organisation_uid} AND checkout_uid = ${checkout_uid} AND accepted_at IS NULL`
      if (done) return "now"
      const there = any(
        sql`SELECT FROM checkouts WHERE organisation_uid = ${organisation_uid} AND uid = ${checkout_uid}`
      )
      return (yield* there) ? "before" : "gone"
    }, Effect.orDie)

    /** The uids among these that came with accepted checkouts. */
    const acceptedUids = Effect.fn("AcceptancesRepo.acceptedUids")(
      (organisation_uid: OrganisationUid, uids: ReadonlyArray<PrescriptionUid>) =>
        rowsOf(Numbered.pick("prescription_uid")).all(sql`SELECT prescription_uid FROM accepted_prescriptions
          WHERE organisation_uid = ${organisation_uid} AND prescription_uid ${inList(uids)}
            AND accepted_at IS NOT NULL`)
    )

    return { accepted, acceptedUids, claim, accept, abandon, unfinished, abandoned, forget } as const
  })
}) {}
