import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { Effect, Either, Option, Redacted } from "effect"
import { makeShopify } from "../../../src/capabilities/shopify/services/Shopify.ts"
import { guardedClient } from "../../../src/layers/outgoing/guardedClient.ts"
import type { Storefront } from "../../../src/services/checkout/Storefront.ts"
import { type CurrentTenant, withoutOwner } from "../../../src/services/tenancy/Tenancy.ts"
import { adminSchema, storefrontSchema } from "./schemas.ts"
import { ShopStandIn } from "./standIn.ts"

/** The stand-in listens on this machine. */
const here = guardedClient({ allowPrivate: true })
const at = (shop_domain: string) => ({
  shop_domain,
  admin_access_token: Redacted.make("admin-token"),
  storefront_access_token: Redacted.make("storefront-token")
})
let shop: ShopStandIn
let shopify: Storefront
beforeAll(async () => {
  shop = new ShopStandIn(await adminSchema(), await storefrontSchema())
  shopify = makeShopify(here, at(shop.origin))
}, 60_000)
afterAll(() => shop.stop())
beforeEach(() => {
  shop.drafts.clear()
  shop.faults.length = 0
  shop.requests.length = 0
  shop.invoices.length = 0
  shop.userErrors = []
  shop.warnings = []
  shop.page_limit = 100
})

const run = <A, E>(effect: Effect.Effect<A, E, CurrentTenant>) => Effect.runPromise(withoutOwner(effect))
const failure = async (effect: Effect.Effect<unknown, { readonly _tag: string }, CurrentTenant>) => {
  const result = await run(Effect.either(effect))
  return Either.isLeft(result) ? result.left : undefined
}
const request = {
  key: "chk_1",
  repeated: false,
  email: "kim@example.com",
  phone: "",
  lines: [{ variant_id: "42", quantity: 2, attributes: { _prescription_uid: "prs_1" } }],
  attributes: { prepaid: "false", external_order_id: "A-1" },
  billing_address: {
    first_name: "Kim",
    address1: "Hauptstr. 1",
    city: "Berlin",
    province: "",
    country_code: "DE",
    zip: "10115"
  },
  shipping_address: { city: "Wien", province: "Wien-Umgebung", country_code: "AT" }
}
const GID = "gid://shopify/DraftOrder/7"

describe("a draft order", () => {
  test("is made with lines, attributes, contact and addresses in Shopify's terms", async () => {
    const made = await run(shopify.createDraftOrder({ ...request, reserve_until: 1_800_000_000 }))
    expect(made).toEqual({ draft_order_id: "gid://shopify/DraftOrder/1", checkout_url: `${shop.origin}/invoices/0` })
    expect(shop.requests).toHaveLength(1)
    expect(shop.requests[0]?.path).toBe("/admin/api/2026-10/graphql.json")
    expect(shop.requests[0]?.headers.get("x-shopify-access-token")).toBe("admin-token")
    expect(shop.requests[0]?.variables.input).toEqual({
      email: "kim@example.com",
      billingAddress: { firstName: "Kim", address1: "Hauptstr. 1", city: "Berlin", countryCode: "DE", zip: "10115" },
      shippingAddress: { city: "Wien", countryCode: "AT" },
      tags: ["chk_1"],
      lineItems: [
        {
          variantId: "gid://shopify/ProductVariant/42",
          quantity: 2,
          customAttributes: [{ key: "_prescription_uid", value: "prs_1" }]
        }
      ],
      customAttributes: [
        { key: "prepaid", value: "false" },
        { key: "external_order_id", value: "A-1" },
        { key: "shipping_province", value: "Wien-Umgebung" }
      ],
      reserveInventoryUntil: "2027-01-15T08:00:00.000Z"
    })
  })

  test("is found again after a lost answer, not created twice, and updated to the new request", async () => {
    shop.faults.push({ kind: "lost" })
    expect(await failure(shopify.createDraftOrder(request))).toMatchObject({ _tag: "StorefrontUnavailable" })
    expect(shop.drafts.size).toBe(1)
    const again = await run(shopify.createDraftOrder({ ...request, repeated: true, attributes: { prepaid: "true" } }))
    expect(again.draft_order_id).toBe("gid://shopify/DraftOrder/1")
    expect([...shop.drafts.values()].map(({ input }) => input.customAttributes)).toEqual([
      [
        { key: "prepaid", value: "true" },
        { key: "shipping_province", value: "Wien-Umgebung" }
      ]
    ])
  })

  test("that was paid in between is left as it is", async () => {
    shop.keep({ id: GID, status: "COMPLETED", input: { tags: ["chk_1"] } })
    expect(await run(shopify.createDraftOrder({ ...request, repeated: true }))).toMatchObject({ draft_order_id: GID })
    await run(shopify.discardDraftOrder("chk_1"))
    expect(shop.drafts.get(GID)?.input).toEqual({ tags: ["chk_1"] })
  })

  test("has its invoice sent once", async () => {
    shop.keep({ id: GID })
    await run(shopify.sendInvoice("7"))
    await run(shopify.sendInvoice(GID))
    expect(shop.invoices).toEqual([GID])
  })

  test("that does not exist is read as none", async () => {
    expect(await run(shopify.readDraftOrder("404"))).toEqual(Option.none())
  })
})

