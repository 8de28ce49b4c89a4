import { random, type World } from "./world.ts"

interface Choices {
  readonly pharmacy?: Readonly<Record<string, unknown>>
  readonly order?: Readonly<Record<string, unknown>>
}

/** A pharmacy with an article of 4.99 euro, seven in stock, and a new order of one at 5.99 euro, `#1001`. */
export const pharmacyWithOrder = async (world: World, { pharmacy = {}, order = {} }: Choices = {}) => {
  const [pharmacy_uid, product_uid, sku_uid] = [random("pha"), random("prd"), random("sku")]
  const [pharmacy_sku_uid, order_uid] = [random("psk"), random("ord")]
  const unit = { standard_selling_unit: 20, unit: "Stück", selling_price: 599, pzn: sku_uid }
  const carried = { uid: pharmacy_sku_uid, pharmacy_uid, sku_uid, external_id: "A1", price: 499, stock: 7 }
  const lines = [{ sku_uid, quantity: 1, unit_price: 599 }]
  await world.provision({
    pharmacies: [{ uid: pharmacy_uid, name: "Apotheke", ...pharmacy }],
    products: [{ uid: product_uid, display_name: "Ibuprofen", handle: product_uid }],
    skus: [{ uid: sku_uid, product_uid, display_name: "Ibuprofen", ...unit }],
    pharmacy_skus: [carried],
    pharmacy_orders: [{ uid: order_uid, name: "#1001", pharmacy_uid, shop_uid: world.shop_uid, lines, ...order }]
  })
  return { pharmacy_uid, sku_uid, pharmacy_sku_uid, order_uid }
}
