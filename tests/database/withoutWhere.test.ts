/**
 * Every statement of requests, hosted pages, the console, the operator and jobs, with its conditions on the owner removed, as another
 * tenant: row-level security alone separates tenants. Rules 14.5.3 and 14.5.5.
 */
import { beforeAll, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Exit } from "effect"
import { AbsenceUid } from "../../src/capabilities/absences/schemas/Absence.ts"
import { Absences } from "../../src/capabilities/absences/services/Absences.ts"
import { BusySources } from "../../src/capabilities/calendars/services/BusySources.ts"
import { CalendarSync } from "../../src/capabilities/calendars/services/connections/CalendarSync.ts"
import { PublicBookings } from "../../src/capabilities/public-booking/services/PublicBookings.ts"
import { UnixSeconds } from "../../src/schemas/fields.ts"
import {
  OrganisationUid,
  PharmacyOrderUid,
  PharmacyUid,
  PrescriptionUid,
  SubscriptionUid
} from "../../src/schemas/ids.ts"
import { Invoices } from "../../src/services/checkout/Invoices.ts"
import { DomainClock } from "../../src/services/DomainClock.ts"
import { Deliveries } from "../../src/services/events/Deliveries.ts"
import { DeliveryRunner } from "../../src/services/events/DeliveryRunner.ts"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { MessageSender } from "../../src/services/notifications/MessageSender.ts"
import { SentCopies } from "../../src/services/notifications/SentCopies.ts"
import { Routing } from "../../src/services/pharmacy/Routing.ts"
import { PrescriptionFiles } from "../../src/services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionRendering } from "../../src/services/prescriptions/PrescriptionRendering.ts"
import type { QueueName } from "../../src/services/queue/queues.ts"
import { asRequest, asWorker, onlyOwner, withoutOwner } from "../../src/services/tenancy/Tenancy.ts"
import { makeShop, type ShopWorld } from "../checkout/support/shop.ts"
import { askEvery } from "../http/matrix/askEvery.ts"
import { makeTenant, type Tenant } from "../http/matrix/tenant.ts"
import { isSkippedFor } from "../support/citus.ts"
import { visitConsole, visitPages } from "../support/everyPage.ts"
import { periodicTasks } from "../support/periodicTasks.ts"
import { place } from "../support/provisioned.ts"
import { ownServer, type Services } from "../support/server.ts"
import { recording, type Statement } from "../support/statements.ts"
import { inDays, random } from "../support/world.ts"

const server = ownServer({ ROLE: "http", SANDBOX: "true" })

let tenant: Tenant
let stranger: Tenant
/** The distinct statements of each role. */
const sent = new Map<string, Statement>()

