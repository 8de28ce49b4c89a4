/** A separate shop with articles, a pharmacy that has them, and a partner's key. */
import { Effect } from "effect"
import { webhookHmac } from "../../../src/capabilities/shared/services/intake/hmac.ts"
import { OrderIntake } from "../../../src/capabilities/shared/services/intake/OrderIntake.ts"
import { pharmacyPermissions } from "../../../src/schemas/access/permissions.ts"
import type { TestServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"

export const PATIENT = { first_name: "Zoë", last_name: "Żółć", date_of_birth: 641_520_000, gender: "female" }
export const BUYER = { email: "zoe@example.org", phone: "+49 30 1234567", countryCode: "DE" }
export const ADDRESS = { address1: "Lindenstraße 5", city: "Berlin", province: "", country_code: "DE", zip: "10115" }

/** The smallest accepted PDF; `text` makes it distinct. */
export const pdf = (text = "signed") => Buffer.from(`%PDF-1.7\n% ${text}\n%%EOF\n`).toString("base64")

export interface ShopOptions {
  readonly storefront?: Readonly<Record<string, unknown>>
  readonly default_pharmacy?: boolean
}

export const makeShop = async (server: TestServer, { storefront, default_pharmacy = true }: ShopOptions = {}) => {
  const world = await makeWorld(server)
  const product_uid = random("pro")
  const pharmacy_uid = random("pha")
  const pharmacy_key = random("spr_key_that_is_long_enough")
  const webhook_secret = typeof storefront?.webhook_secret === "string" ? storefront.webhook_secret : random("whs")
  const number = () => Math.floor(Math.random() * 1e13)
  const item = (display_name: string, selling_price: number, digital = false) => {
    const variant = number()
    return { uid: random("sku"), variant, display_name, selling_price, digital }
  }
  const skus = { drops: item("Drops", 1_990), gel: item("Gel", 2_550), advice: item("Advice", 900, true) }
  const all = Object.values(skus)
  const carry = (pharmacy: string, price: number, some: ReadonlyArray<{ readonly uid: string }> = all) =>
    some.map(({ uid }) => ({
      uid: random("psk"),
      pharmacy_uid: pharmacy,
      sku_uid: uid,
      external_id: random("ext"),
      price,
      stock: 100
    }))
  await world.provision({
    pharmacies: [{ uid: pharmacy_uid, name: "Apotheke" }],
    products: [{ uid: product_uid, display_name: "Remedy", handle: product_uid }],
    skus: all.map(({ variant, ...sku }) => ({
      ...sku,
      product_uid,
      standard_selling_unit: 10,
      unit: "ml",
      storefront_variant_id: `gid://shopify/ProductVariant/${variant}`
    })),
    pharmacy_skus: carry(pharmacy_uid, 800),
    shops: [
      {
        uid: world.shop_uid,
        shop_identifier: world.shop_identifier,
        organisation_uid: world.organisation_uid,
        name: "Laden",
        ...(default_pharmacy ? { default_pharmacy_uid: pharmacy_uid } : {}),
        storefront: { kind: "embedded", webhook_secret, ...storefront }
      }
    ],
    api_keys: [{ key: pharmacy_key, name: "pharmacy", permissions: pharmacyPermissions, pharmacy_uid }]
  })

  const call = (method: string, path: string, body?: unknown, key: string = world.key) =>
    server.api(method, `/v2/public-api${path}`, { key, ...(body === undefined ? {} : { body }) })

  /** A prescription checkout of one prescription and one line; `fields` replaces and adds. */
  const prescribe = (fields: Readonly<Record<string, unknown>> = {}, key?: string) =>
    call("POST", `/prescriptions/${world.shop_identifier}`, bodyOf(fields), key)
  const bodyOf = (fields: Readonly<Record<string, unknown>> = {}) => {
    const id = typeof fields.id === "string" ? fields.id : random("rx")
    return {
      prescriptions: [{ id, pdf_base64: pdf() }],
      lines: [{ sku_uid: skus.drops.uid, quantity: 2, prescription_id: id }],
      patient_data: PATIENT,
      buyerIdentity: BUYER,
      ...fields
    }
  }
  const treat = (body: unknown) => call("POST", `/treatments/${world.shop_identifier}`, body)
  const reserve = (body: unknown) => call("POST", `/reservations/${world.shop_identifier}`, body)
  const ordersOf = async (prescription_uid: string) => (await call("GET", `/orders/${prescription_uid}`)).body
  const prescription = async (uid: string) => (await world.api("GET", `/v1/management/prescriptions/${uid}`)).body
  const pay = (id: string) => fetch(`${server.url}/storefront/checkout/${id}/pay`, { method: "POST" })

  /** A webhook as Shopify sends it, with the payment status in the body. */
  const sendWebhook = (topic: string, order: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const financial_status = topic === "orders/create" ? "pending" : "paid"
    const body = typeof order === "string" ? order : JSON.stringify({ financial_status, ...(order as object) })
    return server.api("POST", `/v1/storefront/${world.shop_identifier}/webhooks`, {
      body,
      headers: {
        "x-shopify-topic": topic,
        "x-shopify-webhook-id": random("whk"),
        "x-shopify-hmac-sha256": webhookHmac(webhook_secret, body),
        ...headers
      }
    })
  }

  /** A refund of an order in Shopify's JSON: so many euros, and pieces of its lines. */
  const refundOf = (
    { id }: { readonly id: number },
    amount: string,
    pieces: ReadonlyArray<{ readonly line_item_id: number; readonly quantity: number }> = []
  ) => {
    const own = number()
    return {
      id: own,
      order_id: id,
      admin_graphql_api_id: `gid://shopify/Refund/${own}`,
      refund_line_items: pieces,
      transactions: [{ kind: "refund", status: "success", amount }]
    }
  }

  /** A request of the pharmacy. */
  const asPharmacy = (method: string, path: string, body?: object) =>
    server.api(method, `/v1/external_pharmacy_api/${path}`, { key: pharmacy_key, ...(body !== undefined && { body }) })

  const setStatus = (uid: string, status: string) => asPharmacy("PATCH", `pharmacy_orders/${uid}/status`, { status })
  /** Takes an order through these statuses. */
  const proceed = async (uid: string, ...statuses: ReadonlyArray<string>) => {
    for (const status of statuses) {
      const answer = await setStatus(uid, status)
      if (answer.status !== 200) throw new Error(`${status}: ${answer.text}`)
    }
  }
  const complete = (uid: string) => asPharmacy("PATCH", `pharmacy_orders/${uid}/complete_order`)
  const acceptChange = (uid: string, change: string) =>
    asPharmacy("PATCH", `pharmacy_orders/${uid}/accept_change`, { uid: change })

  /** What the pharmacy sees, newest first. */
  const pharmacyOrders = async (key: string = pharmacy_key) =>
    (await server.api("GET", "/v1/external_pharmacy_api/pharmacy_orders/", { key })).body.data

  /** Shop orders that wait, with the reason. */
  const waiting = async () =>
    (await server.run(Effect.flatMap(OrderIntake, (intake) => intake.waiting()))).filter(
      ({ shop_identifier }) => shop_identifier === world.shop_identifier
    )
  const retryWaiting = () => server.run(Effect.flatMap(OrderIntake, (intake) => intake.retryWaiting()))

  /** An order in Shopify's JSON. */
  const order = (fields: Readonly<Record<string, unknown>> = {}) => {
    const id = number()
    return {
      id,
      admin_graphql_api_id: `gid://shopify/Order/${id}`,
      name: `#${id % 10_000}`,
      note_attributes: [],
      line_items: [line(skus.drops)],
      shipping_address: { first_name: "Kim", last_name: "Muster", ...ADDRESS },
      total_shipping_price_set: { shop_money: { amount: "4.90", currency_code: "EUR" } },
      ...fields
    }
  }
  const line = (
    sku: { readonly variant: number },
    properties: Readonly<Record<string, string>> = {},
    fields: Readonly<Record<string, unknown>> = {}
  ) => ({
    id: number(),
    variant_id: sku.variant,
    sku: null,
    quantity: 1,
    price: "19.90",
    properties: Object.entries(properties).map(([name, value]) => ({ name, value })),
    ...fields
  })

  return {
    ...world,
    product_uid,
    pharmacy_uid,
    pharmacy_key,
    webhook_secret,
    skus,
    carry,
    call,
    prescribe,
    bodyOf,
    treat,
    reserve,
    ordersOf,
    prescription,
    pay,
    sendWebhook,
    refundOf,
    asPharmacy,
    setStatus,
    proceed,
    complete,
    acceptChange,
    pharmacyOrders,
    waiting,
    retryWaiting,
    sql: server.sql,
    order,
    line
  }
}
export type ShopWorld = Awaited<ReturnType<typeof makeShop>>
