/**
 * No byte of an erased patient is left: values that only the patient had are searched for in every file of the database
 * server (write-ahead log and jobs included) and of the service (stored files, outbox of mails and texts, output), also in
 * a backup that was restored and erased again. Rules 12.2.2, 12.2.10, 12.2.11.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { format } from "node:util"
import { Effect, Schema } from "effect"
import { Client } from "pg"
import { ensureRunning, openCluster, stop, urlOf } from "../../src/layers/postgres/Cluster.ts"
import { PrescriptionRef } from "../../src/schemas/prescriptions/Prescription.ts"
import { AuditChain } from "../../src/services/audit/AuditChain.ts"
import { MessageSender } from "../../src/services/notifications/MessageSender.ts"
import { PrescriptionRendering } from "../../src/services/prescriptions/PrescriptionRendering.ts"
import { Erasures } from "../../src/services/rights/Erasures.ts"
import { eventually } from "../support/eventually.ts"
import { rowsAt, runFolder, using } from "../support/postgres.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

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
  const outputs = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }))
  const printed = {
    log: console.log,
    info: console.info,
    warn: console.warn,
    error: console.error,
    debug: console.debug
  }
  for (const { stream } of outputs)
    stream.write = ((chunk: string | Uint8Array) => {
      appendFileSync(log, chunk)
      return true
    }) as typeof stream.write
  for (const name of Object.keys(printed))
    Reflect.set(console, name, (...said: ReadonlyArray<unknown>) => {
      appendFileSync(log, `${format(...said)}\n`)
    })
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
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
    : statSync(path).isFile()
      ? [path]
      : []

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
const searchRows = async (database: string) => {
  const client = new Client({ connectionString: urlOf(cluster, database) })
  await client.connect()
  const { rows: tables } = await client.query(`SELECT c.oid::regclass::text AS name FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text IN ('public', 'pgboss') ORDER BY 1`)
  const hits: Array<string> = []
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t`)
    for (const { row } of rows)
      hits.push(...values.filter((value) => row.includes(value)).map((value) => `${database}, ${name}: ${value}`))
  }
  await client.end()
  return { hits, tables: tables.map(({ name }) => String(name)) }
}

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

/** The confirmation has been sent as a mail and as a text message. */
const announced = async (server: TestServer, organisation_uid: string) => {
  const sql = (text: string) => server.query<{ count: number }>(text, [organisation_uid])
  const sent = (channel: string) =>
    eventually(
      () =>
        sql(`SELECT count(*)::integer AS count FROM messages
        WHERE organisation_uid = $1 AND channel = '${channel}' AND status = 'sent' AND recipient_role = 'patient'`),
      ([row]) => (row?.count ?? 0) > 0,
      60
    )
  await sent("email")
  await sql(`INSERT INTO messages (organisation_uid, uid, event_id, kind, appointment_uid, recipient_role, recipient_uid, channel,
      status, attempts, next_attempt_at, created_at)
    SELECT m.organisation_uid, 'msg_' || md5(m.uid), m.event_id, m.kind, m.appointment_uid, m.recipient_role, m.recipient_uid, 'sms',
      'pending', 0, m.created_at, m.created_at
    FROM messages m JOIN appointments a ON a.organisation_uid = m.organisation_uid AND a.uid = m.appointment_uid
    WHERE m.organisation_uid = $1 AND m.recipient_role = 'patient' AND m.kind = 'confirmation' AND a.status = 'confirmed' LIMIT 1`)
  await server.run(Effect.flatMap(MessageSender, (messages) => messages.sweep()))
  await sent("sms")
}

