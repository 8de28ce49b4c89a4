/** Erasing a patient with many records: processed in batches. Rules 12.2.2 and 12.2.6. */
import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Exit, Layer, Option } from "effect"
import { system } from "../../src/schemas/access/Actor.ts"
import { OrganisationUid, PatientUid, PrescriptionUid } from "../../src/schemas/ids.ts"
import { Erasures } from "../../src/services/patients/Erasures.ts"
import { Retaining } from "../../src/services/patients/Retaining.ts"
import { FileStore } from "../../src/services/prescriptions/FileStore.ts"
import { fileName, PrescriptionFiles } from "../../src/services/prescriptions/PrescriptionFiles.ts"
import { PrescriptionRendering } from "../../src/services/prescriptions/PrescriptionRendering.ts"
import { PrescriptionSigner } from "../../src/services/prescriptions/PrescriptionSigner.ts"
import { PrescriptionsRepo } from "../../src/services/prescriptions/PrescriptionsRepo.ts"
import { makeShop, PATIENT, pdf } from "../checkout/support/shop.ts"
import { eventually } from "../support/eventually.ts"
import { testServer } from "../support/server.ts"
import { recording } from "../support/statements.ts"
import { waitingPrescriptions } from "../support/waitingPrescriptions.ts"
import { DAY, makeWorld, random } from "../support/world.ts"

const server = testServer()

/** A shop with a patient of this name. */
const scene = async (profile: Readonly<Record<string, string>>) => {
  const shop = await makeShop(server.current, { default_pharmacy: false })
  const call = (path: string, body: object) =>
    server.current.api("POST", `/v1/management/patients${path}`, { key: shop.key, body })
  const { uid } = (await call("", { shop_uid: shop.shop_uid, shop_customer_id: random("cus"), profile })).body
  return { ...shop, patient: PatientUid.make(uid), erase: () => call(`/${uid}/erase`, { reason: "asked" }) }
}

const until = (organisation_uid: string) =>
  server.current.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{
        readonly days: number
      }>`SELECT extract(epoch FROM kept_until - created_at)::bigint / ${DAY}::integer AS days
        FROM retained_records WHERE organisation_uid = ${organisation_uid} AND what = 'files'`
    )
  )

test("each signed prescription is archived by itself, for a day until the erasure has been committed", async () => {
  const shop = await scene({
    first_name: PATIENT.first_name,
    last_name: PATIENT.last_name,
    date_of_birth: "1990-05-01"
  })
  const owner = OrganisationUid.make(shop.organisation_uid)
  const files = ["one", "other"].map(pdf)
  const made: Array<PrescriptionUid> = []
  for (const pdf_base64 of files) {
    const id = random("rx")
    const lines = [{ sku_uid: shop.skus.drops.uid, quantity: 1, prescription_id: id }]
    const { body } = await shop.prescribe({ prescriptions: [{ id, pdf_base64 }], lines })
    made.push(PrescriptionUid.make(body.prescriptions[0].prescription_uid))
  }
  await server.current.run(
    Effect.gen(function* () {
      const repo = yield* PrescriptionsRepo
      const { addPdfs } = yield* Retaining
      const refs = made.map((prescription_uid) => ({ organisation_uid: owner, prescription_uid }))
      const stored = yield* repo.findAll(refs)
      const now = stored[0]?.created_at ?? stored[1]?.created_at
      if (now !== undefined) yield* addPdfs(owner, shop.patient, stored, now)
    }).pipe(Effect.provide([PrescriptionsRepo.Default, Retaining.Default]))
  )
  expect((await until(owner)).map(({ days }) => days)).toEqual([1, 1])
  const { body } = await shop.erase()
  expect(body.kept).toContainEqual(expect.objectContaining({ what: "files", count: 2 }))
  const kept = (await until(owner)).map(({ days }) => days)
  expect(kept.filter((days) => days > 3_600)).toHaveLength(2)
  const records = await server.current.run(Effect.flatMap(Erasures, ({ retained }) => retained(owner, shop.patient)))
  const opened = records.flatMap(({ what, content }) => (what === "files" ? [content] : []))
  for (const pdf_base64 of files) expect(opened).toContainEqual(expect.objectContaining({ pdf_base64 }))
})

