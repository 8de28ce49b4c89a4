/**
 * Fair shares of the pool: one caller uses a limited number of connections at once, and its further queries wait in a queue of its own.
 * The pool's own queue is first in, first out, so that without shares one caller could fill it.
 */
import { Fiber, Option } from "effect"
import { currentCaller } from "../../services/database/currentCaller.ts"

interface Queue {
  using: number
  readonly waiting: Array<() => void>
}

export interface ShareOptions {
  /** Connections of one caller. */
  readonly most: number
  /** What one caller may have waiting. */
  readonly waitingMax: number
  readonly patienceMillis: number
}

/** The caller whose request the current fiber works on; "" for the service's own work. */
export const askingCaller = () =>
  Option.match(Fiber.getCurrentFiber(), { onNone: () => "", onSome: (fiber) => fiber.getFiberRef(currentCaller) })

export const makeShares = ({ most, waitingMax, patienceMillis }: ShareOptions) => {
  const queues = new Map<string, Queue>()

  return {
    /** Calls `go` once the caller may use one more connection, else `refuse`: at once when too many wait, or after `patienceMillis`. */
    take: (caller: string, go: () => void, refuse: (why: "full" | "late") => void) => {
      const queue = queues.get(caller) ?? { using: 0, waiting: [] }
      queues.set(caller, queue)
      if (queue.using < most) {
        queue.using++
        return go()
      }
      if (queue.waiting.length >= waitingMax) return refuse("full")
      const called = () => {
        clearTimeout(patience)
        go()
      }
      const patience = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(called), 1)
        refuse("late")
      }, patienceMillis)
      queue.waiting.push(called)
    },
    /** Returns a connection, which goes to the caller's longest waiting query. */
    free: (caller: string) => {
      const queue = queues.get(caller)
      if (queue === undefined) return
      const next = queue.waiting.shift()
      if (next !== undefined) return next()
      queue.using--
      if (queue.using === 0) queues.delete(caller)
    }
  }
}