describe("an update", () => {
  const money = (amount: string) => ({ amount, currencyCode: "EUR" })
  const variantOf = (id: number) => `gid://shopify/ProductVariant/${id}`
  const plain = {
    quantity: 1,
    variant: { id: variantOf(1) },
    customAttributes: [{ key: "_source", value: null }],
    appliedDiscount: null,
    priceOverride: null,
    components: [],
    title: "Tablets",
    sku: null,
    taxable: true,
    requiresShipping: true,
    originalUnitPriceWithCurrency: money("9.99"),
    weight: null
  }
  const attributes = [{ key: "_source", value: "" }]
  const again = { quantity: 1, variantId: variantOf(1), customAttributes: attributes }
  const discount = { title: "Rabatt", description: "ten", value: 10, valueType: "PERCENTAGE" }
  const override = { quantity: 3, priceOverride: money("7.50") }
  const unknown = { title: "Gift wrap", sku: "WRAP", taxable: false, requiresShipping: false }
  const weight = { unit: "GRAMS", value: 5 }
  const part = { uuid: "u-4-1", quantity: 2 }
  /** Lines, and each as it is sent back with an attribute for the second. */
  const pairs = [
    [
      { ...plain, uuid: "u-1" },
      { ...again, uuid: "u-1" }
    ],
    [
      {
        ...plain,
        ...override,
        uuid: "u-2",
        appliedDiscount: { ...discount, amountSet: { presentmentMoney: money("3.00") } }
      },
      {
        ...again,
        ...override,
        uuid: "u-2",
        customAttributes: [...attributes, { key: "_prescription_uid", value: "prs_1" }],
        appliedDiscount: { ...discount, amountWithCurrency: money("3.00") }
      }
    ],
    [
      { ...plain, ...unknown, uuid: "u-3", variant: null, weight },
      {
        ...unknown,
        uuid: "u-3",
        quantity: 1,
        originalUnitPriceWithCurrency: money("9.99"),
        weight,
        customAttributes: attributes
      }
    ],
    [
      { ...plain, uuid: "u-4", components: [{ ...part, variant: { id: variantOf(9) } }] },
      { ...again, uuid: "u-4", components: [{ ...part, variantId: variantOf(9) }] }
    ]
  ] as const
  const lines = pairs.map(([line]) => line)

  test("reads every page and sends every line back with all its fields", async () => {
    shop.keep({ id: GID, lines })
    shop.page_limit = 1
    await run(
      shopify.updateDraftOrder("7", {
        line_attributes: [{ uuid: "u-2", attributes: { _prescription_uid: "prs_1" } }],
        email: "new@example.com",
        phone: ""
      })
    )
    expect(shop.requests.map(({ variables }) => variables.after)).toEqual([null, "1", "2", "3", undefined])
    const input = { email: "new@example.com", lineItems: pairs.map(([, sent]) => sent) }
    expect(shop.requests.at(-1)?.variables).toEqual({ id: GID, input })
  })

  test("of a deleted draft order, or for which Shopify lists errors, is refused with the reasons", async () => {
    const refusal = () => failure(shopify.updateDraftOrder("7", { line_attributes: [] }))
    expect(await refusal()).toMatchObject({ _tag: "StorefrontRefused", reasons: ["the draft order is gone"] })
    shop.keep({ id: GID, lines })
    shop.userErrors = [
      { field: ["lineItems", "0"], message: "Variant is gone" },
      { field: null, message: "No" }
    ]
    const reasons = ["lineItems.0: Variant is gone", "No"]
    expect(await refusal()).toMatchObject({ _tag: "StorefrontRefused", reasons })
  })

  test("reads back as lines with text attributes", async () => {
    shop.keep({ id: GID, lines, invoiceUrl: "https://shop.example/invoice" })
    const draft = Option.getOrThrow(await run(shopify.readDraftOrder(GID)))
    expect(draft).toMatchObject({ draft_order_id: GID, completed: false, checkout_url: "https://shop.example/invoice" })
    expect(draft.lines[2]).toEqual({ uuid: "u-3", quantity: 1, variant_id: null, attributes: { _source: "" } })
  })
})