test("of many orders that wait for a pharmacy, only the patient's are erased", async () => {
  const shop = await scene({ first_name: "Kim", last_name: "Muster" })
  const unknown = { uid: random("sku"), variant: 1 }
  await shop.provision({
    skus: [
      {
        uid: unknown.uid,
        product_uid: shop.product_uid,
        display_name: "Nowhere",
        standard_selling_unit: 1,
        unit: "g",
        selling_price: 1,
        storefront_variant_id: unknown.uid
      }
    ]
  })
  const line_items = [{ ...shop.line(unknown), variant_id: null, sku: unknown.uid }]
  const other = { first_name: "Jo", last_name: "Muster" }
  const orders = Array.from({ length: 45 }, (_, i) =>
    shop.order({ line_items, ...(i % 22 !== 0 && { shipping_address: other }) })
  )
  const answers = await Promise.all(orders.map((order) => shop.sendWebhook("orders/create", order)))
  expect(answers.every(({ status }) => status === 200)).toBeTrue()
  expect(await shop.waiting()).toHaveLength(45)
  const { body } = await shop.erase()
  expect(body.erased).toContainEqual({ what: "waiting_orders", count: 3 })
  expect(await shop.waiting()).toHaveLength(42)
})

test("waiting orders are matched to the patient by the checkout's patient name and by the payer", async () => {
  const shop = await scene({ first_name: "Kim", last_name: "Muster" })
  const line_items = [shop.line(shop.skus.drops, { _prescription_uid: "none" })]
  const shipping_address = { first_name: "Jo", last_name: "Muster" }
  const note_attributes = [
    { name: "first_name", value: "Kim" },
    { name: "last_name", value: "Muster" }
  ]
  const others = { line_items, shipping_address }
  await shop.sendWebhook("orders/create", shop.order({ ...others, note_attributes }))
  await shop.sendWebhook(
    "orders/create",
    shop.order({ ...others, billing_address: { first_name: "kim", last_name: "Muster" } })
  )
  await shop.sendWebhook("orders/create", shop.order(others))
  expect(await shop.waiting()).toHaveLength(3)
  const { body } = await shop.erase()
  expect(body.erased).toContainEqual({ what: "waiting_orders", count: 2 })
  expect(await shop.waiting()).toHaveLength(1)
})

test("a waiting order for the same name with another date of birth is not the patient's", async () => {
  const shop = await scene({ first_name: "Kim", last_name: "Muster", date_of_birth: "1990-05-01" })
  const line_items = [shop.line(shop.skus.drops, { _prescription_uid: "none" })]
  const withBirthDate = (value: string) =>
    shop.sendWebhook(
      "orders/create",
      shop.order({
        line_items,
        shipping_address: { first_name: "Kim", last_name: "Muster" },
        note_attributes: Object.entries({ first_name: "Kim", last_name: "Muster", date_of_birth: value }).map(
          ([name, value]) => ({ name, value })
        )
      })
    )
  await withBirthDate("1990-05-01")
  await withBirthDate("641512800") // the same day, as midnight in Berlin
  await withBirthDate("2015-02-03")
  expect(await shop.waiting()).toHaveLength(3)
  const { body } = await shop.erase()
  expect(body.erased).toContainEqual({ what: "waiting_orders", count: 2 })
  expect(await shop.waiting()).toHaveLength(1)
})

