/** Constraints of the schema; every column is used. */
import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { type Schema, SchemaAST } from "effect"
import { AuditEntry } from "../../src/capabilities/audit/schemas/AuditEntry.ts"
import { OrderTopic, REFUND_TOPIC } from "../../src/capabilities/shared/schemas/OrderWebhook.ts"
import { Actor } from "../../src/schemas/access/Actor.ts"
import { EventType } from "../../src/schemas/events/catalogue.ts"
import { PayoutStatus } from "../../src/schemas/pharmacy/Payout.ts"
import { PharmacyOrderStatus } from "../../src/schemas/pharmacy/PharmacyOrderStates.ts"
import { PrescriptionStatus } from "../../src/schemas/prescriptions/PrescriptionStates.ts"
import { CodeKind, LinkAction } from "../../src/schemas/scheduling/ActionLink.ts"
import { AppointmentStatus, finalStatuses } from "../../src/schemas/scheduling/AppointmentStates.ts"
import {
  DoctorAssignmentMode,
  DoctorChoice,
  MeetingFormat,
  MeetingType,
  RebookingMode,
  RoomStrategy
} from "../../src/schemas/scheduling/AppointmentType.ts"
import { SessionMode } from "../../src/schemas/scheduling/Booking.ts"
import { testServer } from "../support/server.ts"
import { makeWorld, random } from "../support/world.ts"

const server = testServer()
const query = <A extends object>(text: string) => server.current.query<A>(text)

/** Of tables in `pg_class`, where a cluster does not show the shards of its own tables. */
const checks = () =>
  query<{ column: string; check: string }>(`SELECT c.conrelid::regclass || '.' || a.attname AS column,
      pg_get_constraintdef(c.oid) AS check
    FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
    WHERE c.contype = 'c' AND c.connamespace = 'public'::regnamespace`)

/** The values of a schema of literals. */
const wordsOf = ({ ast }: Schema.Schema.AnyNoContext): ReadonlyArray<string> =>
  (SchemaAST.isUnion(ast) ? ast.types : [ast]).flatMap((one) => (SchemaAST.isLiteral(one) ? [String(one.literal)] : []))

const literals: Readonly<Record<string, ReadonlyArray<string>>> = {
  "appointment_types.meeting_type": wordsOf(MeetingType),
  "appointment_types.room_strategy": wordsOf(RoomStrategy),
  "appointment_types.rebooking_mode": wordsOf(RebookingMode),
  "appointment_types.doctor_assignment_mode": wordsOf(DoctorAssignmentMode),
  "appointment_types.doctor_choice": wordsOf(DoctorChoice),
  "appointments.status": wordsOf(AppointmentStatus),
  "appointment_counts.status": finalStatuses,
  "appointments.meeting_type": wordsOf(MeetingType),
  "appointments.meeting_format": wordsOf(MeetingFormat),
  "action_links.action": wordsOf(LinkAction),
  "action_links.kind": wordsOf(CodeKind),
  "audit_entries.actor_kind": wordsOf(AuditEntry.fields.actor.fields.kind),
  "booking_sessions.link_kind": wordsOf(CodeKind),
  "booking_sessions.mode": wordsOf(SessionMode),
  "booking_sessions.actor_kind": wordsOf(Actor.fields.kind),
  "pharmacy_orders.status": wordsOf(PharmacyOrderStatus),
  "payouts.status": wordsOf(PayoutStatus),
  "payout_counts.status": wordsOf(PayoutStatus),
  "prescriptions.status": wordsOf(PrescriptionStatus),
  "prescription_log.from_status": wordsOf(PrescriptionStatus),
  "prescription_log.to_status": wordsOf(PrescriptionStatus),
  "prescription_log.actor_kind": wordsOf(Actor.fields.kind),
  "storefront_webhooks.topic": [...wordsOf(OrderTopic), REFUND_TOPIC]
}

