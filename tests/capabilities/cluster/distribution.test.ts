import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { SqlError } from "@effect/sql"
import { constraintOf, isReferenceGone, isTransient } from "../../../src/services/database/SqlErrors.ts"
import { citusNodes, seeingAll } from "../../support/citus.ts"
import { commandLine } from "../../support/cli.ts"
import { freshDatabase, rowsAt } from "../../support/postgres.ts"
import { migrated, startServer } from "../../support/server.ts"
import { inDays, makeWorld, random } from "../../support/world.ts"
import { copiedTables, distributedTables } from "./rules.ts"

/** Stay on the coordinator. */
const local = new Set([
  "api_keys",
  "audit_sealing",
  "console_sessions",
  "used_sign_ins",
  "operators",
  "passkeys",
  "sign_in_codes",
  "staff_tokens",
  "refused_forms",
  "images",
  "sprechstunde_migrations",
  "provisioned_entries",
  "master_key_canary",
  "domain_clock",
  "payments",
  "rate_limit_buckets",
  "replicas"
])
/** Created by the distribution. */
const ofTheCluster = new Set(["cluster_commit", "cluster_foreign_keys", "cluster_triggers"])

/** Names by which a record is found before its organisation is known: unique over all organisations. */
const acrossTenants = new Set([
  "shops_uid",
  "shops_identifier",
  "payments_one_organisation",
  "booking_token_secrets_key",
  "fhir_clients_client",
  "organisations_tag"
])

interface Unique {
  readonly name: string
  readonly table: string
  readonly columns: ReadonlyArray<string>
  /** Its columns that name a tenant and may not be null. */
  readonly tenants: ReadonlyArray<string>
}
interface Foreign {
  readonly name: string
  readonly table: string
  readonly target: string
  readonly columns: ReadonlyArray<string>
}

const request = async <Row extends object>(text: string) => rowsAt<Row>((await freshDatabase(migrated)).url, text)

const columnsOf = (numbers: string, relation: string) =>
  `array(select attname::text from unnest(${numbers}) with ordinality k(number, place)
     join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number order by place)`

