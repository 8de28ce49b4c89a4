import { expect, test } from "bun:test"
import { Effect } from "effect"
import { DataKeyRotation } from "../../../src/capabilities/key-rotation/services/DataKeyRotation.ts"
import { partitionByMonth } from "../../../src/capabilities/retention/services/partitions.ts"
import { Retention } from "../../../src/capabilities/retention/services/Retention.ts"
import { DomainClock } from "../../../src/services/DomainClock.ts"
import { EventLog } from "../../../src/services/events/EventLog.ts"
import type { CurrentTenant } from "../../../src/services/tenancy/Tenancy.ts"
import { meetingEvent } from "../../events/meetingEvent.ts"
import { citusNodes } from "../../support/citus.ts"
import { arrived } from "../../support/eventually.ts"
import { rowsAt, using } from "../../support/postgres.ts"
import { ownServer } from "../../support/server.ts"
import { transaction } from "../../support/transaction.ts"
import { DAY, inDays, makeWorld, random } from "../../support/world.ts"

const server = ownServer({ SANDBOX: "true", ROLE: "http" })
const TABLES = ["events", "messages", "webhook_deliveries"] as const

const request = (text: string, values: ReadonlyArray<unknown> = []) => rowsAt(server.current.databaseUrl, text, values)
const count = async (from: string, values: ReadonlyArray<unknown> = []) =>
  Number((await request(`SELECT count(*) FROM ${from}`, values))[0]?.count)
const ofOwner = (table: string, { organisation_uid }: { readonly organisation_uid: string }) =>
  count(`${table} WHERE owner_uid = $1`, [organisation_uid])
const append = (owner: string, count: number) =>
  server.current.run(
    Effect.flatMap(EventLog, (log) =>
      transaction(log.appendAll(Array.from({ length: count }, (_, n) => meetingEvent(owner, `apt_${n}`, n))))
    )
  )
/** Deliveries that are not pending, as counted by triggers and as they are. */
const totals = async () => {
  const [row] = await request("SELECT coalesce(sum(rows), 0)::int AS counted FROM webhook_delivery_counts")
  return { counted: row?.counted, there: await count("webhook_deliveries WHERE status <> 'pending'") }
}
const divide = () => server.current.run(Effect.forEach(TABLES, partitionByMonth))

const base = "/v1/management/notification-subscriptions"
const subscribed = async (key: string) => {
  const body = { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: "https://receiver.example/events" }
  return (await server.current.api("POST", base, { key, body })).body.uid
}
/** A practice with a delivery that is set so. */
const withDelivery = async (set: string) => {
  const world = await makeWorld(server.current)
  await subscribed(world.key)
  await append(world.organisation_uid, 1)
  const change = (to: string) =>
    request(`UPDATE webhook_deliveries SET ${to} WHERE owner_uid = $1`, [world.organisation_uid])
  await change(set)
  return { world, change }
}
const testOnOneNode = test.skipIf(citusNodes.length > 0)

testOnOneNode("partitioned by month, tables keep rows, order, keys, tenants and audit entries", async () => {
  const { api } = server.current
  // a table without rows gets no partitions of past months
  await using(server.current.databaseUrl, async (undone) => {
    await undone.query("BEGIN; DELETE FROM messages; SELECT partition_by_month('messages')")
    const { rows } = await undone.query("SELECT FROM pg_inherits WHERE inhparent = 'messages'::regclass")
    expect(rows).toHaveLength(5) // the last month, this one, the next two, and the default
  })
  const organisation = { messages: ["confirmation"] }
  const world = await makeWorld(server.current, { organisation })
  const { key, organisation_uid: owner } = world
  const uid = await subscribed(key)
  await append(owner, 3)
  await world.booked(inDays(2, 9))
  const lists = [`/v1/management/events`, `${base}/${uid}/deliveries`, "/v1/management/messages"]
  const read = () =>
    Promise.all(lists.map(async (path) => (await api("GET", path, { key })).body.data as ReadonlyArray<unknown>))
  const before = await read()
  expect(before.map(({ length }) => length)).toEqual([5, 4, 4])

  expect(await divide()).toEqual([true, true, true])
  expect(await divide()).toEqual([false, false, false])
  expect(await read()).toEqual(before)
  expect(
    await request(
      `SELECT relname AS name, relkind AS kind, relrowsecurity AND relforcerowsecurity AS secured,
          EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgname = 'audit_write') AS audited
        FROM pg_class c WHERE relname = ANY ($1) ORDER BY 1`,
      [TABLES]
    )
  ).toEqual([
    { name: "events", kind: "p", secured: true, audited: true },
    { name: "messages", kind: "p", secured: true, audited: true },
    { name: "webhook_deliveries", kind: "p", secured: true, audited: false }
  ])
  // no row is in the default partition
  for (const table of TABLES) expect(await count(`${table}_default`)).toBe(0)

  const next = await append(owner, 2)
  await world.booked(inDays(2, 10))
  const after = await read()
  expect(after.slice(1).map(({ length }) => length)).toEqual([7, 7])
  expect(after[0]?.slice(0, 5)).toEqual([...(before[0] ?? [])])
  expect(after[0]?.slice(5, 7)).toMatchObject(next.map((id) => ({ id })))
  for (const table of TABLES)
    await expect(request(`INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1`)).rejects.toThrow("duplicate key")
  expect(await count("audit_entries WHERE owner_uid = $1 AND action LIKE '%confirm%'", [owner])).toBe(2)

  // sealed values remain bound to their row: the key can be rotated
  const rotation = <A>(of: (rotation: DataKeyRotation) => Effect.Effect<A, never, CurrentTenant>) =>
    server.current.run(Effect.flatMap(DataKeyRotation, of))
  expect((await rotation(({ begin }) => begin(owner))).values).toBeGreaterThan(5)
  expect(await rotation(({ finish }) => finish(owner))).toMatchObject({ deleted: 1 })
  expect(await read()).toEqual(after)
})

