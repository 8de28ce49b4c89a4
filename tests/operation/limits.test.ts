import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Cause, Effect, Layer, TestClock, TestContext } from "effect"
import type { Client } from "pg"
import { SqlBuckets } from "../../src/layers/limits/SqlBuckets.ts"
import { sqlStateOf } from "../../src/services/database/SqlErrors.ts"
import { Buckets, type Taking } from "../../src/services/operation/Buckets.ts"
import { makeMemoryBuckets } from "../../src/services/operation/memoryBuckets.ts"
import { eventually } from "../support/eventually.ts"
import { using } from "../support/postgres.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { makeWorld, random } from "../support/world.ts"

const QUERY_CANCELED = "57014"

const buckets = <A>(program: Effect.Effect<A, never, Buckets>) =>
  Effect.runPromise(
    Effect.provide(program, Layer.provideMerge(Layer.effect(Buckets, makeMemoryBuckets), TestContext.TestContext))
  )

/** Takes one of ten tokens per second; returns the remainder, or the milliseconds to wait. */
const take = (key: string, options: Partial<Taking> = {}) =>
  Effect.flatMap(Buckets, (store) => store.take({ key, perSecond: 10, ...options })).pipe(
    Effect.map(({ missing, remaining }) => (missing > 0 ? `wait ${missing}` : remaining))
  )

test("in memory: a full bucket, then as many tokens as are refilled", async () => {
  const seen = await buckets(
    Effect.gen(function* () {
      const first = yield* Effect.all(Array.from({ length: 11 }, () => take("somebody")))
      yield* TestClock.adjust("250 millis")
      const later = yield* Effect.all(Array.from({ length: 3 }, () => take("somebody")))
      return { first, later, other: yield* take("somebody else") }
    })
  )
  expect(seen.first).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, "wait 100"])
  expect(seen.later).toEqual([1, 0, "wait 50"])
  expect(seen.other).toBe(9)
})

test("in memory: refilled buckets are evicted", async () => {
  const seen = await buckets(
    Effect.gen(function* () {
      yield* Effect.forEach(Array(10_001), (_, index) => take(`caller ${index}`), { discard: true })
      yield* TestClock.adjust("2 seconds")
      return yield* take("caller 0")
    })
  )
  expect(seen).toBe(9)
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

  const waiting = `FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%rate_limit_buckets%'`
  /** Takes while another transaction has the bucket; `then` runs once so many wait, and ends that transaction. */
  const takenWhileLocked = async <A>(
    { key, full_at, waits }: { readonly key: string; readonly full_at: number; readonly waits: number },
    taking: Effect.Effect<A, never, Buckets>,
    then: (taker: Client, looker: Client) => Promise<unknown>
  ) => {
    const { databaseUrl, run } = replicas[0] as TestServer
    return using(databaseUrl, (taker) =>
      using(databaseUrl, async (looker) => {
        await taker.query("BEGIN")
        await taker.query("INSERT INTO rate_limit_buckets (key, full_at) VALUES ($1, $2)", [key, full_at])
        const taken = run(Effect.scoped(Effect.provide(taking, SqlBuckets)))
        await eventually(
          async () => (await looker.query(`SELECT count(*)::int ${waiting}`)).rows[0].count,
          (count) => count === waits
        )
        await then(taker, looker)
        return taken
      })
    )
  }

  test("a request that waited for another one's withdrawal is refused by the remaining tokens", async () => {
    const bucket = { key: random("a caller"), full_at: Date.now() + 10_000, waits: 1 }
    const taken = takenWhileLocked(bucket, take(bucket.key), (taker) => taker.query("COMMIT"))
    expect(await taken).toMatch(/^wait /)
  })

  test("requests that wait while others of their bucket fail do not each query the database", async () => {
    const bucket = { key: random("a caller"), full_at: 0, waits: 4 }
    const failed = Effect.sandbox(take(bucket.key)).pipe(
      Effect.flip,
      Effect.orDie,
      Effect.map((cause) => sqlStateOf(Cause.squash(cause)))
    )
    const taken = takenWhileLocked(
      bucket,
      Effect.all(
        Array.from({ length: 12 }, () => failed),
        { concurrency: 12 }
      ),
      (_, looker) => looker.query(`SELECT pg_cancel_backend(pid) ${waiting}`)
    )
    expect(new Set(await taken)).toEqual(new Set([QUERY_CANCELED]))
  })

  // Shows: hundreds of connections from one address that send far more than its limit
  test("a caller that is refused repeatedly is refused without a query", async () => {
    const { run } = replicas[0] as TestServer
    const key = random("a caller")
    const seen = await run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const inTenSeconds = Date.now() + 10_000
        yield* sql`INSERT INTO rate_limit_buckets (key, full_at) VALUES (${key}, ${inTenSeconds})`
        const refused = yield* take(key)
        yield* sql`DELETE FROM rate_limit_buckets WHERE key = ${key}`
        return [refused, yield* take(key), yield* take(random("another caller"))]
      }).pipe(Effect.provide(SqlBuckets), Effect.scoped, Effect.orDie)
    )
    expect(seen).toEqual([expect.stringMatching(/^wait /), expect.stringMatching(/^wait /), 9])
  })

  // Shows: guessing and flooding
  test("share one limit, and report the remainder", async () => {
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
