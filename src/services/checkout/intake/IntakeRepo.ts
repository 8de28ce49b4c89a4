/** All SQL of storefront webhooks and of the pharmacy orders that a storefront's order became. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { OrderNotice, OrderTopic, WaitingReason } from "../../../schemas/checkout/OrderWebhook.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { PharmacyOrderUid, PharmacyUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../DomainClock.ts"
import { rowsOf } from "../../rows.ts"
import { Shop } from "../Shops.ts"

type OfShop = Pick<Shop, "organisation_uid" | "shop_uid">

/** One of the pharmacy orders that a storefront's order became. */
export const OrderPart = Schema.Struct({ pharmacy_uid: PharmacyUid, pharmacy_order_uid: PharmacyOrderUid })
export type OrderPart = typeof OrderPart.Type

/** An order of which no pharmacy order can be made yet, as an operator sees it. */
const WaitingOrder = Schema.Struct({
  shop_identifier: Shop.fields.shop_identifier,
  order_id: Schema.String,
  name: Schema.String,
  topic: OrderTopic,
  reason: WaitingReason,
  waiting_since: UnixSeconds
})
export type WaitingOrder = typeof WaitingOrder.Type

const StoredOrder = Schema.Struct({
  cancelled: Schema.Boolean,
  updated_at: Schema.NullOr(UnixSeconds),
  waiting: Schema.NullOr(OrderNotice)
})

const encodeNotice = Schema.encode(Schema.parseJson(OrderNotice))

export class IntakeRepo extends Effect.Service<IntakeRepo>()("checkout/IntakeRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    const of = ({ organisation_uid, shop_uid }: OfShop) =>
      sql`organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid}`

    const wasSeen = Effect.fn("IntakeRepo.wasSeen")(
      (shop: OfShop, webhook_id: string) =>
        Effect.map(
          sql`SELECT FROM storefront_webhooks WHERE ${of(shop)} AND webhook_id = ${webhook_id}`,
          (rows) => rows.length > 0
        ),
      Effect.orDie
    )

    /**
     * Records the webhook; false when its id or its body is recorded already. Of two at once, one waits for the other's
     * transaction.
     */
    const note = Effect.fn("IntakeRepo.note")(function* (shop: OfShop, notice: OrderNotice) {
      const { webhook_id, topic, body_sha256 } = notice
      const now = yield* clock.now
      const noted = yield* sql`INSERT INTO storefront_webhooks 
          (organisation_uid, shop_uid, webhook_id, topic, body_sha256, received_at)
        VALUES (${shop.organisation_uid}, ${shop.shop_uid}, ${webhook_id}, ${topic}, ${body_sha256}, to_timestamp(${now}))
        ON CONFLICT DO NOTHING RETURNING webhook_id`
      return noted.length > 0
    }, Effect.orDie)

    /** The storefront's order, inserted where it is new, and locked until the caller's transaction ends. */
    const lock = Effect.fn("IntakeRepo.lock")(function* (shop: OfShop, order_id: string) {
      yield* sql`INSERT INTO storefront_orders (organisation_uid, shop_uid, order_id, cancelled)
        VALUES (${shop.organisation_uid}, ${shop.shop_uid}, ${order_id}, false) ON CONFLICT DO NOTHING`
      const order = yield* rowsOf(StoredOrder).one(sql`SELECT cancelled, updated_at, waiting
        FROM storefront_orders WHERE ${of(shop)} AND order_id = ${order_id} FOR UPDATE`)
      const parts = yield* rowsOf(OrderPart).all(sql`SELECT pharmacy_uid, pharmacy_order_uid
        FROM storefront_order_parts WHERE ${of(shop)} AND order_id = ${order_id}
        ORDER BY pharmacy_uid, pharmacy_order_uid`)
      return { ...order, parts }
    }, Effect.orDie)

    const addPart = Effect.fn("IntakeRepo.addPart")(
      (shop: OfShop, order_id: string, part: OrderPart) =>
        sql`INSERT INTO storefront_order_parts (organisation_uid, shop_uid, order_id, pharmacy_uid, pharmacy_order_uid)
          VALUES (${shop.organisation_uid}, ${shop.shop_uid}, ${order_id}, ${part.pharmacy_uid},
            ${part.pharmacy_order_uid})`,
      Effect.orDie
    )

    const markCancelled = Effect.fn("IntakeRepo.markCancelled")(
      (shop: OfShop, order_id: string) =>
        sql`UPDATE storefront_orders SET cancelled = true, waiting = NULL, waiting_since = NULL, waiting_reason = NULL
          WHERE ${of(shop)} AND order_id = ${order_id}`,
      Effect.orDie
    )

    const setUpdatedAt = Effect.fn("IntakeRepo.setUpdatedAt")(
      (shop: OfShop, order_id: string, updated_at: number | null) =>
        sql`UPDATE storefront_orders SET updated_at = coalesce(to_timestamp(${updated_at}), updated_at)
          WHERE ${of(shop)} AND order_id = ${order_id}`,
      Effect.orDie
    )

    /** Keeps an order of which no pharmacy order can be made, with its latest notice. It waits since the first time. */
    const wait = Effect.fn("IntakeRepo.wait")(function* (
      shop: OfShop,
      order_id: string,
      notice: OrderNotice,
      reason: WaitingReason
    ) {
      const now = yield* clock.now
      yield* sql`UPDATE storefront_orders SET waiting = ${yield* encodeNotice(notice)}::jsonb,
          waiting_since = coalesce(waiting_since, to_timestamp(${now})), waiting_reason = ${reason}
        WHERE ${of(shop)} AND order_id = ${order_id}`
    }, Effect.orDie)

    const stopWaiting = Effect.fn("IntakeRepo.stopWaiting")(
      (shop: OfShop, order_id: string) =>
        sql`UPDATE storefront_orders SET waiting = NULL, waiting_since = NULL, waiting_reason = NULL
          WHERE ${of(shop)} AND order_id = ${order_id}`,
      Effect.orDie
    )

    /** All that wait, the longest first. */
    const waiting = Effect.fn("IntakeRepo.waiting")(() =>
      rowsOf(WaitingOrder).all(sql`SELECT s.shop_identifier, o.order_id, o.waiting->'order'->>'name' AS name,
            o.waiting->>'topic' AS topic, o.waiting_reason AS reason, o.waiting_since
          FROM storefront_orders o JOIN shops s ON s.organisation_uid = o.organisation_uid AND s.uid = o.shop_uid
          WHERE o.waiting IS NOT NULL ORDER BY o.waiting_since, s.shop_identifier, o.order_id`)
    )

    return { wasSeen, note, lock, addPart, markCancelled, setUpdatedAt, wait, stopWaiting, waiting } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
