/** What one request may read of a patient, and how often. Rule 12.2.3. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { system } from "../../src/schemas/access/Actor.ts"
import { OrganisationUid } from "../../src/schemas/ids.ts"
import { Erasures } from "../../src/services/rights/Erasures.ts"
import { makeShop } from "../checkout/support/shop.ts"
import { testServer } from "../support/server.ts"
import { recording } from "../support/statements.ts"
import { random } from "../support/world.ts"
import { shopWithPatient } from "./scene.ts"

const server = testServer()

// Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
test("only the operator exports or erases a patient with thousands of appointments; Rule 12.2.3", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Kim", last_name: random("Muster") })
  const { organisation_uid: owner, patient } = shop
  await shop.sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, slot_group, status,
      meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, cancelled_at)
    SELECT ${owner}, ${owner} || n, ${shop.doctor}, ${patient}, ${owner} || n, 'cancelled', 'REVIEW', 'DIGITAL',
      to_timestamp(n), to_timestamp(n + 1), 'none', to_timestamp(n), to_timestamp(n), to_timestamp(n)
    FROM generate_series(1, 2001) n`
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

// Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
test("only the operator exports or erases a patient whose orders have very many lines, or exports very large events; Rule 12.2.3", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Kim", last_name: random("Muster") })
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
    shop.sql`INSERT INTO events (owner_uid, id, owner_kind, type, subject, data_encrypted, created_at)
      VALUES (${owner}, ${random("evt")}, 'organisation', 'unknown', ${patient},
      repeat('x', ${mebibytes * 1_048_576}::int), now())`
  await addEvent(5)
  const events = ask("5 MiB of events")
  expect(await exports()).toEqual([events, events])

  const uid = random("pho")
  await shop.sql`INSERT INTO pharmacy_orders (pharmacy_uid, uid, name, status, paid, organisation_uid, shop_uid,
      patient_uid, shipping_price, currency, takes_stock, created_at, updated_at)
    VALUES (${pharmacy_uid}, ${uid}, '#1', 'new', false, ${owner}, ${shop.shop_uid}, ${patient}, 0, 'EUR', true,
      now(), now())`
  const addLines = (from: number, to: number) =>
    shop.sql`INSERT INTO pharmacy_order_lines (pharmacy_uid, pharmacy_order_uid, uid, position, sku_uid, quantity,
        total_price, digital)
      SELECT ${pharmacy_uid}, ${uid}, ${uid} || n, n, ${shop.skus.drops.uid}, 1, 1, false
      FROM generate_series(${from}::int, ${to}::int) n`
  await addLines(1, 10_000)
  expect(await exports()).toEqual([events, events])
  await addLines(10_001, 10_001)
  const lines = ask("10000 lines of orders")
  expect([...(await exports()), await request("erase", { reason: "asked" })]).toEqual([lines, lines, lines])
})

test("only the operator exports or erases a patient whose prescriptions have very many items, also those named in the request; Rule 12.2.3", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Kim", last_name: random("Muster") })
  const { organisation_uid: owner, patient } = shop
  const request = async (path: string, body?: object) => {
    const url = `/v1/management/patients/${patient}/${path}`
    const { status, body: answer } = await server.current.api("POST", url, { key: shop.key, ...(body && { body }) })
    return status === 200 ? status : [status, answer.error]
  }
  const uids = [random("prs"), random("prs")] as const
  const prescribe = (uid: string, patient_uid: string | null, items: number) =>
    shop.sql`WITH made AS (INSERT INTO prescriptions (organisation_uid, uid, status, patient_uid, created_at,
        updated_at)
        VALUES (${owner}, ${uid}, 'SIGNED', ${patient_uid}, now(), now()))
      INSERT INTO prescription_items (organisation_uid, prescription_uid, uid, position, sku_uid, quantity)
      SELECT ${owner}, ${uid}, ${uid} || '_' || n, n, ${shop.skus.drops.uid}, 1
      FROM generate_series(1, ${items}::int) n`
  const refused = [
    400,
    ["patient_uid: the patient has more than 10000 items of prescriptions: ask the operator, who has `cli patients`"]
  ]
  await prescribe(uids[0], patient, 10_000)
  expect(await request("export")).toBe(200)
  await prescribe(uids[1], null, 1)
  expect(await request("erase", { reason: "asked", prescription_uids: [uids[1]] })).toEqual(refused)
  await shop.sql`UPDATE prescriptions SET patient_uid = ${patient} WHERE organisation_uid = ${owner}`
  expect([await request("export"), await request("export-document")]).toEqual([refused, refused])
  expect(await request("erase", { reason: "asked" })).toEqual(refused)
})

test("an export and an erasure read a patient's orders at a pharmacy in one statement", async () => {
  const shop = await makeShop(server.current)
  const profile = { first_name: "Kim", last_name: random("Muster"), date_of_birth: "1990-05-01" }
  const patients = (path: string, body: object) => shop.api("POST", `/v1/management/patients${path}`, body)
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

test("a correction and an export decrypt no order that waits for a pharmacy, of which a shop may have thousands", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Kim", last_name: "Muster" })
  await shop.sendWebhook(
    "orders/create",
    shop.order({ line_items: [shop.line(shop.skus.drops, { _prescription_uid: "none" })] })
  )
  expect(await shop.waiting()).toHaveLength(1)
  const owner = shop.organisation_uid
  await shop.sql`UPDATE storefront_orders SET waiting_encrypted = 'unreadable' WHERE organisation_uid = ${owner}`
  const path = `/v1/management/patients/${shop.patient}`
  const request = (method: string, at: string, body?: object) =>
    server.current.api(method, path + at, { key: shop.key, ...(body !== undefined && { body }) })
  const statuses = [
    (await request("PATCH", "", { profile: { first_name: "Kai" } })).status,
    (await request("POST", "/export")).status
  ]
  await shop.sql`DELETE FROM storefront_orders WHERE organisation_uid = ${owner}`
  expect(statuses).toEqual([200, 200])
})

test("a correction of what records are not found by looks through none of the organisation's", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Kim", last_name: "Muster", phone: "+49 30 1" })
  const looked = async (profile: object) => {
    const { result, statements } = await recording(
      () => shop.api("PATCH", `/v1/management/patients/${shop.patient}`, { profile }),
      server.current.databaseUrl
    )
    return [result.status, statements.some(({ text }) => text.includes("FROM prescriptions"))]
  }
  expect(await looked({ first_name: "Kim", phone: "+49 30 1", shoe_size: 42 })).toEqual([200, false])
  expect(await looked({ first_name: "Kai" })).toEqual([200, true])
  expect(await looked({ phone: null })).toEqual([200, true])
})
