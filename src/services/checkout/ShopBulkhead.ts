/**
 * Limits the requests of an organisation that wait for its shops. An organisation sets its shops' addresses itself, and a shop may take a
 * minute to answer; until then each request holds its body in memory.
 */
import { Effect } from "effect"
import { makeBulkhead, withQueueTimeout } from "../bulkhead.ts"

/** At once in one process; as many more wait. */
export const SHOP_REQUESTS = 64

export class ShopBulkhead extends Effect.Service<ShopBulkhead>()("checkout/ShopBulkhead", {
  sync: () => {
    const queueOf = makeBulkhead(SHOP_REQUESTS, SHOP_REQUESTS)

    /** Runs `work` within the limit. Work beyond the queue, or queued for over 20 seconds, is rejected with the defect `Overloaded`. */
    const within =
      (organisation_uid: string) =>
      <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        withQueueTimeout((begun) => queueOf(organisation_uid)(begun), work)

    return { within } as const
  }
}) {}