test("an erasure deletes the event that a shop's default pharmacy got of a prescription without an order", async () => {
  const shop = await makeShop(server.current)
  const uid = random("prx")
  const who = { first_name: "Kim", last_name: random("Muster") }
  await shop.provision({
    prescriptions: [
      {
        uid,
        organisation_uid: shop.organisation_uid,
        shop_uid: shop.shop_uid,
        status: "WAITING_FOR_DOCTOR",
        patient: { ...who, date_of_birth: 641_520_000, gender: "female" },
        items: [{ sku_uid: shop.skus.drops.uid, quantity: 1, dosage: "1-0-1" }]
      }
    ]
  })
  const request = (method: string, path: string, body?: object) =>
    server.current.api(method, path, { key: shop.key, ...(body !== undefined && { body }) })
  await request("POST", `/v1/management/prescriptions/${uid}/render`)
  await eventually(
    async () => (await request("GET", `/v1/management/prescriptions/${uid}`)).body.rendered,
    (isRendered) => isRendered === true
  )
  expect((await request("POST", `/v1/management/prescriptions/${uid}/external-sign`)).status).toBe(200)
  const pharmacyEvents = async () =>
    JSON.stringify(
      (await server.current.api("GET", "/v1/external_pharmacy_api/events", { key: shop.pharmacy_key })).body.data
    )
  expect(await pharmacyEvents()).toContain("1-0-1")
  const profile = { ...who, date_of_birth: "1990-05-01" }
  const patient = await request("POST", "/v1/management/patients", { shop_uid: shop.shop_uid, profile })
  const erase = () => request("POST", `/v1/management/patients/${patient.body.uid}/erase`, { reason: "asked" })
  const { result, statements } = await recording(erase, server.current.databaseUrl)
  expect(result.status).toBe(200)
  expect(await pharmacyEvents()).not.toContain("1-0-1")
  // one statement for each owner: the pairs of owners and subjects would be their product
  const wiping = statements.filter(({ text }) => /UPDATE "?events"? SET data_encrypted/.test(text))
  expect(wiping).toHaveLength(2)
  for (const { text } of wiping) expect(text).toMatch(/owner_uid = \$\d+ AND subject = ANY/)
})

const erasedMeanwhile = [
  ["drawn", "unsigned"],
  ["signed", "signed"]
] as const

test.each(erasedMeanwhile)(
  "a PDF that is %s while its prescription is erased does not stay in the store",
  async (_, area) => {
    const world = await makeWorld(server.current)
    const [uid] = await waitingPrescriptions(world)
    const ref = {
      organisation_uid: OrganisationUid.make(world.organisation_uid),
      prescription_uid: PrescriptionUid.make(uid)
    }
    const erased = await server.current.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* FileStore
        const erase = sql`WITH gone AS (DELETE FROM files
          WHERE organisation_uid = ${ref.organisation_uid} AND prescription_uid = ${uid})
        UPDATE prescriptions SET status = 'CANCELLED' WHERE organisation_uid = ${ref.organisation_uid} AND uid = ${uid}`
        const slow = Layer.succeed(FileStore, {
          ...store,
          put: (place, bytes) =>
            Effect.zipRight(place.area === area ? Effect.orDie(erase) : Effect.void, store.put(place, bytes))
        })
        yield* Effect.gen(function* () {
          yield* Effect.flatMap(PrescriptionRendering, ({ render }) => render(ref))
          if (area === "unsigned") return
          const refused = yield* Effect.flip(
            Effect.flatMap(PrescriptionSigner, ({ externalSign }) => externalSign(ref, system))
          )
          expect(refused._tag).toBe("PrescriptionNotWaiting")
        }).pipe(
          Effect.provide(
            Layer.provide(Layer.fresh(Layer.mergeAll(PrescriptionRendering.Default, PrescriptionSigner.Default)), slow)
          )
        )
        return yield* store.stat({ area, name: fileName(ref) })
      })
    )
    expect(Option.isNone(erased)).toBe(true)
  }
)

test("a PDF that a killed worker left of a prescription that was erased meanwhile goes with the job's next attempt", async () => {
  const world = await makeWorld(server.current)
  const [uid] = await waitingPrescriptions(world)
  const organisation_uid = OrganisationUid.make(world.organisation_uid)
  const ref = { organisation_uid, prescription_uid: PrescriptionUid.make(uid) }
  const left = await server.current.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.flatMap(PrescriptionFiles, (files) => files.put("unsigned", ref, Buffer.from("%PDF")))
      yield* sql`UPDATE prescriptions SET status = 'CANCELLED'
        WHERE organisation_uid = ${organisation_uid} AND uid = ${uid}`
      yield* Effect.flatMap(PrescriptionRendering, ({ render }) => render(ref))
      return yield* Effect.flatMap(FileStore, (store) => store.stat({ area: "unsigned", name: fileName(ref) }))
    })
  )
  expect(Option.isNone(left)).toBe(true)
})

