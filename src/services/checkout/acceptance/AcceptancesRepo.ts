/** The one room for the SQL of checkouts and of the prescription ids that they block. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { CheckoutUid, type OrganisationUid, PrescriptionUid, type ShopUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../DomainClock.ts"
import { newUid } from "../../uid.ts"

/** A partner's id of a prescription, and ours. */
export interface Numbered {
  readonly id: string
  readonly prescription_uid: PrescriptionUid
}

/** A checkout under way. */
export interface Claim {
  /** Also the key under which the storefront knows it. */
  readonly checkout_uid: string
  readonly prescriptions: ReadonlyArray<Numbered>
  /** An earlier request for the very same ids got this far and then broke off; what it made may be there. */
  readonly repeated: boolean
}

/** A checkout that broke off, with the ids that it would block. */
export interface Unfinished {
  readonly organisation_uid: OrganisationUid
  readonly uid: string
  readonly ids: ReadonlyArray<string>
}

/** A checkout that came to nothing, and what finds its files and its draft order. */
export interface Abandoned {
  readonly organisation_uid: OrganisationUid
  readonly uid: string
  readonly shop_identifier: string
  readonly prescription_uids: ReadonlyArray<PrescriptionUid>
}

/** Whoever works on a partner's id of a prescription has this lease. */
export const leaseOf = (organisation_uid: OrganisationUid, id: string) =>
  `prescription id ${JSON.stringify([organisation_uid, id])}`

interface Known extends Numbered {
  readonly checkout_uid: string
  readonly shop_uid: ShopUid
  /** How many ids its checkout has. */
  readonly siblings: number
  readonly accepted_at: number | null
}

