/**
 * Cleans up abandoned checkouts. An abandoned checkout cannot be resumed, and its uids are never reused, so that no file of an accepted
 * checkout is deleted.
 */
import { Effect } from "effect"
import { StorefrontUnavailable } from "../../../schemas/checkout/storefrontProblems.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { within } from "../../outgoing.ts"
import { PrescriptionFiles } from "../../prescriptions/PrescriptionFiles.ts"
import { Leases } from "../../queue/Leases.ts"
import { Service } from "../../Service.ts"
import { Owners } from "../../tenancy/Owners.ts"
import { Shops } from "../Shops.ts"
import { Storefronts } from "../Storefront.ts"
import { type Abandoned, AcceptancesRepo, leaseOf, type Unfinished } from "./AcceptancesRepo.ts"

/** Time in which the same request can resume an unfinished checkout. */
const RESUMABLE_SECONDS = DAY
/** Longer than any request: one whose checkout was abandoned may still be writing its files. */
const GRACE_SECONDS = 900
const BATCH = 100
/** Timeout for all calls of one draft order. */
const TIMEOUT_SECONDS = 10

export class AbandonedCheckouts extends Service<AbandonedCheckouts>()("checkout/AbandonedCheckouts", {
  effect: Effect.gen(function* () {
    const repo = yield* AcceptancesRepo
    const leases = yield* Leases
    const files = yield* PrescriptionFiles
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const clock = yield* DomainClock
    const owners = yield* Owners

    /** Skips a checkout while a request holds a lease on one of its ids, since that request resumes it. */
    const abandon = ({ organisation_uid, uid, ids }: Unfinished) =>
      leases
        .holding(ids.map((id) => leaseOf(organisation_uid, id)))(repo.abandon(organisation_uid, uid))
        .pipe(Effect.catchTag("InProgress", () => Effect.succeed(false)))

    const abandonBatch = Effect.fnUntraced(function* (owner: OrganisationUid) {
      const overdue = yield* repo.unfinished(owner, (yield* clock.now) - RESUMABLE_SECONDS, BATCH)
      const done = yield* Effect.forEach(overdue, abandon)
      return done.filter(Boolean).length
    })

    /**
     * If the shop fails, its draft order is left there; no customer knows of it. `failedShops` are the shops that have failed in this run: they
     * are not called again, so that they do not delay others.
     */
    const discardDraft = ({ shop_identifier, uid }: Abandoned, failedShops: Set<string>) =>
      Effect.orDie(shops.byIdentifier(shop_identifier)).pipe(
        Effect.flatMap(storefronts.of),
        Effect.filterOrFail(
          () => !failedShops.has(shop_identifier),
          () => new StorefrontUnavailable({ detail: "no answer to an earlier one" })
        ),
        Effect.flatMap(({ discardDraftOrder }) => discardDraftOrder(uid)),
        within(TIMEOUT_SECONDS, () => new StorefrontUnavailable({ detail: "no answer in time" })),
        Effect.tapErrorTag("StorefrontUnavailable", () => Effect.sync(() => failedShops.add(shop_identifier))),
        Effect.catchAll((problem) => Effect.logWarning("a draft order was left behind", problem.message))
      )

    const clear = Effect.fnUntraced(function* (left: Abandoned, failedShops: Set<string>) {
      const { organisation_uid, uid, prescription_uids } = left
      yield* Effect.forEach(prescription_uids, (prescription_uid) =>
        files.remove("signed", { organisation_uid, prescription_uid })
      )
      yield* discardDraft(left, failedShops)
      yield* repo.forget(organisation_uid, uid)
    })

    const clearBatch = Effect.fnUntraced(function* (owner: OrganisationUid, failedShops: Set<string>) {
      const left = yield* repo.abandoned(owner, (yield* clock.now) - GRACE_SECONDS, BATCH)
      yield* Effect.forEach(left, (one) => clear(one, failedShops))
      return left.length
    })

    const inBatches = <R>(batch: Effect.Effect<number, never, R>) =>
      Effect.repeat(batch, { while: (done) => done === BATCH })

    /**
     * Abandons checkouts that were not resumed for a day, and cleans up abandoned ones. Safe to run in parallel. Returns how many
     * checkouts were in the last batches.
     */
    const sweep = Effect.fn("AbandonedCheckouts.sweep")(function* () {
      const now = yield* clock.now
      const abandonedCount = yield* owners.eachDue("checkouts", now - RESUMABLE_SECONDS, (owner) =>
        inBatches(abandonBatch(owner))
      )
      const failedShops = new Set<string>()
      const cleared = yield* owners.eachDue("abandoned_checkouts", now - GRACE_SECONDS, (owner) =>
        inBatches(clearBatch(owner, failedShops))
      )
      return abandonedCount + cleared
    })

    return { sweep } as const
  }),
  dependencies: [AcceptancesRepo.Default, PrescriptionFiles.Default, Shops.Default]
}) {}
