/** The pharmacies of the demo practice: their stock, the prescriptions of its doctors, and orders in every state. */
import { HOUR } from "../../../../../schemas/seconds.ts"
import { demo } from "../../../../shared/services/demo.ts"
import { patients } from "./people.ts"

const { organisation: organisation_uid, shop: shop_uid, pharmacies } = demo.practice

/** Product, pack, PZN-like number, selling and the pharmacy's price in cents, pieces in stock. */
const articles: ReadonlyArray<readonly [string, string, string, number, number, number]> = [
  ["Ibuprofen 400", "400 mg Filmtabletten", "00000057", 699, 549, 180],
  ["Pantoprazol 40", "40 mg magensaftresistente Tabletten", "00000063", 1299, 1099, 64],
  ["Amoxicillin 1000", "1000 mg Filmtabletten", "00000070", 1849, 1590, 12],
  ["Salbutamol", "Dosieraerosol 100 µg", "00000086", 1615, 1380, 40],
  ["Levothyroxin 75", "75 µg Tabletten", "00000092", 1422, 1205, 96],
  ["Metformin 1000", "1000 mg Filmtabletten", "00000101", 1530, 1290, 3],
  ["Hydrocortison", "Creme 1 %", "00000118", 995, 780, 55],
  ["Sumatriptan 50", "50 mg Tabletten", "00000124", 2290, 1940, 0]
]

const skuOf = (article: number) => `sku_garten_${article + 1}`

const streets = ["Lindenweg", "Am Markt", "Bahnhofstraße", "Kirchgasse", "Hafenstraße", "Birkenallee"]

const personOf = (index: number) => {
  const patient = patients[index % patients.length]
  const { first_name = "", last_name = "", date_of_birth = "1980-01-01", gender = "divers" } = patient ?? {}
  return {
    patient: { first_name, last_name, date_of_birth: Date.parse(date_of_birth) / 1000, gender },
    shipping_address: {
      first_name,
      last_name,
      address1: `${streets[index % streets.length]} ${index + 1}`,
      zip: `2${String(index * 37).padStart(4, "0")}`,
      city: "Hamburg",
      country: "DE"
    }
  }
}

interface DemoOrder {
  readonly status: string
  /** Hours since it came. */
  readonly age: number
  /** Index of the article, and pieces. */
  readonly lines: ReadonlyArray<readonly [article: number, pieces: number]>
  /** Number of the prescription that it carries. */
  readonly prescription?: number
  readonly paid?: boolean
  readonly pharmacy?: 1
}

/** A dozen and more, the newest first; numbers in the shop count down. */
const orders: ReadonlyArray<DemoOrder> = [
  { status: "new", age: 0.2, lines: [[0, 1]] },
  { status: "new", age: 1, lines: [[2, 1]], prescription: 3 },
  { status: "new", age: 3, lines: [[7, 1]] },
  { status: "new", age: 4, lines: [[1, 2]], paid: false },
  { status: "accepted", age: 5, lines: [[4, 1]], prescription: 4 },
  { status: "accepted", age: 26, lines: [[5, 2]] },
  { status: "in_preparation", age: 7, lines: [[3, 1]] },
  { status: "in_preparation", age: 8, lines: [[6, 2]] },
  { status: "ready_for_pickup", age: 20, lines: [[0, 1]] },
  { status: "shipped", age: 30, lines: [[1, 1]] },
  { status: "shipped", age: 52, lines: [[4, 1]] },
  { status: "completed", age: 72, lines: [[2, 1]], prescription: 5 },
  { status: "completed", age: 120, lines: [[0, 2]] },
  { status: "completed", age: 260, lines: [[3, 1]] },
  { status: "rejected", age: 96, lines: [[7, 2]] },
  { status: "cancelled", age: 150, lines: [[6, 1]] },
  { status: "shipped", age: 28, lines: [[0, 3]], pharmacy: 1 },
  { status: "new", age: 2, lines: [[1, 1]], pharmacy: 1 }
]

