/** Acknowledged work does not depend on its job: if the queue loses jobs, sweeps find due work. */
import { afterAll, expect, test } from "bun:test"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { DeliveryRunner } from "../../src/services/events/DeliveryRunner.ts"
import { Mailer } from "../../src/services/notifications/Mailer.ts"
import { MessageSender } from "../../src/services/notifications/MessageSender.ts"
import { ownServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { inDays, makeWorld } from "../support/world.ts"
import { appendMeeting } from "./meetingEvent.ts"
import { startReceiver } from "./receiver.ts"

// No worker runs: jobs stay queued.
const server = ownServer({ ROLE: "http", SANDBOX: "true" })
const receiver = await startReceiver()
afterAll(() => receiver.stop())

const loseJobs = () => server.current.sql`DELETE FROM pgboss.job WHERE name IN ('webhook.deliver', 'message.send')`
const jobs = () => server.current.sql`SELECT name FROM pgboss.job WHERE name IN ('webhook.deliver', 'message.send')`
const sweep = () =>
  server.current.run(
    Effect.zipRight(
      Effect.flatMap(DeliveryRunner, ({ runDue }) => runDue()),
      Effect.flatMap(MessageSender, (sender) => sender.sweep())
    )
  )
const states = async (owner: string) => {
  const { sql } = server.current
  return {
    messages: await sql`SELECT kind, status FROM messages WHERE organisation_uid = ${owner} ORDER BY created_at, kind`,
    deliveries: await sql`SELECT status FROM webhook_deliveries WHERE owner_uid = ${owner}`
  }
}

test("every event is delivered and mailed after all jobs were lost", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["confirmation", "cancellation"] } })
  const path = "/v1/management/notification-subscriptions"
  const body = { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: receiver.url("/lost") }
  expect((await world.api("POST", path, body)).status).toBe(201)
  const uids: Array<string> = []
  for (let hour = 0; hour < 3; hour += 1) uids.push(await world.booked(inDays(3, hour)))
  expect(await jobs()).not.toEqual([])
  await loseJobs()
  await sweep()
  expect(receiver.at("/lost")).toHaveLength(3)
  expect((await states(world.organisation_uid)).messages).toEqual(
    uids.map(() => ({ kind: "confirmation", status: "sent" }))
  )
  for (const uid of uids)
    await world.api("POST", `/v1/management/scheduling/appointments/${uid}/cancel`, { reason: "ill" })
  await loseJobs()
  await sweep()
  const { messages, deliveries } = await states(world.organisation_uid)
  expect(deliveries).toEqual(Array(6).fill({ status: "delivered" }))
  expect(messages.filter(({ kind, status }) => kind === "cancellation" && status === "sent")).toHaveLength(3)
  expect(receiver.at("/lost")).toHaveLength(6)
})

test("a message whose process died while sending is sent once, after its lease expires", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["confirmation"] } })
  await world.booked(inDays(3, 9))
  const owner = world.organisation_uid
  // The state after a process claimed the message and was killed
  await server.current.sql`UPDATE messages SET attempts = 1, next_attempt_at = next_attempt_at + interval '2 minutes'
    WHERE organisation_uid = ${owner}`
  await sweep()
  expect((await states(owner)).messages).toEqual([{ kind: "confirmation", status: "pending" }])
  await server.current.advance(121)
  await Promise.all([sweep(), sweep(), sweep()])
  expect((await states(owner)).messages).toEqual([{ kind: "confirmation", status: "sent" }])
  expect(await server.current.sql`SELECT attempts FROM messages WHERE organisation_uid = ${owner}`).toEqual([
    { attempts: 2 }
  ])
})

test("an event without a message and without a subscriber writes no job", async () => {
  await loseJobs()
  const world = await makeWorld(server.current)
  await world.booked(inDays(3, 9))
  expect(await jobs()).toEqual([])
})

test("a delivery that cannot even be attempted leaves the subscription's others alone", async () => {
  const world = await makeWorld(server.current)
  const owner = world.organisation_uid
  const body = { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: receiver.url("/poisoned") }
  const subscribed = await world.api("POST", "/v1/management/notification-subscriptions", body)
  expect(subscribed.status).toBe(201)
  // more than are claimed at once
  for (let n = 0; n < 20; n += 1) await server.current.run(transaction(appendMeeting(owner, `apt_poisoned_${n}`)))
  await server.current
    .sql`UPDATE events SET data_encrypted = overlay(data_encrypted PLACING 'AAAA' FROM length(data_encrypted) - 3)
    WHERE owner_uid = ${owner} AND subject = 'apt_poisoned_0'`
  await sweep()
  expect(new Set(receiver.at("/poisoned").map(({ id }) => id)).size).toBe(19)
  const { deliveries } = await states(owner)
  expect(deliveries.filter(({ status }) => status === "delivered")).toHaveLength(19)
})

