import { PatientUid } from "../../../src/schemas/ids.ts"
import { makeShop, type ShopWorld } from "../../checkout/support/shop.ts"
import type { TestServer } from "../../support/server.ts"
import { random } from "../../support/world.ts"

/** A shop with a patient of this name, and requests about the patient. */
export const shopWithPatient = async (
  server: TestServer,
  profile: Readonly<Record<string, string>> = { first_name: "Kim", last_name: "Muster" },
  options: Parameters<typeof makeShop>[1] = { default_pharmacy: false }
) => {
  const shop = await makeShop(server, options)
  const { shop_uid } = shop
  const made = await shop.api("POST", "/v1/management/patients", {
    shop_uid,
    shop_customer_id: random("cus"),
    profile
  })
  const { uid } = made.body
  const ask = (path: string, body?: object, method = "POST") =>
    shop.api(method, `/v1/management/patients/${uid}${path}`, body)
  const erase = (more: object = {}) => ask("/erase", { reason: "asked", ...more })
  return { ...shop, patient: PatientUid.make(uid), ask, erase }
}

type Sending = Pick<ShopWorld, "line" | "order" | "sendWebhook" | "skus">
/** An order for Kim Muster, unless the fields name another, that waits for a prescription that is not there. */
export const sendWaiting = (shop: Sending, fields: object = {}) => {
  const line_items = [shop.line(shop.skus.drops, { _prescription_uid: "none" })]
  return shop.sendWebhook("orders/create", shop.order({ line_items, ...fields }))
}

export const notes = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }))