describe("a cart", () => {
  const cart = {
    key: "chk_1",
    lines: request.lines,
    attributes: { prepaid: "true" },
    email: "kim@example.com",
    phone: "",
    countryCode: "DE",
    customerAccessToken: "cat_1"
  }

  test("has lines, attributes and the buyer, and returns the link", async () => {
    expect(await run(shopify.createCart(cart))).toEqual({ checkout_url: `${shop.origin}/cart/c/1?key=1` })
    expect(shop.requests[0]?.path).toBe("/api/2026-04/graphql.json")
    expect(shop.requests[0]?.headers.get("x-shopify-storefront-access-token")).toBe("storefront-token")
    expect(shop.requests[0]?.variables.input).toEqual({
      lines: [
        {
          merchandiseId: "gid://shopify/ProductVariant/42",
          quantity: 2,
          attributes: [{ key: "_prescription_uid", value: "prs_1" }]
        }
      ],
      attributes: [{ key: "prepaid", value: "true" }],
      buyerIdentity: { email: "kim@example.com", countryCode: "DE", customerAccessToken: "cat_1" }
    })
  })

  test("with a warning or an error is refused", async () => {
    shop.warnings = [{ code: "MERCHANDISE_OUT_OF_STOCK", message: "Sold out", target: "gid://shopify/CartLine/1" }]
    expect(await failure(shopify.createCart(cart))).toMatchObject({ reasons: ["MERCHANDISE_OUT_OF_STOCK: Sold out"] })
    shop.userErrors = [{ field: ["input", "lines"], message: "Unknown merchandise" }]
    expect(await failure(shopify.createCart(cart))).toMatchObject({ reasons: ["input.lines: Unknown merchandise"] })
  })
})

describe("trouble", () => {
  test("throttling, by 429 or in an answer, is retried after a wait", async () => {
    shop.faults.push({ kind: "throttled_429" }, { kind: "throttled_200" })
    expect((await run(shopify.createDraftOrder(request))).draft_order_id).toBe("gid://shopify/DraftOrder/1")
    expect(shop.requests).toHaveLength(3)
    expect(shop.drafts.size).toBe(1)
  })

  test("any other status is unavailable at once, without a retry", async () => {
    shop.faults.push({ kind: "status", status: 503 })
    expect(await failure(shopify.createDraftOrder(request))).toMatchObject({ detail: "status 503" })
    shop.faults.push({ kind: "status", status: 401 })
    expect(await failure(shopify.createDraftOrder(request))).toMatchObject({ detail: "status 401" })
    expect(shop.requests).toHaveLength(2)
  })

  test("an unreachable shop is unavailable", async () => {
    const gone = makeShopify(here, at("http://127.0.0.1:1"))
    expect(await failure(gone.sendInvoice("1"))).toMatchObject({ _tag: "StorefrontUnavailable" })
  })
})

