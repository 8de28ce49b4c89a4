/** Work of which few run at a time in a process: the others wait in line, in order, and hold nothing meanwhile. */
import { Clock, Deferred, Effect, FiberId } from "effect"
import { inNobodysName } from "./database/currentCaller.ts"
import { Overloaded } from "./database/SqlErrors.ts"

/** Callers give up after about 30 seconds: what they no longer wait for would only keep the others waiting. */
const PATIENCE_MILLIS = 20_000

interface Line {
  working: number
  /** Each hands the place on to whoever waits. In order, which Effect's semaphore does not keep. */
  readonly waiting: Array<() => void>
}

/**
 * Lines, one for each key. `atOnce` of a key work, at most `waitingMax` wait; one more is not begun: a defect, `Overloaded`, which is
 * 503 (Rule 2.4.11).
 */
export const makeTurns = (atOnce = 1, waitingMax = Number.POSITIVE_INFINITY) => {
  const lines = new Map<string, Line>()

  const leave = (key: string, line: Line) =>
    Effect.sync(() => {
      const next = line.waiting.shift()
      if (next !== undefined) return next()
      line.working--
      if (line.working === 0) lines.delete(key)
    })

  const enter = (key: string) =>
    Effect.async<Line>((resume) => {
      const line = lines.get(key) ?? { working: 0, waiting: [] }
      lines.set(key, line)
      if (line.working < atOnce) {
        line.working++
        resume(Effect.succeed(line))
        return leave(key, line)
      }
      if (line.waiting.length >= waitingMax) {
        resume(Effect.die(new Overloaded()))
        return Effect.void
      }
      // What is returned is run when the fiber is interrupted before it has its place
      const called = () => resume(Effect.succeed(line))
      line.waiting.push(called)
      return Effect.suspend(() => {
        const at = line.waiting.indexOf(called)
        if (at < 0) return leave(key, line)
        line.waiting.splice(at, 1)
        return Effect.void
      })
    })

  return (key: string) =>
    <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(enter(key)), (line) => Effect.ensuring(restore(work), leave(key, line)))
      )
}

/**
 * Two lines: of a key one works at a time and `waitingMax` wait, so that no key takes the turns of others; of all keys `atOnce` work. Work
 * whose turn comes after 20 seconds is not begun, nor what comes when the key's line is full: a defect, `Overloaded`. All wait for these few
 * places: who has one asks the database in nobody's name, not in a line of its own requests.
 */
export const makeSharedTurns = (atOnce: number, waitingMax: number) => {
  const inTurn = makeTurns(atOnce)("")
  const inTurnOf = makeTurns(1, waitingMax)
  return (key: string) =>
    <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      inTime((begun) => inTurnOf(key)(inTurn(inNobodysName(begun))), work)
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

/** Work that changes nothing: whoever asks while it is under way gets what it gives, and does not begin it anew. */
export const sharedWhileUnderWay = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let underWay: Deferred.Deferred<A, E> | undefined
  const end = Effect.sync(() => {
    underWay = undefined
  })
  return Effect.suspend(() => {
    if (underWay !== undefined) return Deferred.await(underWay)
    const own = Deferred.unsafeMake<A, E>(FiberId.none)
    underWay = own
    // Of nobody's fiber: who asked first may go
    const begun = Effect.forkDaemon(Effect.intoDeferred(Effect.ensuring(work, end), own))
    return Effect.zipRight(begun, Deferred.await(own))
  })
}
