/**
 * No byte of an erased patient is left: values that only the patient had are searched for in every file of the database
 * server (write-ahead log and jobs included) and of the service (stored files, outbox of mails and texts, output), also in
 * a backup that was restored and erased again. Rules 12.2.2, 12.2.10, 12.2.11.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { format } from "node:util"
import { Effect } from "effect"
import { AuditChain } from "../../../src/capabilities/audit/services/AuditChain.ts"
import { Erasures } from "../../../src/capabilities/patient-rights/services/Erasures.ts"
import { ensureRunning, openCluster, stop, urlOf } from "../../../src/capabilities/postgres/layers/Cluster.ts"
import { MessageSender } from "../../../src/services/notifications/MessageSender.ts"
import { PrescriptionRendering } from "../../../src/services/prescriptions/PrescriptionRendering.ts"
import { prescriptionWorld } from "../../prescriptions/support/world.ts"
import { eventually } from "../../support/eventually.ts"
import { runFolder, using } from "../../support/postgres.ts"
import { place } from "../../support/provisioned.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { inDays, random } from "../../support/world.ts"

const folder = mkdtempSync(join(runFolder(), "erasure-"))
let cluster: Awaited<ReturnType<typeof open>>

// WAL segments are deleted, not recycled: a recycled one keeps its old content
const open = () =>
  Effect.runPromise(
    openCluster({ folder, settings: { fsync: "off", wal_recycle: "off", min_wal_size: "32MB", max_wal_size: "64MB" } })
  )

beforeAll(async () => {
  cluster = await open()
  await Effect.runPromise(ensureRunning(cluster))
})
afterAll(async () => {
  await Effect.runPromise(stop(cluster))
  rmSync(folder, { recursive: true, force: true })
})

const sql = (database: string, ...statements: ReadonlyArray<string>) =>
  using(urlOf(cluster, database), async (client) => {
    for (const statement of statements) await client.query(statement)
  })

/** The service's output at its most verbose log level. */
const log = join(folder, "log.txt")
const printing = async <A>(body: () => Promise<A>) => {
  const printed = { ...console }
  const outputs = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }))
  for (const { stream } of outputs)
    stream.write = ((chunk: string | Uint8Array) => {
      appendFileSync(log, chunk)
      return true
    }) as typeof stream.write // without its callbacks, which nobody gives
  for (const name of ["log", "info", "warn", "error", "debug"])
    Reflect.set(console, name, (...said: ReadonlyArray<unknown>) => appendFileSync(log, `${format(...said)}\n`))
  try {
    return await body()
  } finally {
    Object.assign(console, printed)
    for (const { stream, write } of outputs) stream.write = write
  }
}

/** The service's own folder, with its outbox, is below the searched one. */
const dataOf = (database: string) => join(folder, `data-${database}`)
const filesOf = (database: string) => join(folder, `files-${database}`)
const storedFiles = (database: string) => (existsSync(filesOf(database)) ? filesBelow(filesOf(database)) : [])
const withServer = <A>(database: string, body: (server: TestServer) => Promise<A>) =>
  printing(async () => {
    const settings = { FILE_STORE: `file:${filesOf(database)}`, DATA_DIR: dataOf(database), LOG_LEVEL: "all" }
    const server = await startServer(settings, urlOf(cluster, database))
    try {
      return await body(server)
    } finally {
      await server.stop()
    }
  })

const filesBelow = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** The places that contain one of the values, and how many files and bytes were searched. */
const search = (values: ReadonlyArray<string>) => {
  const paths = filesBelow(folder)
  const hits = paths.flatMap((path) => {
    const bytes = readFileSync(path)
    return values.filter((value) => bytes.includes(value)).map((value) => `${path.slice(folder.length)}: ${value}`)
  })
  return { hits, paths }
}

/** The folders of the database server and of the service, and the service's output. */
const placeOf = (path: string) => {
  const [first = "", second = "", third = ""] = path.slice(folder.length + 1).split("/")
  if (first === "data")
    return `database server: ${["base", "global", "pg_wal", "pg_xact"].includes(second) ? second : "other files"}`
  if (first.startsWith("data-"))
    return `service: ${second === "outbox" ? `outbox (${third.split(".").at(-1)})` : "other files"}`
  if (first.startsWith("files-")) return "service: stored files"
  return path === log ? "service: what it printed" : "database server: other files"
}

