/**
 * Looks up the organisation of a caller's code, shop or room first: so every later statement names its owner, and with several nodes runs on
 * that owner's node only.
 */
import { Effect, Schema } from "effect"
import { OrganisationUid } from "../../schemas/ids.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { tagIn } from "../uid.ts"
import { type CurrentTenant, enter, type OrganisationKey, type Owner, onlyOwner } from "./Tenancy.ts"

/** The look-up key of a code, a room name or a draft order's uid. */
export const tagKey = (code: string): OrganisationKey => ({ kind: "tag", key: tagIn(code) })

export class OwnerByKey extends Effect.Service<OwnerByKey>()("services/OwnerByKey", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const found = rowsOf(Schema.Struct({ organisation_uid: Schema.NullOr(OrganisationUid) }))
    /** Caches each organisation for the life of the process. Misses are not cached, so its size is bounded by organisations and shops. */
    const known = new Map<string, OrganisationUid>()

    const find = Effect.fnUntraced(function* <E>({ kind, key }: OrganisationKey, missing: () => E) {
      const cached = known.get(`${kind} ${key}`)
      if (cached !== undefined) return cached
      const { organisation_uid } = yield* found.one(sql`SELECT organisation_by(${kind}, ${key}) AS organisation_uid`)
      if (organisation_uid === null) return yield* Effect.fail(missing())
      known.set(`${kind} ${key}`, organisation_uid)
      return organisation_uid
    })

    /**
     * Runs the work with the rows of the organisation that owns `by`; fails with `missing` if there is none. If the work of a shop fails,
     * its cache entry is evicted: the shop may have been erased and created for another organisation.
     */
    const within = <A, E, E2, R>(
      by: OrganisationKey,
      missing: () => E,
      work: (owner: OrganisationUid) => Effect.Effect<A, E2, R>
    ): Effect.Effect<A, E | E2, R | CurrentTenant> =>
      Effect.flatMap(find(by, missing), (owner) =>
        onlyOwner({ organisation_uid: owner })(work(owner)).pipe(
          Effect.tapError(() => Effect.sync(() => by.kind === "tag" || known.delete(`${by.kind} ${by.key}`)))
        )
      )

    /** Reads the record of a code, and gives the fiber the rows of its owner from here on. */
    const ofCode = <A extends Owner, E, E2, R>(
      code: string,
      missing: () => E,
      read: (owner: OrganisationUid) => Effect.Effect<A, E2, R>
    ) => Effect.tap(within(tagKey(code), missing, read), enter)

    return { within, ofCode } as const
  })
}) {}
