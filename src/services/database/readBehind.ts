/** Reads that a standby may answer (`DATABASE_URL_READ`). */
import { Effect, FiberRef } from "effect"

export const mayReadBehind = FiberRef.unsafeMake(false)

/**
 * Lets the effect's single reads go to the standby, where one is named and has all that was written before the read began. What
 * gives times away, and whatever is in a transaction, asks the primary.
 */
export const readBehind = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.locally(effect, mayReadBehind, true)
