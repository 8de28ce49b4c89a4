/** Concurrency limits within one process. Work above the limit is queued in FIFO order, without a connection or a lock. */
import { Clock, Deferred, Effect, FiberId } from "effect"
import { Overloaded } from "./database/SqlErrors.ts"

/** Maximum time in the queue. Callers time out after about 30 seconds, and work for callers that are gone delays the others. */
const WAIT_MILLIS = 20_000

interface Queue {
  working: number
  /** Each passes the slot to a waiting caller. FIFO, which Effect's semaphore does not guarantee. */
  readonly waiting: Array<() => void>
}

/**
 * A bulkhead for each key: `concurrent` run, at most `waitingMax` wait. Further work is rejected with the defect `Overloaded`
 * (Rule 2.4.11).
 */
export const makeBulkhead = (concurrent = 1, waitingMax = Number.POSITIVE_INFINITY) => {
  const queues = new Map<string, Queue>()

  const leave = (key: string, queue: Queue) =>
    Effect.sync(() => {
      const next = queue.waiting.shift()
      if (next !== undefined) return next()
      queue.working--
      if (queue.working === 0) queues.delete(key)
    })

  /** Waits for a slot. `slot.release` returns what is held so far, the slot or the place in the queue. */
  const enter = (key: string, slot: { release: Effect.Effect<void> }) =>
    Effect.async<void>((resume) => {
      const queue = queues.get(key) ?? { working: 0, waiting: [] }
      queues.set(key, queue)
      const admit = () => {
        slot.release = leave(key, queue)
        resume(Effect.void)
      }
      if (queue.working < concurrent) {
        queue.working++
        return admit()
      }
      if (queue.waiting.length >= waitingMax) return resume(Effect.die(new Overloaded()))
      queue.waiting.push(admit)
      slot.release = Effect.sync(() => {
        queue.waiting.splice(queue.waiting.indexOf(admit), 1)
      })
    })

  return (key: string) =>
    <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const slot = { release: Effect.void }
        return Effect.ensuring(
          Effect.zipRight(enter(key, slot), work),
          Effect.suspend(() => slot.release)
        )
      })
}

/** Runs `work` within `queue`; rejects it with the defect `Overloaded` if it would start after 20 seconds. */
export const withQueueTimeout = <A, E, R>(
  queue: (work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (since) =>
    queue(
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - since > WAIT_MILLIS ? Effect.die(new Overloaded()) : work
      )
    )
  )

/** Runs `work` once for all concurrent callers, which share its result. For reads. */
export const singleFlight = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let running: Deferred.Deferred<A, E> | undefined
  const end = Effect.sync(() => {
    running = undefined
  })
  return Effect.suspend(() => {
    if (running !== undefined) return Deferred.await(running)
    const own = Deferred.unsafeMake<A, E>(FiberId.none)
    running = own
    // A daemon, since the first caller's fiber may be interrupted
    const begun = Effect.forkDaemon(Effect.intoDeferred(Effect.ensuring(work, end), own))
    return Effect.zipRight(begun, Deferred.await(own))
  })
}

/** As `singleFlight`; a success is kept for so many milliseconds. Callers do not wait for each other's failures in turn. */
export const keptFor = <A, E>(millis: number, work: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let kept: { readonly value: A; readonly until: number } | undefined
  const flight = singleFlight(
    Effect.flatMap(work, (value) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        kept = { value, until: now + millis }
        return value
      })
    )
  )
  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    kept !== undefined && now < kept.until ? Effect.succeed(kept.value) : flight
  )
}
