/** The service as a database user that owns no tables. Rules 15.2.1 and 15.2.2. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Either, Redacted } from "effect"
import { sqlStateOf } from "../../src/services/database/SqlErrors.ts"
import { grantLogin } from "../../src/services/tenancy/LoginRole.ts"
import { acrossTenants, asLogin, asRequest, asWorker, withoutOwner } from "../../src/services/tenancy/Tenancy.ts"
import { startReceiver } from "../events/receiver.ts"
import { askEvery } from "../http/matrix/askEvery.ts"
import { makeTenant } from "../http/matrix/tenant.ts"
import { isSkippedFor } from "../support/citus.ts"
import { commandLine } from "../support/cli.ts"
import { eventually } from "../support/eventually.ts"
import { runPeriodicTasks } from "../support/periodicTasks.ts"
import { rowsAt } from "../support/postgres.ts"
import { isLong } from "../support/scale.ts"
import { ownServer, startServer, type TestServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const owner = ownServer({ ROLE: "http" })
const login = random("sprechstunde_app")
let service: TestServer

const urlOf = (user: string) => {
  const address = new URL(owner.current.databaseUrl)
  address.username = user
  return address.href
}

const isCluster = isSkippedFor("its nodes know no roles of a transaction, and the service logs in as the tables' owner")

beforeAll(async () => {
  if (isCluster) return
  const password = await owner.current.run(grantLogin(login))
  expect(password).toMatch(/^.{32}$/)
  expect(await owner.current.run(grantLogin(login))).toBeNull()
  service = await startServer({}, urlOf(login))
})
afterAll(() => service?.stop())

/** What a statement is refused with. */
const stateOf = (statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.either(sql.unsafe(statement))).pipe(
    Effect.map((result) => (Either.isLeft(result) ? sqlStateOf(result.left) : "done"))
  )

/** What a start says that fails. */
const outcomeOf = (environment: Readonly<Record<string, string>>, url: string) =>
  startServer(environment, url).then((server) => server.stop().then(() => "started"), String)

const READY = [200, { status: "ready" }]
const readiness = async (url: string) => {
  const answer = await fetch(`${url}/readyz`)
  return [answer.status, await answer.json()]
}

test.skipIf(isCluster)("is ready, serves requests and runs jobs; Rule 14.3.2", async () => {
  expect(await readiness(service.url)).toEqual(READY)
  const world = await makeWorld(service)
  const receiver = await startReceiver()
  const subscribed = await service.api("POST", "/v1/management/notification-subscriptions", {
    key: world.key,
    body: { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: receiver.url("/hook") }
  })
  expect(subscribed.status).toBe(201)
  await world.booked(inDays(2, 9), "anna")
  await eventually(
    async () => receiver.all.length,
    (count) => count > 0
  )
  await receiver.stop()
})

test.skipIf(isCluster)("is not ready, and names the cause, without a privilege that it needs", async () => {
  const name = random("sprechstunde_stripped")
  await owner.current.run(grantLogin(name))
  const started = await startServer({ ROLE: "http" }, urlOf(name))
  await owner.current.run(
    asLogin(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`REVOKE sprechstunde_service FROM ${name}`)))
  )
  const [status, body] = await readiness(started.url)
  expect(status).toBe(503)
  expect(JSON.stringify(body)).toContain("permission denied to set role")
  await started.stop()
})

test.skipIf(isCluster)("sees no row before SET ROLE, and cannot change a table", async () => {
  const refused = (statement: string) => service.run(asLogin(stateOf(statement)))
  for (const statement of [
    "SELECT * FROM appointments",
    "SELECT * FROM data_keys",
    "ALTER TABLE appointments DISABLE ROW LEVEL SECURITY",
    "DROP POLICY tenant ON appointments",
    "CREATE TABLE mine (a integer)",
    "DELETE FROM audit_entries",
    `SELECT grant_service('${login}', true, true)`
  ])
    expect([statement, await refused(statement)]).toEqual([statement, "42501"])
})

if (isLong)
  test.skipIf(isCluster)(
    "as a user who cannot take the roles of jobs and of the operator, a process serves every kind of request (Rules 14.5.4 and 15.2.1)",
    async () => {
      const http = random("sprechstunde_http")
      await owner.current.run(grantLogin(http))
      const serving = await startServer({ ROLE: "http", FILE_STORE: `file:${service.dataDir}/files` }, urlOf(http))
      const tenant = await makeTenant(serving)
      await owner.current.run(grantLogin(http, { jobs: false, operator: false }))
      for (const role of [acrossTenants, asWorker()]) expect(await serving.run(role(stateOf("SELECT 1")))).toBe("42501")
      const statuses = await askEvery(serving, tenant)
      expect(statuses.filter(([, status]) => status >= 500)).toEqual([])
      expect(statuses.length).toBeGreaterThan(80)
      const { status } = await serving.api("GET", "/v1/operator/status", await tenant.credentials.operator())
      expect(status).toBe(403)
      await serving.stop()
    },
    300_000
  )

