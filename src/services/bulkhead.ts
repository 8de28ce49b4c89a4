/** Limits of concurrency in one process. Work above the limit waits in order of arrival, without a connection or a lock. */
import { Clock, Deferred, Effect, FiberId } from "effect"
import { withoutCaller } from "./database/currentCaller.ts"
import { Overloaded } from "./database/SqlErrors.ts"

/** Longest time in the queue. Callers give up after about 30 seconds, and work that nobody waits for delays the others. */
const WAIT_MILLIS = 20_000

interface Queue {
  working: number
  /** Each hands the place on to whoever waits. In order, which Effect's semaphore does not keep. */
  readonly waiting: Array<() => void>
}

/**
 * A bulkhead for each key: `atOnce` run, at most `waitingMax` wait. Work beyond that is rejected with the defect `Overloaded`, which is
 * 503 (Rule 2.4.11).
 */
export const makeBulkhead = (atOnce = 1, waitingMax = Number.POSITIVE_INFINITY) => {
  const queues = new Map<string, Queue>()

  const leave = (key: string, queue: Queue) =>
    Effect.sync(() => {
      const next = queue.waiting.shift()
      if (next !== undefined) return next()
      queue.working--
      if (queue.working === 0) queues.delete(key)
    })

  const enter = (key: string) =>
    Effect.async<Queue>((resume) => {
      const queue = queues.get(key) ?? { working: 0, waiting: [] }
      queues.set(key, queue)
      if (queue.working < atOnce) {
        queue.working++
        resume(Effect.succeed(queue))
        return leave(key, queue)
      }
      if (queue.waiting.length >= waitingMax) {
        resume(Effect.die(new Overloaded()))
        return Effect.void
      }
      // What is returned is run when the fiber is interrupted before it has its place
      const called = () => resume(Effect.succeed(queue))
      queue.waiting.push(called)
      return Effect.suspend(() => {
        const at = queue.waiting.indexOf(called)
        if (at < 0) return leave(key, queue)
        queue.waiting.splice(at, 1)
        return Effect.void
      })
    })

  return (key: string) =>
    <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(enter(key)), (queue) => Effect.ensuring(restore(work), leave(key, queue)))
      )
}

/**
 * A bulkhead that is fair to its keys: of a key one runs and `waitingMax` wait, of all keys `atOnce` run. Work that is not started within
 * 20 seconds, or that finds its key's queue full, is rejected with the defect `Overloaded`. All callers wait for these few places, so their
 * work takes its connections as the service's own, not from its caller's share.
 */
export const makeFairBulkhead = (atOnce: number, waitingMax: number) => {
  const inTurn = makeBulkhead(atOnce)("")
  const inTurnOf = makeBulkhead(1, waitingMax)
  return (key: string) =>
    <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      withQueueTimeout((begun) => inTurnOf(key)(inTurn(withoutCaller(begun))), work)
}

/** `work` within `queue`; rejected with the defect `Overloaded` when it would start after 20 seconds. */
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

/** Runs reads once for all callers that ask while they are running; all get the same result. */
export const singleFlight = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let running: Deferred.Deferred<A, E> | undefined
  const end = Effect.sync(() => {
    running = undefined
  })
  return Effect.suspend(() => {
    if (running !== undefined) return Deferred.await(running)
    const own = Deferred.unsafeMake<A, E>(FiberId.none)
    running = own
    // A daemon, since the fiber that asked first may be interrupted
    const begun = Effect.forkDaemon(Effect.intoDeferred(Effect.ensuring(work, end), own))
    return Effect.zipRight(begun, Deferred.await(own))
  })
}
