/** Pages of large records: the size of a response is bounded. */
import { expect, test } from "bun:test"
import { Effect, Schema } from "effect"
import { DoctorsPrescriptions } from "../../src/capabilities/console/services/doctor/DoctorsPrescriptions.ts"
import { OrderPage } from "../../src/http/pharmacy/PharmacyOrdersApi.ts"
import { MOST_LINES } from "../../src/schemas/checkout/Checkout.ts"
import { DoctorUid, OrganisationUid, SkuUid } from "../../src/schemas/ids.ts"
import { makePharmacy } from "../pharmacy/pharmacyWorld.ts"
import { testServer } from "../support/server.ts"
import { recording } from "../support/statements.ts"
import { makeWorld, random } from "../support/world.ts"

const server = testServer({ ROLE: "http" })

// Shows: records so large that a page of them blocks a process, and buyers' texts that make an order fail
test("a page of orders with very many lines is refused, and answered with a lower limit; their events come in smaller pages; Rules 2.5.9 and 6.5.5", async () => {
  const world = await makePharmacy(server.current)
  const line = { sku_uid: SkuUid.make(world.skus.drops.sku), quantity: 1, total_price: 1_200 }
  const { pharmacy_uid, organisation_uid, shop_uid } = world
  const none = { prescription_uid: null, payment_id: null, patient: null, shipping_address: null }
  const make = (count: number) =>
    world.orders((orders) =>
      orders.create({
        ...{ pharmacy_uid, organisation_uid, shop_uid, name: "#1", paid: true, ...none },
        ...{ order_id: random("order"), refunded_amount: 0, shipping_price: 0 },
        paid_amount: count * line.total_price,
        lines: Array.from({ length: count }, () => line)
      })
    )
  const list = (limit: number) => world.call("GET", `/pharmacy_orders/?limit=${limit}`)
  // the largest records that a webhook can create, as few as needed
  for (let orders = 0; orders < 3; orders++) await make(17 * MOST_LINES)
  const lines = async (limit: number) => {
    const { body } = await list(limit)
    return body.data.map((order: { lines: ReadonlyArray<unknown> }) => order.lines.length)
  }
  expect(await lines(50)).toEqual([8_500, 8_500, 8_500])
  await make(1)
  expect(await list(50)).toMatchObject({
    status: 400,
    body: { error: [expect.stringMatching(/^limit: .* ask for fewer$/)] }
  })
  expect(await lines(2)).toEqual([1, 8_500])

  const seen: Array<string> = []
  const sizes: Array<number> = []
  for (let after = ""; ; ) {
    const { body } = await world.call("GET", `/events?limit=500${after}`)
    sizes.push(body.data.length)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    if (body.next === null) break
    expect(body.next).toBe(seen.at(-1))
    after = `&after=${body.next}`
  }
  expect(new Set(seen).size).toBe(4)
  expect(seen).toHaveLength(4)
  expect(sizes.length).toBeGreaterThan(1)

  // thousands of lines are one sum: 8,500 times 10.01, less a tenth, and half of 1.99 more each
  await world.call("PATCH", `/pharmacy_skus/${world.skus.drops.uid}`, { body: { price: 1_001 } })
  const { body } = await world.call("GET", "/payouts?sort_by=amount&limit=1")
  expect(body.data).toMatchObject([{ component_type: "item_rest", amount: 8_500 * 1_001 - 850_850 }])
})

test("the articles of a page of orders are read once each; Rule 10.4.1", async () => {
  const world = await makePharmacy(server.current)
  const { drops, gel } = world.skus
  const lines = Array.from({ length: 300 }, (_, at) => world.line(at % 3 === 0 ? gel : drops))
  for (let order = 0; order < 3; order++) await world.order({ lines })
  const { result, statements } = await recording(
    () => world.call("GET", "/pharmacy_orders/"),
    server.current.databaseUrl
  )
  const orders = Schema.decodeUnknownSync(OrderPage)(result.body, { onExcessProperty: "error" }).data
  const articles = orders.map((order) => order.lines.map(({ sku_uid, external_id }) => [sku_uid, external_id]))
  const expected = lines.map(({ sku_uid }) => {
    const { sku, uid } = sku_uid === gel.sku ? gel : drops
    return [SkuUid.make(sku), `ext-${uid}`]
  })
  expect(articles).toEqual([expected, expected, expected])
  const reads = statements.filter(({ text }) => /\bskus\b/.test(text))
  expect(reads.map(({ values }) => values[0])).toEqual([expect.arrayContaining([drops.sku, gel.sku])])
  expect(reads.flatMap(({ values }) => values[0])).toHaveLength(2)
})

