/**
 * An erased patient is nowhere: values that only the patient had are looked for byte by byte, in every file of the database
 * server (write-ahead log included) and of the service, also in a backup that was restored and erased again. Rules 12.2.2, 12.2.10.
 */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Client } from "pg"
import { ensureRunning, openCluster, stop, urlOf } from "../../src/layers/postgres/Cluster.ts"
import { AuditChain } from "../../src/services/audit/AuditChain.ts"
import { Erasures } from "../../src/services/patients/Erasures.ts"
import { runFolder } from "../support/postgres.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { inDays, makeWorld, random } from "../support/world.ts"

const folder = mkdtempSync(join(runFolder(), "erasure-"))
const files = join(folder, "files")
let cluster: Awaited<ReturnType<typeof open>>

// Segments of the write-ahead log are deleted and not written over again: a used one holds what was in it
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

const sql = async (database: string, ...statements: ReadonlyArray<string>) => {
  const client = new Client({ connectionString: urlOf(cluster, database) })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const withServer = async <A>(database: string, body: (server: TestServer) => Promise<A>) => {
  const server = await startServer({ FILE_STORE: `file:${files}` }, urlOf(cluster, database))
  try {
    return await body(server)
  } finally {
    await server.stop()
  }
}

const filesBelow = (path: string): ReadonlyArray<string> =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => filesBelow(join(path, name)))
    : statSync(path).isFile()
      ? [path]
      : []

/** The places that hold one of the values, and how much was looked through. */
const search = (values: ReadonlyArray<string>) => {
  const paths = filesBelow(folder)
  const hits = paths.flatMap((path) => {
    const bytes = readFileSync(path)
    return values.filter((value) => bytes.includes(value)).map((value) => `${path.slice(folder.length)}: ${value}`)
  })
  return { hits, paths }
}

/** Leaves no dead rows, and none of the write-ahead log in which they were written. */
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
  reason: random("Grund"),
  dosage: random("Dosis"),
  customer: random("kunde"),
  cancellation: random("Absage")
}
const values = Object.values(canary)

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
  const { first_name, last_name, street, own_field, email } = canary
  const profile = { first_name, last_name, street, own_field, email, date_of_birth: "1980-02-29" }
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
  return { uid: uid as string, organisation_uid, key }
}

test("no byte of an erased patient is left, nor in a backup that was restored and erased again", async () => {
  await sql("postgres", "CREATE DATABASE live")
  const { uid, key } = await withServer("live", plant)
  await sql("postgres", "CHECKPOINT", "CREATE DATABASE restored TEMPLATE live STRATEGY file_copy")
  expect(new Set(search(values).hits.map((hit) => hit.split(": ")[1]))).toEqual(
    // what is sealed cannot be found before either
    new Set([canary.first_name, canary.last_name, canary.street, canary.own_field, canary.email, canary.customer])
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
    await server.run(Effect.flatMap(AuditChain, (chain) => chain.seal()))
    expect((await server.run(Effect.flatMap(AuditChain, (chain) => chain.verify()))).fault).toBeUndefined()
    return server.run(Effect.flatMap(Erasures, (erasures) => erasures.list))
  })
  expect(values.filter((value) => JSON.stringify(list).includes(value))).toEqual([])

  await withServer("restored", async (server) => {
    expect((await server.api("GET", `/v1/management/patients/${uid}`, { key })).status).toBe(200)
    expect(await server.run(Effect.flatMap(Erasures, (erasures) => erasures.reapply(list)))).toBe(1)
    expect((await server.api("GET", `/v1/management/patients/${uid}`, { key })).status).toBe(404)
    expect(await server.run(Effect.flatMap(Erasures, (erasures) => erasures.reapply(list)))).toBe(1)
  })

  await settle("live", "restored")
  const { hits, paths } = search(values)
  const relations = await Promise.all(
    hits.map(async (hit) => {
      const client = new Client({ connectionString: urlOf(cluster, "live") })
      await client.connect()
      const { rows } = await client.query("SELECT pg_filenode_relation(0, $1)::text AS name", [/(\d+):/.exec(hit)?.[1]])
      await client.end()
      return `${hit} ${rows[0]?.name}`
    })
  )
  expect(relations).toEqual([])
  expect(paths.length).toBeGreaterThan(1000)
  expect(paths.some((path) => path.includes("pg_wal"))).toBe(true)
}, 600_000)