test("a repeated erasure, after the names are gone, decrypts no waiting order", async () => {
  const shop = await scene({ first_name: "Kim", last_name: "Muster" })
  expect((await shop.erase()).status).toBe(200)
  await shop.sendWebhook(
    "orders/create",
    shop.order({ line_items: [shop.line(shop.skus.drops, { _prescription_uid: "none" })] })
  )
  const owner = shop.organisation_uid
  await shop.rows(
    (sql) => sql`UPDATE storefront_orders SET waiting_encrypted = 'unreadable' WHERE organisation_uid = ${owner}`
  )
  const again = await server.current.run(
    Effect.flatMap(Erasures, ({ list, reapply }) =>
      Effect.flatMap(list, (all) => Effect.exit(reapply(all.filter((one) => one.organisation_uid === owner))))
    )
  )
  await shop.rows((sql) => sql`DELETE FROM storefront_orders WHERE organisation_uid = ${owner}`)
  expect(again).toEqual(Exit.succeed(1))
})

test("an erasure leaves prescriptions and orders of other organisations in place", async () => {
  const { first_name, last_name } = PATIENT
  const [shop, other] = [
    await scene({ first_name, last_name, date_of_birth: "1990-05-01" }),
    await makeShop(server.current)
  ]
  await shop.provision({
    shops: [
      {
        uid: shop.shop_uid,
        shop_identifier: shop.shop_identifier,
        organisation_uid: shop.organisation_uid,
        default_pharmacy_uid: shop.pharmacy_uid
      }
    ]
  })
  expect((await shop.prescribe()).status).toBe(200)
  const note_attributes = [{ name: "pharmacy_uid", value: shop.pharmacy_uid }]
  await other.sendWebhook("orders/create", other.order({ note_attributes }))
  const [theirs] = await shop.pharmacyOrders()
  const pharmacyEvents = async () =>
    (await server.current.api("GET", "/v1/external_pharmacy_api/events", { key: shop.pharmacy_key })).body.data
  const before = await pharmacyEvents()
  expect(before).toContainEqual(expect.objectContaining({ type: "pharmacy_order.created" }))
  const erased = await server.current.api("POST", `/v1/management/patients/${shop.patient}/erase`, {
    key: shop.key,
    body: { reason: "asked", prescription_uids: [theirs.uid] }
  })
  expect(erased.status).toBe(200)
  expect(await pharmacyEvents()).toEqual(before)
})

test("a patient's export page shows a partner's number that is not a time unchanged", async () => {
  const shop = await scene({ first_name: "Kim" })
  const path = `/v1/management/patients/${shop.patient}`
  const profile = { seen_at: 1_795_392_311_000_000, left_at: 0 }
  expect((await server.current.api("PATCH", path, { key: shop.key, body: { profile } })).status).toBe(200)
  const { status, body } = await server.current.api("POST", `${path}/export-document`, { key: shop.key })
  expect(status).toBe(200)
  expect(body).toContain("1795392311000000")
  expect(body).toContain("1970-01-01 00:00 UTC")
})

