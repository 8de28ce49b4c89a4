import { PatientUid } from "../../src/schemas/ids.ts"
import { makeShop } from "../checkout/support/shop.ts"
import type { TestServer } from "../support/server.ts"
import { random } from "../support/world.ts"

/** A shop with a patient of this name. */
export const shopWithPatient = async (server: TestServer, profile: Readonly<Record<string, string>>) => {
  const shop = await makeShop(server, { default_pharmacy: false })
  const call = (path: string, body: object) => shop.api("POST", `/v1/management/patients${path}`, body)
  const { uid } = (await call("", { shop_uid: shop.shop_uid, shop_customer_id: random("cus"), profile })).body
  return { ...shop, patient: PatientUid.make(uid), erase: () => call(`/${uid}/erase`, { reason: "asked" }) }
}
