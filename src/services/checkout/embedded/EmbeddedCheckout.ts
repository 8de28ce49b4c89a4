/** Pays an order of the embedded shop: what a customer does on its page, and what Shopify would then send (Rule 11.8.2). */
import { Effect, Schema } from "effect"
import { NoPharmacy } from "../../../schemas/checkout/errors.ts"
import { OrderWebhook, type OrderWebhookJson } from "../../../schemas/checkout/OrderWebhook.ts"
import type { DraftOrderUid } from "../../../schemas/ids.ts"
import { Database } from "../../Database.ts"
import { OrderIntake } from "../intake/OrderIntake.ts"
import { Shops } from "../Shops.ts"
import type { Attributes } from "../Storefront.ts"
import { type EmbeddedOrder, EmbeddedShop } from "./EmbeddedShop.ts"

const decimal = (cents: number) => (cents / 100).toFixed(2)
const properties = (attributes: Attributes) => Object.entries(attributes).map(([name, value]) => ({ name, value }))

/** Amounts to pay, in cents: the lines, and the delivery price of the checkout. */
export const amounts = ({ lines, attributes }: Pick<EmbeddedOrder, "lines" | "attributes">) => {
  const shipping = Number(attributes.delivery_price ?? 0)
  const goods = lines.reduce((sum, { unit_price, quantity }) => sum + unit_price * quantity, 0)
  return { goods, shipping, total: goods + shipping }
}

/** The order in Shopify's JSON, so that it is received like any other shop's. */
const webhookOf = (order: EmbeddedOrder): OrderWebhookJson => ({
  id: order.id,
  name: `#${order.order_number}`,
  note_attributes: properties(order.attributes),
  line_items: order.lines.map((line) => ({
    id: `${order.id}-${line.uuid}`,
    variant_id: line.variant_id,
    sku: line.sku_uid,
    quantity: line.quantity,
    price: decimal(line.unit_price),
    properties: properties(line.attributes)
  })),
  shipping_address: order.shipping_address && { ...order.shipping_address },
  billing_address: order.billing_address && { ...order.billing_address },
  total_shipping_price_set: { shop_money: { amount: decimal(amounts(order).shipping) } }
})

export class EmbeddedCheckout extends Effect.Service<EmbeddedCheckout>()("checkout/EmbeddedCheckout", {
  effect: Effect.gen(function* () {
    const embedded = yield* EmbeddedShop
    const intake = yield* OrderIntake
    const shops = yield* Shops
    const { transaction } = yield* Database

    /** The order of a checkout's address. Fails with `CheckoutNotFound`. */
    const view = embedded.byId

    /**
     * Pays, and makes the pharmacy order in the same transaction. Paying again changes nothing.
     * Fails with `CheckoutNotFound` or `NoPharmacy`.
     */
    const pay = Effect.fn("EmbeddedCheckout.pay")(function* (id: DraftOrderUid) {
      const { shop_identifier } = yield* embedded.byId(id)
      const shop = yield* Effect.orDie(shops.byIdentifier(shop_identifier)) // the order refers to it
      if (yield* embedded.markPaid(shop, id)) {
        const paid = yield* embedded.byId(id)
        const order = yield* Effect.orDie(Schema.decode(OrderWebhook)(webhookOf(paid)))
        for (const topic of ["orders/create", "orders/paid"] as const)
          if (!(yield* intake.record(shop, { topic, webhook_id: `${id} ${topic}`, order, groups: new Map() })))
            return yield* new NoPharmacy()
      }
      return yield* embedded.byId(id)
    }, transaction)

    return { view, pay } as const
  }),
  dependencies: [Database.Default, EmbeddedShop.Default, OrderIntake.Default, Shops.Default]
}) {}
