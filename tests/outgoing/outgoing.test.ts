/** The limits of calls to other systems. */
import { expect, test } from "bun:test"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { inClassFor } from "../../src/http/admission/costClasses.ts"
import { endOutgoing, OutgoingCall, outgoing, within } from "../../src/services/outgoing.ts"
import { onlyOwner, withoutOwner } from "../../src/services/tenancy/Tenancy.ts"

const late = () => "late" as const
const limits = { to: "a test", seconds: 60, bytes: 10, atOnce: 3, ofOwner: 2, ofAddress: 1, waiting: 2 }
const as = (owner: string) => (call: Effect.Effect<unknown, unknown>) => withoutOwner(onlyOwner(owner)(call))

test("an uninterruptible caller gets the answer although its client has disconnected", async () => {
  const result = await Effect.runPromise(
    Effect.gen(function* () {
      const [begun, answer] = [yield* Deferred.make<void>(), yield* Deferred.make<string>()]
      const call = within(60, late)(Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(answer)))
      const stored: Array<string> = []
      const request = yield* Effect.fork(
        Effect.uninterruptible(Effect.flatMap(call, (text) => Effect.sync(() => stored.push(text))))
      )
      yield* Deferred.await(begun)
      const disconnected = yield* Effect.fork(Fiber.interrupt(request))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(answer, "answer")
      yield* Fiber.join(disconnected)
      // one that begins its call after that
      const second = yield* Effect.fork(
        Effect.uninterruptible(
          Effect.zipRight(
            Effect.sleep(1),
            Effect.flatMap(within(60, late)(Effect.succeed("later")), (text) => Effect.sync(() => stored.push(text)))
          )
        )
      )
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(second)
      return stored
    })
  )
  expect(result).toEqual(["answer", "later"])
})

test("a call ends at its time-out although its finalizer never does, and its signal is aborted", async () => {
  let ended: AbortSignal | undefined
  const call = outgoing(limits)
  const exit = await Effect.flatMap(OutgoingCall, (current) => {
    ended = current.ended
    return Effect.onInterrupt(Effect.never, () => Effect.never)
  }).pipe(call(late, { seconds: 0.01 }), Effect.uninterruptible, Effect.runPromiseExit)
  expect(exit).toEqual(Exit.fail("late"))
  expect(ended?.aborted).toBe(true)
})

test("an interrupted caller ends its call", async () => {
  const interrupted = await Effect.runPromise(
    Effect.gen(function* () {
      const [begun, stopped] = [yield* Deferred.make<void>(), yield* Deferred.make<string>()]
      const work = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      const job = yield* Effect.fork(
        outgoing(limits)(late)(Effect.onInterrupt(work, () => Deferred.succeed(stopped, "stopped")))
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(job)
      return yield* Deferred.await(stopped)
    })
  )
  expect(interrupted).toBe("stopped")
})

test("at the end of a shutdown all calls are ended as if they were late", async () => {
  const exit = await Effect.runPromise(
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const call = within(60, late)(Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never))
      const request = yield* Effect.fork(Effect.uninterruptible(call))
      yield* Deferred.await(begun)
      yield* endOutgoing
      return yield* Fiber.await(request)
    })
  )
  expect(exit).toEqual(Exit.fail("late"))
})

test("an owner's calls to one address take one place each, those of others go on, and too many fail at once", async () => {
  const begun: Array<string> = []
  const failed = await Effect.runPromise(
    Effect.gen(function* () {
      const call = outgoing(limits)
      const done = yield* Deferred.make<void>()
      const start = (owner: string, address: string) =>
        Effect.fork(
          Effect.zipRight(
            Effect.sync(() => begun.push(`${owner} ${address}`)),
            Deferred.await(done)
          ).pipe(call(late, { address }), as(owner), Effect.exit)
        )
      const calls = yield* Effect.forEach(
        [
          ["one", "dead"],
          ["one", "dead"],
          ["one", "dead"],
          ["one", "dead"],
          ["one", "live"],
          ["other", "live"]
        ] as const,
        ([owner, address]) => start(owner, address)
      )
      while (begun.length < 3) yield* Effect.yieldNow()
      const fourth = calls[3]
      const refused = fourth === undefined ? undefined : yield* Fiber.join(fourth)
      expect(begun).toEqual(["one dead", "one live", "other live"])
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.joinAll(calls)
      return refused
    })
  )
  expect(failed).toEqual(Exit.fail("late"))
  expect(begun).toEqual(["one dead", "one live", "other live", "one dead", "one dead"])
})

test("a request that calls another system leaves its place in its class before", async () => {
  const party = { owner: "caller", caller: "a" }
  const inSearch = inClassFor("search", party)
  const statuses = await Effect.runPromise(
    Effect.gen(function* () {
      const [done, begun] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let calls = 0
      // more than the class lets run at once
      const work = Effect.suspend(() => (++calls === 20 ? Deferred.succeed(begun, undefined) : Effect.void)).pipe(
        Effect.zipRight(Deferred.await(done))
      )
      const calling = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.fork(inSearch(outgoing({ ...limits, ofOwner: 20, ofAddress: 20, atOnce: 20 })(late)(work)))
      )
      yield* Effect.raceFirst(Deferred.await(begun), Fiber.joinAll(calling))
      yield* inSearch(Effect.void)
      yield* Deferred.succeed(done, undefined)
      return (yield* Fiber.joinAll(calling)).length
    })
  )
  expect(statuses).toBe(20)
})
