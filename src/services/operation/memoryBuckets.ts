import { Clock, Effect } from "effect"
import { Buckets, bucketOf, costOf, FILL_MILLIS } from "./Buckets.ts"

const SWEEP_SIZE = 10_000

/** Buckets of this process. Full ones are evicted. */
export const makeMemoryBuckets = Effect.sync(() => {
  const fullAt = new Map<string, number>()

  const sweep = (now: number) => {
    if (fullAt.size < SWEEP_SIZE) return
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key)
  }

  return Buckets.of({
    take: (taking) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        sweep(now)
        const next = Math.max(fullAt.get(taking.key) ?? 0, now) + costOf(taking)
        if (next - now <= FILL_MILLIS) fullAt.set(taking.key, next)
        return bucketOf(taking, next - now)
      })
  })
})
