import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { arrived } from "../support/eventually.ts"
import { sized, someOf } from "../support/scale.ts"
import { testServer } from "../support/server.ts"
import { ADDRESS, makeShop, PATIENT, pdf, type ShopWorld } from "./support/shop.ts"

const server = testServer()
const shopWorld = () => makeShop(server.current)

describe("a prescription checkout", () => {
  test("is accepted, paid by the customer, dispatched and tracked", async () => {
    const shop = await shopWorld()
    const done = await shop.prescribe({
      id: "rx-1",
      prepaid: true,
      external_order_id: "A-77",
      delivery: { delivery_type: "express", delivery_price: 590 },
      transaction: { transaction_id: "tr_1", transaction_amount: 4570 },
      shipping_address: { ...ADDRESS, first_name: "Zoë", last_name: "Żółć" }
    })
    const [{ prescription_uid }] = done.body.prescriptions
    const { draft_order_id } = done.body
    expect([done.status, done.body]).toEqual([
      200,
      {
        status: "success",
        prescriptions: [{ id: "rx-1", prescription_uid }],
        checkout_url: `${server.current.url}/storefront/checkout/${draft_order_id}`,
        draft_order_id
      }
    ])
    const stored = await shop.prescription(prescription_uid)
    expect(stored).toMatchObject({
      status: "signed",
      rendered: true,
      signature: { present: false, trust: "unchecked" },
      items: [{ sku_uid: shop.skus.drops.uid, quantity: 2, anamnesis_uid: null }]
    })
    expect(await (await fetch(stored.file.url)).text()).toBe(Buffer.from(pdf(), "base64").toString())
    expect(await shop.ordersOf(prescription_uid)).toEqual({ prescription_uid, status: "signed", orders: [] })

    const page = await fetch(done.body.checkout_url)
    expect(page.status).toBe(200)
    expect(await page.text()).toMatch(/Remedy Drops.*45,70/s)
    const paid = await shop.pay(draft_order_id)
    expect(paid.status).toBe(200)
    expect(await paid.text()).toContain("Bezahlt")

    const { status, orders } = await shop.ordersOf(prescription_uid)
    expect(status).toBe("dispatched")
    expect(orders).toMatchObject([{ name: "#1001", status: "new", paid: true, tracking: null }])
    expect(await shop.pharmacyOrders()).toMatchObject([
      {
        uid: orders[0].uid,
        name: "#1001",
        paid: true,
        prescription_uid,
        shipping_price: 590,
        lines: [{ sku_uid: shop.skus.drops.uid, quantity: 2, unit_price: 1990 }],
        patient: { first_name: "Zoë", last_name: "Żółć" },
        shipping_address: { address1: "Lindenstraße 5", country_code: "DE" }
      }
    ])
    const attributes = {
      prepaid: "true",
      external_order_id: "A-77",
      delivery_type: "express",
      delivery_price: "590",
      transaction_id: "tr_1",
      transaction_amount: "4570"
    }
    const order = await shop.sql`SELECT attributes FROM embedded_orders WHERE id = ${done.body.draft_order_id}`
    expect(order).toEqual([{ attributes }])
    await shop.pay(done.body.draft_order_id)
    expect((await shop.ordersOf(prescription_uid)).orders).toHaveLength(1)
  })

  test("sends the customer one mail, and only if requested", async () => {
    const shop = await shopWorld()
    const folder = join(server.current.dataDir, "outbox")
    const outbox = () =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".eml"))
        .map((file) => readFileSync(join(folder, file), "utf8").replace(/=\r?\n/g, ""))
    const buyer = (name: string) => ({ email: `${name}-${shop.shop_uid}@example.org` })
    const silent = await shop.prescribe({
      checkout_type: "draft_order_without_checkout_request",
      buyerIdentity: buyer("silent")
    })
    expect(silent.body.checkout_url).toBeNull()
    expect(silent.body.draft_order_id).toBeString()
    const link = await shop.prescribe({ checkout_type: "checkout_link", buyerIdentity: buyer("link") })
    expect(link.body.checkout_url).toStartWith(server.current.url)
    expect(link.body.draft_order_id).toBeNull()
    const prescribed = await shop.prescribe({ buyerIdentity: buyer("asked") })
    const mails = await arrived(() => outbox().filter((mail) => mail.includes(shop.shop_uid)))
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain(`asked-${shop.shop_uid}`)
    expect(mails[0]).toContain(prescribed.body.draft_order_id)
    expect((await shop.pay(silent.body.draft_order_id)).status).toBe(200)
  })

  test("passes addresses to a draft order, but not to a checkout link", async () => {
    const shop = await shopWorld()
    const addresses = { billing_address: ADDRESS, shipping_address: ADDRESS }
    const link = await shop.prescribe({ checkout_type: "checkout_link", ...addresses })
    expect((await fetch(`${link.body.checkout_url}/pay`, { method: "POST" })).status).toBe(200)
    expect(await shop.pharmacyOrders()).toMatchObject([{ shipping_address: null }])
    const draft = await shop.prescribe(addresses)
    await shop.pay(draft.body.draft_order_id)
    expect((await shop.pharmacyOrders())[0].shipping_address).toMatchObject({ city: "Berlin" })
  })

  test("with several prescriptions creates one pharmacy order for each, with digital lines on the first", async () => {
    const shop = await shopWorld()
    const { drops, gel, advice } = shop.skus
    const done = await shop.prescribe({
      prescriptions: ["a", "b"].map((id) => ({ id, pdf_base64: pdf(id) })),
      lines: [
        { sku_uid: drops.uid, quantity: 1, prescription_id: "a" },
        { sku_uid: gel.uid, quantity: 1, prescription_id: "b" },
        { sku_uid: advice.uid, quantity: 1 }
      ]
    })
    const [a, b] = done.body.prescriptions.map(({ prescription_uid }) => prescription_uid)
    await shop.pay(done.body.draft_order_id)
    const orders = await shop.pharmacyOrders()
    const skus = orders.map(({ prescription_uid, lines }) => [prescription_uid, lines.map(({ sku_uid }) => sku_uid)])
    expect(skus).toHaveLength(2)
    expect(Object.fromEntries(skus)).toEqual({ [String(a)]: [drops.uid, advice.uid], [String(b)]: [gel.uid] })
  })

  test.each([
    ["without an address", {}],
    ["that goes to a neighbour", { shipping_address: { ...ADDRESS, first_name: "Nea", last_name: "Nachbar" } }]
  ])("%s keeps a line without prescription for a doctor, with the patient's data", async (_, address) => {
    const shop = await shopWorld()
    const lines = [{ sku_uid: shop.skus.gel.uid, quantity: 1 }]
    const done = await shop.prescribe({ prescriptions: [], lines, ...address })
    expect([done.status, done.body.prescriptions]).toEqual([200, []])
    await shop.pay(done.body.draft_order_id)
    const [order] = await shop.pharmacyOrders()
    expect(order.patient).toEqual(PATIENT)
    expect(await shop.prescription(order.prescription_uid)).toMatchObject({ status: "waiting_for_doctor", file: null })
  })
})

