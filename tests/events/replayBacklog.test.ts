/** The replay of a long backlog of failed deliveries, without a worker. Rule 8.5.10. */
import { expect, test } from "bun:test"
import { Effect, Schema } from "effect"
import { Deliveries } from "../../src/services/events/Deliveries.ts"
import { Subscriber } from "../../src/services/events/DeliveriesRepo.ts"
import { payloadOf } from "../../src/services/queue/queues.ts"
import type { CurrentTenant } from "../../src/services/tenancy/Tenancy.ts"
import { ownServer } from "../support/server.ts"
import { makeWorld } from "../support/world.ts"

const server = ownServer({ ROLE: "http" })
const FAILED = 2_100

const replaying = <A, E>(use: (deliveries: Deliveries) => Effect.Effect<A, E, CurrentTenant>) =>
  server.current.run(Effect.flatMap(Deliveries, use).pipe(Effect.provide(Deliveries.Default)))

test("a request replays the oldest thousand of a backlog, and jobs the rest", async () => {
  const { organisation_uid, key } = await makeWorld(server.current, { doctors: 1 })
  const created = await server.current.api("POST", "/v1/management/notification-subscriptions", {
    key,
    body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: "https://receiver.example/hook" }
  })
  const subscriber = Schema.decodeUnknownSync(Subscriber)({
    owner_uid: organisation_uid,
    subscription_uid: created.body.uid
  })
  await server.current
    .sql`INSERT INTO webhook_deliveries (owner_uid, uid, subscription_uid, event_id, event_type, subject, position,
      status, attempts, failed_attempts, created_at, updated_at)
    SELECT ${organisation_uid}, 'dlv_' || i, ${subscriber.subscription_uid}, 'evt_' || i,
      'patient_doctor_meeting_updated', 'apt_1', i, 'failed', '[]', 10, to_timestamp(i), to_timestamp(i)
    FROM generate_series(1, ${FAILED}::int) i`
  const pending = async () => {
    const [found] = await server.current.sql`SELECT count(*) AS count, max(position) AS last FROM webhook_deliveries
      WHERE owner_uid = ${organisation_uid} AND status = 'pending'`
    return found
  }
  const nextJob = async () => {
    const [job] = await server.current
      .sql`DELETE FROM pgboss.job WHERE name = 'webhook.replay' RETURNING data->'data' AS data`
    return job === undefined ? undefined : Schema.decodeUnknownSync(payloadOf("webhook.replay"))(job.data)
  }
  expect(await replaying(({ replayFailed }) => replayFailed(subscriber))).toBe(FAILED)
  expect(await pending()).toEqual({ count: 1_000, last: 1_000 })
  // fails again: not replayed a second time
  await server.current.sql`UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL,
      updated_at = updated_at + interval '1 minute'
    WHERE owner_uid = ${organisation_uid} AND uid = 'dlv_1'`
  for (const expected of [1_999, FAILED - 1]) {
    const job = await nextJob()
    if (job === undefined) throw new Error("no job continues the replay")
    await replaying(({ continueReplay }) => continueReplay(job))
    expect(await pending()).toMatchObject({ count: expected })
  }
  expect(await nextJob()).toBeUndefined()
})
