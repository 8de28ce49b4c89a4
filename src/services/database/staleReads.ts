/** Whether a standby may answer the fiber's reads (`DATABASE_URL_READ`). */
import { Effect, FiberRef } from "effect"

export const staleReadsAllowed = FiberRef.unsafeMake(false)

/**
 * Allows the standby to answer the effect's reads outside of transactions, if `DATABASE_URL_READ` is set and the standby has replayed
 * everything committed before the read began. Bookings and all transactions use the primary.
 */
export const readFromReplica = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.locally(effect, staleReadsAllowed, true)
