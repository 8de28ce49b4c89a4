/**
 * What storefronts tell of orders, turned into pharmacy orders and prescriptions. One transaction a webhook: it is noted,
 * and what it tells is done, or neither, so that the storefront sends it again.
 */
import { Effect, Either, Schema } from "effect"
import { OrderTopic, OrderWebhook, type Told } from "../../../schemas/checkout/OrderWebhook.ts"
import { invalid, Unauthenticated } from "../../../schemas/problems.ts"
import { Orders } from "../../pharmacy/Orders.ts"
import { transaction } from "../../transaction.ts"
import { type Shop, Shops } from "../Shops.ts"
import { type Attributes, Storefronts } from "../Storefront.ts"
import { isSignedBy } from "./hmac.ts"
import { IntakeRepo } from "./IntakeRepo.ts"
import { OrderMaker } from "./OrderMaker.ts"
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

    /** Makes an order's pharmacy orders, or has it wait for a pharmacy. One that waits as a paid one stays paid. */
    const makeOrWait = Effect.fnUntraced(function* (shop: Shop, told: Told, waiting: Told | null) {
      const order_id = numberOf(told.order)
      const latest = waiting?.topic === "orders/paid" ? waiting : told
      const made = yield* maker.make(shop, latest)
      if (!made) yield* repo.wait(shop, order_id, latest)
      else if (waiting !== null) yield* repo.waitNoMore(shop, order_id)
      return made
    })

    /**
     * Does what a webhook tells, once. `orders/paid` may come first, `orders/cancelled` before either. False when no
     * pharmacy can fill the order, which waits for one then.
     */
    const record = Effect.fn("OrderIntake.record")(
      function* (shop: Shop, told: Told) {
        if (!(yield* repo.note(shop, told.webhook_id, told.topic))) return true
        const order_id = numberOf(told.order)
        const { cancelled, waiting, parts } = yield* repo.lock(shop, order_id)
        if (cancelled) return true
        if (told.topic === "orders/cancelled") {
          yield* repo.markCancelled(shop, order_id)
          const reason = `Cancelled in the shop${told.order.cancel_reason ? `: ${told.order.cancel_reason}` : ""}`
          yield* Effect.forEach(parts, (part) => orders.cancel(part.pharmacy_uid, part.pharmacy_order_uid, reason))
        } else if (parts.length === 0) {
          return yield* makeOrWait(shop, told, waiting)
        } else if (told.topic === "orders/paid") {
          const { transaction_id } = toAttributes(told.order.note_attributes)
          yield* Effect.forEach(parts, (part) =>
            orders.markPaid(part.pharmacy_uid, part.pharmacy_order_uid, transaction_id || null)
          )
        }
        return true
      },
      Effect.catchTag("NotFound", Effect.die),
      transaction
    )

    const retry = Effect.fn("OrderIntake.retry")(function* (shop: Shop, order_id: string) {
      const { waiting } = yield* repo.lock(shop, order_id)
      if (waiting !== null) yield* makeOrWait(shop, waiting, waiting)
    }, transaction)

    /** Makes the orders that have waited for a pharmacy and now have one. Any number of workers may do it at once. */
    const retryWaiting = Effect.fn("OrderIntake.retryWaiting")(function* () {
      for (const { shop_identifier, order_id } of yield* repo.waiting())
        yield* retry(yield* Effect.orDie(shops.byIdentifier(shop_identifier)), order_id)
    })

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
        return yield* new Unauthenticated({ reason: "The signature does not fit the body and the shop's secret" })
      const { topic, webhook_id } = webhook
      if (webhook_id === "") return yield* invalid("X-Shopify-Webhook-Id", "is required")
      if (!isTopic(topic) || (yield* repo.wasSeen(shop, webhook_id))) return
      const order = decodeOrder(webhook.body)
      if (Either.isLeft(order)) return yield* invalid("body", "must be an order in Shopify's JSON")
      const told = { topic, webhook_id, order: order.right, groups: yield* groupsFor(shop, order.right) }
      if (!(yield* record(shop, told)))
        yield* Effect.logError(
          "no pharmacy carries every line of an order: give the shop a default pharmacy, or one these SKUs",
          {
            shop: shop.shop_uid,
            order: order.right.name
          }
        )
    })

    return { receive, record, retryWaiting, waiting: repo.waiting } as const
  }),
  dependencies: [Shops.Default, IntakeRepo.Default, Orders.Default, OrderMaker.Default]
}) {}
