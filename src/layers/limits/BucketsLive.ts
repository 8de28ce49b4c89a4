import { Effect, Layer } from "effect"
import { Settings } from "../../config.ts"
import { Buckets } from "../../services/operation/Buckets.ts"
import { makeMemoryBuckets } from "../../services/operation/memoryBuckets.ts"
import { SqlBuckets } from "./SqlBuckets.ts"

/** In memory with the embedded database, i.e. a single process; otherwise in the database, shared by all replicas. */
export const BucketsLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ embeddedDatabase }) =>
    embeddedDatabase ? Layer.effect(Buckets, makeMemoryBuckets) : SqlBuckets
  )
)
