/**
 * What storefronts tell of orders, turned into pharmacy orders and prescriptions. One transaction a webhook: it is noted,
 * and what it tells is done, or neither, so that the storefront sends it again.
 */
import { Effect, Either, Schema } from "effect"
import { OrderTopic, OrderWebhook } from "../../../schemas/checkout/OrderWebhook.ts"
import { invalid, Unauthenticated } from "../../../schemas/problems.ts"
import { Orders } from "../../pharmacy/Orders.ts"
import { transaction } from "../../transaction.ts"
import { type Shop, Shops } from "../Shops.ts"
import { type Attributes, Storefronts } from "../Storefront.ts"
import { isSignedBy } from "./hmac.ts"
import { IntakeRepo } from "./IntakeRepo.ts"
import { OrderMaker, type Told } from "./OrderMaker.ts"
import { needsGroups, numberOf } from "./orderContents.ts"
import { toAttributes } from "./properties.ts"

/** A webhook as it came over the wire. */
export interface SignedWebhook {
  readonly topic: string
  readonly webhook_id: string
  readonly signature: string
  readonly body: string
}

const decodeOrder = Schema.decodeUnknownEither(Schema.parseJson(OrderWebhook))
const isTopic = Schema.is(OrderTopic)

export class OrderIntake extends Effect.Service<OrderIntake>()("checkout/OrderIntake", {
  effect: Effect.gen(function* () {
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const repo = yield* IntakeRepo
    const orders = yield* Orders
    const maker = yield* OrderMaker

    /** Does what a webhook tells, once. `orders/paid` may come first, `orders/cancelled` before either. */
    const record = Effect.fn("OrderIntake.record")(
      function* (shop: Shop, told: Told) {
        if (!(yield* repo.note(shop, told.webhook_id, told.topic))) return
        const order_id = numberOf(told.order)
        const { cancelled, parts } = yield* repo.lock(shop, order_id)
        if (cancelled) return
        if (told.topic === "orders/cancelled") {
          yield* repo.markCancelled(shop, order_id)
          const reason = `Cancelled in the shop${told.order.cancel_reason ? `: ${told.order.cancel_reason}` : ""}`
          yield* Effect.forEach(parts, (part) => orders.cancel(part.pharmacy_uid, part.pharmacy_order_uid, reason))
        } else if (parts.length === 0) {
          yield* maker.make(shop, told)
        } else if (told.topic === "orders/paid") {
          const { transaction_id } = toAttributes(told.order.note_attributes)
          yield* Effect.forEach(parts, (part) =>
            orders.markPaid(part.pharmacy_uid, part.pharmacy_order_uid, transaction_id || null)
          )
        }
      },
      Effect.catchTag("NotFound", Effect.die),
      transaction
    )

    const groupsFor = (shop: Shop, order: OrderWebhook) =>
      shop.storefront_kind === "shopify" && needsGroups(order)
        ? Effect.flatMap(storefronts.of(shop), (storefront) => storefront.lineGroups(numberOf(order)))
        : Effect.succeed(new Map<string, Attributes>())

    /**
     * Takes a webhook in. 401 for a wrong signature; a topic that is not an order's, and a webhook that was noted before,
     * are taken and forgotten; 400 for JSON that is no order.
     */
    const receive = Effect.fn("OrderIntake.receive")(function* (shop_identifier: string, webhook: SignedWebhook) {
      const shop = yield* shops.byIdentifier(shop_identifier)
      const { webhook_secret } = yield* shops.settings(shop)
      if (!isSignedBy(webhook_secret ?? "", webhook.body, webhook.signature))
        return yield* new Unauthenticated({ hint: "The signature does not fit the body and the shop's secret" })
      const { topic, webhook_id } = webhook
      if (webhook_id === "") return yield* invalid("X-Shopify-Webhook-Id", "is required")
      if (!isTopic(topic) || (yield* repo.wasSeen(shop, webhook_id))) return
      const order = decodeOrder(webhook.body)
      if (Either.isLeft(order)) return yield* invalid("body", "must be an order in Shopify's JSON")
      yield* record(shop, { topic, webhook_id, order: order.right, groups: yield* groupsFor(shop, order.right) })
    })

    return { receive, record } as const
  }),
  dependencies: [Shops.Default, IntakeRepo.Default, Orders.Default, OrderMaker.Default]
}) {}
