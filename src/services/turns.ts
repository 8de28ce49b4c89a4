/** Work of which few run at a time in a process: the others wait in line, in order, and hold nothing meanwhile. */
import { Clock, Effect } from "effect"
import { Overloaded } from "./SqlErrors.ts"

/** Callers give up after about 30 seconds: what they no longer wait for would only keep the others waiting. */
const PATIENCE_MILLIS = 20_000

interface Line {
  readonly semaphore: Effect.Semaphore
  /** Those who wait or work; the line is forgotten with the last of them. */
  users: number
}

/**
 * Lines, one for each key. `atOnce` of a key work, at most `waitingMax` wait; one more is not begun: a defect, `Overloaded`, which is
 * 503 (Rule 2.4.11).
 */
export const makeTurns = (atOnce = 1, waitingMax = Number.POSITIVE_INFINITY) => {
  const lines = new Map<string, Line>()

  const enter = (key: string) =>
    Effect.suspend(() => {
      const line = lines.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(atOnce), users: 0 }
      if (line.users >= atOnce + waitingMax) return Effect.die(new Overloaded())
      lines.set(key, line)
      line.users++
      return Effect.succeed(line)
    })

  const leave = (key: string, line: Line) =>
    Effect.sync(() => {
      line.users--
      if (line.users === 0) lines.delete(key)
    })

  return (key: string) =>
    <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.acquireUseRelease(
        enter(key),
        ({ semaphore }) => semaphore.withPermits(1)(work),
        (line) => leave(key, line)
      )
}

/** `work` within `turn`, unless its turn comes after 20 seconds: then it is not begun, a defect, `Overloaded`. */
export const inTime = <A, E, R>(
  turn: (work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (since) =>
    turn(
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - since > PATIENCE_MILLIS ? Effect.die(new Overloaded()) : work
      )
    )
  )