test("the schema allows the values that the code knows, and no others", async () => {
  const found = await checks()
  for (const [column, words] of Object.entries(literals)) {
    const lists = found
      .filter((one) => one.column === column && one.check.includes("= ANY (ARRAY["))
      .map(({ check }) => [...check.matchAll(/'([^']+)'/g)].map(([, word]) => word))
    expect({ column, lists }).toEqual({ column, lists: [[...words]] })
  }
})

test("every status, type, kind, mode and role is checked", async () => {
  const columns = await query<{ column: string }>(`SELECT table_name || '.' || column_name AS column
    FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text' AND table_name !~ '^citus_'
      AND column_name ~ '^(.*_)?(status|type|kind|mode|role|strategy|format|area|trigger|topic|action|channel|routing|currency)$'`)
  expect(columns.length).toBeGreaterThan(25)
  const checked = new Set((await checks()).map(({ column }) => column))
  expect(columns.map(({ column }) => column).filter((column) => !checked.has(column))).toEqual([])
})

test("event types match the pattern in the schema", async () => {
  const [row] = await query<{ check: string }>(
    "SELECT pg_get_constraintdef(oid) AS check FROM pg_constraint WHERE conname = 'events_type'"
  )
  const form = new RegExp(/'(.+)'/.exec(row?.check ?? "")?.[1] ?? "none")
  expect(wordsOf(EventType).filter((type) => !form.test(type))).toEqual([])
})

test("a shop's identifier belongs to one shop, however many provision it at once", async () => {
  const shop_identifier = random("contested")
  const worlds = await Promise.all([1, 2, 3, 4].map(() => makeWorld(server.current)))
  const outcomes = await Promise.allSettled(
    worlds.map(({ provision, organisation_uid }) =>
      provision({ shops: [{ uid: random("shop"), shop_identifier, organisation_uid }] })
    )
  )
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(1)
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(String(outcome.reason)).toContain("shops[0].shop_identifier: ")
  expect(await query(`SELECT FROM shops WHERE shop_identifier = '${shop_identifier}'`)).toHaveLength(1)
})

test("every reference has a foreign key", async () => {
  const world = await makeWorld(server.current)
  const uid = await world.booked((await world.search()).body.slots[0].start_date)
  const update = (assignment: string) => query(`UPDATE appointments SET ${assignment} WHERE uid = '${uid}'`)
  for (const column of ["booking_session_uid", "previous_meeting_uid", "replaces_appointment_uid"])
    await expect(update(`${column} = 'nowhere'`)).rejects.toThrow(/Failed to execute/)
  await expect(
    query(`UPDATE shops SET default_pharmacy_uid = 'nowhere' WHERE uid = '${world.shop_uid}'`)
  ).rejects.toThrow(/Failed to execute/)
})

test("an appointment outlives its booking session", async () => {
  const world = await makeWorld(server.current)
  const uid = await world.booked((await world.search()).body.slots[0].start_date)
  await query(`DELETE FROM booking_sessions WHERE organisation_uid = '${world.organisation_uid}'`)
  expect(await query(`SELECT status, booking_session_uid FROM appointments WHERE uid = '${uid}'`)).toEqual([
    { status: "confirmed", booking_session_uid: null }
  ])
})

/** The source without comments, migrations aside. */
const source = () =>
  readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(`src/${file}`, "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ""))
    .join("\n")

test("every table and every column is named in the code", async () => {
  const words = new Set(source().match(/\w+/g))
  const columns = await query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public'
      AND table_name !~ '^(citus_|cluster_|audit_entries_\\d)'`
  )
  // kept by a default, for operators
  const exempt = new Set(["sprechstunde_migrations.applied_at"])
  const unnamed = columns.filter(({ table, column }) => !words.has(table) || !words.has(column))
  expect(unnamed.map(({ table, column }) => `${table}.${column}`).filter((name) => !exempt.has(name))).toEqual([])
})

test("no index is a prefix of another index of its table", async () => {
  const redundant = await query(`SELECT a.indexrelid::regclass::text AS index, b.indexrelid::regclass::text AS other
    FROM pg_index a JOIN pg_index b ON b.indrelid = a.indrelid AND b.indexrelid <> a.indexrelid
    JOIN pg_class t ON t.oid = a.indrelid AND t.relnamespace = 'public'::regnamespace
    WHERE NOT a.indisunique AND (a.indpred IS NULL) = (b.indpred IS NULL)
      AND pg_get_expr(a.indpred, a.indrelid) IS NOT DISTINCT FROM pg_get_expr(b.indpred, b.indrelid)
      AND a.indexprs IS NULL AND b.indexprs IS NULL
      AND (b.indkey::text || ' ') LIKE (a.indkey::text || ' %')`)
  expect(redundant).toEqual([])
})

test("every price has a maximum, so that a line is a safe integer and an order's total a bigint", async () => {
  const prices = (await checks()).filter(({ column }) => /price$/.test(column))
  expect(prices.map(({ column }) => column).toSorted()).toEqual([
    "pharmacy_order_lines.total_price",
    "pharmacy_orders.shipping_price",
    "pharmacy_skus.price",
    "skus.selling_price"
  ])
  for (const { check } of prices) expect(check).toContain("<=")
})
