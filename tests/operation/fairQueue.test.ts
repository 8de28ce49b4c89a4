/** The queue of a cost class: limited concurrency, fair to owners and to their callers. */
import { expect, test } from "bun:test"
import { Cause, Deferred, Effect, Exit, Fiber, FiberRef } from "effect"
import { inClassFor } from "../../src/http/admission/costClasses.ts"
import { isOverload } from "../../src/services/database/SqlErrors.ts"
import { makeFairQueue } from "../../src/services/fairQueue.ts"
import { stepsThatLoseAPlace } from "../support/interrupted.ts"

const limits = { atOnce: 2, ofOwner: 1, ofCaller: 1, waiting: 2, seconds: 60 }

/** Starts these runs, `owner caller` each; returns what begins before any ends, then all in their order, and how many were refused. */
const orderOf = (runs: ReadonlyArray<string>, changes: Partial<typeof limits> = {}) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const queue = makeFairQueue({ ...limits, ...changes })
      const done = yield* Deferred.make<void>()
      const begun: Array<string> = []
      const fibers = yield* Effect.forEach(runs, (run) => {
        const [owner = "", caller = ""] = run.split(" ")
        const work = Effect.zipRight(
          Effect.sync(() => begun.push(run)),
          Deferred.await(done)
        )
        return Effect.fork(queue({ owner, caller })(work))
      })
      yield* Effect.yieldNow({ priority: 1 })
      const first = [...begun]
      yield* Deferred.succeed(done, undefined)
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      const refused = exits.filter((exit) => Exit.isFailure(exit) && isOverload(Cause.squash(exit.cause)))
      return { first, begun, refused: refused.length }
    })
  )

// Shows: a shop that responds late or endlessly, or sends endless orders
// Shows: hundreds of connections from one address that send far more than its limit
// Shows: moving an absence with thousands of doctors and a year of free times
test("an owner with many runs leaves room for the others", async () => {
  const { first, begun, refused } = await orderOf(["one a", "one a", "one b", "other a", "third a"])
  expect(first).toEqual(["one a", "other a"])
  expect(begun).toEqual(["one a", "other a", "third a", "one b", "one a"])
  expect(refused).toBe(0)
})

test("a caller with many runs takes turns with the owner's other callers", async () => {
  const { begun } = await orderOf(["one a", "one a", "one a", "one b"], { ofOwner: 2, atOnce: 1 })
  expect(begun).toEqual(["one a", "one b", "one a", "one a"])
})

test("a caller's runs beyond its queue are refused, those of others wait", async () => {
  const { begun, refused } = await orderOf(["one a", "one a", "one a", "one a", "one b", "other a"])
  expect(refused).toBe(1)
  expect(begun.toSorted()).toEqual(["one a", "one a", "one a", "one b", "other a"])
})

test("a run that has waited too long is refused, and its place is free", async () => {
  const queue = makeFairQueue({ ...limits, atOnce: 1, seconds: 0.01 })
  const party = { owner: "one", caller: "a" }
  const blocked = await Effect.runPromise(
    Effect.gen(function* () {
      const done = yield* Deferred.make<void>()
      const running = yield* Effect.fork(queue(party)(Deferred.await(done)))
      yield* Effect.yieldNow()
      const exit = yield* Effect.exit(queue(party)(Effect.void))
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(running)
      yield* queue(party)(Effect.void)
      return exit
    })
  )
  expect(Exit.isFailure(blocked) && isOverload(Cause.squash(blocked.cause))).toBe(true)
})

test("a run that is interrupted at any step, also between admission and start, leaves its place free", async () => {
  const single = { ...limits, atOnce: 1, waiting: 1, seconds: 0.001 }
  expect(await stepsThatLoseAPlace(() => makeFairQueue(single)({ owner: "", caller: "" }))).toEqual([])
})

test("work with a deadline sets what its request reads after it, and is interrupted with its request", async () => {
  const inSearch = inClassFor("search", { owner: "one", caller: "a" })
  const header = FiberRef.unsafeMake("")
  const ended = await Effect.runPromise(
    Effect.gen(function* () {
      yield* inSearch(FiberRef.set(header, "set"))
      expect(yield* FiberRef.get(header)).toBe("set")
      yield* Effect.either(inSearch(Effect.zipRight(FiberRef.set(header, "failed"), Effect.fail("no"))))
      expect(yield* FiberRef.get(header)).toBe("failed")
      const [begun, stopped] = [yield* Deferred.make<void>(), yield* Deferred.make<string>()]
      const work = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      const request = yield* Effect.fork(inSearch(Effect.onInterrupt(work, () => Deferred.succeed(stopped, "stopped"))))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(request)
      return yield* Deferred.await(stopped)
    })
  )
  expect(ended).toBe("stopped")
})

test("work with a deadline does not go on after an interruption at any step", async () => {
  const inSearch = inClassFor("search", { owner: "interrupted", caller: "a" })
  let running = 0
  const counted = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => running++),
      () => work,
      () => Effect.sync(() => running--)
    )
  expect(await stepsThatLoseAPlace(() => (work) => inSearch(counted(work)))).toEqual([])
  expect(running).toBe(0)
})