test("only the operator exports or erases a patient with thousands of appointments; Rule 12.2.3", async () => {
  const shop = await scene({ first_name: "Kim", last_name: random("Muster") })
  const { organisation_uid: owner, patient } = shop
  await shop.rows(
    (
      sql
    ) => sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, slot_group, status, meeting_type,
        meeting_format, start_date, end_date, room_name, created_at, updated_at, cancelled_at)
      SELECT ${owner}, ${owner} || n, ${shop.doctor}, ${patient}, ${owner} || n, 'cancelled', 'REVIEW', 'DIGITAL', to_timestamp(n),
        to_timestamp(n + 1), 'none', to_timestamp(n), to_timestamp(n), to_timestamp(n) FROM generate_series(1, 2001) n`
  )
  const request = (path: string, body?: object) =>
    server.current.api("POST", `/v1/management/patients/${patient}/${path}`, { key: shop.key, ...(body && { body }) })
  const refused = [
    await request("export"),
    await request("export-document"),
    await request("erase", { reason: "asked" })
  ]
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400])
  const erased = await server.current.run(
    Effect.flatMap(Erasures, ({ erase }) =>
      erase(OrganisationUid.make(owner), patient, system, { reason: "asked", prescription_uids: [] })
    )
  )
  expect(erased.kept).toContainEqual(expect.objectContaining({ what: "appointments", count: 2_001 }))
})

test("only the operator exports or erases a patient whose orders have very many lines, or exports very large events; Rule 12.2.3", async () => {
  const shop = await scene({ first_name: "Kim", last_name: random("Muster") })
  const { organisation_uid: owner, patient, pharmacy_uid } = shop
  const request = async (path: string, body?: object) => {
    const url = `/v1/management/patients/${patient}/${path}`
    const { status, body: answer } = await server.current.api("POST", url, { key: shop.key, ...(body && { body }) })
    return status === 200 ? status : [status, answer.error]
  }
  const exports = async () => [await request("export"), await request("export-document")]
  const ask = (most: string) => [
    400,
    [`patient_uid: the patient has more than ${most}: ask the operator, who has \`cli patients\``]
  ]
  const addEvent = (mebibytes: number) =>
    shop.rows(
      (sql) => sql`INSERT INTO events (owner_uid, id, owner_kind, type, subject, data_encrypted, created_at)
        VALUES (${owner}, ${random("evt")}, 'organisation', 'unknown', ${patient}, repeat('x', ${mebibytes * 1_048_576}::int), now())`
    )
  await addEvent(5)
  const events = ask("5 MiB of events")
  expect(await exports()).toEqual([events, events])

  const uid = random("pho")
  await shop.rows(
    (
      sql
    ) => sql`INSERT INTO pharmacy_orders (pharmacy_uid, uid, name, status, paid, organisation_uid, shop_uid, patient_uid,
        shipping_price, currency, takes_stock, created_at, updated_at)
      VALUES (${pharmacy_uid}, ${uid}, '#1', 'new', false, ${owner}, ${shop.shop_uid}, ${patient}, 0, 'EUR', true, now(), now())`
  )
  const addLines = (from: number, to: number) =>
    shop.rows(
      (sql) => sql`INSERT INTO pharmacy_order_lines (pharmacy_uid, pharmacy_order_uid, uid, position, sku_uid, quantity,
          total_price, digital)
        SELECT ${pharmacy_uid}, ${uid}, ${uid} || n, n, ${shop.skus.drops.uid}, 1, 1, false FROM generate_series(${from}::int, ${to}::int) n`
    )
  await addLines(1, 10_000)
  expect(await exports()).toEqual([events, events])
  await addLines(10_001, 10_001)
  const lines = ask("10000 lines of orders")
  expect([...(await exports()), await request("erase", { reason: "asked" })]).toEqual([lines, lines, lines])
})

test("only the operator exports or erases a patient whose prescriptions have very many items, also those named in the request; Rule 12.2.3", async () => {
  const shop = await scene({ first_name: "Kim", last_name: random("Muster") })
  const { organisation_uid: owner, patient } = shop
  const request = async (path: string, body?: object) => {
    const url = `/v1/management/patients/${patient}/${path}`
    const { status, body: answer } = await server.current.api("POST", url, { key: shop.key, ...(body && { body }) })
    return status === 200 ? status : [status, answer.error]
  }
  const uids = [random("prs"), random("prs")] as const
  const prescribe = (uid: string, patient_uid: string | null, items: number) =>
    shop.rows(
      (
        sql
      ) => sql`WITH made AS (INSERT INTO prescriptions (organisation_uid, uid, status, patient_uid, created_at, updated_at)
          VALUES (${owner}, ${uid}, 'SIGNED', ${patient_uid}, now(), now()))
        INSERT INTO prescription_items (organisation_uid, prescription_uid, uid, position, sku_uid, quantity)
        SELECT ${owner}, ${uid}, ${uid} || '_' || n, n, ${shop.skus.drops.uid}, 1 FROM generate_series(1, ${items}::int) n`
    )
  const refused = [
    400,
    ["patient_uid: the patient has more than 10000 items of prescriptions: ask the operator, who has `cli patients`"]
  ]
  await prescribe(uids[0], patient, 10_000)
  expect(await request("export")).toBe(200)
  await prescribe(uids[1], null, 1)
  expect(await request("erase", { reason: "asked", prescription_uids: [uids[1]] })).toEqual(refused)
  await shop.rows((sql) => sql`UPDATE prescriptions SET patient_uid = ${patient} WHERE organisation_uid = ${owner}`)
  expect([await request("export"), await request("export-document")]).toEqual([refused, refused])
  expect(await request("erase", { reason: "asked" })).toEqual(refused)
})

