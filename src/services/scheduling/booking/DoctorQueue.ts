/**
 * Lets one booking at a time for each doctor go on to the database. Those who wait here hold no connection; for the
 * doctor's lock in the database waits at most one for each process.
 */
import { Clock, Effect } from "effect"
import type { DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { Overloaded } from "../../SqlErrors.ts"

/** Callers give up after about 30 seconds: what they no longer wait for would only keep the others waiting. */
const PATIENCE_MILLIS = 20_000

interface Queue {
  readonly semaphore: Effect.Semaphore
  /** Those who wait or work; the queue is forgotten with the last of them. */
  users: number
}

export class DoctorQueue extends Effect.Service<DoctorQueue>()("scheduling/DoctorQueue", {
  sync: () => {
    const queues = new Map<string, Queue>()

    const unlessLate = <A, E, R>(since: number, work: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - since > PATIENCE_MILLIS ? Effect.die(new Overloaded()) : work
      )

    const inTurn =
      (key: string) =>
      <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            const queue = queues.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 }
            queues.set(key, queue)
            queue.users++
            return queue
          }),
          ({ semaphore }) => semaphore.withPermits(1)(work),
          (queue) =>
            Effect.sync(() => {
              queue.users--
              if (queue.users === 0) queues.delete(key)
            })
        )

    /**
     * Runs `work` when it is its turn with all of these doctors. Only outside of a transaction, and not within itself. Work
     * whose turn comes after 20 seconds is not begun: a defect, `Overloaded`, which is 503 (Rule 2.4.11).
     */
    const within = <A, E, R>(
      owner: OrganisationUid,
      doctors: ReadonlyArray<DoctorUid>,
      work: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R> =>
      Effect.flatMap(Clock.currentTimeMillis, (since) =>
        [...new Set(doctors)]
          .sort()
          .reduceRight((inner, doctor) => inTurn(`${owner}/${doctor}`)(inner), unlessLate(since, work))
      )

    return { within } as const
  }
}) {}
