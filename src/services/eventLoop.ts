/** Long computations in pieces, so that other requests are handled between them. */
import { Effect } from "effect"

/** Lets the event loop take in and answer other requests. `Effect.yieldNow` gives way to other fibers alone. */
export const giveWay: Effect.Effect<void> = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Runs `step` on each of `0 … count`, giving way whenever steps have done `most` together, by what each says that it did. */
export const inPieces = (count: number, most: number, step: (at: number) => number): Effect.Effect<void> =>
  Effect.iterate(0, {
    while: (from) => from < count,
    body: (from) => {
      let at = from
      for (let done = 0; at < count && done < most; at++) done += step(at)
      return at === count ? Effect.succeed(at) : Effect.as(giveWay, at)
    }
  })
