/** Bulkhead: limited concurrency, with a queue per caller. */
import { expect, test } from "bun:test"
import { Deferred, Effect, Exit, Fiber, FiberRef, type Scheduler } from "effect"
import { makeBulkhead, makeFairBulkhead } from "../../src/services/bulkhead.ts"
import { currentCaller } from "../../src/services/database/currentCaller.ts"

test("a caller with a full queue does not stop others from running or queueing", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const inTurnOf = makeFairBulkhead(2, 1)
      const done = yield* Deferred.make<void>()
      const begun: Array<string> = []
      const work = (key: string) =>
        inTurnOf(key)(
          Effect.zipRight(
            Effect.sync(() => begun.push(key)),
            Deferred.await(done)
          )
        ).pipe(Effect.fork)
      const fibers = yield* Effect.all([work("one"), work("one"), work("one"), work("other"), work("third")])
      yield* Effect.yieldNow({ priority: 1 })
      expect(begun).toEqual(["one", "other"])
      yield* Deferred.succeed(done, undefined)
      const exits = yield* Effect.all(fibers.map(Fiber.await))
      expect(exits.map(Exit.isSuccess)).toEqual([true, true, false, true, true])
      expect(begun.toSorted()).toEqual(["one", "one", "other", "third"])
    })
  ))

test("each caller has one request in the queue of a key, and further ones wait for that", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const inTurnOf = makeFairBulkhead(2, 2)
      const done = yield* Deferred.make<void>()
      const begun: Array<string> = []
      const work = (caller: string) =>
        inTurnOf("practice")(
          Effect.zipRight(
            Effect.sync(() => begun.push(caller)),
            Deferred.await(done)
          )
        ).pipe(Effect.locally(currentCaller, caller), Effect.fork)
      const fibers = yield* Effect.all([work("one"), work("one"), work("one"), work("one"), work("other")])
      yield* Effect.yieldNow({ priority: 1 })
      expect(begun).toEqual(["one"])
      yield* Deferred.succeed(done, undefined)
      const exits = yield* Effect.all(fibers.map(Fiber.await))
      expect(exits.map(Exit.isSuccess)).toEqual([true, true, true, false, true])
      expect(begun).toEqual(["one", "other", "one", "one"])
    })
  ))

test("queries inside a shared bulkhead do not count towards the caller's share of connections", async () => {
  const named = makeFairBulkhead(1, 1)("one")(FiberRef.get(currentCaller))
  expect(await Effect.runPromise(Effect.locally(named, currentCaller, "192.0.2.1"))).toBe("")
})

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