const plant = async (server: TestServer) => {
  const consent = [{ purpose: "video", version: "1", texts: [{ language: "de", text: "Ja" }] }]
  const world = await makeWorld(server, {
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
  const { uid } = await call(
    "POST",
    "/patients",
    { shop_uid, shop_customer_id: canary.customer, profile },
    { "idempotency-key": "one" }
  )
  const subscription = { notification_type: "PATIENT_DOCTOR_MEETING_UPDATED", url: "http://127.0.0.1:9/hook" }
  await call("POST", "/notification-subscriptions", subscription)
  const book = (start_date: number) =>
    call("POST", "/scheduling/appointments", {
      shop_uid,
      patient_uid: uid,
      appointment_type_uid,
      start_date,
      visit_reason: canary.reason
    })
  const cancelled = await book(inDays(3, 9))
  await call("POST", `/scheduling/appointments/${cancelled.uid}/cancel`, { reason: canary.cancellation })
  await book(inDays(4, 9))
  await announced(server, organisation_uid)
  await server.api("POST", "/v1/scheduling/booking-sessions", {
    token: await world.token(canary.customer, { patient_profile_fields: [] }),
    body: { mode: "booking", appointment_type_uid, from: inDays(0), to: inDays(2) }
  })
  await call("POST", `/patients/${uid}/consents`, { purpose: "video", version: "1" })
  const [pharmacy_uid, product_uid, sku_uid, prescription_uid] = [
    random("pha"),
    random("prd"),
    random("sku"),
    random("prs")
  ]
  const patient = { first_name, last_name, date_of_birth: "1980-02-29", gender: "female" }
  await world.provision({
    pharmacies: [{ uid: pharmacy_uid, name: "Apotheke" }],
    products: [{ uid: product_uid, display_name: "Remedy", handle: "remedy" }],
    skus: [
      { uid: sku_uid, product_uid, display_name: "Drops", standard_selling_unit: 1, unit: "ml", selling_price: 900 }
    ],
    appointments: [
      {
        uid: random("apt"),
        organisation_uid,
        doctor_uid: world.doctor,
        patient_uid: uid,
        status: "completed",
        start_date: inDays(-9, 9),
        end_date: inDays(-9, 10),
        visit_reason: canary.reason
      }
    ],
    prescriptions: [
      {
        uid: prescription_uid,
        organisation_uid,
        shop_uid,
        status: "WAITING_FOR_DOCTOR",
        patient,
        items: [{ sku_uid, quantity: 1, dosage: canary.dosage }]
      }
    ],
    pharmacy_orders: [
      {
        uid: random("pho"),
        name: "#1",
        pharmacy_uid,
        shop_uid,
        prescription_uid,
        status: "cancelled",
        lines: [{ sku_uid, quantity: 1, unit_price: 900 }]
      }
    ]
  })
  const ref = Schema.decodeSync(PrescriptionRef)({ organisation_uid, prescription_uid })
  await server.run(Effect.flatMap(PrescriptionRendering, (rendering) => rendering.render(ref)))
  return { uid: uid as string, organisation_uid, key }
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
  expect(new Set(search(values).hits.map((hit) => hit.split(": ")[1]))).toEqual(
    // sealed values are not found before the erasure, either
    new Set([
      canary.first_name,
      canary.last_name,
      canary.street,
      canary.own_field,
      canary.email,
      canary.phone,
      canary.reason, // in mails, if the practice enables it
      canary.customer
    ])
  )
  const outbox = ["live", "restored"].map((database) => filesBelow(join(dataOf(database), "outbox")))
  const before = new Set(search(values).hits.map((hit) => placeOf(join(folder, hit.split(": ")[0] ?? ""))))
  expect([...before].toSorted()).toEqual(expect.arrayContaining(["service: outbox (eml)", "service: outbox (json)"]))
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
  const relations = await Promise.all(
    hits.map(async (hit) => {
      const file = /(\d+):/.exec(hit)?.[1]
      const [row] = await rowsAt(urlOf(cluster, "live"), "SELECT pg_filenode_relation(0, $1)::text AS name", [file])
      return `${hit} ${row?.name}`
    })
  )
  const inRows = [await searchRows("live"), await searchRows("restored")]
  const places = [...Map.groupBy(paths, placeOf)].toSorted()
  console.log(
    [
      `${values.length} values of an erased patient looked for in`,
      ...places.map(([place, some]) => {
        const bytes = some.reduce((sum, path) => sum + statSync(path).size, 0)
        const found = hits.filter((hit) => placeOf(join(folder, hit.split(": ")[0] ?? "")) === place).length
        return `  ${place}: ${some.length} files, ${(bytes / 1e6).toFixed(1)} MB, ${found} hits`
      }),
      `  service: outbox: ${outbox.flat().length} mails and texts before, ${outbox.flat().filter((path) => existsSync(path)).length} after`,
      `  service: stored files: ${pdfs.flat().length} sealed PDFs before, ${pdfs.flat().filter((path) => existsSync(path)).length} after`,
      ...inRows.map(
        ({ tables, hits }, index) =>
          `  rows as text, ${["live", "restored"][index]}: ${tables.length} tables, ${hits.length} hits`
      )
    ].join("\n")
  )
  // PDFs are sealed: the patient's files must not exist, whatever their bytes
  expect(pdfs.every((some) => some.length > 0)).toBe(true)
  expect(pdfs.flat().filter((path) => existsSync(path))).toEqual([])
  // Mails are encoded: the earlier files must not exist, whatever their bytes
  expect(outbox.every((some) => some.length > 1)).toBe(true)
  expect(outbox.flat().filter((path) => existsSync(path))).toEqual([])
  expect([...relations, ...inRows.flatMap((one) => one.hits)]).toEqual([])
  expect(paths.length).toBeGreaterThan(1000)
  expect(places.map(([place]) => place)).toEqual(
    expect.arrayContaining(["database server: base", "database server: pg_wal", "service: what it printed"])
  )
  for (const table of ["webhook_deliveries", "messages", "events", "pgboss.queue"])
    expect(inRows[0]?.tables).toContain(table)
}, 600_000)
