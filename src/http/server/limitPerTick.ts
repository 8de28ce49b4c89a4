/**
 * Requests that arrive together on one connection are all dispatched in one tick of the event loop, and requests of other connections
 * wait for its end. A limit per tick lets them in between. Rule 2.4.15.
 */
import { Effect } from "effect"
import { yieldToEventLoop } from "../../services/eventLoop.ts"

/** Requests of all connections that start in one tick: some milliseconds of work. */
const REQUESTS_PER_TICK = 32

let started = 0
const endTick = () => {
  started = 0
}

/** Starts a request above the limit in a later tick. Bun then closes a connection that has sent another request meanwhile. */
export const limitPerTick = <A, E, R>(answered: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    if (started === 0) setImmediate(endTick)
    started += 1
    return started > REQUESTS_PER_TICK ? Effect.zipRight(yieldToEventLoop, answered) : answered
  })
