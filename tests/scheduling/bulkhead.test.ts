/** Bulkhead: limited concurrency for each key. */
import { expect, test } from "bun:test"
import { Effect, Exit, type Scheduler } from "effect"
import { makeBulkhead } from "../../src/services/bulkhead.ts"

test("work that is interrupted at any step, also between admission and start, leaves its slot free", async () => {
  const lost: Array<number> = []
  for (let yielding = 0; yielding < 50; yielding++) {
    const inTurn = makeBulkhead(1, 0)("key")
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
  expect(lost).toEqual([])
})
