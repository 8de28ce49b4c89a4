import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Buckets } from "../../services/operation/Buckets.ts"
import { makeMemoryBuckets } from "../../services/operation/memoryBuckets.ts"
import { SqlBuckets } from "./SqlBuckets.ts"

/** With the embedded database there is one process, whose memory is enough; otherwise replicas share their buckets. */
export const BucketsLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ embeddedDatabase }) =>
    embeddedDatabase ? Layer.effect(Buckets, makeMemoryBuckets) : SqlBuckets
  )
)
