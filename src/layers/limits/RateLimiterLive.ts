import { RateLimiter } from "@effect/experimental"
import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { MemoryBuckets } from "./MemoryBuckets.ts"
import { SqlBuckets } from "./SqlBuckets.ts"

/** With the embedded database there is one process, whose memory will do; otherwise replicas share one limit. */
export const RateLimiterLive = RateLimiter.layer.pipe(
  Layer.provide(
    Layer.unwrapEffect(Effect.map(Settings, ({ embeddedDatabase }) => (embeddedDatabase ? MemoryBuckets : SqlBuckets)))
  )
)
