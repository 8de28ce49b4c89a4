/**
 * Every statement of requests, hosted pages, the console, the operator and jobs, with its conditions on the owner removed, as another
 * tenant: row-level security alone separates tenants. Rules 14.5.3 and 14.5.5.
 */
import { beforeAll, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Exit } from "effect"
import { tasks } from "../../src/jobs/Ticks.ts"
import { UnixSeconds } from "../../src/schemas/fields.ts"
import { AbsenceUid, OrganisationUid, SubscriptionUid } from "../../src/schemas/ids.ts"
import { Invoices } from "../../src/services/checkout/Invoices.ts"
import { Deliveries } from "../../src/services/events/Deliveries.ts"
import { DeliveryRunner } from "../../src/services/events/DeliveryRunner.ts"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { MessageSender } from "../../src/services/notifications/MessageSender.ts"
import { SentCopies } from "../../src/services/notifications/SentCopies.ts"
import { ownerColumn, retentionRules } from "../../src/services/operation/retentionRules.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { PrescriptionFiles } from "../../src/services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionRendering } from "../../src/services/prescriptions/PrescriptionRendering.ts"
import type { QueueName } from "../../src/services/queue/queues.ts"
import { Absences } from "../../src/services/scheduling/calendar/Absences.ts"
import { BusySources } from "../../src/services/scheduling/calendar/BusySources.ts"
import { asRequest, asWorker, onlyOwner, withoutOwner } from "../../src/services/tenancy/Tenancy.ts"
import { makeShop } from "../checkout/support/shop.ts"
import { askEvery } from "../http/matrix/askEvery.ts"
import { makeTenant, type Tenant } from "../http/matrix/tenant.ts"
import { isSkippedFor } from "../support/citus.ts"
import { visitConsole, visitPages } from "../support/everyPage.ts"
import { place } from "../support/provisioned.ts"
import { ownServer, type Services } from "../support/server.ts"
import { recording, type Statement } from "../support/statements.ts"
import { inDays, random } from "../support/world.ts"

const server = ownServer({ ROLE: "http" })
const query = (text: string, values: ReadonlyArray<string> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(text, [...values]))

let tenant: Tenant
let stranger: Tenant
/** The distinct statements of each source. */
const sent = new Map<string, ReadonlyArray<Statement>>()

