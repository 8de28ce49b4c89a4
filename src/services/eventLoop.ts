/** Runs long computations in chunks, so that other requests are handled between them. */
import { Effect } from "effect"

/** Lets the event loop handle I/O. `Effect.yieldNow` only lets other fibers run. */
export const yieldToEventLoop: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Runs `step` for each of `0 … count - 1`. A step returns its cost; yields to the event loop after each `most` of it. */
export const inChunks = (count: number, most: number, step: (at: number) => number): Effect.Effect<void> =>
  Effect.iterate(0, {
    while: (from) => from < count,
    body: (from) => {
      let at = from
      for (let done = 0; at < count && done < most; at++) done += step(at)
      return at === count ? Effect.succeed(at) : Effect.as(yieldToEventLoop, at)
    }
  })
