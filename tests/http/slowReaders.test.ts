/** Large answers under way. Rule 2.8.5. */
import { expect, test } from "bun:test"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Effect, Exit, Fiber, Stream, TestClock, TestContext } from "effect"
import { MIB } from "../../src/http/bodies/bodyLimits.ts"
import { makeSlowReaders } from "../../src/http/server/slowReaders.ts"
import { currentCaller } from "../../src/services/database/currentCaller.ts"

const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))
const bytes = new Uint8Array(2 * MIB).fill(97)
const app = HttpServerResponse.uint8Array(bytes, { contentType: "text/plain" })

/** Asks in the name of an address; gives what is sent. */
const asking = (limits: { readonly all: number; readonly own: number }) => {
  const counted = makeSlowReaders(limits)(app)
  return (caller: string) =>
    counted.pipe(
      Effect.map(({ body }) => (body._tag === "Stream" ? body.stream : Stream.empty)),
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.locally(currentCaller, caller),
      Effect.exit
    )
}

test("have so much room together, and less for one address, until their last byte is taken", async () => {
  const ask = asking({ all: 4 * MIB, own: 2 * MIB })
  const seen = await Effect.runPromise(
    Effect.gen(function* () {
      const first = yield* Effect.flatten(ask("one"))
      const meanwhile = Effect.gen(function* () {
        const pull = yield* Stream.toPull(first)
        yield* pull
        return [Exit.isSuccess(yield* ask("one")), Exit.isSuccess(yield* ask("other"))]
      })
      const answered = yield* Effect.scoped(meanwhile)
      const whole = yield* Stream.runFold(yield* Effect.flatten(ask("one")), 0, (sum, { length }) => sum + length)
      return [...answered, whole, Exit.isSuccess(yield* ask("one"))]
    })
  )
  expect(seen).toEqual([false, true, 2 * MIB, true])
})

test("that are not taken in time end, and are told from whole ones", async () => {
  const ask = asking({ all: 4 * MIB, own: 4 * MIB })
  const late = Effect.gen(function* () {
    const stream = yield* Effect.flatten(ask("one"))
    const reading = yield* Effect.fork(Effect.exit(Stream.runForEach(stream, () => Effect.sleep("10 seconds"))))
    yield* TestClock.adjust("60 seconds")
    return yield* Fiber.join(reading)
  })
  const exit = await Effect.runPromise(Effect.provide(late, TestContext.TestContext))
  expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ _tag: "ReadTooSlowly" })
})
