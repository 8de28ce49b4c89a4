import { describe, expect, test } from "bun:test"
import { NOT_WAITING } from "../../../src/capabilities/shared/services/intake/notWaiting.ts"
import { makeShop, type ShopOptions, type ShopWorld } from "../../checkout/support/shop.ts"
import { testServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"

const server = testServer()
const shopWorld = (options?: ShopOptions) => makeShop(server.current, options)

describe("a storefront's webhook", () => {
  test("needs the shop's signature over its exact body", async () => {
    const shop = await shopWorld()
    for (const signature of ["", "AAAA", "no"])
      expect((await shop.sendWebhook("orders/paid", shop.order(), { "x-shopify-hmac-sha256": signature })).status).toBe(
        401
      )
    const other = await shopWorld()
    const answer = await server.current.api("POST", `/v1/storefront/${other.shop_identifier}/webhooks`, {
      body: JSON.stringify(shop.order()),
      headers: { "x-shopify-topic": "orders/paid", "x-shopify-webhook-id": "1" }
    })
    expect(answer.status).toBe(401)
    expect((await server.current.api("POST", "/v1/storefront/nowhere/webhooks", { body: {} })).status).toBe(404)
    expect(await shop.pharmacyOrders()).toEqual([])
  })

  test("with a signature must be an order; other topics are acknowledged and ignored", async () => {
    const shop = await shopWorld()
    expect((await shop.sendWebhook("orders/paid", "{")).status).toBe(400)
    expect((await shop.sendWebhook("orders/paid", { id: 1 })).status).toBe(400)
    expect((await shop.sendWebhook("orders/paid", shop.order(), { "x-shopify-webhook-id": "" })).status).toBe(400)
    expect((await shop.sendWebhook("products/update", { id: 1 })).status).toBe(200)
  })

  // Shows: a shop that responds late or endlessly, or sends endless orders
  test("with texts or amounts that cannot be stored is refused as not an order", async () => {
    const shop = await shopWorld()
    const { drops } = shop.skus
    const faulty = [
      { name: "#\u0000" },
      { note_attributes: [{ name: "transaction_id", value: "\u0000" }] },
      { shipping_address: { first_name: "\ud800" } },
      { total_shipping_price_set: { shop_money: { amount: "Infinity" } } },
      { line_items: [shop.line(drops, { _anamnesis_uid: "\u0000" })] },
      { line_items: [shop.line(drops, {}, { quantity: 3_000_000_000 })] },
      { line_items: [shop.line(drops, {}, { price: "1e300" })] },
      // with many such lines, payouts would exceed the range of integers
      { line_items: [shop.line(drops, {}, { price: "1000000", quantity: 10_001 })] },
      { line_items: Array.from({ length: 501 }, () => shop.line(drops)) },
      { note_attributes: Array.from({ length: 1_001 }, () => ({ name: "a", value: 1 })) }
    ]
    const answers = await Promise.all(faulty.map((fields) => shop.sendWebhook("orders/paid", shop.order(fields))))
    expect(answers.map(({ status }) => status)).toEqual(faulty.map(() => 400))
    expect(await shop.pharmacyOrders()).toEqual([])
  })

  // Shows: a shop that responds late or endlessly, or sends endless orders
  test("of the most pieces at the highest price has payouts that can be listed, and one of more is refused; Rule 11.7.12", async () => {
    const shop = await shopWorld()
    const { data } = (await shop.asPharmacy("GET", "pharmacy_skus/")).body
    for (const { uid } of data) await shop.asPharmacy("PATCH", `pharmacy_skus/${uid}`, { price: 10_000_000_000 })
    const send = async (quantities: ReadonlyArray<number>) => {
      const line_items = quantities.map((quantity) => shop.line(shop.skus.drops, {}, { quantity, price: "0" }))
      return (await shop.sendWebhook("orders/paid", shop.order({ line_items }))).status
    }
    const most = Array(9).fill(100_000)
    expect([await send(most), await send([...most, 1])]).toEqual([200, 400])
    const { status, body } = await shop.asPharmacy("GET", "payouts?sort_by=amount")
    expect([status, body.data?.[0]?.amount]).toEqual([200, 9_000_000_000_000_000])
  })

  // Shows: records so large that a page of them blocks a process, and buyers' texts that make an order fail
  test("may have texts of any length: longer ones are truncated or ignored; Rule 11.7.13", async () => {
    const shop = await shopWorld()
    const long = Array.from({ length: 200 }, () => crypto.randomUUID()).join("")
    const attributes = { transaction_id: long, first_name: `Kim ${long}`, date_of_birth: "-99999999999" }
    const note_attributes = Object.entries(attributes).map(([name, value]) => ({ name, value }))
    const line_items = [shop.line(shop.skus.drops, { _anamnesis_uid: long })]
    const shipping_address = { address1: long }
    const order = shop.order({ name: `#${long}`, note_attributes, line_items, shipping_address })
    expect((await shop.sendWebhook("orders/create", order)).status).toBe(200)
    expect((await shop.sendWebhook("orders/paid", order)).status).toBe(200)
    const cut = long.slice(0, 255)
    const [made] = await shop.pharmacyOrders()
    expect(made).toMatchObject({
      name: `#${long}`.slice(0, 255),
      paid: true,
      patient: { first_name: `Kim ${long}`.slice(0, 255), date_of_birth: null },
      shipping_address: { address1: cut }
    })
    expect((await shop.prescription(made.prescription_uid)).items).toMatchObject([{ anamnesis_uid: cut }])
    // the shop chooses identifiers; they do not contain the order's name
    expect((await shop.sendWebhook("orders/paid", { ...order, admin_graphql_api_id: long })).status).toBe(400)
  })

  test("creates, pays and cancels an order; a repetition does nothing", async () => {
    const shop = await shopWorld()
    const order = shop.order({ name: "#7" })
    const id = { "x-shopify-webhook-id": random("whk") }
    expect((await shop.sendWebhook("orders/create", order, id)).status).toBe(200)
    expect(await shop.pharmacyOrders()).toMatchObject([{ name: "#7", paid: false, status: "new", shipping_price: 490 }])
    expect((await shop.sendWebhook("orders/paid", order, id)).status).toBe(200)
    expect(await shop.pharmacyOrders()).toMatchObject([{ paid: false }])
    await Promise.all([1, 2, 3].map(() => shop.sendWebhook("orders/paid", order)))
    expect(await shop.pharmacyOrders()).toMatchObject([{ name: "#7", paid: true, status: "new" }])
    await shop.sendWebhook("orders/cancelled", { ...order, cancel_reason: "customer" })
    expect(await shop.pharmacyOrders()).toMatchObject([{ status: "cancelled" }])
  })

  test("may first arrive as paid, many times at once, and still creates one order", async () => {
    const shop = await shopWorld()
    const order = shop.order()
    const topics = ["orders/paid", "orders/create", "orders/paid", "orders/create"]
    const answers = await Promise.all(topics.map((topic) => shop.sendWebhook(topic, order)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await shop.pharmacyOrders()).toMatchObject([{ paid: true }])
  })

  test("of a cancelled order creates nothing, whatever follows", async () => {
    const shop = await shopWorld()
    const order = shop.order()
    for (const topic of ["orders/cancelled", "orders/create", "orders/paid"])
      expect((await shop.sendWebhook(topic, order)).status).toBe(200)
    expect(await shop.pharmacyOrders()).toEqual([])
  })

  test("pays only with its own payment: the first order that names one gets it; Rule 10.5.7", async () => {
    const [mine, other] = [await shopWorld(), await shopWorld()]
    const transaction = (value: string) => ({ note_attributes: [{ name: "transaction_id", value }] })
    const paymentsOf = (shop: typeof mine) =>
      shop.sql`SELECT payment_id FROM pharmacy_orders WHERE organisation_uid = ${shop.organisation_uid} ORDER BY name`
    const payment = random("tr")
    await mine.sendWebhook("orders/paid", mine.order({ name: "#1", ...transaction(payment) }))
    await mine.sendWebhook("orders/paid", mine.order({ name: "#2", ...transaction(payment) }))
    await other.sendWebhook("orders/paid", other.order({ name: "#1", ...transaction(payment) }))
    const later = other.order({ name: "#2", ...transaction(payment) })
    await other.sendWebhook("orders/create", later)
    await other.sendWebhook("orders/paid", later)
    expect(await paymentsOf(mine)).toEqual([{ payment_id: payment }, { payment_id: null }])
    expect(await paymentsOf(other)).toEqual([{ payment_id: null }, { payment_id: null }])
    expect(await other.pharmacyOrders()).toMatchObject([{ paid: true }, { paid: true }])
  })
})

describe("prescriptions of an order", () => {
  test("are opened for physical lines, with the questionnaire unless validation is skipped", async () => {
    const shop = await shopWorld()
    const { drops, gel, advice } = shop.skus
    const details = (entries: Record<string, string>) =>
      Object.entries(entries).map(([name, value]) => ({ name, value }))
    const note_attributes = details({ date_of_birth: "1990-02-28", gender: "divers", _skip_validation: "true" })
    const line_item_group = { id: 1, properties: details({ _service_skip_validation: "0" }) }
    const line_items = [
      shop.line(drops, { _anamnesis_uid: "skipped by the order" }),
      shop.line(gel, { _anamnesis_uid: "kept", _skip_validation: "false" }),
      shop.line(gel, { _anamnesis_uid: "kept by the group" }, { line_item_group }),
      shop.line(advice, { _anamnesis_uid: "digital" })
    ]
    await shop.sendWebhook("orders/paid", shop.order({ note_attributes, line_items }))
    const [order] = await shop.pharmacyOrders()
    expect(order.lines).toMatchObject([drops, gel, gel, advice].map(({ uid }) => ({ sku_uid: uid })))
    const { items } = await shop.prescription(order.prescription_uid)
    expect(items).toMatchObject([null, "kept", "kept by the group"].map((anamnesis_uid) => ({ anamnesis_uid })))
    const patient = await shop.sql`SELECT first_name, last_name, date_of_birth, gender FROM prescriptions
        WHERE uid = ${order.prescription_uid}`
    expect(patient).toEqual([{ first_name: "Kim", last_name: "Muster", date_of_birth: 636_163_200, gender: "divers" }])
  })

  test("are only those of this organisation, whatever a buyer writes into a cart", async () => {
    const [shop, other] = [await shopWorld(), await shopWorld()]
    const foreign = (await other.prescribe()).body.prescriptions[0].prescription_uid
    const line_items = [shop.line(shop.skus.drops, { _prescription_uid: foreign })]
    await shop.sendWebhook("orders/paid", shop.order({ line_items }))
    expect(await shop.pharmacyOrders()).toEqual([])
    expect(await shop.waiting()).toMatchObject([{ reason: "prescription_not_usable" }])
    expect((await other.prescription(foreign)).status).toBe("signed")
  })

  test("are not created for digital or foreign lines", async () => {
    const shop = await shopWorld()
    const [digital, foreign] = [shop.line(shop.skus.advice), shop.line({ variant: 1 })]
    for (const line_items of [[digital, foreign], [foreign]])
      expect(await shop.sendWebhook("orders/paid", shop.order({ line_items }))).toMatchObject({ status: 200 })
    expect(await shop.pharmacyOrders()).toMatchObject([{ prescription_uid: null, lines: [{ quantity: 1 }] }])
  })
})

describe("the pharmacy of an order", () => {
  const pharmacy = async (shop: ShopWorld, price: number, skus = Object.values(shop.skus)) => {
    const uid = random("pha")
    const key = random("spr_key_that_is_long_enough")
    await shop.provision({
      pharmacies: [{ uid, name: "Andere" }],
      pharmacy_skus: shop.carry(uid, price, skus),
      api_keys: [{ key, name: "other", permissions: ["orders_read"], pharmacy_uid: uid }]
    })
    return { uid, key }
  }

  // Shows: a shop's order sent to another organisation's pharmacy
  // Shows: an order sent to another organisation's pharmacy
  test("is the one that the order names if it exists and is allowed for the shop, else the default one", async () => {
    const shop = await shopWorld()
    const [allowed, other] = [await pharmacy(shop, 900), await pharmacy(shop, 1)]
    const { shop_uid, shop_identifier, organisation_uid, pharmacy_uid, webhook_secret } = shop
    const storefront = { kind: "embedded", webhook_secret }
    const entry = { uid: shop_uid, shop_identifier, organisation_uid, storefront, pharmacy_uids: [allowed.uid] }
    const limit = (fields: object) => shop.provision({ shops: [{ ...entry, ...fields }] })
    const named = (value: string, fields = {}) =>
      shop.order({ note_attributes: [{ name: "pharmacy_uid", value }], ...fields })
    const found = async () => {
      const orders = await Promise.all([allowed.key, other.key, undefined].map((key) => shop.pharmacyOrders(key)))
      return orders.map(({ length }) => length)
    }
    for (const uid of [allowed.uid, "nowhere"]) await shop.sendWebhook("orders/paid", named(uid))
    expect(await found()).toEqual([1, 0, 1])
    await limit({ default_pharmacy_uid: pharmacy_uid })
    for (const uid of [allowed.uid, other.uid, pharmacy_uid]) await shop.sendWebhook("orders/paid", named(uid))
    expect(await found()).toEqual([2, 0, 3])
    await limit({})
    await shop.sendWebhook("orders/paid", named(other.uid))
    expect(await found()).toEqual([3, 0, 3])
    await limit({ pharmacy_uids: [] })
    await shop.sendWebhook("orders/paid", named(other.uid))
    expect(await shop.waiting()).toMatchObject([{ reason: "no_pharmacy" }])
    await limit({ pharmacy_uids: null })
    await shop.provision({ organisations: [{ uid: organisation_uid, name: "Praxis", pharmacy_uids: [allowed.uid] }] })
    await shop.sendWebhook("orders/paid", named(other.uid))
    expect((await found())[1]).toBe(0)
    const unknown = await limit({ pharmacy_uids: [allowed.uid, "pha_nowhere"] }).catch((error: Error) => error.message)
    expect(unknown).toContain("shops[0].pharmacy_uids[1]: refers to something that does not exist")
  })

  test("is the cheapest one that carries every line, if the shop has no default", async () => {
    const shop = await shopWorld({ default_pharmacy: false })
    const { drops, gel } = shop.skus
    await pharmacy(shop, 100, [drops])
    const cheap = await pharmacy(shop, 700)
    await shop.sendWebhook("orders/paid", shop.order({ line_items: [shop.line(drops), shop.line(gel)] }))
    expect(await shop.pharmacyOrders(cheap.key)).toHaveLength(1)
    expect(await shop.pharmacyOrders()).toHaveLength(0)
  })

  test("is chosen by the patient where the shop says so: neither by price nor by default; Rule 11.7.5", async () => {
    const shop = await shopWorld()
    const { shop_uid, shop_identifier, organisation_uid, pharmacy_uid, webhook_secret } = shop
    const storefront = { kind: "embedded", webhook_secret }
    const entry = { uid: shop_uid, shop_identifier, organisation_uid, storefront, default_pharmacy_uid: pharmacy_uid }
    await shop.provision({ shops: [{ ...entry, pharmacy_choice: "patient" }] })
    await shop.sendWebhook("orders/paid", shop.order())
    expect(await shop.pharmacyOrders()).toHaveLength(0)
    expect(await shop.waiting()).toMatchObject([{ reason: "no_pharmacy" }])
    await shop.sendWebhook(
      "orders/paid",
      shop.order({ note_attributes: [{ name: "pharmacy_uid", value: pharmacy_uid }] })
    )
    expect(await shop.pharmacyOrders()).toHaveLength(1)
  })

  /** A shop with an article that no pharmacy has; `carry` adds it to the shop's pharmacy. */
  const shopWithoutPharmacy = async () => {
    const unserved = await shopWorld({ default_pharmacy: false })
    const strange = { uid: random("sku"), display_name: "Rare", variant: 77 }
    const { uid, display_name } = strange
    const sku = { uid, product_uid: unserved.product_uid, display_name, storefront_variant_id: uid }
    await unserved.provision({ skus: [{ ...sku, standard_selling_unit: 1, unit: "g", selling_price: 1 }] })
    const order = (fields = {}) =>
      unserved.order({ line_items: [{ ...unserved.line(strange), variant_id: null, sku: strange.uid }], ...fields })
    const carry = () => unserved.provision({ pharmacy_skus: unserved.carry(unserved.pharmacy_uid, 5, [strange]) })
    return { ...unserved, strange, order, carry }
  }

  test("is assigned later if none can fill the order: an operator sees it wait, and the next webhook may assign one", async () => {
    const unserved = await shopWithoutPharmacy()
    const order = unserved.order({ name: "#7" })
    expect((await unserved.sendWebhook("orders/create", order)).status).toBe(200)
    expect(await unserved.pharmacyOrders()).toEqual([])
    expect(await unserved.waiting()).toMatchObject([{ name: "#7", topic: "orders/create" }])
    await unserved.carry()
    await unserved.sendWebhook("orders/paid", order)
    expect(await unserved.pharmacyOrders()).toMatchObject([{ paid: true, lines: [{ sku_uid: unserved.strange.uid }] }])
    expect(await unserved.waiting()).toEqual([])
  })

  test("is assigned once without another webhook; a paid order stays paid, a cancelled one is dropped", async () => {
    const unserved = await shopWithoutPharmacy()
    const [paid, cancelled] = [unserved.order(), unserved.order()]
    for (const topic of ["orders/paid", "orders/create"]) await unserved.sendWebhook(topic, paid)
    await unserved.retryWaiting()
    expect(await unserved.waiting()).toMatchObject([{ topic: "orders/paid" }])
    for (const topic of ["orders/paid", "orders/cancelled"]) await unserved.sendWebhook(topic, cancelled)
    await unserved.carry()
    await Promise.all([unserved.retryWaiting(), unserved.retryWaiting()])
    expect(await unserved.pharmacyOrders()).toMatchObject([{ name: paid.name, paid: true }])
    expect(await unserved.waiting()).toEqual([])
  })

  test("is assigned however the waiting orders of other shops end", async () => {
    const [broken, lonely] = [await shopWithoutPharmacy(), await shopWithoutPharmacy()]
    for (const shop of [broken, lonely]) await shop.sendWebhook("orders/paid", shop.order())
    await server.current
      .sql`UPDATE storefront_orders SET waiting_encrypted = 'broken' WHERE shop_uid = ${broken.shop_uid}`
    await lonely.carry()
    await lonely.retryWaiting()
    expect(await lonely.pharmacyOrders()).toMatchObject([{ paid: true }])
    // an order that cannot be decrypted is listed for operators, too, since the list decrypts none
    expect(await broken.waiting()).toMatchObject([{ topic: "orders/paid" }])
    await server.current.query(`UPDATE storefront_orders SET ${NOT_WAITING} WHERE shop_uid = $1`, [broken.shop_uid])
  })

  test("must be assigned before the embedded shop takes a payment; nothing is paid or ordered without", async () => {
    const unserved = await shopWithoutPharmacy()
    const { body } = await unserved.treat({ lines: [{ sku_uid: unserved.strange.uid, quantity: 1 }] })
    const refused = await unserved.pay(body.draft_order_id)
    const error = expect.stringContaining("default pharmacy")
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "no_pharmacy", error }])
    expect(await (await fetch(body.checkout_url)).text()).not.toContain("Bezahlt")
    expect(await unserved.waiting()).toEqual([])
    await unserved.carry()
    expect((await unserved.pay(body.draft_order_id)).status).toBe(200)
    expect(await unserved.pharmacyOrders()).toMatchObject([{ paid: true }])
  })
})
