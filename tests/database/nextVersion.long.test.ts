/**
 * A running process on the schema of the next release. Every table gets what an expanding migration may add, while prepared
 * statements of the process are in use. Until there is a release, the current code is used as the previous one.
 */
import { afterAll, expect, test } from "bun:test"
import { migrationFaults } from "../../script/checks/migrations.ts"
import { makeShop } from "../checkout/support/shop.ts"
import { citusNodes } from "../support/citus.ts"
import { commandLine } from "../support/cli.ts"
import { using } from "../support/postgres.ts"
import { startService, temporaryFolder } from "../support/processes.ts"
import { ownServer } from "../support/server.ts"
import { CONSULTATION, inDays, makeWorld } from "../support/world.ts"

const server = ownServer()
const folder = temporaryFolder()
afterAll(folder.remove)

const query = (...texts: ReadonlyArray<string>) =>
  using(server.current.databaseUrl, async (client) => {
    const results = []
    for (const text of texts) results.push(await client.query(text))
    return results.flatMap(({ rows }) => rows)
  })

/** Bookings, moves, cancellations, lists, prescriptions and orders; `day` is used only once. */
const work = async (
  world: Awaited<ReturnType<typeof makeWorld>>,
  shop: Awaited<ReturnType<typeof makeShop>>,
  day: number
) => {
  const { api } = server.current
  const statuses: Array<readonly [string, number]> = []
  const request = async (method: string, path: string, key: string, body?: unknown) => {
    const answer = await api(method, path, { key, ...(body === undefined ? {} : { body }) })
    statuses.push([`${method} ${path.replace(/[a-z]+_[0-9a-z]{20,}/g, "…")}`, answer.status])
    return answer.body
  }
  const scheduling = "/v1/management/scheduling"
  const uid = await world.booked(inDays(day, 9))
  await world.search()
  await request("POST", `/v1/scheduling/appointments/${uid}/rebook`, world.key, {
    new_start_date: inDays(day, 10),
    new_doctor_uid: world.doctor
  })
  const other = await world.booked(inDays(day, 11))
  await request("POST", `/v1/scheduling/appointments/${other}/cancel`, world.key, { reason: "None" })
  for (const list of ["scheduling/appointments", "events", "audit-log", "patients"])
    await request("GET", `/v1/management/${list}?limit=5`, world.key)
  await request("POST", `${scheduling}/appointment-types`, world.key, { name: "Check", ...CONSULTATION })
  const id = `reference-${day}`
  statuses.push(["checkout", (await shop.prescribe(shop.bodyOf({ id }))).status])
  for (const list of ["pharmacy_orders", "pharmacy_skus"])
    await request("GET", `/v1/external_pharmacy_api/${list}/?limit=5`, shop.pharmacy_key)
  return statuses
}

const isFault = ([, status]: readonly [string, number]) => status >= 400

test("columns that the next release adds to every table break no statement of a running or starting process", async () => {
  const world = await makeWorld(server.current)
  const shop = await makeShop(server.current)
  // a repeated statement is prepared
  for (const day of [1, 2, 3]) expect((await work(world, shop, day)).filter(isFault)).toEqual([])
  const tables = await query(
    "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace"
  )
  expect(tables.length).toBeGreaterThan(30)
  await query(
    ...tables.flatMap(({ name }) => [
      `ALTER TABLE "${name}" ADD COLUMN next_release text`,
      `ALTER TABLE "${name}" ADD COLUMN next_release_count integer NOT NULL DEFAULT 0`,
      `CREATE INDEX ON "${name}" (next_release)`
    ]),
    "CREATE TABLE next_release (organisation_uid text NOT NULL, uid text NOT NULL, PRIMARY KEY (organisation_uid, uid))",
    "INSERT INTO sprechstunde_migrations (name, sha256) VALUES ('9999_next_release', '')"
  )
  // On a cluster, distributed tables remain distributed, and a new table is on the coordinator until it is distributed
  if (citusNodes.length > 0) {
    const { status, said } = await commandLine({ DATABASE_URL: server.current.databaseUrl })("distribute")
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining("has its place") })
    const [placed] = await query(
      "SELECT cluster_distribute('next_release', 'organisation_uid')",
      "SELECT count(*)::int AS shards FROM pg_dist_shard WHERE logicalrelid = 'next_release'::regclass"
    ).then((rows) => rows.slice(-1))
    expect(placed.shards).toBeGreaterThan(1)
  }
  for (const day of [4, 5, 6]) expect((await work(world, shop, day)).filter(isFault)).toEqual([])
  expect((await server.current.api("GET", "/readyz")).status).toBe(200)
  // one that is restarted or scaled out during the roll-out
  const started = await startService({ DATABASE_URL: server.current.databaseUrl, DATA_DIR: folder.path })
  expect(await started.stop()).toBe(0)
})

const faultsIn = (text: string, released: ReadonlyArray<string> = ["0001_first"]) =>
  migrationFaults([{ path: "src/layers/migrations/0002_next.sql", text }], released)

const refused = [
  "ALTER TABLE people DROP COLUMN age",
  "ALTER TABLE people RENAME COLUMN age TO years",
  "ALTER TABLE people RENAME TO persons",
  "ALTER TABLE people ALTER COLUMN age TYPE bigint",
  "ALTER TABLE people ALTER age SET NOT NULL",
  "ALTER TABLE people ADD COLUMN age integer NOT NULL",
  "ALTER TABLE people ADD CONSTRAINT adult CHECK (age > 17)",
  "DROP TABLE people",
  "DROP FUNCTION count_people",
  "CREATE INDEX people_age ON people (age)",
  "DROP INDEX people_age",
  "TRUNCATE people"
]
test("a migration that would break the previous release is refused, unless nothing is released yet", () => {
  expect(refused.filter((statement) => faultsIn(`SELECT 1;\n${statement};`).length !== 1)).toEqual([])
  expect(refused.filter((statement) => faultsIn(`${statement};`, []).length > 0)).toEqual([])
  // new tables of the next release are used only by that
  const others = refused.filter((statement) => /\bpeople\b/.test(statement))
  expect(others.flatMap((statement) => faultsIn(`CREATE TABLE people (age integer); ${statement};`))).toEqual([])
})

const allowed = [
  "ALTER TABLE people ADD COLUMN age integer",
  "ALTER TABLE people ADD COLUMN age integer NOT NULL DEFAULT 0",
  "ALTER TABLE people ADD CONSTRAINT adult CHECK (age > 17) NOT VALID",
  "CREATE TABLE pets (name text NOT NULL)",
  "CREATE INDEX CONCURRENTLY people_age ON people (age)",
  "DROP INDEX CONCURRENTLY IF EXISTS people_age",
  "-- contract: 1.2.0 does not read it\nALTER TABLE people DROP COLUMN age"
]
test("a migration after a release may expand the schema", () => {
  expect(allowed.flatMap((statement) => faultsIn(`${statement};`))).toEqual([])
})

test("a released migration is not checked again", () => {
  expect(faultsIn("DROP TABLE people;", ["0002_next"])).toEqual([])
})
