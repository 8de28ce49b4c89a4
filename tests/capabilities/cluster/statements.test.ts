/**
 * Checks every statement of operations, pages, the console, commands and periodic tasks against the rules of a cluster, on any PostgreSQL: the service treats
 * it as distributed and sends the statements for a cluster.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { Effect } from "effect"
import { AbsenceUid } from "../../../src/capabilities/absences/schemas/Absence.ts"
import { Absences } from "../../../src/capabilities/absences/services/Absences.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { DeliveryRunner } from "../../../src/services/events/DeliveryRunner.ts"
import { onlyOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { makeShop } from "../../checkout/support/shop.ts"
import { askEvery } from "../../http/matrix/askEvery.ts"
import { makeTenant, type Tenant } from "../../http/matrix/tenant.ts"
import { commandLine } from "../../support/cli.ts"
import { visitConsole, visitPages } from "../../support/everyPage.ts"
import { runPeriodicTasks } from "../../support/periodicTasks.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { recording } from "../../support/statements.ts"
import { inDays, random } from "../../support/world.ts"
import { clusterDatabase, clusterFaults, exceptions } from "./rules.ts"

let server: TestServer
let requests: ReadonlyArray<string>
let pages: ReadonlyArray<string>
let commands: ReadonlyArray<string>
let tasks: ReadonlyArray<string>

/** The commands that query the database, except those that migrate, distribute or partition it. */
const runCommands = async ({ world, named, valueOf }: Tenant) => {
  const cli = commandLine({ DATABASE_URL: server.databaseUrl, DATA_DIR: server.dataDir })
  const { organisation_uid } = world
  const organisation = ["--organisation", organisation_uid]
  const patient = String(named.patient_uid)
  const subscription = String(await valueOf("/v1/management/notification-subscriptions", "subscription_uid"))
  const made = await cli("keys", "create", "--name", "x", ...organisation, "--permission", "patients:read")
  const all = [
    ["keys", "list", ...organisation],
    ["keys", "revoke", /key_\w+/.exec(made.said)?.[0] ?? ""],
    [
      "organisations",
      "create",
      "--name",
      "Praxis",
      "--timezone",
      "UTC",
      "--shop-identifier",
      random("shop"),
      "--doctor",
      "Ada"
    ],
    ["orders", "waiting"],
    ["payouts", "parked"],
    ["payouts", "resume", String(named.pharmacy_uid), String(named.pharmacy_order_uid)],
    ["webhooks", "replay", "--owner", organisation_uid, "--subscription", subscription],
    ["retention", "report"],
    ["retention", "report", ...organisation],
    ["audit", "verify"],
    ["audit", "export", ...organisation],
    ["secrets", "rotate-master-key"],
    ["patients", "consents", ...organisation, patient],
    ["patients", "export", ...organisation, patient],
    ["patients", "rectify", ...organisation, "--field", "first_name=Ada", patient],
    ["patients", "restrict", ...organisation, patient],
    ["patients", "restrict", ...organisation, "--lift", patient],
    ["patients", "withdraw", ...organisation, patient, String(named.consent_uid)],
    ["patients", "erase", ...organisation, "--reason", "asked for", patient],
    ["patients", "kept", ...organisation, patient],
    ["patients", "erasures"],
    ["organisations", "erase", "--yes", organisation_uid]
  ]
  const failed: Array<string> = []
  for (const one of all) {
    const { status, said } = await cli(...one)
    if (status !== 0) failed.push(`${one.slice(0, 2).join(" ")}: ${said.trim().split("\n").at(-1)}`)
  }
  return failed
}

const everyTask = Effect.all([runPeriodicTasks, Effect.flatMap(DeliveryRunner, (one) => one.runDue())], {
  discard: true
})

/** An absence that cancels an appointment. */
const absent = async ({ world }: Tenant) => {
  await world.booked(inDays(8, 9))
  const body = { doctor_uid: world.doctor, from: inDays(8), to: inDays(9), appointments: "cancel" }
  const made = await world.api("POST", "/v1/management/scheduling/absences", body)
  expect(made.body.appointments).toMatchObject({ waiting: 1 })
  return { owner: OrganisationUid.make(world.organisation_uid), uid: AbsenceUid.make(made.body.uid) }
}