test.skipIf(isCluster)(
  "as a user who cannot take the operator's role, a process runs every periodic task (Rules 14.5.5 and 15.2.1)",
  async () => {
    const name = random("sprechstunde_worker")
    await owner.current.run(grantLogin(name))
    const working = await startServer({ ROLE: "http", FILE_STORE: `file:${service.dataDir}/files` }, urlOf(name))
    const world = await makeWorld(working)
    await world.hold(await world.session("berta"), inDays(2, 10))
    await owner.current.run(grantLogin(name, { jobs: true, operator: false }))
    const done = await working.run(runPeriodicTasks.pipe(withoutOwner, asRequest({ action: "test" })))
    expect(done["maintenance.audit"]).toBeGreaterThan(0)
    await working.stop()
  }
)

test.skipIf(isCluster).each([
  ["worker", { jobs: true, operator: false }],
  ["http", { jobs: false, operator: false }]
] as const)(
  "as a user who cannot take the operator's role, a process is ready and leaves PROVISION_FILE to others (ROLE=%s, Rule 14.3.2)",
  async (role, grants) => {
    const name = random("sprechstunde_limited")
    await owner.current.run(grantLogin(name, grants))
    const environment = { ROLE: role, PROVISION_FILE: `${owner.current.dataDir}/missing.json` }
    const started = await startServer(environment, urlOf(name))
    expect(await readiness(started.url)).toEqual(READY)
    await started.stop()
    expect(await outcomeOf(environment, urlOf(login))).toContain("missing.json")
  }
)

test.skipIf(isCluster)(
  "gets its password, also when it changes, and the service's limits behind a pooler",
  async () => {
    const name = random("sprechstunde_given")
    const stored = async (password: string) => {
      expect(await owner.current.run(grantLogin(name, { jobs: false, password: Redacted.make(password) }))).toBeNull()
      const [role] = await owner.current.run(
        asLogin(
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.orDie(sql<{ secret: string; limits: Array<string>; owns: boolean }>`SELECT a.rolpassword AS secret,
            s.setconfig AS limits, a.rolsuper OR a.rolinherit AS owns
            FROM pg_authid a JOIN pg_db_role_setting s ON s.setrole = a.oid WHERE a.rolname = ${name}`)
          )
        )
      )
      return role
    }
    const first = await stored("it's one")
    expect(first).toMatchObject({ owns: false, secret: expect.stringMatching(/^SCRAM-SHA-256/) })
    expect(first?.limits).toContain("statement_timeout=30000")
    expect((await stored("another"))?.secret).not.toBe(first?.secret)
  }
)

test.skipIf(isCluster)("an existing user sees no row before SET ROLE", async () => {
  const name = random("sprechstunde_known")
  const [role] = await owner.current.run(
    asLogin(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`CREATE ROLE ${name} LOGIN INHERIT`)
        yield* grantLogin(name)
        return yield* sql<{ inherits: boolean }>`SELECT rolinherit AS inherits FROM pg_roles WHERE rolname = ${name}`
      })
    )
  )
  expect(role?.inherits).toBe(false)
})

test.skipIf(isCluster)("is refused if the owner has not migrated", async () => {
  const { databaseUrl } = owner.current
  const rows = await rowsAt(databaseUrl, "DELETE FROM sprechstunde_migrations WHERE name LIKE '%audit%' RETURNING *")
  const started = await outcomeOf({}, urlOf(login))
  const put =
    "INSERT INTO sprechstunde_migrations SELECT * FROM json_populate_recordset(NULL::sprechstunde_migrations, $1)"
  await rowsAt(databaseUrl, put, [JSON.stringify(rows)])
  expect(started).toContain("run `cli migrate` as their owner first")
})

test.skipIf(isCluster)(
  "as a user who cannot take the operator's role, a command names the login that it needs, without a stack trace (Rule 15.2.1)",
  async () => {
    const name = random("sprechstunde_http")
    await owner.current.run(grantLogin(name, { jobs: false, operator: false }))
    const command = commandLine({ DATABASE_URL: urlOf(name), DATA_DIR: owner.current.dataDir })
    for (const args of [
      ["organisations", "create", "--name", "A", "--timezone", "Europe/Berlin", "--shop-identifier", random("shop")],
      ["payouts", "parked"]
    ]) {
      const { status, said } = await command(...args)
      expect([args[0], status]).toEqual([args[0], 1])
      expect(said).toContain(
        `DATABASE_URL: the database user ${name} may not set sprechstunde_operator, which this command needs. Use the login of \`cli database-login sprechstunde_app\``
      )
      expect(said).not.toMatch(/^ +at /m)
    }
  }
)