// Shows: records so large that a page of them blocks a process, and buyers' texts that make an order fail
test("a page of patients with large profiles is refused, and answered with a lower limit; Rule 2.5.9", async () => {
  const world = await makeWorld(server.current)
  const patients = "/v1/management/patients"
  const request = (limit: number) => world.api("GET", `${patients}?limit=${limit}`)
  const before = (await request(1)).body.totalRegistries
  const profile = { extra: "x".repeat(65_000) }
  const { organisation_uid, shop_uid } = world
  const made = () => ({ uid: random("pat"), organisation_uid, shop_uid, shop_customer_id: random("customer"), profile })
  await world.provision({ patients: Array.from({ length: 81 }, made) })
  expect((await request(50)).body.data).toHaveLength(50)
  expect(await request(200)).toMatchObject({
    status: 400,
    body: { error: [expect.stringMatching(/^limit: .* ask for fewer$/)] }
  })
  const { body } = await request(3)
  expect(body).toMatchObject({ totalRegistries: before + 81, data: [{ profile }, { profile }, { profile }] })
})

// Shows: records so large that a page of them blocks a process, and buyers' texts that make an order fail
test("a page of a doctor's prescriptions starts no further one after 1,000 items", async () => {
  const world = await makeWorld(server.current)
  const [product_uid, sku_uid] = [random("prd"), random("sku")]
  const unit = { standard_selling_unit: 20, unit: "Stück", selling_price: 599 }
  const prescription = (count: number) => ({
    uid: random("prx"),
    organisation_uid: world.organisation_uid,
    status: "WAITING_FOR_DOCTOR",
    patient: { first_name: "Erika", last_name: "Muster", date_of_birth: 0, gender: "female" },
    items: Array.from({ length: count }, () => ({ sku_uid, quantity: 1 }))
  })
  await world.provision({
    products: [{ uid: product_uid, display_name: "Ibuprofen", handle: product_uid }],
    skus: [{ uid: sku_uid, product_uid, display_name: "Ibuprofen 400", ...unit }],
    prescriptions: Array.from({ length: 5 }, () => prescription(400))
  })
  const whose = {
    organisation_uid: OrganisationUid.make(world.organisation_uid),
    doctor_uid: DoctorUid.make(world.doctor)
  }
  const waiting = await server.current.run(
    Effect.flatMap(DoctorsPrescriptions, (prescriptions) => prescriptions.waiting(whose)).pipe(
      Effect.provide(DoctorsPrescriptions.Default)
    )
  )
  expect(waiting.map(({ items }) => items.length)).toEqual([400, 400, 400])
})

// Shows: public lists and pages of very long texts, pages of very many SKUs
test("a page of products with very many SKUs is refused, and answered with a lower limit; Rule 2.5.9", async () => {
  const { call, provision, pharmacy_uid } = await makePharmacy(server.current)
  const added = Array.from({ length: 3 }, () => ({ product: random("pro"), sku: random("sku") }))
  await provision({
    products: added.map(({ product }) => ({ uid: product, display_name: "Blossoms", handle: "blossoms" })),
    skus: added.map(({ product: product_uid, sku: uid }) => {
      const article = { display_name: "Blossom", standard_selling_unit: 1, unit: "g", selling_price: 1 }
      return { uid, product_uid, ...article }
    })
  })
  /** Never conflicts; without the clause Citus uses COPY, which row-level security rejects. */
  const carry = (from: number, to: number) =>
    server.current.query(
      `INSERT INTO pharmacy_skus (pharmacy_uid, uid, sku_uid, product_uid, digital, external_id, price, stock, created_at,
          updated_at)
        SELECT $1, 'psk_' || sku_uid || i, sku_uid, product_uid, false, 'e', 1, 1, now(), now()
        FROM skus, generate_series($2::integer, $3::integer) i WHERE sku_uid = ANY ($4) ON CONFLICT DO NOTHING`,
      [pharmacy_uid, from, to, added.map(({ sku }) => sku)]
    )
  const numbers = async (query: string) => {
    const { body } = await call("GET", `/pharmacy_products/?${query}`)
    return body.data.map((one: { skus: ReadonlyArray<unknown> }) => one.skus.length)
  }
  await carry(1, 2_499) // with the pharmacy's three others 7,500
  expect((await numbers("")).toSorted()).toEqual([2_499, 2_499, 2_499, 3])
  await carry(2_500, 2_500)
  expect(await call("GET", "/pharmacy_products/")).toMatchObject({
    status: 400,
    body: { error: ["limit: these products have more than 7500 SKUs together: ask for fewer"] }
  })
  const each = await Promise.all([0, 1, 2, 3].map((page) => numbers(`limit=1&page=${page}`)))
  expect(each.flat().toSorted()).toEqual([2_500, 2_500, 2_500, 3])
})
