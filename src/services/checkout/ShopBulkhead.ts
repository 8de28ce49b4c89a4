/**
 * Limits an organisation's concurrent requests to its shops. An organisation configures its shops' URLs itself, and a shop may take a
 * minute to answer, during which each request holds its body in memory.
 */
import { Effect } from "effect"
import { makeBulkhead, withQueueTimeout } from "../bulkhead.ts"

/** Concurrent requests in one process; as many more are queued. */
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
