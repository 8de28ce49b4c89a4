import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Client } from "pg"
import { partitionByMonth } from "../../src/layers/citus/distribute.ts"
import { DomainClock } from "../../src/services/DomainClock.ts"
import { EventLog } from "../../src/services/events/EventLog.ts"
import { DataKeyRotation } from "../../src/services/operation/DataKeyRotation.ts"
import { Retention } from "../../src/services/operation/Retention.ts"
import type { CurrentTenant } from "../../src/services/tenancy/Tenancy.ts"
import { meetingEvent } from "../events/meetingEvent.ts"
import { citusNodes } from "../support/citus.ts"
import { eventually } from "../support/eventually.ts"
import { ownServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"
import { DAY, inDays, makeWorld, random } from "../support/world.ts"

const server = ownServer({ SANDBOX: "true", ROLE: "http" })
const TABLES = ["events", "messages", "webhook_deliveries"] as const

const request = async (text: string, values: ReadonlyArray<unknown> = []) => {
  const client = new Client({ connectionString: server.current.databaseUrl })
  await client.connect()
  try {
    return (await client.query({ text, values: [...values], rowMode: "array" })).rows
  } finally {
    await client.end()
  }
}
const append = (owner: string, count: number) =>
  server.current.run(
    Effect.flatMap(EventLog, (log) =>
      transaction(log.appendAll(Array.from({ length: count }, (_, n) => meetingEvent(owner, `apt_${n}`, n))))
    )
  )
const totals = async () => {
  const [counted, there] = await Promise.all(
    [
      "SELECT sum(rows) FROM webhook_delivery_counts",
      "SELECT count(*) FROM webhook_deliveries WHERE status <> 'pending'"
    ].map((text) => request(text))
  )
  return { counted: Number(counted?.[0]?.[0]), there: Number(there?.[0]?.[0]) }
}
const divide = () => server.current.run(Effect.forEach(TABLES, partitionByMonth))

const base = "/v1/management/notification-subscriptions"
const subscribed = async (key: string) => {
  const body = { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: "https://receiver.example/events" }
  return (await server.current.api("POST", base, { key, body })).body.uid
}

test.skipIf(citusNodes.length > 0)(
  "partitioned by month, tables keep rows, order, keys, tenants and audit entries",
  async () => {
    const { api } = server.current
    // a table without rows gets no partitions of past months
    const undone = new Client({ connectionString: server.current.databaseUrl })
    await undone.connect()
    await undone.query("BEGIN")
    await undone.query("DELETE FROM messages")
    await undone.query("SELECT partition_by_month('messages')")
    const empty = await undone.query("SELECT FROM pg_inherits WHERE inhparent = 'messages'::regclass")
    await undone.end()
    expect(empty.rows).toHaveLength(5) // the last month, this one, the next two, and the default
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
        `SELECT relname, relkind, relrowsecurity AND relforcerowsecurity,
          EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid AND tgname = 'audit_write')
        FROM pg_class c WHERE relname = ANY ($1) ORDER BY 1`,
        [TABLES]
      )
    ).toEqual([
      ["events", "p", true, true],
      ["messages", "p", true, true],
      ["webhook_deliveries", "p", true, false]
    ])
    // no row is in the default partition
    for (const table of TABLES) expect(await request(`SELECT count(*) FROM ${table}_default`)).toEqual([["0"]])

    const next = await append(owner, 2)
    await world.booked(inDays(2, 10))
    const after = await read()
    expect(after.slice(1).map(({ length }) => length)).toEqual([7, 7])
    expect(after[0]?.slice(0, 5)).toEqual([...(before[0] ?? [])])
    expect(after[0]?.slice(5, 7)).toMatchObject(next.map((id) => ({ id })))
    for (const table of TABLES)
      await expect(request(`INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1`)).rejects.toThrow("duplicate key")
    expect(
      await request("SELECT count(*) FROM audit_entries WHERE owner_uid = $1 AND action LIKE '%confirm%'", [owner])
    ).toEqual([["2"]])

    // sealed values remain bound to their row: the key can be rotated
    const rotation = <A>(of: (rotation: DataKeyRotation) => Effect.Effect<A, never, CurrentTenant>) =>
      server.current.run(Effect.flatMap(DataKeyRotation, of))
    expect((await rotation(({ begin }) => begin(owner))).values).toBeGreaterThan(5)
    expect(await rotation(({ finish }) => finish(owner))).toMatchObject({ deleted: 1 })
    expect(await read()).toEqual(after)
  }
)

test.skipIf(citusNodes.length > 0)(
  "a month of messages is dropped after the jobs that delete their copies were sent",
  async () => {
    await divide()
    const { organisation_uid } = await makeWorld(server.current, {})
    await request("SELECT add_month('messages', (date_trunc('month', now()) - interval '12 months')::date)")
    const uid = random("msg")
    await request(
      `INSERT INTO messages (organisation_uid, uid, event_id, kind, appointment_uid, recipient_role, recipient_uid, channel, status,
      attempts, sent_at, created_at)
    VALUES ($1, $2, $2, 'confirmation', 'apt', 'patient', 'pat', 'email', 'sent', 1, now(), date_trunc('month', now()) - interval '360 days')`,
      [organisation_uid, uid]
    )
    const month = () =>
      request("SELECT FROM pg_class WHERE relname = 'messages_' || to_char(now() - interval '12 months', 'YYYY_MM')")
    expect(await month()).toHaveLength(1)
    await server.current.run(Effect.flatMap(Retention, ({ deleteExpired }) => deleteExpired()))
    expect(await month()).toEqual([])
    expect(
      await request("SELECT count(*) FROM pgboss.job WHERE name = 'message.forget' AND data::text LIKE $1", [
        `%${uid}%`
      ])
    ).toEqual([["1"]])
  }
)

