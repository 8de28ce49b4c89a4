/** What one request may read of a patient, and how often. Rule 12.2.3. */
import { expect, test } from "bun:test"
import { Effect } from "effect"
import { Erasures } from "../../../src/capabilities/patient-rights/services/Erasures.ts"
import { system } from "../../../src/schemas/access/Actor.ts"
import { OrganisationUid } from "../../../src/schemas/ids.ts"
import { testServer } from "../../support/server.ts"
import { recording } from "../../support/statements.ts"
import { random } from "../../support/world.ts"
import { notes, sendWaiting, shopWithPatient } from "./scene.ts"

const server = testServer()

type Scene = Awaited<ReturnType<typeof shopWithPatient>>
const scene = () => shopWithPatient(server.current, { first_name: "Kim", last_name: random("Muster") })

/** What answers each request for a patient's rights: 200, or why not. */
const asked = async ({ ask }: Scene, ...paths: ReadonlyArray<string>) => {
  const body = (path: string) => (path === "erase" ? { reason: "asked" } : undefined)
  const answers = await Promise.all(paths.map((path) => ask(`/${path}`, body(path))))
  return answers.map((answer) => (answer.status === 200 ? 200 : [answer.status, answer.body.error]))
}
const tooMany = (most: string) => [
  400,
  [`patient_uid: the patient has more than ${most}: ask the operator, who has \`cli patients\``]
]
const EXPORTS = ["export", "export-document"]

// Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
test("only the operator exports or erases a patient with thousands of appointments; Rule 12.2.3", async () => {
  const shop = await scene()
  const { organisation_uid: owner, patient } = shop
  await shop.sql`INSERT INTO appointments (organisation_uid, uid, doctor_uid, patient_uid, slot_group, status,
      meeting_type, meeting_format, start_date, end_date, room_name, created_at, updated_at, cancelled_at)
    SELECT ${owner}, ${owner} || n, ${shop.doctor}, ${patient}, ${owner} || n, 'cancelled', 'REVIEW', 'DIGITAL',
      to_timestamp(n), to_timestamp(n + 1), 'none', to_timestamp(n), to_timestamp(n), to_timestamp(n)
    FROM generate_series(1, 2001) n`
  const refused = tooMany("2000 appointments, prescriptions and orders")
  expect(await asked(shop, ...EXPORTS, "erase")).toEqual([refused, refused, refused])
  const erased = await server.current.run(
    Effect.flatMap(Erasures, ({ erase }) =>
      erase(OrganisationUid.make(owner), patient, system, { reason: "asked", prescription_uids: [] })
    )
  )
  expect(erased.kept).toContainEqual(expect.objectContaining({ what: "appointments", count: 2_001 }))
})

// Shows: lists, exports and erasures that read all of a tenant's data cheaply for the caller
test("only the operator exports or erases a patient whose orders have very many lines, or exports very large events; Rule 12.2.3", async () => {
  const shop = await scene()
  const { organisation_uid: owner, patient, pharmacy_uid } = shop
  await shop.sql`INSERT INTO events (owner_uid, id, owner_kind, type, subject, data_encrypted, created_at)
    VALUES (${owner}, ${random("evt")}, 'organisation', 'unknown', ${patient}, repeat('x', ${5 * 1_048_576}::int), now())`
  const events = tooMany("5 MiB of events")
  expect(await asked(shop, ...EXPORTS)).toEqual([events, events])

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
  expect(await asked(shop, ...EXPORTS)).toEqual([events, events])
  await addLines(10_001, 10_001)
  const lines = tooMany("10000 lines of orders")
  expect(await asked(shop, ...EXPORTS, "erase")).toEqual([lines, lines, lines])
})

test("only the operator exports or erases a patient whose prescriptions have very many items, also those named in the request; Rule 12.2.3", async () => {
  const shop = await scene()
  const { organisation_uid: owner, patient } = shop
  const [own, named] = [random("prs"), random("prs")]
  const prescribe = (uid: string, patient_uid: string | null, items: number) =>
    shop.sql`WITH made AS (INSERT INTO prescriptions (organisation_uid, uid, status, patient_uid, created_at,
        updated_at)
        VALUES (${owner}, ${uid}, 'SIGNED', ${patient_uid}, now(), now()))
      INSERT INTO prescription_items (organisation_uid, prescription_uid, uid, position, sku_uid, quantity)
      SELECT ${owner}, ${uid}, ${uid} || '_' || n, n, ${shop.skus.drops.uid}, 1
      FROM generate_series(1, ${items}::int) n`
  const refused = tooMany("10000 items of prescriptions")
  await prescribe(own, patient, 10_000)
  expect(await asked(shop, "export")).toEqual([200])
  await prescribe(named, null, 1)
  const erased = await shop.erase({ prescription_uids: [named] })
  expect([erased.status, erased.body.error]).toEqual(refused)
  await shop.sql`UPDATE prescriptions SET patient_uid = ${patient} WHERE organisation_uid = ${owner}`
  expect(await asked(shop, ...EXPORTS, "erase")).toEqual([refused, refused, refused])
})

test("an export and an erasure read a patient's orders at a pharmacy in one statement", async () => {
  const profile = { first_name: "Kim", last_name: random("Muster"), date_of_birth: "1990-05-01" }
  const shop = await shopWithPatient(server.current, profile, { default_pharmacy: true })
  for (let made = 0; made < 3; made++) {
    const order = shop.order({ note_attributes: notes(profile), line_items: [shop.line(shop.skus.advice)] })
    for (const topic of ["orders/paid", "orders/cancelled"]) await shop.sendWebhook(topic, order)
  }
  const reading = async (path: string) => {
    const { result, statements } = await recording(() => asked(shop, path), server.current.databaseUrl)
    return [...result, statements.filter(({ text }) => text.includes("FROM pharmacy_order_lines l")).length]
  }
  expect((await shop.ask("/export")).body.orders).toHaveLength(3)
  expect([await reading("export"), await reading("erase")]).toEqual([
    [200, 1],
    [200, 1]
  ])
})

test("a correction and an export decrypt no order that waits for a pharmacy, of which a shop may have thousands", async () => {
  const shop = await shopWithPatient(server.current)
  await sendWaiting(shop)
  expect(await shop.waiting()).toHaveLength(1)
  const owner = shop.organisation_uid
  await shop.sql`UPDATE storefront_orders SET waiting_encrypted = 'unreadable' WHERE organisation_uid = ${owner}`
  const corrected = await shop.ask("", { profile: { first_name: "Kai" } }, "PATCH")
  const exported = await shop.ask("/export")
  await shop.sql`DELETE FROM storefront_orders WHERE organisation_uid = ${owner}`
  expect([corrected.status, exported.status]).toEqual([200, 200])
})

test("a correction of what records are not found by looks through none of the organisation's", async () => {
  const shop = await shopWithPatient(server.current, { first_name: "Kim", last_name: "Muster", phone: "+49 30 1" })
  const looked = async (profile: object) => {
    const { result, statements } = await recording(() => shop.ask("", { profile }, "PATCH"), server.current.databaseUrl)
    return [result.status, statements.some(({ text }) => text.includes("FROM prescriptions"))]
  }
  expect(await looked({ first_name: "Kim", phone: "+49 30 1", shoe_size: 42 })).toEqual([200, false])
  expect(await looked({ first_name: "Kai" })).toEqual([200, true])
  expect(await looked({ phone: null })).toEqual([200, true])
})