beforeAll(async () => {
  server = await startServer({ ROLE: "http", SANDBOX: "true" }, await clusterDatabase())
  const textsOf = async (work: () => Promise<unknown>) => {
    const { statements } = await recording(work, server.databaseUrl)
    return [...new Set(statements.filter(({ role }) => role !== "login").map(({ text }) => text))]
  }
  const tenant = await makeTenant(server)
  const shop = await makeShop(server)
  pages = await textsOf(async () => {
    await visitPages(server, tenant, shop)
    await visitConsole(server, tenant)
  })
  let absence: Awaited<ReturnType<typeof absent>> | undefined
  const operations = await textsOf(async () => {
    absence = await absent(await makeTenant(server))
    await askEvery(server, tenant, true)
  })
  const other = await makeTenant(server)
  commands = await textsOf(async () => expect(await runCommands(other)).toEqual([]))
  // In the far future everything is due
  const years = { key: tenant.world.key, body: { advance_seconds: 4 * 366 * 86_400 } }
  tasks = await textsOf(async () => {
    await server.run(everyTask)
    if (absence === undefined) throw new Error("no absence was made")
    const { owner, uid } = absence
    await server.run(onlyOwner(owner)(Effect.flatMap(Absences, ({ settle }) => settle(owner, uid))))
    expect((await server.api("POST", "/v1/sandbox/clock", years)).status).toBe(200)
    await server.advance(8 * 366 * 86_400)
    await server.run(everyTask)
  })
  // Moving the sandbox clock runs due work
  requests = operations.filter((text) => !tasks.includes(text))
}, 300_000)
afterAll(() => server.stop())

const faultsIn = (texts: ReadonlyArray<string>, allowed: ReadonlyArray<RegExp>) =>
  texts
    .filter((text) => !allowed.some((one) => one.test(text)))
    .flatMap((text) => clusterFaults(text).map((fault) => `${fault}: ${text}`))

test("every statement of a request names its owner for each table", () => {
  expect(requests.length).toBeGreaterThan(150)
  expect(faultsIn(requests, Object.values(exceptions.requests))).toEqual([])
})

test("every statement of a page, including the console's, does so too", () => {
  const others = pages.filter((text) => !requests.includes(text))
  expect(others.length).toBeGreaterThan(5)
  expect(faultsIn(others, Object.values(exceptions.requests))).toEqual([])
})

test("every statement of a command does so, except an operator's queries over all tenants", () => {
  const others = commands.filter((text) => !requests.includes(text) && !pages.includes(text))
  expect(others.length).toBeGreaterThan(5)
  expect(
    faultsIn(
      others,
      Object.values(exceptions).flatMap((some) => Object.values(some))
    )
  ).toEqual([])
})

test("every statement of a periodic task does so, except those that find owners with due work", () => {
  expect(faultsIn(tasks, Object.values(exceptions.tasks))).toEqual([])
})

test("no exception is unused", () => {
  const sent = [...requests, ...pages, ...commands, ...tasks]
  const unused = Object.values(exceptions)
    .flatMap((some) => Object.entries(some))
    .filter(([, one]) => !sent.some((text) => one.test(text)))
  expect(unused.map(([name]) => name)).toEqual([])
})

test("statements that a cluster refuses are found", () => {
  const found = [
    "WITH a AS (INSERT INTO events (owner_uid) VALUES ($1) RETURNING id) SELECT * FROM a",
    "WITH a AS (DELETE FROM checkouts WHERE organisation_uid = $1 RETURNING uid) INSERT INTO abandoned_checkouts (organisation_uid) SELECT $1 FROM a",
    "INSERT INTO doctors (organisation_uid, timezone) VALUES ($1, (SELECT timezone FROM organisations))",
    "INSERT INTO patients (organisation_uid) VALUES ($1) ON CONFLICT (uid) DO UPDATE SET uid = (SELECT 1)",
    "SELECT uid FROM appointments WHERE status = 'held' FOR UPDATE SKIP LOCKED",
    "SELECT 1 FROM appointments a JOIN doctors d ON d.organisation_uid = a.organisation_uid WHERE a.organisation_uid = $1",
    "SELECT (SELECT count(*) FROM patients p WHERE p.organisation_uid = a.organisation_uid) FROM appointments a WHERE a.organisation_uid = $1",
    "UPDATE pharmacy_orders SET paid = true WHERE pharmacy_uid = $1 RETURNING json_build_object('uid', uid)",
    "INSERT INTO patients (organisation_uid, uid) SELECT organisation_uid, uid FROM doctors WHERE organisation_uid = $1 RETURNING uid",
    "INSERT INTO patients (organisation_uid, uid) SELECT $1, uid FROM jsonb_to_recordset($2) AS p(uid text)",
    "UPDATE appointments SET visit_reason_encrypted = ($2::text[])[1] WHERE organisation_uid = $1",
    "SELECT cheapest_pharmacy($1, $2)",
    "SELECT k.name FROM prescription_log l JOIN api_keys k ON k.uid = l.actor_uid WHERE l.organisation_uid = $1"
  ]
  expect(found.filter((text) => clusterFaults(text).length === 0)).toEqual([])
})
