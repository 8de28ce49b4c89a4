/** Bookings of one doctor reach the database one at a time. */
import { expect, test } from "bun:test"
import { Cause, Deferred, Effect, Exit, Fiber, TestClock, TestContext } from "effect"
import { DoctorUid, OrganisationUid } from "../../src/schemas/ids.ts"
import { makeBulkhead } from "../../src/services/bulkhead.ts"
import { isOverload } from "../../src/services/database/SqlErrors.ts"
import { DoctorQueue } from "../../src/services/scheduling/booking/DoctorQueue.ts"
import { stepsThatLoseAPlace } from "../support/interrupted.ts"

const owner = OrganisationUid.make("org_queue")
const doctor = DoctorUid.make("doc_queue")

test("a booking whose turn comes after its deadline is refused and not started; those in time run", async () => {
  const program = Effect.gen(function* () {
    const { within } = yield* DoctorQueue
    const done: Array<string> = []
    const free = yield* Deferred.make<void>()
    const begun = yield* Deferred.make<void>()
    const first = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(free))
    yield* Effect.fork(within(owner, [doctor], first))
    yield* Deferred.await(begun)
    const booking = (name: string) =>
      Effect.fork(
        within(
          owner,
          [doctor],
          Effect.sync(() => done.push(name))
        )
      )
    const late = yield* booking("late")
    yield* TestClock.adjust("15 seconds")
    const inTime = yield* booking("in time")
    yield* TestClock.adjust("6 seconds")
    yield* Deferred.succeed(free, undefined)
    yield* Fiber.join(inTime)
    const exit = yield* Fiber.await(late)
    expect(Exit.isFailure(exit) && isOverload(Cause.squash(exit.cause))).toBe(true)
    expect(done).toEqual(["in time"])
  })
  await Effect.runPromise(Effect.provide(program, [DoctorQueue.Default, TestContext.TestContext]))
})

// Shows: a slot search that costs seconds or gigabytes
test("each kind of work has a concurrency limit and a bounded queue: one more is refused, another kind is not", async () => {
  const program = Effect.gen(function* () {
    const turnOf = makeBulkhead(2, 1)
    const free = yield* Deferred.make<void>()
    let running = 0
    let most = 0
    const work = Effect.gen(function* () {
      most = Math.max(most, ++running)
      yield* Deferred.await(free)
      running--
    })
    const begun = yield* Effect.forEach([1, 2, 3], () => Effect.fork(turnOf("searches")(work)))
    yield* Effect.yieldNow()
    const exit = yield* Effect.exit(turnOf("searches")(work))
    expect(Exit.isFailure(exit) && isOverload(Cause.squash(exit.cause))).toBe(true)
    yield* turnOf("others")(Effect.void)
    yield* Deferred.succeed(free, undefined)
    yield* Effect.forEach(begun, Fiber.join)
    yield* turnOf("searches")(work)
    expect(most).toBe(2)
  })
  await Effect.runPromise(program)
})

test("work that is interrupted at any step, also between admission and start, leaves its place free", async () => {
  expect(await stepsThatLoseAPlace(() => makeBulkhead(1, 0)("key"))).toEqual([])
})
