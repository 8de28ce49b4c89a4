/** Large bodies that are in memory at once. Rule 2.8.3. */
import { expect, test } from "bun:test"
import { Headers, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Deferred, Effect, Exit, Fiber, TestClock, TestContext } from "effect"
import { MIB } from "../../src/http/bodies/bodyLimits.ts"
import { withGuardedBody } from "../../src/http/bodies/GuardedRequest.ts"
import { makeLargeBodies } from "../../src/http/bodies/largeBodies.ts"
import { onlyOwner } from "../../src/services/tenancy/Tenancy.ts"

test("have so much room together, and less for one owner; small ones are not counted, and what is given back is free", async () => {
  const { open } = makeLargeBodies({ all: 5 * MIB, own: 3 * MIB, unknown: MIB })
  const of = (organisation_uid: string, size: number) =>
    Effect.runSyncExit(
      onlyOwner({ organisation_uid })(open).pipe(
        Effect.flatMap(({ grow, release }) => Effect.as(grow(size * MIB), release))
      )
    )
  const first = of("one", 3)
  expect(Exit.isSuccess(first)).toBeTrue()
  expect(Exit.isSuccess(of("one", 2))).toBeFalse()
  expect(Exit.isSuccess(of("one", 1 / 16))).toBeTrue()
  expect(Exit.isSuccess(of("", 2))).toBeFalse()
  expect(Exit.isSuccess(of("other", 2))).toBeTrue()
  expect(Exit.isSuccess(of("third", 2))).toBeFalse()
  Effect.runSync(Exit.isSuccess(first) ? first.value : Effect.void)
  expect(Exit.isSuccess(of("third", 3))).toBeTrue()
})

test("grow by what has arrived of them: what was refused is free as before", () => {
  const { open } = makeLargeBodies({ all: 5 * MIB, own: 5 * MIB, unknown: 5 * MIB })
  const [one, other] = [Effect.runSync(open), Effect.runSync(open)]
  const sizes = (body: typeof one, ...sizes: ReadonlyArray<number>) =>
    sizes.map((size) => Exit.isSuccess(Effect.runSyncExit(body.grow(size * MIB))))
  expect(sizes(one, 1, 2, 3)).toEqual([true, true, true])
  expect(sizes(other, 1, 2, 3)).toEqual([true, true, false])
  Effect.runSync(one.release)
  expect(sizes(other, 3, 5, 6)).toEqual([true, true, false])
  Effect.runSync(other.release)
  expect(sizes(one, 5)).toEqual([true])
})

test("that do not come in time are refused, announced or not", async () => {
  const route = HttpRouter.makeRoute("POST", "/", HttpServerResponse.empty())
  const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ json }) => json)
  const asked = (headers: Readonly<Record<string, string>>) => {
    const sent = new Request("http://localhost/", { method: "POST", body: new ReadableStream() })
    const request = HttpServerRequest.fromWeb(sent).modify({ headers: Headers.fromInput(headers) })
    return withGuardedBody(request, () => ({ kind: "json", limit: MIB }), app).pipe(
      Effect.provideService(HttpRouter.RouteContext, {
        [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId,
        params: {},
        route
      }),
      Effect.uninterruptible
    )
  }
  const late = (headers: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      const answer = yield* Effect.fork(Effect.exit(asked(headers)))
      yield* TestClock.adjust("29 seconds")
      return yield* Fiber.join(answer)
    })
  for (const headers of [{ "content-length": "1000000" }, { "transfer-encoding": "chunked" }]) {
    const exit = await Effect.runPromise(Effect.provide(late(headers), TestContext.TestContext))
    expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ _tag: "BodyTooLarge", late: true })
  }
})

test("of undeclared length take no more room than they have bytes, however much their route accepts", async () => {
  const count = 5
  const allRead = Effect.runSync(Deferred.make<void>())
  let read = 0
  const app = Effect.gen(function* () {
    const { json } = yield* HttpServerRequest.HttpServerRequest
    const body = yield* json
    read += 1
    if (read === count) yield* Deferred.succeed(allRead, undefined)
    yield* Deferred.await(allRead)
    return body
  })
  const route = HttpRouter.makeRoute("POST", "/", HttpServerResponse.empty())
  const asked = Effect.suspend(() => {
    const sent = new Request("http://localhost/", { method: "POST", body: new Blob(["[1]"]).stream() })
    const request = HttpServerRequest.fromWeb(sent).modify({
      headers: Headers.fromInput({ "transfer-encoding": "chunked" })
    })
    return withGuardedBody(request, () => ({ kind: "json", limit: 50 * MIB }), app)
  }).pipe(
    Effect.provideService(HttpRouter.RouteContext, {
      [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId,
      params: {},
      route
    })
  )
  const answers = await Effect.runPromise(
    Effect.all(
      Array.from({ length: count }, () => asked),
      { concurrency: count }
    )
  )
  expect(answers).toEqual(Array(count).fill([1]))
})
