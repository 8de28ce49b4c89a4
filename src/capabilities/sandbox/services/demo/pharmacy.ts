/** The demo world's medicines, their pharmacy, and prescriptions to render, sign and dispatch. */
import { demo } from "../../../shared/services/demo.ts"

const pharmacy_uid = "pha_demo"
const organisation_uid = demo.organisation

const medicine = (name: string, display_name: string, pzn: string, selling_price: number, price: number) => ({
  product: { uid: `prd_demo_${name}`, display_name: name.charAt(0).toUpperCase() + name.slice(1), handle: name },
  sku: {
    uid: `sku_demo_${name}`,
    product_uid: `prd_demo_${name}`,
    display_name,
    pzn,
    standard_selling_unit: 20,
    unit: "Stück",
    selling_price
  },
  carried: {
    uid: `psk_demo_${name}`,
    pharmacy_uid,
    sku_uid: `sku_demo_${name}`,
    external_id: `demo-${name}`,
    price,
    stock: 100
  }
})

const medicines = [
  medicine("ibuprofen", "400 mg Filmtabletten", "00000011", 699, 549),
  medicine("amoxicillin", "1000 mg Filmtabletten", "00000028", 1849, 1590),
  medicine("pantoprazol", "40 mg magensaftresistente Tabletten", "00000034", 1299, 1099),
  // the demo shop sells it only with an anamnesis
  medicine("finasterid", "1 mg Filmtabletten", "00000040", 2999, 2490)
]

const patient = { first_name: "Demo", last_name: "Patient", date_of_birth: 641_520_000, gender: "divers" }
const prescription = { organisation_uid, shop_uid: demo.shop, doctor_uid: "doc_demo_1", patient }

export const pharmacyWorld = {
  pharmacies: [
    {
      uid: pharmacy_uid,
      name: "Demo-Apotheke",
      payout_terms: { commission_bps: 500, markup_share_bps: 5000, payment_account: "org_demo" }
    }
  ],
  products: medicines.map(({ product }) => product),
  skus: medicines.map(({ sku }) => sku),
  pharmacy_skus: medicines.map(({ carried }) => carried),
  prescriptions: [
    {
      ...prescription,
      uid: "prx_demo_waiting",
      status: "WAITING_FOR_DOCTOR",
      items: [
        { sku_uid: "sku_demo_ibuprofen", quantity: 1, dosage: "1-0-1 nach dem Essen" },
        { sku_uid: "sku_demo_pantoprazol", quantity: 1, dosage: "1-0-0" }
      ]
    },
    {
      ...prescription,
      uid: "prx_demo_anamnesis",
      status: "WAITING_FOR_DOCTOR",
      items: [{ sku_uid: "sku_demo_amoxicillin", quantity: 1, dosage: "1-0-1", anamnesis_uid: "ana_demo" }]
    }
  ],
  pharmacy_orders: [
    {
      uid: "pho_demo",
      name: "#1001",
      pharmacy_uid,
      shop_uid: demo.shop,
      prescription_uid: "prx_demo_waiting",
      shipping_price: 490,
      lines: [
        { sku_uid: "sku_demo_ibuprofen", quantity: 1, unit_price: 699 },
        { sku_uid: "sku_demo_pantoprazol", quantity: 1, unit_price: 1299 }
      ]
    },
    {
      uid: "pho_demo_shipped",
      name: "#1002",
      status: "shipped",
      pharmacy_uid,
      shop_uid: demo.shop,
      shipping_price: 490,
      lines: [{ sku_uid: "sku_demo_amoxicillin", quantity: 2, unit_price: 1849 }]
    }
  ]
}

export const pharmacyKey = {
  key: demo.pharmacyKey,
  name: "Demo: pharmacy",
  permissions: ["orders_read", "orders_write", "stock_read", "stock_write", "webhooks_read", "webhooks_write"],
  pharmacy_uid
}
