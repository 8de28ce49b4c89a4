import { Effect, Fiber } from "effect"

/** Time for running jobs to finish after SIGTERM; then they are returned to the queue. */
export const GRACE = "8 seconds"

/**
 * On interruption the effect may still finish within the grace; then it is interrupted. Not within a transaction: it forks. The fiber is
 * a daemon, since an interrupted fiber interrupts its children at once.
 */
export const finishing = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDaemon(Effect.interruptible(self)), (fiber) =>
      Effect.onInterrupt(restore(Fiber.join(fiber)), () =>
        Effect.zipRight(
          Effect.raceFirst(Effect.interruptible(fiber.await), Effect.interruptible(Effect.sleep(GRACE))),
          Fiber.interrupt(fiber)
        )
      )
    )
  )