test("an export and an erasure read a patient's orders at a pharmacy in one statement", async () => {
  const shop = await makeShop(server.current)
  const profile = { first_name: "Kim", last_name: random("Muster"), date_of_birth: "1990-05-01" }
  const patients = (path: string, body: object) =>
    server.current.api("POST", `/v1/management/patients${path}`, { key: shop.key, body })
  const { uid } = (await patients("", { shop_uid: shop.shop_uid, profile })).body
  const note_attributes = Object.entries(profile).map(([name, value]) => ({ name, value }))
  for (let made = 0; made < 3; made++) {
    const order = shop.order({ note_attributes, line_items: [shop.line(shop.skus.advice)] })
    for (const topic of ["orders/paid", "orders/cancelled"]) await shop.sendWebhook(topic, order)
  }
  const reading = async (path: string, body: object) => {
    const { result, statements } = await recording(() => patients(path, body), server.current.databaseUrl)
    return [result.status, statements.filter(({ text }) => text.includes("FROM pharmacy_order_lines l")).length]
  }
  expect((await patients(`/${uid}/export`, {})).body.orders).toHaveLength(3)
  expect(await reading(`/${uid}/export`, {})).toEqual([200, 1])
  expect(await reading(`/${uid}/erase`, { reason: "asked" })).toEqual([200, 1])
})

test("an erasure decrypts each order that waits for a pharmacy once", async () => {
  const shop = await scene({ first_name: "Kim", last_name: random("Muster") })
  await shop.sendWebhook(
    "orders/create",
    shop.order({ line_items: [shop.line(shop.skus.drops, { _prescription_uid: "none" })] })
  )
  const { result, statements } = await recording(shop.erase, server.current.databaseUrl)
  expect(result.status).toBe(200)
  expect(statements.filter(({ text }) => /SELECT .*waiting_encrypted/s.test(text))).toHaveLength(1)
})

test("a correction and an export decrypt no order that waits for a pharmacy, of which a shop may have thousands", async () => {
  const shop = await scene({ first_name: "Kim", last_name: "Muster" })
  await shop.sendWebhook(
    "orders/create",
    shop.order({ line_items: [shop.line(shop.skus.drops, { _prescription_uid: "none" })] })
  )
  expect(await shop.waiting()).toHaveLength(1)
  const owner = shop.organisation_uid
  await shop.rows(
    (sql) => sql`UPDATE storefront_orders SET waiting_encrypted = 'unreadable' WHERE organisation_uid = ${owner}`
  )
  const path = `/v1/management/patients/${shop.patient}`
  const request = (method: string, at: string, body?: object) =>
    server.current.api(method, path + at, { key: shop.key, ...(body !== undefined && { body }) })
  const statuses = [
    (await request("PATCH", "", { profile: { first_name: "Kai" } })).status,
    (await request("POST", "/export")).status
  ]
  await shop.rows((sql) => sql`DELETE FROM storefront_orders WHERE organisation_uid = ${owner}`)
  expect(statuses).toEqual([200, 200])
})

test("a correction of what records are not found by looks through none of the organisation's", async () => {
  const shop = await scene({ first_name: "Kim", last_name: "Muster", phone: "+49 30 1" })
  const looked = async (profile: object) => {
    const { result, statements } = await recording(
      () =>
        server.current.api("PATCH", `/v1/management/patients/${shop.patient}`, { key: shop.key, body: { profile } }),
      server.current.databaseUrl
    )
    return [result.status, statements.some(({ text }) => text.includes("FROM prescriptions"))]
  }
  expect(await looked({ first_name: "Kim", phone: "+49 30 1", shoe_size: 42 })).toEqual([200, false])
  expect(await looked({ first_name: "Kai" })).toEqual([200, true])
  expect(await looked({ phone: null })).toEqual([200, true])
})
