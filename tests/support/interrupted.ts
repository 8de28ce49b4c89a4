/** Steps at which work that is interrupted, also between admission and start, leaves its place taken. */
import { Effect, Exit, type Scheduler } from "effect"

type InTurn = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | unknown, R>

export const stepsThatLoseAPlace = async (make: () => InTurn) => {
  const lost: Array<number> = []
  for (let yielding = 0; yielding < 50; yielding++) {
    const inTurn = make()
    let steps = 0
    const later: Array<() => void> = []
    const scheduler: Scheduler.Scheduler = {
      shouldYield: () => (steps++ === yielding ? 0 : false),
      scheduleTask: (task) => later.push(task)
    }
    const runAll = (until: () => boolean) => {
      while (later.length > 0 && !until()) later.shift()?.()
    }
    const fiber = Effect.runFork(inTurn(Effect.never), { scheduler })
    runAll(() => steps > yielding)
    fiber.unsafeInterruptAsFork(fiber.id())
    runAll(() => false)
    if (Exit.isFailure(await Effect.runPromiseExit(inTurn(Effect.void)))) lost.push(yielding)
  }
  return lost
}