/** What the organisation has. */
const counts = async ({ sql, organisation_uid }: ShopWorld) => {
  const [row] = await sql`SELECT
    (SELECT count(*) FROM prescriptions WHERE organisation_uid = ${organisation_uid}) AS prescriptions,
    (SELECT count(*) FROM files WHERE organisation_uid = ${organisation_uid}) AS files,
    (SELECT count(*) FROM embedded_orders WHERE organisation_uid = ${organisation_uid}) AS orders`
  return row
}

describe("the id rule", () => {
  test("rejects an accepted id, names id, provider and prescription, and creates nothing", async () => {
    const shop = await shopWorld()
    const first = await shop.prescribe({ id: "rx-1" })
    const [{ prescription_uid }] = first.body.prescriptions
    const again = await shop.prescribe({
      prescriptions: ["new", "rx-1"].map((id) => ({ id, pdf_base64: pdf() })),
      lines: [{ sku_uid: shop.skus.drops.uid, quantity: 1, prescription_id: "new" }]
    })
    expect(again).toMatchObject({ status: 409, body: { code: "prescription_already_accepted" } })
    for (const named of ["rx-1", "Praxis", shop.organisation_uid, prescription_uid])
      expect(again.body.error).toContain(named)
    expect(again.body.error).not.toContain('"new"')
    expect(await counts(shop)).toEqual({ prescriptions: 1, files: 1, orders: 1 })
    expect((await shop.prescribe({ id: "new" })).status).toBe(200)
  })

  test("applies to each provider separately, and does not block an id whose request failed", async () => {
    const [one, other] = [await shopWorld(), await shopWorld()]
    expect((await one.prescribe({ id: "rx-1", lines: [{ sku_uid: "no", quantity: 1 }] })).status).toBe(400)
    for (const shop of [one, other]) expect((await shop.prescribe({ id: "rx-1" })).status).toBe(200)
  })

  test("decides alone: the same PDF under another id is another prescription; Rule 11.5.5", async () => {
    const shop = await shopWorld()
    const prescribed = async (id: string, sku_uid: string) => {
      const lines = [{ sku_uid, quantity: 1, prescription_id: id }]
      const { status, body } = await shop.prescribe({ id, prescriptions: [{ id, pdf_base64: pdf("the same") }], lines })
      expect([id, status]).toEqual([id, 200])
      return shop.prescription(body.prescriptions[0].prescription_uid)
    }
    const [one, other] = [await prescribed("rx-1", shop.skus.drops.uid), await prescribed("rx-2", shop.skus.gel.uid)]
    expect(one.uid).not.toBe(other.uid)
    // the hash shows it
    expect(one.file.sha256).toBe(other.file.sha256)
    // neither dispenses the other's article: the order waits
    const lines = [shop.line(shop.skus.gel, { _prescription_uid: one.uid }, { quantity: 1 })]
    expect((await shop.sendWebhook("orders/paid", shop.order({ line_items: lines }))).status).toBe(200)
    expect(await shop.waiting()).toMatchObject([{ reason: "prescription_not_usable" }])
  })

  test("holds for concurrent requests: one prescription, one file, one order", async () => {
    const shop = await shopWorld()
    const answers = await Promise.all(Array.from({ length: sized(10, 50) }, () => shop.prescribe({ id: "rx-1" })))
    const accepted = answers.filter(({ status }) => status === 200)
    expect(accepted).toHaveLength(1)
    const uid = accepted[0]?.body.prescriptions[0].prescription_uid
    for (const { status, body } of answers.filter((answer) => answer !== accepted[0])) {
      expect(status).toBe(409)
      expect(body.error).toContain(uid)
    }
    expect(await counts(shop)).toEqual({ prescriptions: 1, files: 1, orders: 1 })
  })
})

