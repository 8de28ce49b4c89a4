/**
 * `bun bench/partitions.ts [rows] [partitioned]`: the cost of events in one table and in monthly partitions, by default with
 * 20,000,000 rows over 24 months: an append, a page of the feed, the end of a month, and planning with 24 and 120 months.
 * `partitioned`: only with partitions, which are created before the rows.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Client } from "pg"
import { partitionByMonth } from "../src/capabilities/retention/services/partitions.ts"
import { EventLog } from "../src/services/events/EventLog.ts"
import { meetingEvent } from "../tests/events/meetingEvent.ts"
import { runFolder, startTestServer } from "../tests/support/postgres.ts"
import { startServer } from "../tests/support/server.ts"
import { transaction } from "../tests/support/transaction.ts"
import { makeWorld } from "../tests/support/world.ts"
import { familyProcessorOf, median } from "./harness/measure.ts"

const ROWS = Number(process.argv[2] ?? 20_000_000)
const PARTITIONED = process.argv[3] === "partitioned"
const MONTHS = 24
const OWNERS = 100
const APPENDED = 2000
const PAGES = 200

await startTestServer()
const postmaster = Number(readFileSync(join(runFolder(), "data", "postmaster.pid"), "utf8").split("\n")[0])
const server = await startServer({ ROLE: "http" })
const database = new Client({ connectionString: server.databaseUrl })
await database.connect()
const { organisation_uid: owner, key } = await makeWorld(server, { doctors: 1 })
const one = async <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) => {
  const { rows } = await database.query<Row>(text, [...values])
  if (rows[0] === undefined) throw new Error(text)
  return rows[0]
}
const print = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)

/** Seconds, seconds of PostgreSQL's processor time, and megabytes of WAL that `work` takes. */
const measured = async (work: () => Promise<unknown>) => {
  const { lsn } = await one<{ lsn: string }>("SELECT pg_current_wal_lsn() AS lsn")
  const [begun, processor] = [performance.now(), familyProcessorOf(postmaster)]
  await work()
  const seconds = (performance.now() - begun) / 1000
  const used = (familyProcessorOf(postmaster) - processor) / 1000
  const { written } = await one<{ written: string }>("SELECT pg_current_wal_lsn() - $1::pg_lsn AS written", [lsn])
  return {
    seconds,
    used,
    text: `${seconds.toFixed(2)} s, ${used.toFixed(2)} s of processor time, ${(Number(written) / 1e6).toFixed(0)} MB of WAL`
  }
}

const append = (count: number) =>
  server.run(
    Effect.flatMap(EventLog, (log) =>
      Effect.forEach(
        Array.from({ length: count }, (_, n) => n),
        (n) => transaction(log.append(meetingEvent(owner, `apt_${n}`, n))),
        { discard: true }
      )
    )
  )

/** Requests the page after the event that is followed by this many. Reading assigns positions to appended events. */
const feed = async (after: number) => {
  const { id } = await one<{ id: string }>(
    "SELECT id FROM events WHERE owner_uid = $1 AND feed_position IS NOT NULL ORDER BY feed_position DESC OFFSET $2 LIMIT 1",
    [owner, after]
  )
  return async () => {
    const { status } = await server.api("GET", `/v1/management/events?limit=50&after=${id}`, { key })
    if (status !== 200) throw new Error(`the feed answers ${status}`)
  }
}

const PAGE = `SELECT id FROM events WHERE owner_uid = '${owner}' AND feed_position > 1000 AND data_encrypted IS NOT NULL
  ORDER BY feed_position LIMIT 51`
const INSERT = `INSERT INTO events (owner_uid, id, owner_kind, type, subject, created_at)
  SELECT '${owner}', 'evt_' || gen_random_uuid(), 'organisation', 'rebooked', 'apt_1', now()`
const FIND = `SELECT id FROM events WHERE owner_uid = '${owner}' AND id = 'evt_1'`

const explained = async (name: string, text: string) => {
  const plans: Array<{ "Planning Time": number; "Execution Time": number }> = []
  for (let turn = 0; turn < 60; turn++) {
    const plan = await one<{ "QUERY PLAN": typeof plans }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`)
    plans.push(...plan["QUERY PLAN"])
  }
  const middle = (what: "Planning Time" | "Execution Time") =>
    median(plans.slice(10).map((plan) => plan[what])).toFixed(3)
  print(`  ${name}: planning ${middle("Planning Time")} ms, execution ${middle("Execution Time")} ms`)
}
const planning = async () => {
  await explained("append", INSERT)
  await explained("page of the feed", PAGE)
  await explained("one by id", FIND)
}

const requests = async () => {
  await append(100)
  await (await feed(0))()
  const appending = await measured(() => append(APPENDED))
  await (await feed(0))()
  const again = await feed(50)
  for (let warm = 0; warm < 10; warm++) await again()
  const paging = await measured(async () => {
    for (let turn = 0; turn < PAGES; turn++) await again()
  })
  print(
    `  append: ${((appending.used / APPENDED) * 1000).toFixed(2)} ms of PostgreSQL's processor time, page: ${((paging.used / PAGES) * 1000).toFixed(2)} ms`
  )
}

