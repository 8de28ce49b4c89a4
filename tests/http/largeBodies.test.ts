/** Large bodies that are in memory at once. Rule 2.8.3. */
import { expect, jest, test } from "bun:test"
import { Headers, HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Deferred, Effect, Exit } from "effect"
import { MIB } from "../../src/http/admission/bodyLimits.ts"
import { withGuardedBody } from "../../src/http/admission/GuardedRequest.ts"
import { makeLargeBodies } from "../../src/http/admission/largeBodies.ts"
import { asParty } from "../support/admission.ts"

// Shows: PDFs and large bodies made to exhaust processor or memory
// Shows: PDFs that take minutes, all memory, or the whole queue
test("large bodies share a memory limit with a smaller one per owner; small ones do not count, and released bytes are free", async () => {
  const { open } = makeLargeBodies({ all: 5 * MIB, own: 3 * MIB, untrusted: MIB, untrustedCaller: MIB })
  const of = (owner: string, size: number, isPartner = true) =>
    Effect.runSyncExit(
      asParty({ owner, caller: owner, isPartner })(open).pipe(
        Effect.flatMap(({ grow, release }) => Effect.as(grow(size * MIB), release))
      )
    )
  const first = of("one", 3)
  expect(Exit.isSuccess(first)).toBeTrue()
  expect(Exit.isSuccess(of("one", 2))).toBeFalse()
  expect(Exit.isSuccess(of("one", 1 / 16))).toBeTrue()
  expect(Exit.isSuccess(of("", 2, false))).toBeFalse()
  expect(Exit.isSuccess(of("other", 2))).toBeTrue()
  expect(Exit.isSuccess(of("third", 2))).toBeFalse()
  Effect.runSync(Exit.isSuccess(first) ? first.value : Effect.void)
  expect(Exit.isSuccess(of("third", 3))).toBeTrue()
})

// Shows: an address that exhausts database connections or the memory for bodies
// Shows: endless bodies, and thousands of requests to `/readyz`, without a credential
test("large bodies without a credential, or of patients, count towards their caller's share and not their organisation's", () => {
  const { open } = makeLargeBodies({ all: 20 * MIB, own: 3 * MIB, untrusted: 5 * MIB, untrustedCaller: 2 * MIB })
  const taken = (owner: string, caller: string, isPartner: boolean) =>
    Exit.isSuccess(
      Effect.runSyncExit(Effect.flatMap(open, ({ grow }) => grow(2 * MIB)).pipe(asParty({ owner, caller, isPartner })))
    )
  expect(taken("198.51.100.1", "198.51.100.1", false)).toBeTrue()
  expect(taken("198.51.100.1", "198.51.100.1", false)).toBeFalse()
  expect(taken("one", "patient:1", false)).toBeTrue()
  expect(taken("one", "patient:1", false)).toBeFalse()
  expect(taken("198.51.100.3", "198.51.100.3", false)).toBeFalse()
  expect(taken("one", "key:1", true)).toBeTrue()
  expect(taken("one", "key:2", true)).toBeFalse()
})

test("large bodies are counted as they arrive: a refused one leaves the limit as before", () => {
  const { open } = makeLargeBodies({ all: 5 * MIB, own: 5 * MIB, untrusted: 5 * MIB, untrustedCaller: 5 * MIB })
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

/** A request with this body, answered by the app, whose route takes up to `limit` bytes. */
const requested = <A, E, R>(
  body: ReadableStream,
  headers: Readonly<Record<string, string>>,
  limit: number,
  app: Effect.Effect<A, E, R>
) => {
  const sent = new Request("http://localhost/", { method: "POST", body })
  const request = HttpServerRequest.fromWeb(sent).modify({ headers: Headers.fromInput(headers) })
  const route = HttpRouter.makeRoute("POST", "/", HttpServerResponse.empty())
  return withGuardedBody(request, () => ({ kind: "json", limit, values: 1 }), app).pipe(
    Effect.provideService(HttpRouter.RouteContext, {
      [HttpRouter.RouteContextTypeId]: HttpRouter.RouteContextTypeId,
      params: {},
      route
    })
  )
}

// Shows: an address that exhausts database connections or the memory for bodies
// Shows: endless bodies, and thousands of requests to `/readyz`, without a credential
test("large bodies that do not arrive in time are refused, with or without a declared length", async () => {
  const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ json }) => json)
  jest.useFakeTimers()
  try {
    for (const headers of [{ "content-length": "1000000" }, { "transfer-encoding": "chunked" }]) {
      const answer = Effect.runPromiseExit(Effect.uninterruptible(requested(new ReadableStream(), headers, MIB, app)))
      let isAnswered = false
      void answer.then(() => {
        isAnswered = true
      })
      jest.advanceTimersByTime(19_000)
      await Promise.resolve()
      expect(isAnswered).toBeFalse()
      jest.advanceTimersByTime(10_000)
      const exit = await answer
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ _tag: "BodyTooLarge", late: true })
    }
  } finally {
    jest.useRealTimers()
  }
})

test("bodies of undeclared length count only their received bytes, whatever their route's limit", async () => {
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
  const one = Effect.suspend(() =>
    requested(new Blob(["[1]"]).stream(), { "transfer-encoding": "chunked" }, 50 * MIB, app)
  )
  const answers = await Effect.runPromise(
    Effect.all(
      Array.from({ length: count }, () => one),
      { concurrency: count }
    )
  )
  expect(answers).toEqual(Array(count).fill([1]))
})
