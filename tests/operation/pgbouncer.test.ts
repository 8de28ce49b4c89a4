import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Reactivity } from "@effect/experimental"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Layer, Logger, Queue, Redacted, Stream, TestClock, TestContext } from "effect"
import type { BusMessage } from "../../src/capabilities/video/schemas/Signal.ts"
import { MeetingBus } from "../../src/capabilities/video/services/MeetingBus.ts"
import { clientTo } from "../../src/layers/postgres/hosts.ts"
import { DatabaseSessions } from "../../src/services/database/DatabaseSessions.ts"
import { Leases } from "../../src/services/queue/Leases.ts"
import { startReceiver } from "../events/receiver.ts"
import { arrived } from "../support/eventually.ts"
import { people } from "../support/meetings.ts"
import { freePort } from "../support/ports.ts"
import { freshDatabase, rowsAt, startTestServer } from "../support/postgres.ts"
import { type Running, run, temporaryFolder } from "../support/processes.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

const folder = temporaryFolder()
const port = freePort()
let bouncer: Running
let server: TestServer
let database: string

const configuration = (socketFolder: string) => `
[databases]
* = host=${socketFolder} port=5432 user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
ignore_startup_parameters = extra_float_digits,options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout
`

beforeAll(async () => {
  const socketFolder = new URL(await startTestServer()).searchParams.get("host") ?? ""
  writeFileSync(join(folder.path, "pgbouncer.ini"), configuration(socketFolder))
  chmodSync(folder.path, 0o755)
  // it refuses to run as root, and must reach the test database's socket, which only its owner may use
  const owner = process.getuid?.() === 0 ? ["-u", "postgres"] : []
  bouncer = run(["pgbouncer", ...owner, join(folder.path, "pgbouncer.ini")], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` }
  })
  database = (await freshDatabase()).url
  const through = `postgresql://postgres@127.0.0.1:${port}${new URL(database).pathname}`
  const settings = {
    ROLE: "all",
    DATABASE_POOL_SIZE: "16",
    DATABASE_URL_DIRECT: database,
    DATABASE_PREPARED_STATEMENTS: "false" // Debian's PgBouncer is older than 1.21
  }
  server = await startServer(settings, through) // migrates through it, too
})
afterAll(async () => {
  await server?.stop()
  await bouncer?.stop()
  folder.remove()
})

test("concurrent migrations and bookings work through transaction pooling", async () => {
  const world = await makeWorld(server)
  const starts = Array.from({ length: 12 }, (_, index) => inDays(3, 0) + index * 1200)
  const uids = await Promise.all(starts.map((start, index) => world.booked(start, `customer-${index}`)))
  expect(new Set(uids).size).toBe(12)
  const late = Array.from({ length: 8 }, async (_, index) =>
    world.hold(await world.session(`late-${index}`), inDays(4, 9))
  )
  const taken = (await Promise.all(late)).map(({ status }) => status)
  expect(taken.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
})

test("a webhook is delivered, so jobs are sent and run through it", async () => {
  const world = await makeWorld(server)
  const receiver = await startReceiver()
  const subscribed = await server.api("POST", "/v1/management/notification-subscriptions", {
    key: world.key,
    body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: receiver.url("/") }
  })
  expect(subscribed.status).toBe(201)
  await world.booked(inDays(3, 9))
  const [delivered] = await arrived(() => receiver.all)
  expect(delivered?.event.type).toBe("patient_doctor_meeting_updated")
  receiver.stop()
})

test("patient and doctor see each other: notifications bypass the pooler", async () => {
  const { patient, doctor } = await people(server, server)
  patient.close()
  doctor.close()
})

test("leases are exclusive and are released, although statements change sessions", async () => {
  let [inside, most] = [0, 0]
  const body = Effect.sync(() => {
    inside += 1
    most = Math.max(most, inside)
  }).pipe(
    Effect.zipRight(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT pg_sleep(0.01)`)),
    Effect.ensuring(Effect.sync(() => (inside -= 1)))
  )
  // each with a session of its own, as processes have
  const replica = Effect.flatMap(Leases, ({ holding }) => Effect.repeatN(holding(["a lease"])(body), 9)).pipe(
    Effect.provide(Leases.Default)
  )
  await server.run(Effect.all([replica, replica, replica], { concurrency: "unbounded" }))
  expect(most).toBe(1)
})

test("the service uses only the pooler's few connections", async () => {
  const pooled = await rowsAt(
    database,
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sprechstunde'"
  )
  expect(pooled.length).toBeGreaterThan(0)
  expect(pooled.length).toBeLessThanOrEqual(4)
})

/** LISTEN on a connection of its own. */
const listenAt = (url: string) => (channel: string) =>
  PgClient.make(clientTo(Redacted.make(url))).pipe(
    Effect.map(({ listen }) => listen(channel)),
    Stream.unwrapScoped,
    Stream.provideLayer(Reactivity.layer)
  )

/** Runs the meeting bus, with statements straight to the database, and its log's lines. */
const busOf = (
  listen: ReturnType<typeof listenAt>,
  use: (bus: MeetingBus, lines: ReadonlyArray<string>) => Effect.Effect<void>
) => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
  const sessions = Layer.effect(
    DatabaseSessions,
    Effect.map(PgClient.PgClient, ({ reserve }) => ({ listen, reserve }))
  )
  const bus = MeetingBus.Default.pipe(
    Layer.provide(sessions),
    Layer.provide(PgClient.layer(clientTo(Redacted.make(database)))),
    Layer.provideMerge(Layer.merge(TestContext.TestContext, Logger.replace(Logger.defaultLogger, logger)))
  )
  return Effect.runPromise(
    Effect.provide(
      Effect.flatMap(MeetingBus, (made) => Effect.zipRight(made.start, use(made, lines))),
      bus
    )
  )
}
/** Moves the clock until there are so many lines of a kind. */
const logged = (lines: ReadonlyArray<string>, text: string, count: number) =>
  TestClock.adjust("4 seconds").pipe(
    Effect.zipRight(Effect.promise(() => Bun.sleep(10))),
    Effect.repeat({ until: () => lines.filter((line) => line.startsWith(text)).length >= count })
  )
const INTERRUPTED = "Meeting messages are interrupted"
const NEVER_HEARD = "No meeting message arrives"

test("a listening connection through the pooler is named in the log, with the setting", async () => {
  const through = `postgresql://postgres@127.0.0.1:${port}${new URL(database).pathname}`
  await busOf(listenAt(through), (_, lines) => logged(lines, NEVER_HEARD, 1))
})

test("a listening connection that is refused is not taken for one through a pooler", async () => {
  const refused = `postgresql://postgres@127.0.0.1:${freePort()}${new URL(database).pathname}`
  await busOf(listenAt(refused), (_, lines) =>
    Effect.map(logged(lines, INTERRUPTED, 5), () =>
      expect(lines.filter((line) => line.startsWith(NEVER_HEARD))).toEqual([])
    )
  )
})

test("nor is one that is slow to come, which then hears", async () => {
  const free = Effect.runSync(Deferred.make<void>())
  const message: BusMessage = {
    kind: "here",
    room: "slow",
    appointment: "apt",
    reply: false,
    from: { id: "pat", session: "s", opened: 0, name: "A", role: "patient", since: 0, admitted_by: [] }
  }
  const listen = (channel: string) => Stream.unwrap(Effect.as(Deferred.await(free), listenAt(database)(channel)))
  await busOf(listen, (bus, lines) =>
    Effect.gen(function* () {
      yield* logged(lines, INTERRUPTED, 2)
      yield* Deferred.succeed(free, undefined)
      const queue = yield* bus.subscribe("slow")
      // the clock goes on, as it may be between two attempts
      yield* bus
        .publish(message)
        .pipe(
          Effect.zipRight(TestClock.adjust("20 millis")),
          Effect.zipRight(Effect.promise(() => Bun.sleep(10))),
          Effect.zipRight(Queue.size(queue)),
          Effect.repeat({ until: (size) => size > 0 })
        )
      expect(lines.filter((line) => line.startsWith(NEVER_HEARD))).toEqual([])
    }).pipe(Effect.scoped)
  )
})
