/**
 * Bun dispatches all requests pipelined on one connection in one tick of the event loop, which delays other connections.
 * A limit of requests per tick bounds that delay. Rule 2.4.15.
 */
import { Effect } from "effect"
import { yieldToEventLoop } from "../../services/eventLoop.ts"

/** Requests started per tick, over all connections: a few milliseconds of work. */
const REQUESTS_PER_TICK = 32

let started = 0
const endTick = () => {
  started = 0
}

/** Starts requests above the limit in a later tick. Bun then closes a connection that has sent another request before. */
export const limitPerTick = <A, E, R>(answered: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    if (started === 0) setImmediate(endTick)
    started += 1
    return started > REQUESTS_PER_TICK ? Effect.zipRight(yieldToEventLoop, answered) : answered
  })