const OWNER = /(?<![\w"])(?:\w+\.)?"?(?:organisation_uid|owner_uid|pharmacy_uid)"?\s*=\s*(\$\d+)(?!\w)/g

/** The statement with conditions on the owner that are always true; its parameters remain in use. */
const withoutOwnerIn = (text: string) => text.replace(OWNER, "($1::text IS NULL OR $1::text IS NOT NULL)")

/** The results of these functions belong to the key in their argument; whoever has the key is the owner. */
const BY_KEY = /\b(api_key_with|api_key_used|image_named|organisation_by|pharmacy_in_scope)\(/

const touchesRows = (text: string) =>
  /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text) &&
  !/pgboss|set_config|pg_advisory|clock|pg_xact_status/.test(text) &&
  !BY_KEY.test(text)

const record = async (work: () => Promise<unknown>) => {
  const { statements } = await recording(work, server.current.databaseUrl)
  for (const one of statements) if (touchesRows(one.text)) sent.set(`${one.role} ${one.text}`, one)
}
const of = (...roles: ReadonlyArray<Statement["role"]>) => [...sent.values()].filter(({ role }) => roles.includes(role))

/** A daily total, and an erasure with retained records. */
const requestRest = async ({ world, named }: Tenant) => {
  await place(world, named.patient_uid ?? "", { status: "completed", start_date: inDays(-9, 9) })
  await world.api("GET", "/v1/management/scheduling/appointments?status=all&from=0&limit=1")
  const body = { reason: "asked for" }
  await world.api("POST", `/v1/management/patients/${named.patient_uid}/erase`, body)
}

/** The jobs of each queue, run with their owner's rows if their payload names an owner. */
const jobsOf = (shop: ShopWorld, prescription_uid: string, pharmacy_order_uid: string) => {
  const { shop_identifier } = shop
  const [owner, pharmacy] = [OrganisationUid.make(shop.organisation_uid), PharmacyUid.make(shop.pharmacy_uid)]
  const ref = { organisation_uid: owner, prescription_uid: PrescriptionUid.make(prescription_uid) }
  const order = PharmacyOrderUid.make(pharmacy_order_uid)
  const replay = {
    owner_uid: owner,
    subscription_uid: SubscriptionUid.make("unknown"),
    failed_until: UnixSeconds.make(0)
  }
  const invoice = { shop_identifier, draft_order_id: "unknown" }
  const inPractice = onlyOwner({ organisation_uid: owner })
  return {
    "storefront.invoice": Effect.flatMap(Invoices, (one) => one.send(invoice)),
    "payout.route": onlyOwner({ pharmacy_uid: pharmacy })(
      Effect.flatMap(Routing, (one) => one.routeOrder(pharmacy, order))
    ),
    "prescription.render": inPractice(Effect.flatMap(PrescriptionRendering, (one) => one.render(ref))),
    "prescription.forget": inPractice(Effect.flatMap(PrescriptionFiles, (one) => one.forget(ref))),
    // the sweeps do the same work as these two
    "webhook.deliver": Effect.flatMap(DeliveryRunner, (one) => one.runDue()),
    "message.send": Effect.flatMap(MessageSender, (one) => one.sweep()),
    "webhook.replay": inPractice(Effect.flatMap(Deliveries, (one) => one.continueReplay(replay))).pipe(
      Effect.provide(Deliveries.Default)
    ),
    "answers.forget": inPractice(Effect.flatMap(Idempotency, (one) => one.forget(owner, ["unknown"]))).pipe(
      Effect.provide(Idempotency.Default)
    ),
    "absence.settle": inPractice(Effect.flatMap(Absences, (one) => one.settle(owner, AbsenceUid.make("unknown")))),
    "booking.code": inPractice(Effect.flatMap(PublicBookings, (one) => one.mail(owner, "unknown"))).pipe(
      Effect.provide(PublicBookings.Default)
    ),
    "calendar.sync": Effect.flatMap(CalendarSync, (one) => one.syncDue()),
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
  const shop = await makeShop(server.current)
  const unsold = await makeShop(server.current, { default_pharmacy: false })
  const old = await makeTenant(server.current)
  await old.world.booked(inDays(6, 9), "customer-2")
  const order = shop.order({ note_attributes: [{ name: "transaction_id", value: random("tr") }] })
  await record(() => shop.sendWebhook("orders/paid", order))
  await unsold.sendWebhook("orders/paid", { ...order, line_items: [unsold.line({ variant: 1 })] })
  const [made] = await shop.pharmacyOrders()
  const { body } = await shop.prescribe()
  const jobs: ReadonlyArray<Job> = Object.values(jobsOf(shop, body.prescriptions[0].prescription_uid, made?.uid ?? ""))
  await record(() => server.current.run(Effect.forEach(jobs, asJob, { discard: true })))
  await record(() => requestRest(old))
  const periodic = () =>
    server.current.run(
      Effect.flatMap(periodicTasks, (tasks) => Effect.forEach(tasks, ({ run }) => asJob(run), { discard: true }))
    )
  await record(periodic)
  // In the far future everything is due
  await server.current.advance(12 * 366 * 86_400)
  await record(periodic)
  await server.current.run(Effect.flatMap(DomainClock, ({ restore }) => restore))

  tenant = await makeTenant(server.current)
  stranger = await makeTenant(server.current)
  await server.current
    .sql`UPDATE organisations SET messages = '{confirmation}', added = added || '{"public_booking": true}'`
  await record(() => visitPages(server.current, tenant, shop))
  await record(() => visitConsole(server.current, tenant))
  await record(() => askEvery(server.current, tenant))
}, 400_000)

interface Outcome {
  readonly statement: Statement
  readonly rows: ReadonlyArray<unknown>
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
      Effect.map((exit): Outcome => ({ statement, rows: Exit.isSuccess(exit) ? exit.value : [] })),
      statement.role === "worker" ? asWorker() : onlyOwner(owner)
    )
  return server.current.run(Effect.forEach(statements, one).pipe(asRequest({ action: "replay" })))
}

interface Table {
  readonly name: string
  readonly owners: ReadonlyArray<string>
}
const tablesOfTenants = () =>
  server.current.query<Table>(`SELECT c.relname AS name, array_agg(a.attname::text) AS owners
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
      AND a.attname IN ('organisation_uid', 'pharmacy_uid', 'owner_uid') GROUP BY 1 ORDER BY 1`)

const ownersOf = ({ world, named }: Tenant) => [world.organisation_uid, named.pharmacy_uid ?? ""]

interface Named {
  readonly name: string
  readonly row: Readonly<Record<string, unknown>>
}
/** The rows of all tenants but one. */
const othersRows = (tables: ReadonlyArray<Table>, but: Tenant) => {
  const selects = tables.map(({ name, owners }) => {
    const otherOwners = owners.map((owner) => `t.${owner} <> ALL ($1)`).join(" AND ")
    return `SELECT '${name}' AS name, to_jsonb(t) - '{last_used_at,feed_position}'::text[] AS row FROM ${name} t WHERE ${otherOwners}`
  })
  return server.current.query<Named>(`${selects.join(" UNION ALL ")} ORDER BY 1, 2`, [ownersOf(but)])
}

const UID = /\b[a-z]{2,12}_[0-9a-z]{12,}\b/g
const uidsIn = (value: unknown) => JSON.stringify(value).match(UID) ?? []

/** Uids of other tenants' rows in the result that are not in the statement's parameters. */
const foreignIn = ({ statement, rows }: Outcome, foreign: ReadonlySet<string>) => {
  const named = new Set(uidsIn(statement.values))
  return [...new Set(uidsIn(rows))].filter((uid) => foreign.has(uid) && !named.has(uid))
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
    const owners = new Set(
      before.flatMap(({ row }) => [row.organisation_uid, row.owner_uid, row.pharmacy_uid].map(String))
    )
    // Articles have no owner; an order names them and its creator
    const shared = new Set([...stranger.secrets, ...uidsIn(await server.current.query("TABLE skus"))])
    const foreign = new Set(uidsIn(before).filter((uid) => !shared.has(uid)))
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
    expect(mine).toBeGreaterThan(30)
  },
  200_000
)
