import { describe, expect, test } from "bun:test"
import { payoutsCsv } from "../../../../src/capabilities/console/pages/pharmacy/payoutsCsv.ts"
import { namesIn, readStock } from "../../../../src/capabilities/console/pages/pharmacy/stockImport.ts"
import { pharmacy } from "../../../../src/capabilities/console/texts/pharmacy.de.ts"
import { PharmacySkuUid, PharmacyUid, ProductUid, SkuUid } from "../../../../src/schemas/ids.ts"
import type { PharmacySku } from "../../../../src/schemas/pharmacy/PharmacySku.ts"
import type { Language } from "../../../../src/texts/language.ts"

const article = (name: string, pzn: string): PharmacySku => ({
  uid: PharmacySkuUid.make(`psk_${name}`),
  external_id: `ext-${name}`,
  price: 500,
  stock: 10,
  pharmacy: PharmacyUid.make("pha_1"),
  sku: {
    uid: SkuUid.make(`sku_${name}`),
    display_name: name,
    pzn,
    product_uid: ProductUid.make("prd_1"),
    product_display_name: name,
    standard_selling_unit: 1,
    unit: "ml",
    product_handle: name,
    digital: false
  },
  created_at: 0 as PharmacySku["created_at"],
  updated_at: 0 as PharmacySku["updated_at"],
  deleted_at: null
})
const skus = [article("drops", "12345678"), article("gel", "87654321")]

const read = (text: string, language: Language = "de") =>
  readStock(text, skus, language).map(({ change, fault }) => fault ?? change)
/** Without a present price, from which it could be far away. */
const priced = (text: string, language: Language = "de") =>
  readStock(
    text,
    skus.map((one) => ({ ...one, price: 0 })),
    language
  ).map(({ change, fault }) => fault ?? change)
const priceIn = (text: string, language: Language = "de") => priced(`12345678;;${text}`, language)[0]

test("a line of very many cells or spaces is a fault, and takes no longer than its length", () => {
  const tabs = "\t".repeat(300_000)
  expect(read(`12345678${tabs}5`)).toEqual(["cells"])
  expect(read(`12345678;1;5${" ".repeat(300_000)}x`)).toEqual(["cells"])
  expect(read(`12345678;1;5${" ".repeat(400)}x`)).toEqual(["price"])
  expect(namesIn(`12345678${tabs}5`)).toEqual(["12345678"])
})

describe("amounts are read as the file's language means them", () => {
  test.each([
    ["5,99", 599],
    ["1.299", 129_900],
    ["1.299,00", 129_900],
    ["1.299,5 €", 129_950],
    ["12", 1_200]
  ])("German %s", (text, price) => {
    expect(priceIn(text)).toMatchObject({ price })
  })
  test.each([
    ["5.99", 599],
    ["1,299", 129_900],
    ["1,299.00", 129_900]
  ])("English %s", (text, price) => {
    expect(priceIn(text, "en")).toMatchObject({ price })
  })
  test("by its amounts with cents, whatever the page's language", () => {
    expect(priced("12345678;;1.299\n87654321;;5,99", "en")).toMatchObject([{ price: 129_900 }, { price: 599 }])
    expect(priced("12345678;;1,299\n87654321;;5.99")).toMatchObject([{ price: 129_900 }, { price: 599 }])
  })
  test.each(["abc", "-5", "5,999", "1.29,00", "12.34.56", "1e3", "100000000,01", "0x10"])("%s is refused", (text) => {
    expect(priceIn(text)).toBe("price")
  })
  test("an English amount of three decimals is refused on an English page", () => {
    expect(priceIn("1.299", "en")).toBe("price")
  })
})

test("stock is a whole number that is not negative", () => {
  expect(read("12345678;1.000")).toMatchObject([{ stock: 1_000 }])
  for (const text of ["-5", "1,5", "abc", "2147483648", "1.00"]) expect(read(`12345678;${text}`)).toEqual(["stock"])
})

test("an article in two rows is refused in both, by whatever name; the others are applied", () => {
  expect(read("12345678;40\next-drops;50\n87654321;20")).toEqual([
    "twice",
    "twice",
    { uid: skus[1]?.uid as never, stock: 20 }
  ])
})

test("an unknown article is refused, further columns are left out; what is unchanged changes nothing", () => {
  expect(read("999;1\n12345678;1;2,00;3\n87654321;10;5,00")).toEqual([
    "unknown",
    { uid: "psk_drops", stock: 1, price: 200 },
    null
  ])
  expect(read("12345678,1,2,3")).toEqual(["cells"])
})

test("quoted cells may contain the separator; a header is left out", () => {
  const text = 'PZN,Bestand,Preis\n"12345678",40,"5,99"\r\n87654321,"20",""'
  expect(namesIn(text)).toEqual(["PZN", "12345678", "87654321"])
  expect(read(text)).toMatchObject([{ stock: 40, price: 599 }, { stock: 20 }])
})

test("a file of payouts starts with a byte order mark, by which spreadsheets recognise UTF-8", () => {
  expect(payoutsCsv([], "de", "Europe/Berlin", pharmacy).codePointAt(0)).toBe(0xfeff)
})

test("a price that moves by more than a factor of ten needs its cents", () => {
  expect(read("12345678;;1.299")[0]).toBe("jump")
  expect(read("12345678;;1.299,00")[0]).toMatchObject({ price: 129_900 })
  expect(read("12345678;;0,04")[0]).toMatchObject({ price: 4 })
  expect(read("12345678;;49")[0]).toMatchObject({ price: 4_900 })
})

test("a number that lost its leading zeros names its article", () => {
  const zeros = [article("cream", "00012345")]
  expect(readStock("12345;3", zeros, "de")).toMatchObject([{ change: { uid: "psk_cream", stock: 3 } }])
  expect(namesIn("12345;3")).toEqual(["12345", "00012345"])
})
