/** Pays an order of the embedded shop: the customer's action on its page, and the webhooks that Shopify would send (Rule 11.8.2). */
import { Effect, Schema } from "effect"
import { AnamnesisRequired, NoPharmacy, PrescriptionNotUsable } from "../../../schemas/checkout/errors.ts"
import type { DraftOrderUid } from "../../../schemas/ids.ts"
import { type Shop, Shops } from "../../../services/checkout/Shops.ts"
import type { Attributes } from "../../../services/checkout/Storefront.ts"
import { Database } from "../../../services/database/Database.ts"
import { Service } from "../../../services/Service.ts"
import { type OrderTopic, OrderWebhook, type OrderWebhookJson } from "../../shared/schemas/OrderWebhook.ts"
import { OrderIntake } from "../../shared/services/intake/OrderIntake.ts"
import { type EmbeddedOrder, EmbeddedShop } from "./EmbeddedShop.ts"

const decimal = (cents: number) => (cents / 100).toFixed(2)
const properties = (attributes: Attributes) => Object.entries(attributes).map(([name, value]) => ({ name, value }))

/** Amounts to pay, in cents: the lines, and the delivery price of the checkout. */
export const amounts = ({ lines, attributes }: Pick<EmbeddedOrder, "lines" | "attributes">) => {
  const shipping = Number(attributes.delivery_price ?? 0)
  const goods = lines.reduce((sum, { unit_price, quantity }) => sum + unit_price * quantity, 0)
  return { goods, shipping, total: goods + shipping }
}

/** The order in Shopify's JSON, so that it is processed like any other shop's. */
const webhookOf = (order: EmbeddedOrder, financial_status: "pending" | "paid"): OrderWebhookJson => ({
  id: order.id,
  name: `#${order.order_number}`,
  financial_status,
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

export class EmbeddedCheckout extends Service<EmbeddedCheckout>()("checkout/EmbeddedCheckout", {
  effect: Effect.gen(function* () {
    const embedded = yield* EmbeddedShop
    const intake = yield* OrderIntake
    const shops = yield* Shops
    const { transaction } = yield* Database

    const notify = Effect.fnUntraced(function* (shop: Shop, topic: OrderTopic, json: OrderWebhookJson) {
      const order = yield* Effect.orDie(Schema.decode(OrderWebhook)(json))
      const body_sha256 = new Bun.CryptoHasher("sha256").update(JSON.stringify(json)).digest("hex")
      const notice = { topic, webhook_id: `${json.id} ${topic}`, body_sha256, order, groups: new Map() }
      const reason = yield* intake.record(shop, notice)
      if (reason === "no_pharmacy") return yield* new NoPharmacy()
      if (reason === "prescription_not_usable") return yield* new PrescriptionNotUsable()
      if (reason === "anamnesis_required") return yield* new AnamnesisRequired()
    })

    /** The order of a checkout URL. Fails with `CheckoutNotFound`. */
    const view = embedded.byId

    /**
     * Pays, and creates the pharmacy order in the same transaction. Idempotent. Fails with `CheckoutNotFound`, `NoPharmacy`,
     * `PrescriptionNotUsable` or `AnamnesisRequired`, and then nothing is paid.
     */
    const pay = Effect.fn("EmbeddedCheckout.pay")(function* (id: DraftOrderUid) {
      const { shop_identifier } = yield* embedded.byId(id)
      const shop = yield* Effect.orDie(shops.byIdentifier(shop_identifier)) // the order refers to it
      if (yield* embedded.markPaid(shop, id)) {
        const paid = yield* embedded.byId(id)
        yield* notify(shop, "orders/create", webhookOf(paid, "pending"))
        yield* notify(shop, "orders/paid", webhookOf(paid, "paid"))
      }
      return yield* embedded.byId(id)
    }, transaction)

    return { view, pay } as const
  }),
  dependencies: [EmbeddedShop.Default, OrderIntake.Default, Shops.Default]
}) {}
