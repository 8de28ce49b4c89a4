/**
 * Distributes a database in use: the demo world and a tenant with every kind of record, twice, then migrates it
 * to the schema of the next release. On plain PostgreSQL (no `CITUS_URLS`) the command is refused; the other checks still run.
 */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { AuditChain } from "../../../src/capabilities/audit/services/AuditChain.ts"
import type { Migration } from "../../../src/declarations.ts"
import { migrate } from "../../../src/layers/Migrate.ts"
import { migrations } from "../../../src/layers/migrations/index.ts"
import { asLogin } from "../../../src/services/tenancy/Tenancy.ts"
import { makeTenant } from "../../http/matrix/tenant.ts"
import { citusNodes, seeingAll } from "../../support/citus.ts"
import { commandLine } from "../../support/cli.ts"
import { freshDatabase, rowsAt } from "../../support/postgres.ts"
import { migrated, startServer } from "../../support/server.ts"
import { inDays } from "../../support/world.ts"
import { distributedTables } from "./rules.ts"

const isCluster = citusNodes.length > 0

const nextRelease: ReadonlyArray<Migration> = [
  {
    name: "9998_next_release",
    text: `ALTER TABLE appointments ADD COLUMN next_release text;
      ALTER TABLE patients ADD COLUMN next_release integer NOT NULL DEFAULT 0;
      ALTER TABLE patients ADD CONSTRAINT next_release_positive CHECK (next_release >= 0) NOT VALID;
      ALTER TABLE organisations ADD COLUMN next_release boolean NOT NULL DEFAULT true;
      CREATE TABLE next_things (organisation_uid text NOT NULL, uid text NOT NULL, patient_uid text NOT NULL,
        PRIMARY KEY (organisation_uid, uid));
      CREATE INDEX next_things_patient ON next_things (organisation_uid, patient_uid);`
  },
  {
    name: "9999_next_index",
    text: `-- transaction: none
      DROP INDEX CONCURRENTLY IF EXISTS appointments_next_release;
      CREATE INDEX CONCURRENTLY appointments_next_release ON appointments (organisation_uid, next_release);`
  }
]

/** Rows by table; the login must bypass row-level security. */
const rowsIn = async (url: string) => {
  const tables = await rowsAt(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT LIKE 'cluster%' ORDER BY 1`
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await rowsAt<{ n: number }>(url, `SELECT count(*)::int AS n FROM "${name}"`)
    counts[name] = row?.n ?? 0
  }
  return counts
}

test("a database in use keeps every row when it is distributed, and can then migrate to the next release", async () => {
  const { url } = await freshDatabase(isCluster ? undefined : migrated)
  const environment = { PROVISION_FILE: "", ROLE: "http" }
  const before = await startServer(environment, url)
  const tenant = await makeTenant(before)
  const { world } = tenant
  const key = { key: world.key }
  const cancelled = await world.booked(inDays(6, 9))
  const uid = await world.booked(inDays(7, 9))
  const cancel = (server: typeof before, appointment: string) =>
    server.api("POST", `/v1/management/scheduling/appointments/${appointment}/cancel`, {
      ...key,
      body: { reason: "None" }
    })
  expect((await cancel(before, cancelled)).status).toBe(200)
  await before.run(Effect.flatMap(AuditChain, (chain) => chain.seal()))
  const lists = [
    "scheduling/appointments?limit=50",
    "events?limit=50",
    "patients?limit=50",
    `prescriptions/${tenant.named.prescription_uid}`
  ]
  const listsOf = (server: typeof before) =>
    Promise.all(lists.map((list) => server.api("GET", `/v1/management/${list}`, key).then(({ body }) => body)))
  const listed = await listsOf(before)
  await before.stop()

  const counted = seeingAll(url)
  const held = await rowsIn(counted)
  for (const table of ["appointments", "prescriptions", "audit_entries", "audit_chain", "events", "pharmacy_orders"])
    expect([table, held[table]]).not.toEqual([table, 0])
  const cli = commandLine({ DATABASE_URL: url, DATA_DIR: before.dataDir })
  for (const _ of ["once", "and again"]) {
    const { status, said } = await cli("distribute")
    if (isCluster) expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining("has its place") })
    else expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining("plain PostgreSQL") })
    expect(await rowsIn(counted)).toEqual(held)
  }
  if (isCluster) {
    const shards = await rowsAt(
      counted,
      "SELECT relname AS name FROM pg_dist_partition JOIN pg_class c ON c.oid = logicalrelid WHERE partmethod = 'h' AND NOT relispartition"
    )
    expect(shards.map(({ name }) => name).sort()).toEqual([...distributedTables.keys()].sort())
  }

  const after = await startServer(environment, url)
  expect(await listsOf(after)).toEqual(listed)
  const work = async (appointment: string, day: number) => {
    expect((await cancel(after, appointment)).status).toBe(200)
    const created = await world.holdByKey({ start_date: inDays(day, 9) }, undefined, after)
    expect(created.status).toBeLessThan(300)
  }
  await work(uid, 8)
  await after.run(asLogin(migrate([...migrations, ...nextRelease])))
  if (isCluster) {
    expect((await cli("distribute")).status).toBe(0)
    await rowsAt(
      url,
      `SELECT cluster_distribute('next_things', 'organisation_uid');
       ALTER TABLE next_things ADD FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients (organisation_uid, uid)`
    )
  }
  await work(tenant.named.appointment_uid ?? "", 9)
  const verified = await after.run(Effect.flatMap(AuditChain, (chain) => Effect.zipRight(chain.seal(), chain.verify())))
  expect(verified.fault).toBeUndefined()
  expect(verified.entries).toBeGreaterThan(Number(held.audit_chain))
  await after.stop()
})