/** A prescription in each state, with its article; two more are signed at the start, since orders carry them. */
const prescriptions = [
  { status: "WAITING_FOR_DOCTOR", article: 0, dosage: "1-0-1 nach dem Essen" },
  { status: "WAITING_FOR_DOCTOR", article: 3, dosage: "bei Bedarf 2 Hübe" },
  { status: "WAITING_FOR_DOCTOR", article: 2, dosage: "1-0-1, sieben Tage" },
  { status: "WAITING_FOR_DOCTOR", article: 4, dosage: "1-0-0 nüchtern" },
  { status: "COMPLETED", article: 2, dosage: "1-0-1, sieben Tage" },
  { status: "CANCELLED", article: 7, dosage: "bei Migräne 1" },
  { status: "SIGNED", article: 5, dosage: "1-0-1 zu den Mahlzeiten" },
  { status: "EXTERNALLY_SIGNED", article: 6, dosage: "zweimal täglich dünn auftragen" }
]

/** The prescription that is rendered at the start: its PDF can be read, and signed. */
export const rendered = "prx_garten_1"

/** Those of open orders: rendered and signed at the start, so that the orders have their PDF. */
export const signed = ["prx_garten_3", "prx_garten_4"]

/** `now`: Unix seconds. */
export const ordersWorld = (now: number) => ({
  pharmacies: [
    {
      uid: pharmacies[0],
      name: "Garten-Apotheke",
      payout_terms: { commission_bps: 500, markup_share_bps: 5000, payment_account: "org_garten_apotheke" }
    },
    { uid: pharmacies[1], name: "Hafen-Apotheke", payout_terms: { commission_bps: 500, markup_share_bps: 5000 } }
  ],
  products: articles.map(([display_name], i) => ({
    uid: `prd_garten_${i + 1}`,
    display_name,
    handle: display_name.toLowerCase().replaceAll(" ", "-")
  })),
  skus: articles.map(([, display_name, pzn, selling_price], i) => ({
    uid: skuOf(i),
    product_uid: `prd_garten_${i + 1}`,
    display_name,
    pzn,
    standard_selling_unit: 1,
    unit: "Packung",
    selling_price
  })),
  pharmacy_skus: pharmacies.flatMap((pharmacy_uid, p) =>
    articles.map(([, , pzn, , price, stock], i) => ({
      uid: `psk_garten_${p + 1}_${i + 1}`,
      pharmacy_uid,
      sku_uid: skuOf(i),
      external_id: pzn,
      price,
      stock
    }))
  ),
  prescriptions: prescriptions.map(({ status, article, dosage }, i) => ({
    uid: `prx_garten_${i + 1}`,
    organisation_uid,
    shop_uid,
    status,
    doctor_uid: i % 2 === 0 ? "doc_berger" : "doc_haddad",
    patient: personOf(i).patient,
    items: [{ sku_uid: skuOf(article), quantity: 1, dosage }]
  })),
  pharmacy_orders: orders.map(({ status, age, lines, prescription, paid = true, pharmacy = 0 }, i) => ({
    uid: `pho_garten_${i + 1}`,
    name: `#${1100 + orders.length - i}`,
    status,
    paid,
    pharmacy_uid: pharmacies[pharmacy],
    shop_uid,
    ...(prescription !== undefined && { prescription_uid: `prx_garten_${prescription}` }),
    created_at: Math.floor(now - age * HOUR),
    shipping_price: 490,
    ...personOf(prescription === undefined ? i : prescription - 1),
    lines: lines.map(([article, quantity]) => ({
      sku_uid: skuOf(article),
      quantity,
      unit_price: articles[article]?.[3] ?? 0
    }))
  }))
})

/** The orders that end at the start, with their payouts: the first pharmacy's are routed, the other's parked. */
export const completedAtStart = [
  { pharmacy_uid: pharmacies[0], uid: "pho_garten_11" },
  { pharmacy_uid: pharmacies[1], uid: "pho_garten_17" }
]
