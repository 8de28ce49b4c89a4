/** Paying an order of the embedded shop: what a customer does on its page, and what Shopify would then tell us. */
import { Effect, Schema } from "effect"
import { OrderWebhook, type OrderWebhookJson } from "../../../schemas/checkout/OrderWebhook.ts"
import { Conflict } from "../../../schemas/conflicts.ts"
import { transaction } from "../../transaction.ts"
import { OrderIntake } from "../intake/OrderIntake.ts"
import { Shops } from "../Shops.ts"
import type { Attributes } from "../Storefront.ts"
import { type EmbeddedOrder, EmbeddedShop } from "./EmbeddedShop.ts"

const decimal = (cents: number) => (cents / 100).toFixed(2)
const properties = (attributes: Attributes) => Object.entries(attributes).map(([name, value]) => ({ name, value }))

/** What is due, in cents: the lines, and the delivery price that came with the checkout. */
export const amounts = ({ lines, attributes }: Pick<EmbeddedOrder, "lines" | "attributes">) => {
  const shipping = Number(attributes.delivery_price ?? 0)
  const goods = lines.reduce((sum, { unit_price, quantity }) => sum + unit_price * quantity, 0)
  return { goods, shipping, total: goods + shipping }
}

/** The order in the JSON of its webhooks, so that it comes in like any other shop's. */
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

const noPharmacy = new Conflict({ reason: "no_pharmacy" })

export class EmbeddedCheckout extends Effect.Service<EmbeddedCheckout>()("checkout/EmbeddedCheckout", {
  effect: Effect.gen(function* () {
    const embedded = yield* EmbeddedShop
    const intake = yield* OrderIntake
    const shops = yield* Shops

    /** The order behind a checkout's address. */
    const view = embedded.byId

    /** Pays. The order and the pharmacy's come to be together, or neither; paying again changes nothing. */
    const pay = Effect.fn("EmbeddedCheckout.pay")(function* (id: string) {
      const { shop_identifier } = yield* embedded.byId(id)
      const shop = yield* shops.byIdentifier(shop_identifier)
      if (yield* embedded.markPaid(shop, id)) {
        const paid = yield* embedded.byId(id)
        const order = yield* Effect.orDie(Schema.decode(OrderWebhook)(webhookOf(paid)))
        for (const topic of ["orders/create", "orders/paid"] as const)
          if (!(yield* intake.record(shop, { topic, webhook_id: `${id} ${topic}`, order, groups: new Map() })))
            return yield* noPharmacy
      }
      return yield* embedded.byId(id)
    }, transaction)

    return { view, pay } as const
  }),
  dependencies: [EmbeddedShop.Default, OrderIntake.Default, Shops.Default]
}) {}
