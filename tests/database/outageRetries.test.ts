/** Retries while the database is unavailable end after five seconds in all. Rule 14.3.6. */
import { expect, test } from "bun:test"
import { type AddressInfo, createServer } from "node:net"
import { SqlError } from "@effect/sql"
import { Clock, Duration, Effect } from "effect"
import { ServicePool } from "../../src/layers/postgres/ServicePool.ts"
import { retryOutage } from "../../src/services/database/Database.ts"
import { single } from "../../src/services/database/Topology.ts"

const outage = (message: string) => new SqlError.SqlError({ message, cause: { code: "ECONNREFUSED" } })

/** A clock on which every sleep takes its time at once. */
const jumpingClock = (): Clock.Clock => {
  let now = 0
  const millis = () => now
  const nanos = () => BigInt(Math.round(now * 1e6))
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: millis,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.sync(() => {
        now += Duration.toMillis(duration)
      })
  }
}

/** Runs work whose attempts take `seconds` each and fail; returns their number and the seconds until it fails. */
const failing = (seconds: number, message: string) => {
  let attempts = 0
  const work = Effect.suspend(() => {
    attempts += 1
    return Effect.zipRight(Effect.sleep(Duration.seconds(seconds)), Effect.fail(outage(message)))
  })
  return Effect.timed(Effect.flip(retryOutage(work))).pipe(
    Effect.map(([took]) => ({ attempts, seconds: Duration.toSeconds(took) })),
    Effect.withClock(jumpingClock()),
    Effect.runPromise
  )
}

test("attempts to connect that time out count towards the five seconds", async () => {
  expect(await failing(5, "Failed to acquire connection")).toEqual({ attempts: 1, seconds: 5 })
  const twice = await failing(2.5, "Failed to acquire connection for transaction")
  expect(twice.attempts).toBe(2)
  expect(twice.seconds).toBeLessThan(5.5)
})

test("immediate refusals are retried for five seconds", async () => {
  const { attempts, seconds } = await failing(0, "Failed to acquire connection")
  expect(attempts).toBeGreaterThan(5)
  expect(seconds).toBeGreaterThanOrEqual(5)
  expect(seconds).toBeLessThan(10)
})

test("a connection that breaks after a long statement is still replaced", async () => {
  expect((await failing(20, "Connection error")).attempts).toBe(2)
})

test("the pool itself does not retry, since every user of it does", async () => {
  let connections = 0
  const listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening))
  const { port } = listener.address() as AddressInfo // a server that listens on a port has an address of this kind
  const pool = new ServicePool(
    { connectionString: `postgres://nobody@127.0.0.1:${port}/none`, max: 2 },
    { waitingMax: 10, prepareStatements: true, silenceMillis: 300, topology: single }
  )
  const failure = await pool.connect().then(
    () => undefined,
    (error) => error
  )
  expect(failure).toBeInstanceOf(Error)
  expect(connections).toBe(1)
  await pool.end()
  listener.close()
})
