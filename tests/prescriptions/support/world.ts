/** An organisation with medicines, a pharmacy that sells them, and functions that create prescriptions. */
import { eventually } from "../../support/eventually.ts"
import type { TestServer } from "../../support/server.ts"
import { makeWorld, random } from "../../support/world.ts"

export const PATIENT = { first_name: "Zoë", last_name: "Żółć", date_of_birth: 641_520_000, gender: "female" }

export const prescriptionWorld = async (server: TestServer) => {
  const world = await makeWorld(server)
  const sku_uid = random("sku")
  const product_uid = random("prd")
  const pharmacy_uid = random("pha")
  const pharmacyKey = random("spr_key_that_is_long_enough")
  const doctor_uid = random("doc")
  await world.provision({
    doctors: [
      {
        uid: doctor_uid,
        organisation_uid: world.organisation_uid,
        display_name: "Dr. Ärztin",
        phone: "+49 30 123",
        profession: "Fachärztin für Allgemeinmedizin",
        address: "Lindenstraße 5, 10115 Berlin"
      }
    ],
    products: [{ uid: product_uid, display_name: "Ibuprofen", handle: product_uid }],
    skus: [
      {
        uid: sku_uid,
        product_uid,
        display_name: "400 mg Filmtabletten",
        pzn: "01234567",
        standard_selling_unit: 20,
        unit: "Stück",
        selling_price: 1000
      }
    ],
    pharmacies: [{ uid: pharmacy_uid, name: "Apotheke" }],
    pharmacy_skus: [{ uid: random("psk"), pharmacy_uid, sku_uid, external_id: random("ext"), price: 800, stock: 10 }],
    api_keys: [{ key: pharmacyKey, name: "all", permissions: ["orders_read", "orders_write"], pharmacy_uid }]
  })

  /** Provisions a prescription; returns its uid. */
  const prescription = async (fields: Readonly<Record<string, unknown>> = {}) => {
    const uid = random("prx")
    await world.provision({
      prescriptions: [
        {
          uid,
          organisation_uid: world.organisation_uid,
          shop_uid: world.shop_uid,
          status: "WAITING_FOR_DOCTOR",
          doctor_uid,
          patient: PATIENT,
          items: [{ uid: "item_1", sku_uid, quantity: 2, dosage: "1-0-1" }],
          ...fields
        }
      ]
    })
    return uid
  }

  const path = (uid: string) => `/v1/management/prescriptions/${uid}`
  const get = (uid: string, key = world.key) => server.api("GET", path(uid), { key })
  const render = (uid: string, key = world.key) => server.api("POST", `${path(uid)}/render`, { key })
  /** Waits for the PDF; returns the prescription's record. */
  const rendered = (uid: string) =>
    eventually(
      () => get(uid),
      ({ body }) => body.rendered
    )
  const externalSign = (uid: string, key = world.key) => server.api("POST", `${path(uid)}/external-sign`, { key })

  const cancel = (uid: string, body: unknown = { reason: "Entered twice" }, key = world.key) =>
    server.api("POST", `${path(uid)}/cancel`, { key, body })

  /** Creates a paid order with the prescription's articles; returns its uid. */
  const paidOrder = async (prescription_uid: string, fields: Readonly<Record<string, unknown>> = {}) => {
    const uid = random("pho")
    const line = { sku_uid, quantity: 2, unit_price: 1000 }
    await world.provision({
      pharmacy_orders: [
        { uid, name: "#1", pharmacy_uid, shop_uid: world.shop_uid, prescription_uid, lines: [line], ...fields }
      ]
    })
    return uid
  }

  return {
    ...world,
    sku_uid,
    pharmacy_uid,
    pharmacyKey,
    doctor_uid,
    prescription,
    get,
    render,
    rendered,
    externalSign,
    cancel,
    paidOrder
  }
}
export type PrescriptionWorld = Awaited<ReturnType<typeof prescriptionWorld>>