const OWNER = /(?<![\w"])(?:\w+\.)?"?(?:organisation_uid|owner_uid|pharmacy_uid)"?\s*=\s*(\$\d+)(?!\w)/g

/** The statement with conditions on the owner that are always true; its parameters remain in use. */
const withoutOwnerIn = (text: string) => text.replace(OWNER, "($1::text IS NULL OR $1::text IS NOT NULL)")

/** The results of these functions belong to the key in their argument; whoever has the key is the owner. */
const BY_KEY = /\b(api_key_with|api_key_used|image_named|organisation_by|pharmacy_in_scope)\(/

const touchesRows = (text: string) =>
  /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text) &&
  !/pgboss|set_config|pg_advisory|clock|pg_xact_status/.test(text) &&
  !BY_KEY.test(text)

const record = async (source: string, work: () => Promise<unknown>) => {
  const { statements } = await recording(work, server.current.databaseUrl)
  const some = [...(sent.get(source) ?? []), ...statements.filter(({ text }) => touchesRows(text))]
  sent.set(source, [...new Map(some.map((one) => [`${one.role} ${one.text}`, one])).values()])
}
const of = (...roles: ReadonlyArray<Statement["role"]>) =>
  [...new Map([...sent.values()].flat().map((one) => [`${one.role} ${one.text}`, one])).values()].filter(({ role }) =>
    roles.includes(role)
  )

/** A daily total, and an erasure with retained records. */
const requestRest = async ({ world, named }: Tenant) => {
  await place(world, named.patient_uid ?? "", { status: "completed", start_date: inDays(-9, 9) })
  await world.api("GET", "/v1/management/scheduling/appointments?status=all&from=0&limit=1")
  const body = { reason: "asked for" }
  await world.api("POST", `/v1/management/patients/${named.patient_uid}/erase`, body)
}

/** Work that a job finds due only after a failure, inserted directly. */
const leave = async (shop: Awaited<ReturnType<typeof makeShop>>) => {
  const { organisation_uid, shop_uid, pharmacy_uid } = shop
  const old = "now() - interval '2 days'"
  const statements = [
    `INSERT INTO checkouts (organisation_uid, uid, shop_uid, created_at) VALUES ('${organisation_uid}', '${random("chk")}', '${shop_uid}', ${old})`,
    `INSERT INTO abandoned_checkouts (organisation_uid, uid, shop_uid, prescription_uids, abandoned_at)
      VALUES ('${organisation_uid}', '${random("chk")}', '${shop_uid}', '[]', ${old})`,
    `INSERT INTO erasures (organisation_uid, patient_uid, prescription_uids, orders, shop_order_ids, merged_uids, erased_at, orders_in_progress)
      SELECT organisation_uid, uid, '{}', '[]', '{}', '{}', ${old}, 1 FROM patients WHERE organisation_uid = '${tenant.world.organisation_uid}' LIMIT 1`,
    `INSERT INTO payouts (pharmacy_uid, pharmacy_order_uid, component_type, routing, amount, currency, routing_description,
        pharmacy_order_name, pharmacy_order_created_at, updated_at)
      SELECT pharmacy_uid, uid, 'item_markup', 'pending', 100, 'EUR', 'test', name, created_at, created_at FROM pharmacy_orders
      WHERE pharmacy_uid = '${pharmacy_uid}' LIMIT 1`
  ]
  for (const statement of statements) await server.current.run(query(statement))
}

/** Makes all records of the tenant twelve years old, except an appointment with a due reminder. */
const age = async ({ world, named }: Tenant) => {
  const owners = [world.organisation_uid, named.pharmacy_uid ?? ""]
  const older: Array<string> = []
  for (const [table, [rule]] of Map.groupBy(retentionRules, ({ table }) => table)) {
    const times = await server.current.run(
      query(
        "SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND data_type LIKE 'timestamp%' AND is_generated = 'NEVER'",
        [table]
      )
    )
    const set = times.map(({ name }) => `${name} = ${name} - interval '12 years'`).join(", ")
    if (rule !== undefined) older.push(`UPDATE ${table} SET ${set} WHERE ${ownerColumn(rule)} = ANY ($1)`)
  }
  const due = [
    `UPDATE appointments SET start_date = now() + interval '1 hour', end_date = now() + interval '80 minutes',
      confirmed_at = now() - interval '3 hours' WHERE organisation_uid = ANY ($1) AND uid = '${named.appointment_uid}'`,
    "UPDATE reminders SET effective_from = now() - interval '1 day' WHERE organisation_uid = ANY ($1)"
  ]
  for (const statement of [...older, ...due]) await server.current.query(statement, [owners])
}

/** The jobs of each queue, run with their owner's rows if their payload names an owner. */
const jobsOf = (shop: Awaited<ReturnType<typeof makeShop>>, prescription_uid: string, pharmacy_order_uid: string) => {
  const { organisation_uid, pharmacy_uid } = shop
  const ref = { organisation_uid, prescription_uid } as Parameters<PrescriptionRendering["render"]>[0]
  return {
    "storefront.invoice": Effect.flatMap(Invoices, (one) =>
      one.send({ shop_identifier: shop.shop_identifier, draft_order_id: "unknown" })
    ),
    "payout.route": Effect.flatMap(Routing, (one) =>
      one.routeOrder(
        pharmacy_uid as Parameters<Routing["routeOrder"]>[0],
        pharmacy_order_uid as Parameters<Routing["routeOrder"]>[1]
      )
    ).pipe(onlyOwner({ pharmacy_uid })),
    "prescription.render": Effect.flatMap(PrescriptionRendering, (one) => one.render(ref)).pipe(
      onlyOwner({ organisation_uid })
    ),
    "prescription.forget": Effect.flatMap(PrescriptionFiles, (one) => one.forget(ref)).pipe(
      onlyOwner({ organisation_uid })
    ),
    // the sweeps do the same work as these two
    "webhook.deliver": Effect.flatMap(DeliveryRunner, (one) => one.runDue()),
    "message.send": Effect.flatMap(MessageSender, (one) => one.sweep()),
    "webhook.replay": Effect.flatMap(Deliveries, (one) =>
      one.continueReplay({
        owner_uid: OrganisationUid.make(organisation_uid),
        subscription_uid: SubscriptionUid.make("unknown"),
        failed_until: UnixSeconds.make(0)
      })
    ).pipe(Effect.provide(Deliveries.Default), onlyOwner({ organisation_uid })),
    "answers.forget": Effect.flatMap(Idempotency, (one) => one.forget(organisation_uid, ["unknown"])).pipe(
      Effect.provide(Idempotency.Default),
      onlyOwner({ organisation_uid })
    ),
    "absence.settle": Effect.flatMap(Absences, (one) =>
      one.settle(OrganisationUid.make(organisation_uid), AbsenceUid.make("unknown"))
    ).pipe(Effect.provide(Absences.Default), onlyOwner({ organisation_uid })),
    "calendar.read": Effect.flatMap(BusySources, (one) => one.readDue()),
    // sends no statement
    "message.forget": Effect.flatMap(SentCopies, (one) => one.forget([]))
  } satisfies Record<Exclude<QueueName, `maintenance.${string}`>, unknown>
}

type Job = Effect.Effect<unknown, unknown, Services>
const asJob = (job: Job) => Effect.exit(job).pipe(withoutOwner, asRequest({ action: "job.test" }))

const isCluster = isSkippedFor("there Citus refuses many a statement without its owner, before any policy")

beforeAll(async () => {
  if (isCluster) return
  tenant = await makeTenant(server.current)
  stranger = await makeTenant(server.current)
  const shop = await makeShop(server.current)
  const unsold = await makeShop(server.current, { default_pharmacy: false })
  await server.current.run(query("UPDATE organisations SET messages = '{confirmation}', public_booking = true"))
  await record("pages", () => visitPages(server.current, tenant, shop))
  await record("console", () => visitConsole(server.current, tenant))
  await record("operations", () => askEvery(server.current, tenant))
  const order = shop.order({ note_attributes: [{ name: "transaction_id", value: random("tr") }] })
  await record("operations", () => shop.sendWebhook("orders/paid", order))
  await unsold.sendWebhook("orders/paid", { ...order, line_items: [unsold.line({ variant: 1 })] })
  await leave(shop)
  const old = await makeTenant(server.current)
  await old.world.booked(inDays(6, 9), "customer-2")
  const [made] = await server.current.run(
    query("SELECT uid FROM pharmacy_orders WHERE pharmacy_uid = $1 LIMIT 1", [shop.pharmacy_uid])
  )
  const [prescription] = await server.current.run(
    query("SELECT uid FROM prescriptions WHERE organisation_uid = $1 LIMIT 1", [shop.organisation_uid])
  )
  const jobs: ReadonlyArray<Job> = Object.values(jobsOf(shop, String(prescription?.uid), String(made?.uid)))
  const periodic: ReadonlyArray<Job> = Object.values(tasks)
  for (const job of jobs) await record("jobs", () => server.current.run(asJob(job)))
  await record("operations", () => requestRest(old))
  await age(old)
  for (const task of periodic) await record("jobs", () => server.current.run(asJob(task)))
}, 400_000)

interface Outcome {
  readonly statement: Statement
  readonly rows: ReadonlyArray<unknown>
  readonly refused: boolean
}

/** Runs each statement in its own transaction, as this owner; those of the worker's role in that role, without an owner. */
const replayed = (statements: ReadonlyArray<Statement>, as: Tenant): Promise<ReadonlyArray<Outcome>> => {
  const owner = { organisation_uid: as.world.organisation_uid, pharmacy_uid: as.named.pharmacy_uid ?? null }
  const one = (statement: Statement) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => {
      const text = withoutOwnerIn(statement.text)
      // as: recorded parameters of the same driver
      const values = [...statement.values] as Array<string>
      return sql.withTransaction(sql.unsafe(text, values))
    }).pipe(
      Effect.exit,
      Effect.map(
        (exit): Outcome => ({ statement, rows: Exit.isSuccess(exit) ? exit.value : [], refused: Exit.isFailure(exit) })
      ),
      statement.role === "worker" ? asWorker() : onlyOwner(owner)
    )
  return server.current.run(Effect.forEach(statements, one).pipe(asRequest({ action: "replay" })))
}

interface Table {
  readonly name: string
  readonly owners: ReadonlyArray<string>
}
const tablesOfTenants = (): Promise<ReadonlyArray<Table>> =>
  server.current.run(
    Effect.map(
      query(`SELECT c.relname AS name, array_agg(a.attname::text) AS owners FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
          AND a.attname IN ('organisation_uid', 'pharmacy_uid', 'owner_uid') GROUP BY 1 ORDER BY 1`),
      (rows) => rows as unknown as ReadonlyArray<Table>
    )
  )

const ownersOf = ({ world, named }: Tenant) => [world.organisation_uid, named.pharmacy_uid ?? ""]

/** The rows of all tenants but one, as JSON, by table. */
const othersRows = async (tables: ReadonlyArray<Table>, but: Tenant) => {
  const rows = new Map<string, ReadonlyArray<string>>()
  for (const { name, owners } of tables) {
    const otherOwners = owners.map((owner) => `t.${owner} <> ALL ($1)`).join(" AND ")
    const found = await server.current.query<{ row: string }>(
      `SELECT (to_jsonb(t) - '{last_used_at,feed_position}'::text[])::text AS row FROM ${name} t
        WHERE ${otherOwners} ORDER BY 1`,
      [ownersOf(but)]
    )
    rows.set(
      name,
      found.map(({ row }) => row)
    )
  }
  return rows
}

const UID = /\b[a-z]{2,12}_[0-9a-z]{12,}\b/g
const uidsIn = (value: unknown) => JSON.stringify(value).match(UID) ?? []

/** Uids of other tenants' rows in the result that are not in the statement's parameters. */
const foreignIn = ({ statement, rows }: Outcome, foreign: ReadonlySet<string>) => {
  const named = new Set(uidsIn(statement.values))
  return [...new Set(uidsIn(rows))].filter((uid) => foreign.has(uid) && !named.has(uid))
}

/** Tables that no recorded statement names, and how their tenants are separated. */
const elsewhere: Readonly<Record<string, string>> = {
  fhir_assertions: "FHIR is switched off here; rowSecurity.test.ts asks every table as another tenant",
  published_reminders: "no reminder is due here; rowSecurity.test.ts asks every table as another tenant",
  reminder_watermarks: "likewise; they are moved by a function of the worker's",
  webhook_delivery_counts: "kept by triggers; rowSecurity.test.ts asks it"
}

// Shows: another organisation or pharmacy, with a valid key
test.skipIf(isCluster)(
  "reads and changes no other tenant's row, in any table",
  async () => {
    const tables = await tablesOfTenants()
    const statements = of("service", "search")
    const ofWorker = of("worker")
    expect(statements.length).toBeGreaterThan(200)
    expect(ofWorker.length).toBeGreaterThan(5)
    const without = statements.filter(({ text }) => withoutOwnerIn(text) !== text)
    expect(without.length).toBeGreaterThan(100)

    const before = await othersRows(tables, stranger)
    const rows = [...before.values()].flat()
    const owners = new Set(
      rows.flatMap((row) =>
        Object.entries(JSON.parse(row)).flatMap(([column, value]) =>
          /^(organisation|owner|pharmacy)_uid$/.test(column) ? [String(value)] : []
        )
      )
    )
    // Articles have no owner; an order names them and its creator
    const shared = new Set([...stranger.secrets, ...uidsIn(await server.current.run(query("TABLE skus")))])
    const foreign = new Set(rows.flatMap(uidsIn).filter((uid) => !shared.has(uid)))
    expect(foreign.size).toBeGreaterThan(100)

    const outcomes = await replayed([...statements, ...ofWorker], stranger)
    const found = outcomes.flatMap((outcome) =>
      foreignIn(outcome, foreign)
        // the jobs' role learns only which owners have due work
        .filter((uid) => !(outcome.statement.role === "worker" && owners.has(uid)))
        .map((uid) => `${uid}: ${outcome.statement.text}`)
    )
    expect(found).toEqual([])
    expect(await othersRows(tables, stranger)).toEqual(before)

    // The same statements find rows for their own tenant: the policies hide the others
    const mine = (await replayed(statements, tenant)).filter(({ rows }) => rows.length > 0).length
    const others = outcomes.filter(({ rows }) => rows.length > 0).length
    const refused = outcomes.filter((outcome) => outcome.refused).length
    expect(mine).toBeGreaterThan(30)

    const texts = [...statements, ...ofWorker].map(({ text }) => text)
    const covered = tables.filter(({ name }) => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
    const missing = tables.filter((table) => !covered.includes(table)).map(({ name }) => name)
    expect(missing).toEqual(Object.keys(elsewhere).toSorted())
    console.log(
      [
        ...[...sent].map(([source, some]) => `${source}: ${some.length} statements`),
        `${statements.length + ofWorker.length} asked, ${without.length} with owners taken out: ${found.length} foreign rows; rows for ${mine} as their own tenant, for ${others} as another, ${refused} refused`,
        `${of("operator").length} of the operator run across tenants by design`,
        `${covered.length} tables: ${covered.map(({ name }) => name).join(", ")}`
      ].join("\n")
    )
  },
  200_000
)