print(`${ROWS.toLocaleString("en")} rows`)
await append(100)
const partitions = async () =>
  (await one<{ count: string }>("SELECT count(*) FROM pg_inherits WHERE inhparent = 'events'::regclass")).count
/** A row of the oldest month, so that all partitions are created. */
const OLDEST = `INSERT INTO events (owner_uid, id, owner_kind, type, subject, created_at)
  SELECT 'org_oldest', 'evt_oldest', 'organisation', 'rebooked', 'apt_1', now() - ${ROWS} * (interval '${MONTHS - 1} months' / ${ROWS})`
const { rows: indexes } = await database.query<{ name: string; definition: string }>(
  "SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'events' AND indexname <> 'events_pkey' AND NOT $1::boolean",
  [PARTITIONED]
)
await database.query("SET session_replication_role = replica") // no trigger
if (PARTITIONED) {
  await database.query(OLDEST)
  await server.run(partitionByMonth("events"))
} else {
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`)
  await database.query("ALTER TABLE events DROP CONSTRAINT events_pkey")
}
for (const setting of ["maintenance_work_mem = '1GB'", "max_wal_size = '20GB'"])
  await database.query(`ALTER SYSTEM SET ${setting}`)
await database.query("SELECT pg_reload_conf()")
const filling = await measured(() =>
  database.query(
    `INSERT INTO events (owner_uid, id, owner_kind, type, subject, data_encrypted, feed_position, created_at)
     SELECT CASE i % $2::int WHEN 0 THEN $1 ELSE 'org_' || i % $2::int END, 'evt_' || lpad(i::text, 32, '0'), 'organisation', 'rebooked',
       'apt_' || i / 4, repeat(md5(i::text), 6), i, now() - ($3::int - i) * (interval '${MONTHS - 1} months' / $3::int)
     FROM generate_series(1, $3::int) i`,
    [owner, OWNERS, ROWS]
  )
)
print(`filled: ${filling.text}`)
await database.query("SET session_replication_role = DEFAULT")
for (const { definition } of indexes) await database.query(definition)
if (!PARTITIONED) await database.query("ALTER TABLE events ADD PRIMARY KEY (owner_uid, id)")
await database.query("VACUUM ANALYZE events")
await database.query("CHECKPOINT")
const { size } = await one<{ size: string }>(
  "SELECT pg_size_pretty(coalesce((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('events')), pg_total_relation_size('events'))) AS size"
)
print(`${PARTITIONED ? `${await partitions()} partitions` : "one table"}, ${size}`)
await requests()
await planning()

const month = async (ahead: number) =>
  (
    await one<{ at: Date }>(
      "SELECT date_trunc('month', min(created_at) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + make_interval(months => $1) AS at FROM events",
      [ahead]
    )
  ).at
if (!PARTITIONED) {
  const end = await month(1)
  let deleted = 0
  const deleting = await measured(async () => {
    for (let batch = -1; batch !== 0; deleted += batch) {
      const { rowCount } = await database.query(
        `DELETE FROM events WHERE (owner_uid, id) IN (SELECT owner_uid, id FROM events WHERE created_at < $1
         ORDER BY created_at LIMIT 2000 FOR UPDATE SKIP LOCKED)`,
        [end]
      )
      batch = rowCount ?? 0
    }
  })
  print(`${deleted.toLocaleString("en")} rows of the oldest months deleted: ${deleting.text}`)
  print(`  vacuum after it: ${(await measured(() => database.query("VACUUM events"))).text}`)

  const partitioning = await measured(() => server.run(partitionByMonth("events")))
  await database.query("VACUUM ANALYZE events")
  await database.query("CHECKPOINT")
  print(`partitioned into ${await partitions()} partitions: ${partitioning.text}`)
  await requests()
  await planning()
}
const next = await month(1)
const { count } = await one<{ count: string }>("SELECT count(*) AS count FROM events WHERE created_at < $1", [next])
const dropping = await measured(() => database.query("SELECT drop_months('events', $1)", [next]))
print(`${Number(count).toLocaleString("en")} rows of the oldest month dropped: ${dropping.text}`)
if (!PARTITIONED) {
  await database.query(
    `SELECT add_month('events', (date_trunc('month', now()) - make_interval(months => n))::date) FROM generate_series(0, 116) n`
  )
  await database.query("ANALYZE events")
  print(`${await partitions()} partitions`)
  await requests()
  await planning()
}
await database.end()
await server.stop()
process.exit(0)
