/** Runs long computations in chunks, so that other requests are handled between them. */
import { Effect } from "effect"

/** Lets the event loop handle I/O. `Effect.yieldNow` only lets other fibers run. */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Milliseconds of computation between two looks at other requests. */
const TURN = 5

/** Runs `step` for each of `0 … count - 1`, and yields to the event loop between turns. */
export const inChunks = (count: number, step: (at: number) => void): Effect.Effect<void> =>
  Effect.iterate(0, {
    while: (from) => from < count,
    body: (from) => {
      let at = from
      const end = performance.now() + TURN // real time: how long others wait
      while (at < count && performance.now() < end) step(at++) // real time: the same
      return at === count ? Effect.succeed(at) : Effect.as(yieldToEventLoop, at)
    }
  })

/** The same for a loop of effects: an effect that yields to the event loop if the turn is over. */
export const turns = (): Effect.Effect<void> => {
  const next = () => performance.now() + TURN // real time: as above
  let end = next()
  return Effect.suspend(() => {
    if (performance.now() < end) return Effect.void // real time: as above
    return Effect.map(yieldToEventLoop, () => {
      end = next()
    })
  })
}
