/** Row-level security separates tenants: statements without WHERE, as each role, on every table. Rules 14.5.1 and 14.5.2. */
import { beforeAll, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Either } from "effect"
import type { Database } from "../../src/services/database/Database.ts"
import { sqlStateOf } from "../../src/services/database/SqlErrors.ts"
import {
  acrossTenants,
  asLogin,
  asWorker,
  type CurrentTenant,
  onlyOwner,
  withOwner,
  withoutOwner
} from "../../src/services/tenancy/Tenancy.ts"
import { isSkippedFor } from "../support/citus.ts"
import { ownServer } from "../support/server.ts"
import { transaction } from "../support/transaction.ts"

const server = ownServer({ ROLE: "http", DATABASE_POOL_SIZE: "2" })

const INSUFFICIENT_PRIVILEGE = "42501"
const tenantColumns = ["organisation_uid", "pharmacy_uid", "owner_uid"]

/** Tables without a tenant: shared by all tenants, or of the installation itself. */
const shared = [
  "audit_sealing",
  "console_sessions",
  "domain_clock",
  "master_key_canary",
  "operators",
  "passkeys",
  "pharmacy_groups",
  "products",
  "provisioned_entries",
  "rate_limit_buckets",
  "refused_forms",
  "replicas",
  "sign_in_codes",
  "skus",
  "sprechstunde_migrations",
  "staff_tokens",
  "used_sign_ins"
]

interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string; readonly required: boolean }>
  readonly tenants: ReadonlyArray<string>
}

const query = (text: string, values: ReadonlyArray<string> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(text, [...values]))
const run = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient | Database | CurrentTenant>) =>
  server.current.run(program)

const a = { organisation_uid: "org_a", pharmacy_uid: "pha_a" }
const b = { organisation_uid: "org_b", pharmacy_uid: "pha_b" }
const nothing = { organisation_uid: "", pharmacy_uid: "" }

const samples: Readonly<Record<string, string>> = {
  boolean: "true",
  bytea: "'x'",
  date: "'2026-01-01'",
  int4multirange: "'{}'",
  jsonb: "'{}'",
  "timestamp with time zone": "now()",
  tstzrange: "'[2035-01-01, 2035-01-02)'",
  xid8: "'1'",
  "smallint[]": "'{}'",
  "text[]": "'{}'"
}

/** A value that no other tenant's row has. */
const sample = (owner: typeof a, { name, type }: { readonly name: string; readonly type: string }) => {
  if (name === "pharmacy_uid") return `'${owner.pharmacy_uid}'`
  return type === "text" || type === "bytea" ? `'${owner.organisation_uid}'` : (samples[type] ?? "1")
}

const insert = (table: Table, owner: typeof a) => {
  const columns = table.columns.filter(({ name, required }) => required || table.tenants.includes(name))
  return query(`INSERT INTO ${table.name} (${columns.map(({ name }) => name).join(", ")})
    VALUES (${columns.map((column) => sample(owner, column)).join(", ")})`)
}

const readTables = query(`SELECT c.relname AS name,
    (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL), 'required', a.attnotnull))
     FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       AND a.attidentity = '' AND a.attgenerated = '') AS columns
  FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
  ORDER BY 1`)

/** Append-only, written by the database; tested in `tests/capabilities/audit`. */
const isAudit = ({ name }: { readonly name: string }) => name.startsWith("audit_")

const tables: Array<Table> = []

const isCluster = isSkippedFor(
  "policies go by a setting there and not by roles; tests/http/matrix.test.ts asks for other tenants' records"
)

const testOnOneNode = test.skipIf(isCluster)

