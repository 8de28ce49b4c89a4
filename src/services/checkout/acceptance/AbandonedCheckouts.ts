/**
 * Clears away what checkouts left that came to nothing. Only uids of abandoned checkouts are looked at: nobody can take
 * these up any more, and no prescription ever has one of them, so that no file of an accepted checkout is in danger.
 */

import { Effect } from "effect"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { Leases } from "../../Leases.ts"
import { PrescriptionFiles } from "../../prescriptions/PrescriptionFiles.ts"
import { Shops } from "../Shops.ts"
import { Storefronts } from "../Storefront.ts"
import { type Abandoned, AcceptancesRepo, leaseOf, type Unfinished } from "./AcceptancesRepo.ts"

/** For how long a broken-off checkout can be taken up by the same request. */
const KEPT_SECONDS = DAY
/** Longer than any request lasts: one that was overtaken may still write its files for a while. */
const GRACE_SECONDS = 900
const BATCH = 100

export class AbandonedCheckouts extends Effect.Service<AbandonedCheckouts>()("checkout/AbandonedCheckouts", {
  effect: Effect.gen(function* () {
    const repo = yield* AcceptancesRepo
    const leases = yield* Leases
    const files = yield* PrescriptionFiles
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const clock = yield* DomainClock

    /** Not while a request works on one of its ids: that one takes the checkout up, and may well complete it. */
    const giveUp = ({ organisation_uid, uid, ids }: Unfinished) =>
      leases
        .holding(ids.map((id) => leaseOf(organisation_uid, id)))(repo.abandon(organisation_uid, uid))
        .pipe(
          Effect.catchTag("Conflict", () => Effect.succeed(false)) // busy: it is looked at again the next time
        )

    const giveUpBatch = Effect.gen(function* () {
      const overdue = yield* repo.unfinished((yield* clock.now) - KEPT_SECONDS, BATCH)
      const done = yield* Effect.forEach(overdue, giveUp)
      return done.filter(Boolean).length
    })

    /** Should the shop not do it, the draft order lies about there, in nobody's hands. */
    const discardDraft = ({ shop_identifier, uid }: Abandoned) =>
      Effect.orDie(shops.byIdentifier(shop_identifier)).pipe(
        Effect.flatMap(storefronts.of),
        Effect.flatMap(({ discardDraftOrder }) => discardDraftOrder(uid)),
        Effect.catchAll((problem) => Effect.logWarning("a draft order was left behind", problem.message))
      )

    const clear = Effect.fnUntraced(function* (left: Abandoned) {
      const { organisation_uid, uid, prescription_uids } = left
      yield* Effect.forEach(prescription_uids, (prescription_uid) =>
        files.remove("signed", { organisation_uid, prescription_uid })
      )
      yield* discardDraft(left)
      yield* repo.forget(organisation_uid, uid)
    })

    const clearBatch = Effect.gen(function* () {
      const left = yield* repo.abandoned((yield* clock.now) - GRACE_SECONDS, BATCH)
      yield* Effect.forEach(left, clear)
      return left.length
    })

    const inBatches = (batch: Effect.Effect<number>) => Effect.repeat(batch, { while: (done) => done === BATCH })

    /** Gives up what nobody took up for a day, and clears away what was abandoned. Any number of workers may do it. */
    const sweep = Effect.fn("AbandonedCheckouts.sweep")(function* () {
      yield* inBatches(giveUpBatch)
      yield* inBatches(clearBatch)
    })

    return { sweep } as const
  }),
  dependencies: [AcceptancesRepo.Default, Leases.Default, PrescriptionFiles.Default, Shops.Default, DomainClock.Default]
}) {}