test("a sweep sends some of each organisation's messages before more of any", async () => {
  const owners: Array<string> = []
  for (let practice = 0; practice < 2; practice += 1) {
    const world = await makeWorld(server.current, { organisation: { messages: ["confirmation"] } })
    await world.booked(inDays(3, 9))
    owners.push(world.organisation_uid)
  }
  await server.current
    .sql`INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object('uid', m.uid || '_' || n, 'event_id',
      n))).*
    FROM messages m, generate_series(1, 21) n WHERE organisation_uid = ANY (${owners}::text[])`
  const uids = await server.current.sql<{ uid: string; owner: string }>`SELECT uid, organisation_uid AS owner
    FROM messages WHERE organisation_uid = ANY (${owners}::text[])`
  const ownerOf = new Map(uids.map(({ uid, owner }) => [uid, owner]))
  const sent: Array<string | undefined> = []
  await server.current.run(sweepBy(({ message_id }) => Effect.sync(() => sent.push(ownerOf.get(message_id)))))
  expect(sent).toHaveLength(44)
  // 20 of each in a round
  expect(new Set(sent.slice(0, 21)).size).toBe(2)
})

/** Sweeps with this mail server. */
const sweepBy = (send: Mailer["Type"]["send"]) =>
  Effect.flatMap(MessageSender, (sender) => sender.sweep()).pipe(
    Effect.provide(
      Layer.provide(
        Layer.fresh(MessageSender.Default),
        Layer.succeed(Mailer, { from: { name: "", address: "practice@example.org" }, send })
      )
    )
  )

test("messages that cannot be prepared do not hold up their organisation's later ones", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["confirmation"] } })
  const owner = world.organisation_uid
  const unreadable = await world.booked(inDays(3, 9))
  await server.current.sql`UPDATE appointments SET visit_reason_encrypted = 'unreadable'
    WHERE organisation_uid = ${owner} AND uid = ${unreadable}`
  // more than a round has, and longer due than the other one
  await server.current
    .sql`INSERT INTO messages SELECT (jsonb_populate_record(m, jsonb_build_object('uid', m.uid || '_' || n, 'event_id',
      n,
      'next_attempt_at', m.next_attempt_at - interval '1 hour'))).*
    FROM messages m, generate_series(1, 24) n WHERE organisation_uid = ${owner}`
  await world.booked(inDays(4, 9))
  await sweep()
  const { messages } = await states(owner)
  expect(messages.filter(({ status }) => status === "sent")).toHaveLength(1)
  const due = await server.current.sql`SELECT 1 FROM messages
    WHERE organisation_uid = ${owner} AND status = 'pending' AND next_attempt_at <= to_timestamp(${Date.now() / 1000})`
  expect([messages.length, due]).toEqual([26, []])
  await server.current.sql`DELETE FROM messages WHERE organisation_uid = ${owner}`
})

test("a shutdown waits for the mails that a sweep is sending, and starts no further one", async () => {
  const world = await makeWorld(server.current, { organisation: { messages: ["confirmation"] } })
  const owner = world.organisation_uid
  for (let hour = 0; hour < 6; hour += 1) await world.booked(inDays(3, hour))
  await loseJobs()
  await server.current.run(
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const accepted = yield* Deferred.make<void>()
      let mails = 0
      const sweeping = yield* Effect.fork(
        sweepBy(() =>
          Effect.suspend(() => {
            mails += 1
            return Effect.zipRight(
              Effect.when(Deferred.succeed(begun, undefined), () => mails === 4),
              Deferred.await(accepted)
            )
          })
        )
      )
      yield* Deferred.await(begun)
      yield* Fiber.interruptFork(sweeping)
      yield* Deferred.succeed(accepted, undefined)
      yield* Fiber.await(sweeping)
    })
  )
  const { messages } = await states(owner)
  expect(messages.map(({ status }) => status).sort()).toEqual(["pending", "pending", "sent", "sent", "sent", "sent"])
})