/** A row of each of two tenants in every table. Constraints are disabled, since the content does not matter. */
const fill = () =>
  run(
    Effect.gen(function* () {
      const found = (yield* readTables) as unknown as ReadonlyArray<Table>
      tables.push(
        ...found.map((table) => ({
          ...table,
          tenants: table.columns.map(({ name }) => name).filter((name) => tenantColumns.includes(name))
        }))
      )
      const constraints = yield* query(`SELECT conrelid::regclass AS table, conname AS name FROM pg_constraint
        WHERE contype IN ('c', 'f', 'x') AND connamespace = 'public'::regnamespace AND conparentid = 0 AND conislocal
        ORDER BY contype = 'f' DESC`)
      for (const { table, name } of constraints) yield* query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`)
      for (const table of tables)
        if (table.tenants.length > 0 && !isAudit(table)) for (const owner of [a, b]) yield* insert(table, owner)
    }).pipe(asLogin)
  )
beforeAll(async () => {
  if (!isCluster) await fill()
})

const named = () => tables.filter(({ tenants }) => tenants.length > 0)
const ofTenants = () => named().filter((table) => !isAudit(table))

/** The owners of the rows that a statement without WHERE returns, by table. */
const seen = Effect.suspend(() =>
  Effect.forEach(ofTenants(), ({ name, tenants }) =>
    Effect.map(query(`SELECT * FROM ${name}`), (rows) => ({
      name,
      owners: [...new Set(rows.flatMap((row) => tenants.map((column) => row[column])))].toSorted()
    }))
  )
)
const own = (owner: typeof a, tenants: ReadonlyArray<string>) => [
  ...new Set(tenants.map((column) => (column === "pharmacy_uid" ? owner.pharmacy_uid : owner.organisation_uid)))
]

const refusal = (program: Effect.Effect<unknown, unknown, SqlClient.SqlClient | Database | CurrentTenant>) =>
  Effect.map(Effect.either(program), (result) => (Either.isLeft(result) ? sqlStateOf(result.left) : "done"))

/** Runs a program and rolls back its changes. */
const undone = <A, E, R>(program: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.flatMap(program, (value) => Effect.fail({ value }))).pipe(
      Effect.flip,
      Effect.map((failed) => (failed as { readonly value: A }).value)
    )
  )

testOnOneNode(
  "every table with a tenant column has row-level security, and every other table is listed as having none",
  async () => {
    const secured = await run(
      query(`SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relforcerowsecurity
      AND relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`)
    )
    expect(secured.map(({ name }) => name)).toEqual(named().map(({ name }) => name))
    expect(ofTenants().length).toBeGreaterThan(35)
    expect(tables.filter(({ tenants }) => tenants.length === 0).map(({ name }) => name)).toEqual(shared)
  }
)

// Shows: another organisation or pharmacy, with a valid key
testOnOneNode("a tenant reads only its own rows without any WHERE", async () => {
  for (const [tenancy, ...owners] of [
    [onlyOwner(a), a],
    [withoutOwner],
    [onlyOwner(nothing)],
    // the operator
    [acrossTenants, a, b]
  ] as const)
    expect(await run(tenancy(seen))).toEqual(
      ofTenants().map(({ name, tenants }) => ({ name, owners: owners.flatMap((one) => own(one, tenants)).toSorted() }))
    )
})

testOnOneNode(
  "the jobs' role reads no tenant's table, and only its owner's rows of the audit log (Rule 14.5.5)",
  async () => {
    const statements = ofTenants().flatMap(({ name }) => [`SELECT FROM ${name}`, `DELETE FROM ${name}`])
    const states = await run(Effect.forEach(statements, (statement) => refusal(asWorker("org_a")(query(statement)))))
    expect(statements.filter((_, index) => states[index] !== INSUFFICIENT_PRIVILEGE)).toEqual([])
    const asWorkers = [asWorker(), asWorker("org_a"), asWorker("org_b")]
    const chained = named().filter(isAudit)
    expect(chained.map(({ name }) => name)).toEqual(["audit_chain", "audit_entries", "audit_heads"])
    for (const table of chained) {
      await run(asLogin(insert(table, b)))
      const owners = asWorkers.map((as) => as(query(`SELECT DISTINCT owner_uid FROM ${table.name}`)))
      expect([table.name, await run(Effect.all(owners))]).toEqual([table.name, [[], [], [{ owner_uid: "org_b" }]]])
    }
  }
)

testOnOneNode(
  "jobs query across tenants only through these functions, which return owners and counts, never a row (Rule 14.5.5)",
  async () => {
    const found = await run(
      query(`SELECT p.proname AS name, pg_get_function_result(p.oid) AS gives FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef AND p.prorettype <> 'trigger'::regtype
        AND has_function_privilege('sprechstunde_worker', p.oid, 'EXECUTE')
        AND NOT has_function_privilege('public', p.oid, 'EXECUTE') ORDER BY 1`)
    )
    expect(found).toEqual([
      { name: "drop_months", gives: "date[]" },
      { name: "move_watermarks", gives: "void" },
      { name: "owners_past_retention", gives: "SETOF text" },
      { name: "owners_to_remind", gives: "SETOF text" },
      { name: "owners_with_due", gives: "SETOF text" },
      { name: "reachable_owners", gives: "SETOF text" },
      { name: "retention_periods", gives: "TABLE(organisation_uid text, retention jsonb)" },
      { name: "waiting_counts", gives: "TABLE(what text, count bigint)" }
    ])
  }
)

testOnOneNode("a tenant cannot insert another tenant's row, or move its own to another", async () => {
  for (const table of ofTenants()) {
    const changed = table.tenants.map((column) => `${column} = ${sample(b, { name: column, type: "text" })}`)
    const statements = [insert(table, b), query(`UPDATE ${table.name} SET ${changed.join(", ")}`)]
    const states = await run(Effect.forEach(statements, (statement) => refusal(onlyOwner(a)(statement))))
    expect([table.name, ...states]).toEqual([table.name, INSUFFICIENT_PRIVILEGE, INSUFFICIENT_PRIVILEGE])
  }
})

testOnOneNode("an UPDATE and a DELETE without WHERE affect only the tenant's own rows", async () => {
  for (const { name, tenants } of ofTenants()) {
    const [column] = tenants
    const mine = (await run(onlyOwner(a)(query(`SELECT FROM ${name}`)))).length
    const changed = await run(onlyOwner(a)(undone(query(`UPDATE ${name} SET ${column} = ${column} RETURNING 1`))))
    const deleted = await run(onlyOwner(a)(undone(query(`DELETE FROM ${name} RETURNING 1`))))
    expect({ name, changed: changed.length, deleted: deleted.length }).toEqual({ name, changed: mine, deleted: mine })
  }
})

testOnOneNode("no role can change privileges or take the other role", async () => {
  const attempts = [
    "ALTER TABLE appointments DISABLE ROW LEVEL SECURITY",
    "DROP POLICY tenant ON appointments",
    "TRUNCATE appointments",
    "CREATE TABLE public.loot (organisation_uid text)"
  ]
  const roles = [onlyOwner(a), acrossTenants, asWorker()]
  const states = attempts.flatMap((attempt) => roles.map((role) => refusal(role(query(attempt)))))
  expect(new Set(await run(Effect.all(states)))).toEqual(new Set([INSUFFICIENT_PRIVILEGE]))
})

const owner = Effect.map(query("SELECT organisation_uid FROM organisations"), (rows) =>
  rows.map((row) => row.organisation_uid)
)

testOnOneNode(
  "connections do not keep a tenant: concurrently, in transactions, after errors and when it changes within one",
  async () => {
    const changing = transaction(
      Effect.gen(function* () {
        const first = yield* owner
        const second = yield* withOwner(b)(owner)
        const third = yield* owner
        return [...first, ...second, ...third, (yield* acrossTenants(owner)).length]
      })
    )
    const failing = Effect.zipRight(refusal(query("SELECT 1/0 FROM organisations")), owner)
    const rounds = Array.from({ length: 40 }, (_, index) =>
      onlyOwner(index % 2 === 0 ? a : b)(
        Effect.all({ single: owner, within: transaction(owner), changing, failing, after: owner })
      )
    )
    const found = await run(Effect.all(rounds, { concurrency: 8 }))
    for (const [index, { changing: seenIn, ...plain }] of found.entries()) {
      const mine = index % 2 === 0 ? "org_a" : "org_b"
      expect(plain).toEqual({ single: [mine], within: [mine], failing: [mine], after: [mine] })
      expect(seenIn).toEqual([mine, "org_b", mine, 2])
    }
    expect(await run(withoutOwner(owner))).toEqual([])
  }
)