/** The rows of every table, including jobs and deliveries, as text, since files may be compressed. */
const searchRows = (database: string) =>
  using(urlOf(cluster, database), async (client) => {
    const { rows: tables } = await client.query(`SELECT c.oid::regclass::text AS name FROM pg_class c
      WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text IN ('public', 'pgboss') ORDER BY 1`)
    const hits: Array<string> = []
    for (const { name } of tables) {
      const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t`)
      for (const { row } of rows)
        hits.push(...values.filter((value) => row.includes(value)).map((value) => `${database}, ${name}: ${value}`))
    }
    return { hits, tables: tables.map(({ name }) => String(name)) }
  })

/** Removes dead rows and old WAL. */
const settle = async (...databases: ReadonlyArray<string>) => {
  for (const database of databases) await sql(database, "VACUUM FULL")
  for (let i = 0; i < 3; i += 1) await sql("postgres", "SELECT pg_switch_wal()", "CHECKPOINT")
}

const canary = {
  first_name: random("Vorname"),
  last_name: random("Nachname"),
  street: random("Strasse"),
  own_field: random("eigenes"),
  email: `${random("mail")}@example.org`,
  phone: `+49 30 ${String(Date.now()).slice(-9)}`,
  reason: random("Grund"),
  dosage: random("Dosis"),
  customer: random("kunde"),
  cancellation: random("Absage")
}
const values = Object.values(canary)

/** Waits until a message of this kind has been sent to the patient. */
const sent = (server: TestServer, organisation_uid: string, kind: string, channel = "email") =>
  eventually(
    () =>
      server.sql`SELECT FROM messages WHERE organisation_uid = ${organisation_uid} AND kind = ${kind}
        AND channel = ${channel} AND status = 'sent' AND recipient_role = 'patient'`,
    ({ length }) => length > 0
  )

/** Sends the confirmation of the appointment that stands as a text message, too. */
const text = async (server: TestServer, organisation_uid: string) => {
  await server.sql`INSERT INTO messages (organisation_uid, uid, event_id, kind, appointment_uid, recipient_role, recipient_uid, channel,
      status, attempts, next_attempt_at, created_at)
    SELECT m.organisation_uid, 'msg_' || md5(m.uid), m.event_id, m.kind, m.appointment_uid, m.recipient_role, m.recipient_uid, 'sms',
      'pending', 0, m.created_at, m.created_at
    FROM messages m JOIN appointments a ON a.organisation_uid = m.organisation_uid AND a.uid = m.appointment_uid
    WHERE m.organisation_uid = ${organisation_uid} AND m.recipient_role = 'patient' AND m.kind = 'confirmation'
      AND a.status = 'confirmed' LIMIT 1`
  await server.run(Effect.flatMap(MessageSender, (messages) => messages.sweep()))
  await sent(server, organisation_uid, "confirmation", "sms")
}

const plant = async (server: TestServer) => {
  const consent = [{ purpose: "video", version: "1", texts: [{ language: "de", text: "Ja" }] }]
  const world = await prescriptionWorld(server, {
    organisation: { consent, messages: ["confirmation"], visit_reason_in_messages: true }
  })
  const { organisation_uid, shop_uid, type_uid: appointment_type_uid, key } = world
  const call = async (method: string, at: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await server.api(method, `/v1/management${at}`, { key, body, headers })
    expect([at, answer.status < 300]).toEqual([at, true])
    return answer.body
  }
  const { first_name, last_name, street, own_field, email, phone } = canary
  const profile = { first_name, last_name, street, own_field, email, phone, date_of_birth: "1980-02-29" }
  const customer = { shop_uid, shop_customer_id: canary.customer, profile }
  const { uid } = await call("POST", "/patients", customer, { "idempotency-key": "one" })
  const subscription = { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: "http://127.0.0.1:9/hook" }
  await call("POST", "/notification-subscriptions", subscription)
  const book = (start_date: number) => {
    const wanted = { shop_uid, patient_uid: uid, appointment_type_uid, start_date }
    return call("POST", "/scheduling/appointments", { ...wanted, visit_reason: canary.reason })
  }
  const cancelled = await book(inDays(3, 9))
  await sent(server, organisation_uid, "confirmation") // so that its cancellation is mailed, too
  await call("POST", `/scheduling/appointments/${cancelled.uid}/cancel`, { reason: canary.cancellation })
  await sent(server, organisation_uid, "cancellation")
  await book(inDays(4, 9))
  await text(server, organisation_uid)
  await server.api("POST", "/v1/scheduling/booking-sessions", {
    token: await world.token(canary.customer, { patient_profile_fields: [] }),
    body: { mode: "booking", appointment_type_uid, from: inDays(0), to: inDays(2) }
  })
  await call("POST", `/patients/${uid}/consents`, { purpose: "video", version: "1" })
  await place(world, uid, { status: "completed", start_date: inDays(-9, 9), fields: { visit_reason: canary.reason } })
  const prescription_uid = await world.prescription({
    patient: { first_name, last_name, date_of_birth: "1980-02-29", gender: "female" },
    items: [{ sku_uid: world.sku_uid, quantity: 1, dosage: canary.dosage }]
  })
  await world.paidOrder(prescription_uid, { status: "cancelled" })
  await server.run(Effect.flatMap(PrescriptionRendering, (_) => _.render(world.refOf(prescription_uid))))
  return { uid, key }
}

/** Jobs delete copies outside of the database. */
const outsideGone = (database: string) =>
  eventually(
    async () => [...storedFiles(database), ...filesBelow(join(dataOf(database), "outbox"))],
    (left) => left.length === 0,
    60
  )

test("no byte of an erased patient is left, not even in a backup that was restored and erased again", async () => {
  await sql("postgres", "CREATE DATABASE live")
  const { uid, key } = await withServer("live", plant)
  for (const place of [dataOf, filesOf]) cpSync(place("live"), place("restored"), { recursive: true })
  const pdfs = ["live", "restored"].map(storedFiles)
  await sql("postgres", "CHECKPOINT", "CREATE DATABASE restored TEMPLATE live STRATEGY file_copy")
  const before = search(values).hits.map((hit) => hit.split(": "))
  // sealed values are not found before the erasure, either; the reasons are in mails, if the practice enables it
  const { dosage: _, ...readable } = canary
  expect(new Set(before.map(([, value]) => value))).toEqual(new Set(Object.values(readable)))
  const outbox = ["live", "restored"].map((database) => filesBelow(join(dataOf(database), "outbox")))
  expect(before.map(([path = ""]) => placeOf(join(folder, path)))).toEqual(
    expect.arrayContaining(["service: outbox (eml)", "service: outbox (json)"])
  )
  const erase = (server: TestServer) =>
    server.api("POST", `/v1/management/patients/${uid}/erase`, {
      key,
      body: { reason: `${canary.last_name} asked for it` }
    })

  const list = await withServer("live", async (server) => {
    const { status, body } = await erase(server)
    expect(status).toBe(200)
    expect(body.kept.map(({ what }: { what: string }) => what)).toContain("treatments")
    await outsideGone("live")
    await server.run(Effect.flatMap(AuditChain, (chain) => chain.seal()))
    expect((await server.run(Effect.flatMap(AuditChain, (chain) => chain.verify()))).fault).toBeUndefined()
    return server.run(Effect.flatMap(Erasures, (erasures) => erasures.list))
  })
  expect(values.filter((value) => JSON.stringify(list).includes(value))).toEqual([])

  await withServer("restored", async (server) => {
    expect((await server.api("GET", `/v1/management/patients/${uid}`, { key })).status).toBe(200)
    expect(await server.run(Effect.flatMap(Erasures, (erasures) => erasures.reapply(list)))).toBe(1)
    expect((await server.api("GET", `/v1/management/patients/${uid}`, { key })).status).toBe(404)
    await outsideGone("restored")
    expect(await server.run(Effect.flatMap(Erasures, (erasures) => erasures.reapply(list)))).toBe(1)
  })

  await settle("live", "restored")
  const { hits, paths } = search(values)
  const inRows = [await searchRows("live"), await searchRows("restored")]
  const places = [...Map.groupBy(paths, placeOf)].toSorted()
  const sizeOf = (some: ReadonlyArray<string>) => some.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6
  const report = places.map(([name, some]) => `  ${name}: ${some.length} files, ${sizeOf(some).toFixed(1)} MB`)
  console.log([`${values.length} values of an erased patient looked for in`, ...report].join("\n"))
  // PDFs are sealed and mails encoded: the earlier files must not exist, whatever their bytes
  expect([...pdfs, ...outbox].map(({ length }) => length > 0)).toEqual([true, true, true, true])
  expect([...pdfs, ...outbox].flat().filter((path) => existsSync(path))).toEqual([])
  expect([...hits, ...inRows.flatMap((one) => one.hits)]).toEqual([])
  expect(paths.length).toBeGreaterThan(1000)
  expect(places.map(([place]) => place)).toEqual(
    expect.arrayContaining(["database server: base", "database server: pg_wal", "service: what it printed"])
  )
  for (const table of ["webhook_deliveries", "messages", "events", "pgboss.queue"])
    expect(inRows[0]?.tables).toContain(table)
}, 600_000)