testOnOneNode("a month of messages is dropped after the jobs that delete their copies were sent", async () => {
  await divide()
  const { organisation_uid } = await makeWorld(server.current)
  await request("SELECT add_month('messages', (date_trunc('month', now()) - interval '12 months')::date)")
  const uid = random("msg")
  await request(
    `INSERT INTO messages (organisation_uid, uid, event_id, kind, appointment_uid, recipient_role, recipient_uid, channel, status,
      attempts, sent_at, created_at)
    VALUES ($1, $2, $2, 'confirmation', 'apt', 'patient', 'pat', 'email', 'sent', 1, now(), date_trunc('month', now()) - interval '360 days')`,
    [organisation_uid, uid]
  )
  const month = () => count("pg_class WHERE relname = 'messages_' || to_char(now() - interval '12 months', 'YYYY_MM')")
  expect(await month()).toBe(1)
  await server.current.run(Effect.flatMap(Retention, ({ deleteExpired }) => deleteExpired()))
  expect(await month()).toBe(0)
  expect(await count("pgboss.job WHERE name = 'message.forget' AND data::text LIKE $1", [`%${uid}%`])).toBe(1)
})

testOnOneNode("deliveries in a new partition are counted as before", async () => {
  await divide()
  const then = "date_trunc('month', now()) - interval '800 days'"
  const { world, change } = await withDelivery(`status = 'delivered', next_attempt_at = NULL, created_at = ${then}`)
  const before = await totals()
  expect(await ofOwner("webhook_deliveries_default", world)).toBe(1)
  await request(`SELECT add_month('webhook_deliveries', date_trunc('month', ${then})::date)`)
  expect(await ofOwner("webhook_deliveries_default", world)).toBe(0)
  expect(await ofOwner("webhook_deliveries", world)).toBe(1)
  expect(await totals()).toEqual(before)
  // the default partition counts on
  await change("status = 'pending', next_attempt_at = now()")
  expect(await totals()).toEqual({ counted: before.counted - 1, there: before.there - 1 })
})

testOnOneNode("a month is kept if a delivery becomes pending while it is being dropped", async () => {
  await divide()
  const month = "date_trunc('month', now()) - interval '60 months'"
  await request(`SELECT add_month('webhook_deliveries', (${month})::date)`)
  const { world } = await withDelivery(
    `status = 'failed', next_attempt_at = NULL, created_at = ${month} + interval '9 days'`
  )
  const { organisation_uid } = world
  await using(server.current.databaseUrl, async (redelivery) => {
    await redelivery.query(`BEGIN; UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now()
      WHERE owner_uid = '${organisation_uid}'`)
    const dropped = request(`SELECT drop_months('webhook_deliveries', ${month} + interval '2 months')`)
    const locks = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'webhook_deliveries'::regclass"
    await Promise.race([dropped, arrived(() => request(locks))])
    await redelivery.query("COMMIT")
    await dropped
  })
  expect(await request("SELECT status FROM webhook_deliveries WHERE owner_uid = $1", [organisation_uid])).toEqual([
    { status: "pending" }
  ])
})

testOnOneNode(
  "a month is dropped once no owner keeps rows of it; an owner's own period is exact to the day",
  async () => {
    await divide()
    const own = async (retention: { readonly events?: number }) => {
      const world = await makeWorld(server.current, { organisation: { retention } })
      await append(world.organisation_uid, 1)
      return world
    }
    const usual = await own({})
    const short = await own({ events: 5 })
    const long = await own({ events: 400 })
    await subscribed(usual.key)
    await append(usual.organisation_uid, 1)
    const begun = await server.current.now()
    const day = new Date(begun * 1000)
    const month = day.toISOString().slice(0, 7).replace("-", "_")
    const end = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1) / 1000
    const isThere = async (table: string) => (await count("pg_class WHERE relname = $1", [`${table}_${month}`])) > 0
    const at = (seconds: number) =>
      server.current.run(
        Effect.gen(function* () {
          const [clock, retention] = yield* Effect.all([DomainClock, Retention])
          yield* clock.advance(seconds - (yield* clock.now))
          yield* retention.deleteExpired()
        })
      )

    await at(begun + 5 * DAY + 600)
    expect(await ofOwner("events", short)).toBe(0)
    await at(end + 30 * DAY - 600)
    expect(await ofOwner("events", usual)).toBe(2)
    await at(end + 30 * DAY + 600)
    expect(await ofOwner("events", usual)).toBe(0)
    expect(await ofOwner("events", long)).toBe(1)
    expect(await isThere("events")).toBe(true)
    expect(await ofOwner("webhook_deliveries", usual)).toBe(1) // pending
    expect(await isThere("webhook_deliveries")).toBe(true)

    await request("UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL")
    const ended = await totals()
    expect(ended.there).toBeGreaterThan(0)
    expect(ended.counted).toBe(ended.there)
    await request("UPDATE organisations SET retention = '{}' WHERE organisation_uid = $1", [long.organisation_uid])
    await at(end + 30 * DAY + 1200)
    expect(await isThere("events")).toBe(false)
    expect(await isThere("webhook_deliveries")).toBe(false)
    expect(await totals()).toEqual({ counted: 0, there: 0 })
    // rows written with an advanced clock are in the default partition and deleted row by row
    await at(end + 100 * DAY)
    await append(usual.organisation_uid, 1)
    expect(await ofOwner("events_default", usual)).toBe(1)
    await at(end + 200 * DAY)
    expect(await ofOwner("events_default", usual)).toBe(0)
  }
)
