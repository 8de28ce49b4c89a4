import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Deferred, Effect, Exit, Layer, type ParseResult, Schema, Scope } from "effect"
import { NonRetryable, worker } from "../../src/jobs/worker.ts"
import { OrganisationUid, SubscriptionUid } from "../../src/schemas/ids.ts"
import { Boss, Jobs, type SendOptions } from "../../src/services/queue/Jobs.ts"
import { DEAD_LETTERS, type WorkerSettings } from "../../src/services/queue/queues.ts"
import { arrived, eventually } from "../support/eventually.ts"
import { isLong } from "../support/scale.ts"
import { ownServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { random } from "../support/world.ts"

const server = ownServer({ ROLE: "http" })
const QUEUE = "webhook.deliver"

const send = (owner_uid: string, options?: SendOptions) =>
  Effect.flatMap(Jobs, (jobs) =>
    jobs.send(
      QUEUE,
      { owner_uid: OrganisationUid.make(owner_uid), subscription_uid: SubscriptionUid.make("sub") },
      options
    )
  )
const jobsOf = (owner: string, queue: string = QUEUE) =>
  server.current.sql<{ id: string; state: string }>`SELECT id, state::text AS state FROM pgboss.job
    WHERE name = ${queue} AND data->'data'->>'owner_uid' = ${owner}`

/** Runs `handler` as a worker for as long as `body` takes, then stops it as a shutdown does. */
const working = async <E>(
  handler: (owner: string) => Effect.Effect<void, E>,
  body: () => Promise<unknown>,
  settings?: WorkerSettings
) => {
  const scope = Effect.runSync(Scope.make())
  const mine = worker(QUEUE, ({ owner_uid }) => handler(owner_uid), settings)
  await server.current.run(Layer.buildWithScope(mine, scope))
  try {
    await body()
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

test("a job commits with its transaction, and does not exist after a rollback", async () => {
  const [kept, lost] = [random("owner"), random("owner")]
  await server.current.run(transaction(send(kept)))
  const failed = server.current.run(transaction(Effect.zipRight(send(lost), Effect.fail("no"))))
  expect(failed).rejects.toThrow()
  expect(await jobsOf(kept)).toMatchObject([{ state: "created" }])
  expect(await jobsOf(lost)).toEqual([])
  const nested = random("owner")
  const savepoint = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.ignore(sql.withTransaction(Effect.zipRight(send(nested), Effect.fail("only this part"))))
  )
  await server.current.run(transaction(savepoint))
  expect(await jobsOf(nested)).toEqual([])
})

test("sending without a transaction is a defect", async () => {
  expect(server.current.run(send(random("owner")))).rejects.toThrow("surrounding transaction")
})

// Shows: records so large that a page of them blocks a process, and buyers' texts that make an order fail
test("a group has a concurrency limit, and its waiting jobs do not delay another group's", async () => {
  const [many, other] = [random("owner"), random("owner")]
  const open = Effect.runSync(Deferred.make<void>())
  let begun = 0
  const handler = (owner: string) =>
    owner === many
      ? Effect.zipRight(
          Effect.sync(() => begun++),
          Deferred.await(open)
        )
      : Effect.void
  const stateOf = async (owner: string) => (await jobsOf(owner)).map(({ state }) => state).sort()
  const sendOf = (owner: string) => server.current.run(transaction(send(owner, { group: owner })))
  await sendOf(many)
  const body = async () => {
    await eventually(
      async () => begun,
      (count) => count === 1
    )
    for (const owner of [many, many, other]) await sendOf(owner)
    await eventually(
      () => stateOf(other),
      ([state]) => state === "completed"
    )
    expect(begun).toBe(1)
    expect(await stateOf(many)).toEqual(["active", "created", "created"])
    Effect.runSync(Deferred.succeed(open, undefined))
    await eventually(
      () => stateOf(many),
      (states) => states.every((state) => state === "completed")
    )
  }
  await working(handler, body, { concurrency: 2, ofGroup: 1 })
  expect(begun).toBe(3)
})

test("a failed job is retried, a non-retryable one goes to the dead letters at once", async () => {
  const [shaky, nonRetryable] = [random("owner"), random("owner")]
  let attempts = 0
  const handler = (owner: string): Effect.Effect<void, string | NonRetryable> => {
    if (owner === nonRetryable) return new NonRetryable({ reason: "never" })
    if (owner !== shaky) return Effect.void
    attempts += 1
    return attempts < 2 ? Effect.fail("not yet") : Effect.void
  }
  await server.current.run(transaction(Effect.all([send(shaky), send(nonRetryable)])))
  await working(handler, async () => {
    await arrived(() => jobsOf(nonRetryable, DEAD_LETTERS), 1)
    await eventually(
      () => jobsOf(shaky),
      ([job]) => job?.state === "completed",
      60
    )
  })
  expect(attempts).toBe(2)
})

test("a job stores only the kind of an error that may quote a record, and the reason of a non-retryable one", async () => {
  const [quoting, nonRetryable] = [random("owner"), random("owner")]
  const Record = Schema.Struct({ name: Schema.Number })
  const handler = (owner: string) =>
    owner === quoting
      ? Schema.decodeUnknown(Record)({ name: "Ada Lovelace" })
      : new NonRetryable({ reason: "the prescription is gone" })
  const outputs = (owner: string) =>
    server.current.sql`SELECT output FROM pgboss.job
      WHERE name = ${QUEUE} AND data->'data'->>'owner_uid' = ${owner} AND output IS NOT NULL`
  await server.current.run(transaction(Effect.all([send(quoting), send(nonRetryable)])))
  await working(
    (owner) => Effect.asVoid<void, ParseResult.ParseError | NonRetryable, never>(handler(owner)),
    async () => {
      for (const [owner, message] of [
        [quoting, "ParseError"],
        [nonRetryable, "the prescription is gone"]
      ] as const)
        expect(await arrived(() => outputs(owner), 1)).toEqual([{ output: { message } }])
    }
  )
})

if (isLong)
  test("the job of a dead worker is given to another", async () => {
    const owner = random("owner")
    await server.current.run(transaction(send(owner)))
    // Claimed as by a worker that is then killed.
    const taken = Effect.gen(function* () {
      const boss = yield* Boss
      const sql = yield* SqlClient.SqlClient
      while ((yield* Effect.promise(() => boss.fetch(QUEUE, { batchSize: 50 }))).length > 0);
      yield* sql`UPDATE pgboss.job SET heartbeat_on = heartbeat_on - interval '1 hour' WHERE name = ${QUEUE}
      AND state = 'active'`
    })
    await server.current.run(taken)
    expect(await jobsOf(owner)).toMatchObject([{ state: "active" }])
    const seen: Array<string> = []
    await working(
      (one) => Effect.sync(() => void seen.push(one)),
      async () => {
        await server.current.run(
          Effect.flatMap(Boss, (boss) =>
            Effect.promise(async () => {
              await boss.supervise(QUEUE)
            })
          )
        )
        await eventually(
          async () => seen,
          (all) => all.includes(owner),
          60
        )
      }
    )
  })

if (isLong)
  test("a worker that is stopped releases its unfinished jobs", async () => {
    const owner = random("owner")
    const started = Effect.runSync(Deferred.make<void>())
    await server.current.run(transaction(send(owner)))
    const handler = (one: string) =>
      one === owner ? Effect.zipRight(Deferred.succeed(started, undefined), Effect.never) : Effect.void
    await working(handler, () => Effect.runPromise(Deferred.await(started)))
    expect(await jobsOf(owner)).toMatchObject([{ state: "retry" }])
  })
