/** What an entry was offered, and why others were offered times that it wishes: the order as data (Rule 19.2.11). */

import { Effect } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { Service } from "../../../services/Service.ts"
import type { EntryOffers, PassedOver, WaitlistEntryUid } from "../schemas/Waitlist.ts"
import { fits } from "./fit.ts"
import { type Rival, rankOf, type StoredEntry, WaitlistRepo } from "./WaitlistRepo.ts"

/** Offers to others that are shown, and read: not all are of times that the entry wishes. */
const [SHOWN, READ] = [50, 500]

/** Why the other was offered the time: the first of the reasons that holds. */
export const becauseOf = (
  entry: Pick<StoredEntry, "uid" | "need" | "need_since" | "created_at">,
  rival: Pick<Rival, "entry_uid" | "need" | "offered_at" | "waits_since" | "had_offer" | "asked_before">
): PassedOver["because"] => {
  if (rival.offered_at < entry.need_since && entry.need_since > entry.created_at) return "need_changed"
  const [own, other] = [rankOf(entry.need), rankOf(rival.need)]
  if (other < own) return "more_need"
  const isOlder =
    rival.waits_since === entry.created_at ? rival.entry_uid < entry.uid : rival.waits_since < entry.created_at
  if (other === own && isOlder) return "waits_longer"
  if (rival.had_offer) return "had_offer"
  return rival.asked_before ? "asked_before" : "not_waiting"
}

export class OrderReasons extends Service<OrderReasons>()("scheduling/OrderReasons", {
  effect: Effect.gen(function* () {
    const repo = yield* WaitlistRepo

    const isWished = (entry: StoredEntry, { doctor_uid, timezone, start_date, original_start }: Rival) =>
      fits(entry, null, { uid: doctor_uid, timezone }, start_date, start_date) &&
      (entry.appointment_uid === null || (original_start !== null && start_date < original_start))

    /** Fails with `WaitlistEntryNotFound`. */
    const of = Effect.fn("OrderReasons.of")(function* (owner: OrganisationUid, uid: WaitlistEntryUid) {
      const entry = yield* repo.find(owner, uid)
      const others = yield* repo.offersToOthers(owner, entry, READ)
      const offers: EntryOffers = {
        offers: yield* repo.offersTo(owner, uid),
        passed_over: others
          .filter((one) => isWished(entry, one))
          .slice(0, SHOWN)
          .map((one) => ({
            offer_uid: one.uid,
            waitlist_entry_uid: one.entry_uid,
            doctor_uid: one.doctor_uid,
            start_date: one.start_date,
            end_date: one.end_date,
            offered_at: one.offered_at,
            because: becauseOf(entry, one)
          }))
      }
      return offers
    })
    return { of } as const
  }),
  dependencies: [WaitlistRepo.Default]
}) {}
