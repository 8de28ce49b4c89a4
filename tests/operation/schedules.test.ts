/** Periodic tasks: when their ticks are sent, and that they run. */
import { expect, test } from "bun:test"
import { Deferred, type Duration, Effect, Exit, FiberId, Layer, Scope, TestClock, TestContext } from "effect"
import { Ticking } from "../../src/jobs/Ticks.ts"
import { Workers } from "../../src/jobs/Workers.ts"
import { Mailer } from "../../src/services/notifications/Mailer.ts"
import { Boss } from "../../src/services/queue/Jobs.ts"
import { intervalQueues, type QueueName } from "../../src/services/queue/queues.ts"
import { eventually } from "../support/eventually.ts"
import { periodicTasks } from "../support/periodicTasks.ts"
import { place, worldWithPatient } from "../support/provisioned.ts"
import { stored } from "../support/records.ts"
import { isLong } from "../support/scale.ts"
import { ownServer, startServer } from "../support/server.ts"
import { inDays, makeWorld } from "../support/world.ts"

/** Without timers: only jobs sent by the tests run. */
const server = ownServer({ ROLE: "http" })

/** Sends the ticks that the timer would send. */
const tick = (queue: QueueName) =>
  server.current.run(Effect.flatMap(Boss, (boss) => Effect.promise(() => boss.send(queue, { data: {} }))))

const working = async (body: () => Promise<unknown>, mailer?: Mailer["Type"]) => {
  const scope = Effect.runSync(Scope.make())
  const workers = mailer === undefined ? Workers : Layer.provide(Layer.fresh(Workers), Layer.succeed(Mailer, mailer))
  await server.current.run(Layer.buildWithScope(workers, scope))
  try {
    await body()
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

test("every periodic task has its interval in minutes, and every interval its queue", async () => {
  const tasks = await server.current.run(periodicTasks)
  expect(Object.fromEntries(tasks.map(({ name, every }) => [name, every]))).toEqual({
    "maintenance.appointments": 1,
    "maintenance.audit": 1,
    "maintenance.calendar_connections": 1,
    "maintenance.calendars": 1,
    "maintenance.checkouts": 10,
    "maintenance.deliveries": 1,
    "maintenance.erasures": 10,
    "maintenance.form_files": 1,
    "maintenance.requests": 1,
    "maintenance.guests": 1,
    "maintenance.holds": 1,
    "maintenance.messages": 1,
    "maintenance.orders": 5,
    "maintenance.payouts": 5,
    "maintenance.recalls": 1,
    "maintenance.reminders": 1,
    "maintenance.retention": 10,
    "maintenance.waitlist": 1
  })
  expect(Object.keys(intervalQueues)).toEqual(["1", "5", "10"])
})

test("ticks are sent at the start and one second after every multiple of their interval", async () => {
  const sent: Array<string> = []
  // the only function of pg-boss that the timer uses
  const boss = { send: (queue: string) => Promise.resolve(sent.push(queue)) } as unknown as Boss["Type"]
  const counts = Effect.gen(function* () {
    yield* Layer.build(Layer.provide(Ticking, Layer.succeed(Boss, boss)))
    const after = (duration: Duration.DurationInput) =>
      TestClock.adjust(duration).pipe(
        Effect.zipRight(Effect.promise(() => Bun.sleep(0))),
        Effect.map(() => sent.splice(0).length)
      )
    return [yield* after(0), yield* after("60 seconds"), yield* after("1 second"), yield* after("4 minutes")]
  })
  expect(await Effect.runPromise(Effect.scoped(counts).pipe(Effect.provide(TestContext.TestContext)))).toEqual([
    3, // every interval starts at 0
    0,
    1,
    5 // four minutes and one five
  ])
})

if (isLong)
  test("three processes send a minute's tick once", async () => {
    const own = await startServer({ ROLE: "http" })
    const scope = Effect.runSync(Scope.make())
    for (let process = 0; process < 3; process += 1) await own.run(Layer.buildWithScope(Layer.fresh(Ticking), scope))
    const sent = () =>
      own.sql<{ name: string; jobs: number; minutes: number }>`SELECT name, count(*)::int AS jobs,
        count(DISTINCT date_trunc('minute', created_on))::int AS minutes
        FROM pgboss.job WHERE name LIKE 'maintenance.%' GROUP BY name`
    const found = await eventually(sent, (rows) => rows.length > 0)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(found.filter(({ jobs, minutes }) => jobs !== minutes)).toEqual([])
    await own.stop()
  })

test("a sent tick expires holds and ends appointments; nothing else does", async () => {
  const { world, patient_uid } = await worldWithPatient(server.current)
  const held = await place(world, patient_uid, { status: "held", start_date: inDays(3, 9) })
  const missed = await place(world, patient_uid, { status: "confirmed", start_date: inDays(-1, 9) })
  const met = await place(world, patient_uid, {
    status: "confirmed",
    start_date: inDays(-1, 12),
    fields: { meeting_format: "IN_PERSON" }
  })
  await server.current
    .sql`UPDATE appointments SET hold_expires_at = created_at - interval '1 minute' WHERE uid = ${held}`
  const statuses = () => Promise.all([held, missed, met].map(async (uid) => (await stored(server.current, uid)).status))
  await working(async () => {
    expect(await statuses()).toEqual(["held", "confirmed", "confirmed"])
    await tick("maintenance.every_minute")
    await eventually(statuses, (all) => !all.includes("confirmed") && !all.includes("held"))
    expect(await statuses()).toEqual(["expired", "no_show", "completed"])
  })
})

test("a mail server that does not answer delays nothing else of the next minutes", async () => {
  const { world, patient_uid } = await worldWithPatient(server.current)
  const mailing = await makeWorld(server.current, { organisation: { messages: ["confirmation"] } })
  await mailing.booked(inDays(3, 9))
  const [answers, answer] = [Deferred.unsafeMake<void>(FiberId.none), () => Deferred.unsafeDone(answers, Effect.void)]
  let requested = 0
  const silent = {
    from: { name: "", address: "practice@example.org" },
    send: () =>
      Effect.zipRight(
        Effect.sync(() => (requested += 1)),
        Deferred.await(answers)
      )
  }
  await working(async () => {
    try {
      await eventually(
        async () => requested,
        (count) => count > 0
      )
      // Like one claimed by a process that died: a sweep sends it
      await server.current
        .sql`UPDATE messages SET next_attempt_at = created_at WHERE organisation_uid = ${mailing.organisation_uid}`
      await tick("maintenance.every_minute")
      await eventually(
        async () => requested,
        (count) => count > 1
      )
      const missed = await place(world, patient_uid, { status: "confirmed", start_date: inDays(-1, 9) })
      await tick("maintenance.every_minute")
      await eventually(
        async () => (await stored(server.current, missed)).status,
        (status) => status === "no_show"
      )
    } finally {
      answer()
    }
  }, silent)
})