describe("a hostile shop", () => {
  const elsewhere: Array<string> = []
  const other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      elsewhere.push(url)
      return Response.json({})
    }
  })
  let answer: (asked: string) => Response | Promise<Response>
  const hostile = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => answer(await request.text())
  })
  afterAll(() => Promise.all([other.stop(true), hostile.stop(true)]))
  const failureOf = (
    effect: (shopify: Storefront) => Effect.Effect<unknown, { readonly _tag: string }, CurrentTenant>
  ) => failure(effect(makeShopify(here, at(`http://127.0.0.1:${hostile.port}`))))

  // Shows: SSRF through a storefront's address
  test("cannot redirect requests", async () => {
    answer = () => Response.redirect(`http://127.0.0.1:${other.port}/inside`, 307)
    expect(await failureOf((shopify) => shopify.sendInvoice("1"))).toMatchObject({ _tag: "StorefrontUnavailable" })
    expect(elsewhere).toEqual([])
  })

  // Shows: a shop that responds late or endlessly, or sends endless orders
  test("is read up to the tenth page of a list, though it announces more", async () => {
    let pages = 0
    answer = () => {
      pages += 1
      const lineItems = { pageInfo: { hasNextPage: true, endCursor: String(pages) }, nodes: [] }
      return Response.json({ data: { order: { lineItems } } })
    }
    expect(await failureOf((shopify) => shopify.lineGroups("1"))).toMatchObject({ detail: "pages without end" })
    expect(pages).toBe(10)
  })

  // Shows: a shop that responds late or endlessly, or sends endless orders
  test("is refused if a page has more lines than requested, or an answer more than 1 MiB", async () => {
    const detail = "an answer of another shape than asked for"
    const line = { id: "gid://shopify/LineItem/1", lineItemGroup: null }
    const pageOf = (nodes: ReadonlyArray<object>) =>
      Response.json({ data: { order: { lineItems: { pageInfo: { hasNextPage: false, endCursor: null }, nodes } } } })
    answer = () => pageOf(Array.from({ length: 101 }, () => line))
    expect(await failureOf((shopify) => shopify.lineGroups("1"))).toMatchObject({ detail })
    answer = () => pageOf([{ ...line, id: "1".repeat(1_100_000) }])
    expect(await failureOf((shopify) => shopify.lineGroups("1"))).toMatchObject({
      detail: "an answer that is no GraphQL"
    })
  })

  test("has a limit on the length of its draft ids and on its quoted messages", async () => {
    const detail = "an answer of another shape than asked for"
    const made = (draftOrder: object | null, userErrors: ReadonlyArray<object> = []) =>
      Response.json({ data: { draftOrderCreate: { draftOrder, userErrors } } })
    answer = () => made({ id: "1".repeat(2_049), invoiceUrl: null })
    expect(await failureOf((shopify) => shopify.createDraftOrder(request))).toMatchObject({ detail })
    answer = () => made(null, [{ field: null, message: "no".repeat(10_000) }])
    expect(await failureOf((shopify) => shopify.createDraftOrder(request))).toMatchObject({
      reasons: ["no".repeat(10_000).slice(0, 255)]
    })
    answer = () => Response.json({ errors: [{ message: "no".repeat(10_000) }] })
    expect(await failureOf((shopify) => shopify.createDraftOrder(request))).toMatchObject({
      detail: `GraphQL errors: ${"no".repeat(10_000).slice(0, 255)}`
    })
  })
})

test("the groups of an order's lines are matched by the line's id", async () => {
  const line = (id: number, attributes?: Record<string, string>) => ({
    id: `gid://shopify/LineItem/${id}`,
    lineItemGroup: attributes
      ? { customAttributes: Object.entries(attributes).map(([key, value]) => ({ key, value })) }
      : null
  })
  shop.orders.set("gid://shopify/Order/5", [line(1, { _skip_validation: "true" }), line(2), line(3, {})])
  shop.page_limit = 2
  expect(await run(shopify.lineGroups("5"))).toEqual(
    new Map([
      ["1", { _skip_validation: "true" }],
      ["3", {}]
    ])
  )
  expect(await run(shopify.lineGroups("6"))).toEqual(new Map())
})