test("every table has a placement: with its tenant, on every node, or on the coordinator", async () => {
  const tables = await request<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition`
  )
  const placed = (name: string) => distributedTables.has(name) || copiedTables.has(name) || local.has(name)
  expect(tables.map(({ name }) => name).filter((name) => !placed(name) && !ofTheCluster.has(name))).toEqual([])
  const names = new Set(tables.map(({ name }) => name))
  expect([...distributedTables.keys(), ...copiedTables].filter((name) => !names.has(name))).toEqual([])
})

test("every key and exclusion of a tenant's table contains its tenant, which of a distributed one is its column", async () => {
  const uniques = await request<Unique>(
    `select i.indexrelid::regclass::text as name, c.relname as table, ${columnsOf("i.indkey::int2[]", "c.oid")} as columns,
       array(select attname::text from pg_attribute where attrelid = c.oid and attnotnull
         and attname in ('organisation_uid', 'pharmacy_uid')) as tenants
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and (i.indisunique or i.indisexclusion)`
  )
  expect(uniques.length).toBeGreaterThan(20)
  const without = uniques.filter(({ name, table, columns, tenants }) => {
    const column = distributedTables.get(table)
    if (column !== undefined) return !columns.includes(column)
    return tenants.length > 0 && !tenants.some((one) => columns.includes(one)) && !acrossTenants.has(name)
  })
  expect(without).toEqual([])
})

test("every trigger of rows exists, also on a cluster", async () => {
  const migrations = readdirSync("src/layers/migrations").filter((name) => name.endsWith(".sql"))
  const text = migrations.map((name) => readFileSync(`src/layers/migrations/${name}`, "utf8")).join("\n")
  const wanted = [...text.matchAll(/^CREATE TRIGGER (\w+)[^;]*? ON (\w+)\s+FOR EACH ROW/gm)].map(
    ([, name, table]) => `${name} of ${table}`
  )
  expect(wanted.length).toBeGreaterThan(10)
  const found = await request<{ name: string }>(
    "select tgname || ' of ' || tgrelid::regclass as name from pg_trigger where not tgisinternal"
  )
  const names = new Set(found.map(({ name }) => name))
  expect(wanted.filter((name) => !names.has(name))).toEqual([])
})

test("appointments that name one another are deleted by one statement, and what names a deleted one is kept", async () => {
  const server = await startServer({ ROLE: "http" })
  const world = await makeWorld(server)
  const move = async (uid: string, hour: number) => {
    const body = { new_start_date: inDays(2, hour), new_doctor_uid: world.doctor }
    const moved = await server.api("POST", `/v1/scheduling/appointments/${uid}/rebook`, {
      token: await world.token(),
      body
    })
    return String(moved.body.appointment_uid)
  }
  const first = await world.booked(inDays(2, 9))
  const second = await move(first, 10)
  const third = await move(second, 11)
  await server.sql`DELETE FROM appointments WHERE organisation_uid = ${world.organisation_uid} AND uid IN (${first}, ${second})`
  const left = await server.sql`SELECT uid, previous_meeting_uid FROM appointments
    WHERE organisation_uid = ${world.organisation_uid}`
  expect<object>(left).toEqual([{ uid: third, previous_meeting_uid: null }])
  await server.stop()
})

test("foreign keys stay within a shard or reference a table that is on every node", async () => {
  const foreign = await request<Foreign>(
    `select p.conname as name, c.relname as table, f.relname as target, ${columnsOf("p.conkey", "c.oid")} as columns
     from pg_constraint p join pg_class c on c.oid = p.conrelid join pg_class f on f.oid = p.confrelid
     where p.contype = 'f' and c.relnamespace = 'public'::regnamespace`
  )
  expect(foreign.length).toBeGreaterThan(20)
  const misplacedKeys = foreign.filter(({ table, target, columns }) => {
    if (copiedTables.has(target)) return false
    const column = distributedTables.get(table)
    return column === undefined || distributedTables.get(target) !== column || !columns.includes(column)
  })
  // On the coordinator with their sessions: tokens of staff. Not distributed: a payment belongs to one organisation over all shards, which a table on the coordinator guarantees
  const names = misplacedKeys.map(({ name }) => name).toSorted()
  const onCoordinator = ["staff_tokens_session_hash_fkey"]
  expect(names).toEqual(citusNodes.length > 0 ? onCoordinator : ["pharmacy_orders_payment", ...onCoordinator])
})

test("cli distribute changes nothing on plain PostgreSQL, and says so; on a cluster it is repeatable", async () => {
  const { url } = await freshDatabase(migrated)
  const { status, said } = await commandLine({ DATABASE_URL: url })("distribute")
  if (citusNodes.length > 0) {
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining("has its place") })
    // without roles, functions that read across tenants set the role's setting: no reader is left as it was
    const readers =
      "SELECT FROM pg_proc WHERE prosecdef AND provolatile = 's' AND pronamespace = 'public'::regnamespace"
    expect(await rowsAt(url, `${readers} AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql')`)).toEqual(
      []
    )
    const login = await commandLine({ DATABASE_URL: url })("database-login", "sprechstunde_app")
    expect(login).toMatchObject({ status: 1, said: expect.stringContaining("logs in as the tables' owner") })
  } else {
    expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining("plain PostgreSQL") })
    expect(await rowsAt(url, "SELECT FROM pg_proc WHERE proname LIKE 'cluster%'")).toEqual([])
  }
})

/** Tables and shards on any node without the forced row-level security of their table. */
const unprotected = (url: string) =>
  rowsAt(
    url,
    `SELECT nodename, nodeport, result FROM run_command_on_all_nodes($$
      SELECT string_agg(relname, ' ') FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND relname ~ '^(appointments|patients|events|messages)_\\d{6,}$' AND NOT (relrowsecurity AND relforcerowsecurity
          AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid))$$) JOIN pg_dist_node USING (nodeid)
    WHERE result <> ''`
  )

