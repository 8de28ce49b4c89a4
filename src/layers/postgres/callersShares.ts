/**
 * Of one caller so many connections are in use at once. What else the caller asks waits in a line of its own, so that whoever
 * asks for more and more takes no place from others in the pool's, which serves who came first.
 */
import { Fiber, Option } from "effect"
import { currentCaller } from "../../services/database/currentCaller.ts"

interface Line {
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

/** Whose request the fiber that asks for a connection belongs to; "" for nobody's. */
export const askingCaller = () =>
  Option.match(Fiber.getCurrentFiber(), { onNone: () => "", onSome: (fiber) => fiber.getFiberRef(currentCaller) })

export const makeShares = ({ most, waitingMax, patienceMillis }: ShareOptions) => {
  const lines = new Map<string, Line>()

  return {
    /** Calls `go` once the caller may use one more connection, else `refuse`: at once when too many wait, or after the patience. */
    take: (caller: string, go: () => void, refuse: (why: "full" | "late") => void) => {
      const line = lines.get(caller) ?? { using: 0, waiting: [] }
      lines.set(caller, line)
      if (line.using < most) {
        line.using++
        return go()
      }
      if (line.waiting.length >= waitingMax) return refuse("full")
      const called = () => {
        clearTimeout(patience)
        go()
      }
      const patience = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(called), 1)
        refuse("late")
      }, patienceMillis)
      line.waiting.push(called)
    },
    /** Gives a connection back, to whoever of the caller's waits first. */
    free: (caller: string) => {
      const line = lines.get(caller)
      if (line === undefined) return
      const next = line.waiting.shift()
      if (next !== undefined) return next()
      line.using--
      if (line.using === 0) lines.delete(caller)
    }
  }
}
