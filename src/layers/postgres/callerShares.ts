/**
 * Fair shares of the pool: each caller has a limited number of connections, and its further queries wait in its own queue.
 * The pool's queue is FIFO, so without shares one caller could fill it.
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
  /** Queries of one caller that may wait. */
  readonly waitingMax: number
  readonly timeoutMillis: number
}

/** The caller whose request the current fiber handles; "" for background work. */
export const callerOfFiber = () =>
  Option.match(Fiber.getCurrentFiber(), { onNone: () => "", onSome: (fiber) => fiber.getFiberRef(currentCaller) })

export const makeShares = ({ most, waitingMax, timeoutMillis }: ShareOptions) => {
  const queues = new Map<string, Queue>()

  return {
    /** Calls `go` when the caller may use one more connection; `reject` if its queue is full, or after `timeoutMillis`. */
    acquire: (caller: string, go: () => void, reject: (reason: "full" | "timeout") => void) => {
      const queue = queues.get(caller) ?? { using: 0, waiting: [] }
      queues.set(caller, queue)
      if (queue.using < most) {
        queue.using++
        return go()
      }
      if (queue.waiting.length >= waitingMax) return reject("full")
      const waiter = () => {
        clearTimeout(timer)
        go()
      }
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(waiter), 1)
        reject("timeout")
      }, timeoutMillis)
      queue.waiting.push(waiter)
    },
    /** Releases a connection to the caller's longest waiting query. */
    release: (caller: string) => {
      const queue = queues.get(caller)
      if (queue === undefined) return
      const next = queue.waiting.shift()
      if (next !== undefined) return next()
      queue.using--
      if (queue.using === 0) queues.delete(caller)
    }
  }
}
