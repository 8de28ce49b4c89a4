/** Long computations in pieces, so that other requests are handled between them. */
import { Effect } from "effect"

/** Lets the event loop take in and answer other requests. `Effect.yieldNow` gives way to other fibers alone. */
export const giveWay: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Runs `work` on `[from, to)` pieces of `0 … count`, giving way between two of them. */
export const inPieces = (count: number, size: number, work: (from: number, to: number) => void): Effect.Effect<void> =>
  Effect.iterate(0, {
    while: (from) => from < count,
    body: (from) => {
      const to = Math.min(count, from + size)
      work(from, to)
      return to === count ? Effect.succeed(to) : Effect.as(giveWay, to)
    }
  })
