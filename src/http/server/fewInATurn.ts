/**
 * Requests that were sent at once over one connection are begun one after the other in one turn of the event loop, so that nobody
 * else is heard meanwhile. Rule 2.4.15.
 */
import { Effect } from "effect"
import { giveWay } from "../../services/eventLoop.ts"

/** Requests that are begun in one turn without waiting, of all connections: some milliseconds' work. */
const AT_ONCE = 32

let begun = 0
const turnEnds = () => {
  begun = 0
}

/** Lets the loop turn before a request that is one too many. Bun then ends a connection on which another one is waiting already. */
export const fewInATurn = <A, E, R>(answered: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    if (begun === 0) setImmediate(turnEnds)
    begun += 1
    return begun > AT_ONCE ? Effect.zipRight(giveWay, answered) : answered
  })