export class AcceptancesRepo extends Effect.Service<AcceptancesRepo>()("checkout/AcceptancesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    const inList = (ids: ReadonlyArray<string>) =>
      sql`IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

    const known = (organisation_uid: OrganisationUid, ids: ReadonlyArray<string>) =>
      sql<Known>`SELECT p.id, p.prescription_uid, p.checkout_uid, c.shop_uid, p.accepted_at,
          (SELECT count(*) FROM accepted_prescriptions s WHERE s.organisation_uid = p.organisation_uid
            AND s.checkout_uid = p.checkout_uid) AS siblings
        FROM accepted_prescriptions p
          JOIN checkouts c ON c.organisation_uid = p.organisation_uid AND c.uid = p.checkout_uid
        WHERE p.organisation_uid = ${organisation_uid} AND p.id ${inList(ids)} ORDER BY p.id`

    /** Those of the ids that are blocked, with the prescriptions that block them. */
    const accepted = Effect.fn("AcceptancesRepo.accepted")(
      (organisation_uid: OrganisationUid, ids: ReadonlyArray<string>) =>
        Effect.map(known(organisation_uid, ids), (rows) => rows.filter(({ accepted_at }) => accepted_at !== null)),
      Effect.orDie
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
        Effect.map(newUid(PrescriptionUid), (uid) => ({ id, prescription_uid: uid as PrescriptionUid }))
      )
      for (const { id, prescription_uid } of prescriptions) {
        yield* sql`INSERT INTO accepted_prescriptions (organisation_uid, id, prescription_uid, checkout_uid)
          VALUES (${organisation_uid}, ${id}, ${prescription_uid}, ${checkout_uid})`
      }
      return { checkout_uid, prescriptions }
    })

    /**
     * Takes up the checkout of these ids, none of which is accepted: the one that an earlier request for the same ids and
     * shop left unfinished, else a new one in place of whatever unfinished checkouts the ids belong to, which are abandoned.
     */
    const claim = Effect.fn("AcceptancesRepo.claim")(function* (
      organisation_uid: OrganisationUid,
      shop_uid: ShopUid,
      ids: ReadonlyArray<string>
    ) {
      const unfinished = yield* known(organisation_uid, ids)
      const [first] = unfinished
      const same = (one: Known) => one.checkout_uid === first?.checkout_uid && one.siblings === ids.length
      if (first && unfinished.length === ids.length && unfinished.every(same) && first.shop_uid === shop_uid) {
        const prescriptions = unfinished.map(({ id, prescription_uid }) => ({ id, prescription_uid }))
        return { checkout_uid: first.checkout_uid, prescriptions, repeated: true }
      }
      for (const { checkout_uid } of unfinished) yield* abandon(organisation_uid, checkout_uid)
      const opened = yield* open(organisation_uid, shop_uid, ids)
      return { ...opened, repeated: false }
    }, Effect.orDie)

    /**
     * Frees the ids of a checkout and notes what there is to clear away. Customers have never heard of an unfinished
     * checkout, so that its draft order is in nobody's hands. False for one that is accepted or abandoned already: of this
     * and `accept` at once, one finds the row as the other left it.
     */
    const abandon = Effect.fn("AcceptancesRepo.abandon")(function* (
      organisation_uid: OrganisationUid,
      checkout_uid: string
    ) {
      const now = yield* clock.now
      const noted = yield* sql`WITH freed AS (DELETE FROM checkouts WHERE organisation_uid = ${organisation_uid}
            AND uid = ${checkout_uid} AND accepted_at IS NULL RETURNING organisation_uid, uid, shop_uid)
        INSERT INTO abandoned_checkouts (organisation_uid, uid, shop_uid, prescription_uids, abandoned_at)
        SELECT f.organisation_uid, f.uid, f.shop_uid, (SELECT coalesce(jsonb_agg(p.prescription_uid), '[]')
            FROM accepted_prescriptions p WHERE p.organisation_uid = f.organisation_uid AND p.checkout_uid = f.uid),
          to_timestamp(${now})
        FROM freed f RETURNING uid`
      return noted.length > 0
    }, Effect.orDie)

    /** Begun before this time and neither accepted nor abandoned, the oldest first. */
    const unfinished = Effect.fn("AcceptancesRepo.unfinished")(
      (before: number, limit: number) =>
        sql<Unfinished>`SELECT c.organisation_uid, c.uid, (SELECT coalesce(json_agg(p.id ORDER BY p.id), '[]')
            FROM accepted_prescriptions p WHERE p.organisation_uid = c.organisation_uid AND p.checkout_uid = c.uid) AS ids
          FROM checkouts c WHERE c.accepted_at IS NULL AND c.created_at < to_timestamp(${before})
          ORDER BY c.created_at LIMIT ${limit}`,
      Effect.orDie
    )

    /** Abandoned before this time, and not cleared away. */
    const abandoned = Effect.fn("AcceptancesRepo.abandoned")(
      (before: number, limit: number) =>
        sql<Abandoned>`SELECT a.organisation_uid, a.uid, s.shop_identifier, a.prescription_uids
          FROM abandoned_checkouts a JOIN shops s ON s.organisation_uid = a.organisation_uid AND s.uid = a.shop_uid
          WHERE a.abandoned_at < to_timestamp(${before}) ORDER BY a.abandoned_at LIMIT ${limit}`,
      Effect.orDie
    )

    /** It has been cleared away. */
    const forget = Effect.fn("AcceptancesRepo.forget")(
      (organisation_uid: OrganisationUid, uid: string) =>
        sql`DELETE FROM abandoned_checkouts WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`,
      Effect.orDie
    )

    /** From now on the ids are blocked; or they were `before`, for this checkout; or it was abandoned and is `gone`. */
    const accept = Effect.fn("AcceptancesRepo.accept")(function* (
      organisation_uid: OrganisationUid,
      checkout_uid: string,
      draft_order_id: string | null
    ) {
      const now = yield* clock.now
      const done =
        yield* sql`UPDATE checkouts SET accepted_at = to_timestamp(${now}), draft_order_id = ${draft_order_id}
        WHERE organisation_uid = ${organisation_uid} AND uid = ${checkout_uid} AND accepted_at IS NULL RETURNING uid`
      yield* sql`UPDATE accepted_prescriptions SET accepted_at = to_timestamp(${now})
        WHERE organisation_uid = ${organisation_uid} AND checkout_uid = ${checkout_uid} AND accepted_at IS NULL`
      if (done.length > 0) return "now"
      const there =
        yield* sql`SELECT FROM checkouts WHERE organisation_uid = ${organisation_uid} AND uid = ${checkout_uid}`
      return there.length > 0 ? "before" : "gone"
    }, Effect.orDie)

    /** Those of our uids that are of accepted prescriptions. */
    const acceptedUids = Effect.fn("AcceptancesRepo.acceptedUids")(
      (organisation_uid: OrganisationUid, uids: ReadonlyArray<string>) =>
        sql<Pick<Numbered, "prescription_uid">>`SELECT prescription_uid FROM accepted_prescriptions
          WHERE organisation_uid = ${organisation_uid} AND prescription_uid ${inList(uids)}
            AND accepted_at IS NOT NULL`,
      Effect.orDie
    )

    return { accepted, acceptedUids, claim, accept, abandon, unfinished, abandoned, forget } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
