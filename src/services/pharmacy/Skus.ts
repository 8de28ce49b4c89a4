/** Reads and updates a pharmacy's SKUs and products (Rule 10.3). */
import { Array, Effect } from "effect"
import type { NewEvent } from "../../schemas/events/catalogue.ts"
import type { PharmacySkuUid } from "../../schemas/ids.ts"
import { paged } from "../../schemas/paging.ts"
import { PharmacySkuNotFound } from "../../schemas/pharmacy/errors.ts"
import type { PharmacySku, ProductQuery, SkuChanges, SkuQuery } from "../../schemas/pharmacy/PharmacySku.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { EventLog } from "../events/EventLog.ts"
import { Service } from "../Service.ts"
import { PayoutProjector } from "./PayoutProjector.ts"
import { Pharmacies, type Pharmacy } from "./Pharmacies.ts"
import { type SkuChange, SkusRepo } from "./SkusRepo.ts"

export class Skus extends Service<Skus>()("pharmacy/Skus", {
  effect: Effect.gen(function* () {
    const repo = yield* SkusRepo
    const pharmacies = yield* Pharmacies
    const projector = yield* PayoutProjector
    const events = yield* EventLog
    const clock = yield* DomainClock
    const { transaction } = yield* Database

    const list = Effect.fn("Skus.list")((pharmacy: Pharmacy, query: SkuQuery) =>
      Effect.map(repo.list(pharmacy, query), paged)
    )

    const products = Effect.fn("Skus.products")((pharmacy: Pharmacy, query: ProductQuery) =>
      Effect.map(repo.products(pharmacy, query), paged)
    )

    /** Locks SKUs until the transaction ends; without those that are unknown or of a hidden type. */
    const findAllForChange = Effect.fn("Skus.findAllForChange")(function* (
      pharmacy: Pharmacy,
      uids: ReadonlyArray<PharmacySkuUid>
    ) {
      yield* pharmacies.lockForChange(pharmacy.pharmacy_uid) // lock order as in `changeAll`: before the SKUs' rows
      return yield* repo.findForChange(pharmacy, uids)
    })

    /** Locks a SKU until the transaction ends. Fails with `PharmacySkuNotFound`. */
    const findForChange = Effect.fn("Skus.findForChange")(function* (pharmacy: Pharmacy, uid: PharmacySkuUid) {
      const [found] = yield* findAllForChange(pharmacy, [uid])
      return found ?? (yield* new PharmacySkuNotFound())
    })

    const updated = (sku: PharmacySku): NewEvent => ({
      type: "pharmacy_sku.updated",
      pharmacy_uid: sku.pharmacy,
      subject: sku.uid,
      data: { pharmacy_sku: sku }
    })

    /**
     * Updates different SKUs, reprojects payouts after price changes, and publishes an event for each SKU that has a change. An unknown SKU,
     * or one of a hidden type, is left out of the result.
     */
    const changeAll = Effect.fn("Skus.changeAll")(function* (pharmacy: Pharmacy, all: ReadonlyArray<SkuChange>) {
      const [idle, changes] = Array.partition(all, ({ price, stock, external_id }) =>
        [price, stock, external_id].some((value) => value !== undefined)
      )
      const unchanged =
        idle.length === 0
          ? []
          : yield* findAllForChange(
              pharmacy,
              idle.map(({ uid }) => uid)
            )
      if (changes.length === 0) return unchanged
      const repriced = changes.filter(({ price }) => price !== undefined)
      // The pharmacy's lock serialises multi-row updates, which would lock rows in arbitrary order; a single stock level needs no lock.
      const isSingleStock = repriced.length === 0 && changes.length === 1
      const terms = isSingleStock ? pharmacy : yield* pharmacies.lockForChange(pharmacy.pharmacy_uid)
      const changed = yield* repo.change(pharmacy, changes, yield* clock.now)
      if (repriced.length > 0)
        yield* projector.reproject(
          terms,
          repriced.map(({ uid }) => uid)
        )
      yield* events.appendAll(changed.map(updated))
      return [...changed, ...unchanged]
    }, transaction)

    /**
     * Updates the fields sent of one SKU; without any it stays as it is. Fails with `PharmacySkuNotFound` for a SKU that is unknown or of a
     * hidden type. Rule 10.3.3.
     */
    const change = Effect.fn("Skus.change")(function* (pharmacy: Pharmacy, uid: PharmacySkuUid, changes: SkuChanges) {
      const [changed] = yield* changeAll(pharmacy, [{ ...changes, uid }])
      return changed ?? (yield* new PharmacySkuNotFound())
    })

    return { list, products, findForChange, findAllForChange, change, changeAll } as const
  }),
  dependencies: [SkusRepo.Default, Pharmacies.Default, PayoutProjector.Default]
}) {}
