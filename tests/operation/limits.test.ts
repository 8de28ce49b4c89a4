import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { RateLimiter } from "@effect/experimental"
import { Effect, Layer, ManagedRuntime, TestClock, TestContext } from "effect"
import { MemoryBuckets } from "../../src/layers/limits/MemoryBuckets.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { makeWorld, random } from "../support/world.ts"

const take = (key: string) =>
  Effect.flatMap(RateLimiter.RateLimiter, (limiter) =>
    limiter.consume({ key, limit: 10, window: "1 second", algorithm: "token-bucket" })
  ).pipe(
    Effect.map(({ remaining }) => remaining),
    Effect.catchAll((error) => Effect.succeed(error.reason))
  )

test("in memory: a full bucket, then as many as are refilled", async () => {
  const seen = await Effect.runPromise(
    Effect.gen(function* () {
      const first = yield* Effect.all(Array.from({ length: 11 }, () => take("somebody")))
      yield* TestClock.adjust("250 millis")
      const later = yield* Effect.all(Array.from({ length: 3 }, () => take("somebody")))
      return { first, later, other: yield* take("somebody else") }
    }).pipe(Effect.provide(Layer.merge(Layer.provide(RateLimiter.layer, MemoryBuckets), TestContext.TestContext)))
  )
  expect(seen.first).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, "Exceeded"])
  expect(seen.later).toEqual([1, 0, "Exceeded"])
  expect(seen.other).toBe(9)
})

test("in memory: buckets that are full again are forgotten", async () => {
  const runtime = ManagedRuntime.make(
    Layer.provideMerge(Layer.provide(RateLimiter.layer, MemoryBuckets), TestContext.TestContext)
  )
  await runtime.runPromise(Effect.forEach(Array(10_001), (_, index) => take(`caller ${index}`), { discard: true }))
  await runtime.runPromise(TestClock.adjust("2 seconds"))
  expect(await runtime.runPromise(take("caller 0"))).toBe(9)
  await runtime.dispose()
})

describe("two replicas on one database", () => {
  const replicas: Array<TestServer> = []
  beforeAll(async () => {
    const first = await startServer({ RATE_LIMIT_PER_SECOND: "10", ROLE: "http" })
    const second = await startServer({ RATE_LIMIT_PER_SECOND: "10", ROLE: "http" }, first.databaseUrl)
    replicas.push(first, second)
  })
  afterAll(async () => {
    for (const replica of replicas) await replica.stop()
  })

  test("share one limit, and say how much of it is left", async () => {
    const [first, second] = replicas as [TestServer, TestServer]
    const { shop_uid } = await makeWorld(first)
    const key = random("spr_a_credential_of_somebody")
    const started = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? first : second).api("GET", `/v1/scheduling/appointment-types?shop_uid=${shop_uid}`, { key })
      )
    )
    const seconds = (performance.now() - started) / 1000
    const allowed = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect(allowed.length + refused.length).toBe(60)
    expect(allowed.length).toBeGreaterThanOrEqual(10)
    expect(allowed.length).toBeLessThanOrEqual(10 + Math.ceil(seconds * 10)) // two limits would let 20 pass at once
    for (const { headers } of answers) expect(headers.get("ratelimit-limit")).toBe("10")
    for (const { headers, body } of refused) {
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
      expect(body).toMatchObject({ code: "too_many_requests" })
    }
  })
})