test.skipIf(citusNodes.length > 0)("deliveries in a new partition are counted as before", async () => {
  await divide()
  const { key, organisation_uid } = await makeWorld(server.current, {})
  await subscribed(key)
  await append(organisation_uid, 1)
  await request(
    `UPDATE webhook_deliveries SET status = 'delivered', next_attempt_at = NULL, created_at = date_trunc('month', now()) - interval '800 days'
    WHERE owner_uid = $1`,
    [organisation_uid]
  )
  const of = async (table: string) =>
    Number((await request(`SELECT count(*) FROM ${table} WHERE owner_uid = $1`, [organisation_uid]))[0]?.[0])
  const before = await totals()
  expect(await of("webhook_deliveries_default")).toBe(1)
  await request(
    "SELECT add_month('webhook_deliveries', date_trunc('month', date_trunc('month', now()) - interval '800 days')::date)"
  )
  expect(await of("webhook_deliveries_default")).toBe(0)
  expect(await of("webhook_deliveries")).toBe(1)
  expect(await totals()).toEqual(before)
  // the default partition counts on
  await request("UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now() WHERE owner_uid = $1", [
    organisation_uid
  ])
  expect(await totals()).toEqual({ counted: before.counted - 1, there: before.there - 1 })
})

test.skipIf(citusNodes.length > 0)(
  "a month is kept if a delivery becomes pending while it is being dropped",
  async () => {
    await divide()
    const { key, organisation_uid } = await makeWorld(server.current, {})
    await subscribed(key)
    await append(organisation_uid, 1)
    const month = "date_trunc('month', now()) - interval '60 months'"
    await request(`SELECT add_month('webhook_deliveries', (${month})::date)`)
    await request(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, created_at = ${month} + interval '9 days' WHERE owner_uid = $1`,
      [organisation_uid]
    )
    const [redelivery, retention] = await Promise.all(
      [0, 1].map(async () => {
        const client = new Client({ connectionString: server.current.databaseUrl })
        await client.connect()
        return client
      })
    )
    if (redelivery === undefined || retention === undefined) throw new Error("two connections were asked for")
    try {
      await redelivery.query("BEGIN")
      await redelivery.query(
        "UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now() WHERE owner_uid = $1",
        [organisation_uid]
      )
      let isOver = false
      const dropped = retention
        .query({ text: `SELECT drop_months('webhook_deliveries', ${month} + interval '2 months')`, rowMode: "array" })
        .finally(() => {
          isOver = true
        })
      const isWaiting = async () =>
        (await request("SELECT FROM pg_locks WHERE NOT granted AND relation = 'webhook_deliveries'::regclass")).length >
        0
      await eventually(
        async () => isOver || (await isWaiting()),
        (is) => is
      )
      await redelivery.query("COMMIT")
      await dropped
      expect(await request("SELECT status FROM webhook_deliveries WHERE owner_uid = $1", [organisation_uid])).toEqual([
        ["pending"]
      ])
    } finally {
      await redelivery.end()
      await retention.end()
    }
  }
)

test.skipIf(citusNodes.length > 0)(
  "a month is dropped once no owner keeps rows of it; an owner's own period is exact to the day",
  async () => {
    await divide()
    const own = async (days: number | undefined) => {
      const retention = days === undefined ? {} : { events: days }
      const world = await makeWorld(server.current, { organisation: { retention } })
      await append(world.organisation_uid, 1)
      return world
    }
    const usual = await own(undefined)
    const short = await own(5)
    const long = await own(400)
    await subscribed(usual.key)
    await append(usual.organisation_uid, 1)
    const kept = async (table: string, { organisation_uid }: typeof usual) =>
      Number((await request(`SELECT count(*) FROM ${table} WHERE owner_uid = $1`, [organisation_uid]))[0]?.[0])
    const begun = await server.current.now()
    const day = new Date(begun * 1000)
    const month = day.toISOString().slice(0, 7).replace("-", "_")
    const end = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1) / 1000
    const isThere = async (table: string) =>
      (await request("SELECT to_regclass($1) IS NOT NULL", [`${table}_${month}`]))[0]?.[0]
    const at = (seconds: number) =>
      server.current.run(
        Effect.gen(function* () {
          const clock = yield* DomainClock
          yield* clock.advance(seconds - (yield* clock.now))
          yield* Effect.flatMap(Retention, ({ deleteExpired }) => deleteExpired())
        })
      )

    await at(begun + 5 * DAY + 600)
    expect(await kept("events", short)).toBe(0)
    await at(end + 30 * DAY - 600)
    expect(await kept("events", usual)).toBe(2)
    await at(end + 30 * DAY + 600)
    expect(await kept("events", usual)).toBe(0)
    expect(await kept("events", long)).toBe(1)
    expect(await isThere("events")).toBe(true)
    expect(await kept("webhook_deliveries", usual)).toBe(1) // pending
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
    expect(await kept("events_default", usual)).toBe(1)
    await at(end + 200 * DAY)
    expect(await kept("events_default", usual)).toBe(0)
  }
)
