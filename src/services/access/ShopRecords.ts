/** An organisation's shops, as its management makes, reads and changes them. Rule 12.1.2. */
import { Effect } from "effect"
import type { NewShop, ShopChanges, ShopQuery } from "../../schemas/access/Shop.ts"
import { type OrganisationUid, type PharmacyUid, ShopUid } from "../../schemas/ids.ts"
import { paged } from "../../schemas/paging.ts"
import { invalid } from "../../schemas/problems.ts"
import { Database } from "../Database.ts"
import { DomainClock } from "../DomainClock.ts"
import { newUid } from "../uid.ts"
import { ShopsRepo } from "./ShopsRepo.ts"

interface Pharmacies {
  readonly default_pharmacy_uid?: PharmacyUid | null
  readonly pharmacy_uids?: ReadonlyArray<PharmacyUid> | null
}

const MISSING = "refers to something that does not exist"

export class ShopRecords extends Effect.Service<ShopRecords>()("access/ShopRecords", {
  effect: Effect.gen(function* () {
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const shops = yield* ShopsRepo

    const ensurePharmacies = Effect.fnUntraced(function* (sent: Pharmacies) {
      const listed = yield* shops.unknownPharmacy(sent.pharmacy_uids ?? [])
      if (listed !== undefined) return yield* invalid(`pharmacy_uids[${listed}]`, MISSING)
      const chosen = sent.default_pharmacy_uid ?? null
      if (chosen !== null && (yield* shops.unknownPharmacy([chosen])) !== undefined)
        return yield* invalid("default_pharmacy_uid", MISSING)
    })

    /** A page of the shops, by identifier. */
    const list = Effect.fn("ShopRecords.list")(function* (owner: OrganisationUid, query: ShopQuery) {
      const { rows, total } = yield* shops.list(owner, query)
      return paged(rows, total, query.limit)
    })

    /** Fails with `Invalid` for a pharmacy that does not exist, and with `AlreadyUsed` for an identifier that is taken. */
    const create = Effect.fn("ShopRecords.create")(function* (owner: OrganisationUid, shop: NewShop) {
      yield* ensurePharmacies(shop)
      return yield* shops.write({ ...shop, uid: yield* newUid(ShopUid), organisation_uid: owner }, yield* clock.now)
    }, transaction)

    /** Changes what is sent. Fails with `ShopNotFound`, and as `create`. */
    const update = Effect.fn("ShopRecords.update")(function* (
      owner: OrganisationUid,
      uid: ShopUid,
      changes: ShopChanges
    ) {
      const before = yield* shops.findForChange(owner, uid)
      yield* ensurePharmacies(changes)
      const storefront = changes.storefront ?? (yield* shops.storefrontOf(owner, uid))
      return yield* shops.write({ ...before, ...changes, storefront }, yield* clock.now)
    }, transaction)

    return { list, find: shops.find, findForChange: shops.findForChange, create, update } as const
  }),
  dependencies: [Database.Default, DomainClock.Default, ShopsRepo.Default]
}) {}