test("an organisation gets its own shard and moves to another node while it books, and shards are rebalanced; plain PostgreSQL refuses all of it", async () => {
  const { url } = await freshDatabase(migrated)
  const superuser = seeingAll(url)
  const cli = commandLine({ DATABASE_URL: superuser })
  if (citusNodes.length === 0) {
    const plain = { status: 1, said: expect.stringContaining("plain PostgreSQL") }
    expect(await cli("organisations", "isolate", "org_1")).toMatchObject(plain)
    expect(await cli("organisations", "move", "--to", "worker:5432", "org_1")).toMatchObject(plain)
    expect(await cli("rebalance")).toMatchObject(plain)
    return
  }
  const server = await startServer({}, url)
  const world = await makeWorld(server)
  // enough for some to share its shard
  const neighbour = () => ({ uid: random("org"), name: "Praxis", timezone: "UTC" })
  await world.provision({ organisations: Array.from({ length: 200 }, neighbour) })
  const before = await world.booked(inDays(3, 9))
  // Rows that row-level security hides from the command would be lost
  const bound = await commandLine({ DATABASE_URL: url })("organisations", "isolate", world.organisation_uid)
  expect(bound).toMatchObject({ status: 1, said: expect.stringContaining("superuser") })
  expect(await cli("organisations", "isolate", world.organisation_uid)).toMatchObject({
    status: 0,
    last: expect.stringMatching(/^Shard \d+ on [\w.]+:\d+, its own\.$/)
  })
  for (const node of citusNodes.slice(1)) {
    const { host } = new URL(node)
    const booking = world.booked(inDays(4, citusNodes.indexOf(node)))
    expect(await cli("organisations", "move", "--to", host, world.organisation_uid)).toMatchObject({
      status: 0,
      last: expect.stringContaining(` on ${host}, its own.`)
    })
    await booking
  }
  const booking = world.booked(inDays(5, 9))
  const balanced = await cli("rebalance")
  expect(balanced).toMatchObject({ status: 0, last: expect.stringMatching(/ {2}\d+ shards of each table$/) })
  const shares = [...balanced.said.matchAll(/ {2}(\d+) shards of each table/g)].map(([, shards]) => Number(shards))
  expect(shares).toHaveLength(citusNodes.length - 1)
  // Citus leaves a node within 10 % of the average, which is two shards of the 32 that are its default
  const average = shares.reduce((sum, one) => sum + one, 0) / shares.length
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(Math.max(1, 0.2 * average))
  await booking
  const listed = await server.api("GET", "/v1/management/scheduling/appointments", { key: world.key })
  expect(await unprotected(superuser)).toEqual([])
  expect(listed.body.data).toHaveLength(citusNodes.length + 1)
  expect(listed.body.data.map(({ uid }: { uid: string }) => uid)).toContain(before)
  const refused = (uid: string) => cli("organisations", "move", "--to", "worker:5432", uid)
  expect(await refused("org_unknown")).toMatchObject({ status: 1, said: expect.stringContaining("no organisation") })
  expect(await refused(world.organisation_uid)).toMatchObject({ status: 1, said: expect.stringContaining("no node") })
  await server.stop()
})

test.each([
  ["shops_identifier", { message: "", constraint: "shops_identifier" }],
  [
    "reminders_one_per_moment",
    { message: 'duplicate key value violates unique constraint "reminders_one_per_moment_102087"' }
  ],
  [
    "availability_rules_window",
    {
      message: 'new row for relation "availability_rules_102110" violates check constraint "availability_rules_window"'
    }
  ],
  [
    "consents_version_fkey",
    {
      message:
        'insert or update on table "consents_102042" violates foreign key constraint "consents_version_fkey_102042"'
    }
  ],
  [undefined, { message: "canceling statement due to statement timeout" }]
])("a violated constraint is reported by name, on one node and on a cluster's: %s", (name, cause) => {
  expect(constraintOf(new SqlError.SqlError({ cause, message: "" }))).toBe(name)
})

test.each([
  [
    'insert or update on table "booking_sessions_102008" violates foreign key constraint "booking_sessions_patient_fkey_102008"',
    true
  ],
  ['update or delete on table "patients" violates foreign key constraint "booking_sessions_patient_fkey"', false]
])("a new row with a missing reference is retried, and deleting a referenced row is a fault: %s", (message, isGone) => {
  expect(isReferenceGone(new SqlError.SqlError({ cause: { code: "23503", message }, message: "" }))).toBe(isGone)
})

test("a coordinator that dies during a statement counts as unavailable, not as a fault", () => {
  const cause = { code: "XX000", message: "postmaster was shut down, exiting" }
  expect(isTransient(new SqlError.SqlError({ cause, message: "" }))).toBe(true)
})