test("a line with a blank prescription_id is one without; Rule 2.2.12", async () => {
  const shop = await shopWorld()
  const line = { sku_uid: shop.skus.drops.uid, quantity: 1 }
  const sent = (prescription_id: unknown) =>
    shop.prescribe({ id: undefined, prescriptions: [], lines: [{ ...line, prescription_id }] })
  for (const none of ["", null]) expect((await sent(none)).status).toBe(200)
  expect((await sent("unknown")).body.error).toEqual([
    "lines[0].prescription_id: is not the id of any of the prescriptions"
  ])
})

describe("a faulty body", () => {
  test("is answered with all faults", async () => {
    const shop = await shopWorld()
    const done = await shop.prescribe({
      prescriptions: [
        { id: "a", pdf_base64: "###" },
        { id: "a", pdf_base64: Buffer.from("GIF").toString("base64") },
        { id: "b", pdf_base64: Buffer.from("%PDF-1.7\n1 0 obj<</S/JavaScript/JS(x)>>endobj").toString("base64") }
      ],
      lines: [
        { sku_uid: "nothing", quantity: 1 },
        { sku_uid: shop.skus.drops.uid, quantity: 1, prescription_id: "c" }
      ],
      checkout_type: "draft_order_without_checkout_request",
      buyerIdentity: undefined
    })
    expect(done.status).toBe(400)
    expect([...done.body.error].sort()).toEqual([
      "buyerIdentity: is required for draft_order_without_checkout_request",
      "lines[0].sku_uid: is not a known SKU",
      "lines[1].prescription_id: is not the id of any of the prescriptions",
      "prescriptions[0].pdf_base64: must be base64 with padding",
      "prescriptions[1].id: appears more than once in the request",
      "prescriptions[1].pdf_base64: must be a PDF (start with %PDF-)",
      "prescriptions[2].pdf_base64: must not contain JavaScript"
    ])
  })

  test("is answered with the faults of each field", async () => {
    const shop = await shopWorld()
    const done = await shop.prescribe({
      lines: [{ sku_uid: shop.skus.drops.uid, quantity: 0 }],
      patient_data: { ...PATIENT, gender: "other", date_of_birth: "1990-01-01" }
    })
    const faulty = ["lines[0].quantity", "patient_data.date_of_birth", "patient_data.gender"]
    const error = expect.arrayContaining(faulty.map((field) => expect.stringContaining(`${field}: `)))
    expect(done).toMatchObject({ status: 400, body: { error } })
  })

  test("without lines and prescriptions is refused", async () => {
    const shop = await shopWorld()
    for (const lines of [undefined, [], null]) {
      const done = await shop.prescribe({ lines, prescriptions: [] })
      expect([done.status, done.body.error]).toEqual([400, ["lines: is required"]])
    }
  })

  test("may be larger than other bodies, up to 50 MiB", async () => {
    const shop = await shopWorld()
    const padding = (mebibytes: number) => "x".repeat(mebibytes * 1024 * 1024)
    expect((await shop.prescribe({ padding: padding(2) })).status).toBe(200)
    for (const mebibytes of someOf([51, 80], 2))
      expect(await shop.prescribe({ padding: padding(mebibytes) })).toMatchObject({
        status: 413,
        body: { code: "body_too_large", trace_id: expect.any(String) }
      })
    const elsewhere = await server.current.api("POST", "/v1/scheduling/slots/search", { body: { padding: padding(2) } })
    expect(elsewhere.status).toBe(413)
  })
})
