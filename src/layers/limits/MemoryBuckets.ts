import { RateLimiter } from "@effect/experimental"
import { Duration, Effect, Layer } from "effect"

const SWEPT_AT = 10_000

/**
 * Buckets of this process, by the generic cell rate algorithm: of each key only the moment is kept at which its bucket
 * will be full again, and keys whose bucket is full are forgotten.
 */
export const MemoryBuckets = Layer.sync(RateLimiter.RateLimiterStore, () => {
  const fullAt = new Map<string, number>()

  const sweep = (now: number) => {
    if (fullAt.size < SWEPT_AT) return
    for (const [key, at] of fullAt) if (at <= now) fullAt.delete(key)
  }

  const take = (key: string, cost: number, room: number, now: number) => {
    sweep(now)
    const next = Math.max(fullAt.get(key) ?? 0, now) + cost
    if (next - now <= room) fullAt.set(key, next)
    return next - now
  }

  return RateLimiter.RateLimiterStore.of({
    tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
      Effect.clockWith((clock) =>
        Effect.map(clock.currentTimeMillis, (now) => {
          const refill = Duration.toMillis(refillRate)
          const filling = take(key, tokens * refill, allowOverflow ? Number.POSITIVE_INFINITY : limit * refill, now)
          return Math.floor(limit - filling / refill)
        })
      ),
    fixedWindow: ({ key, limit, refillRate, tokens }) =>
      Effect.clockWith((clock) =>
        Effect.map(clock.currentTimeMillis, (now) => {
          const refill = Duration.toMillis(refillRate)
          const filling = take(
            key,
            tokens * refill,
            limit === undefined ? Number.POSITIVE_INFINITY : limit * refill,
            now
          )
          return [Math.ceil(filling / refill), filling] as const
        })
      )
  })
})
