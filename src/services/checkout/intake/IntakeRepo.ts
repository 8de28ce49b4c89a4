/** The one room for the SQL of storefront webhooks and of which pharmacy orders a storefront's order became. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { type OrderTopic, Told } from "../../../schemas/checkout/OrderWebhook.ts"
import type { PharmacyOrderUid, PharmacyUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../DomainClock.ts"
import type { Shop } from "../Shops.ts"

type OfShop = Pick<Shop, "organisation_uid" | "shop_uid">

export interface OrderPart {
  readonly pharmacy_uid: PharmacyUid
  readonly pharmacy_order_uid: PharmacyOrderUid
}

/** An order that no pharmacy can fill, as an operator is shown it. */
export interface WaitingOrder extends Pick<Shop, "shop_identifier"> {
  readonly order_id: string
  readonly name: string
  readonly topic: OrderTopic
  readonly waiting_since: number
}

const encodeTold = Schema.encode(Schema.parseJson(Told))
const decodeTold = Schema.decodeUnknown(Schema.NullOr(Told))

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

    /** Notes the webhook; false when it has been noted before. One of two at once waits for the other's transaction. */
    const note = Effect.fn("IntakeRepo.note")(function* (shop: OfShop, webhook_id: string, topic: string) {
      const now = yield* clock.now
      const noted =
        yield* sql`INSERT INTO storefront_webhooks (organisation_uid, shop_uid, webhook_id, topic, received_at)
        VALUES (${shop.organisation_uid}, ${shop.shop_uid}, ${webhook_id}, ${topic}, to_timestamp(${now}))
        ON CONFLICT DO NOTHING RETURNING webhook_id`
      return noted.length > 0
    }, Effect.orDie)

    /** The storefront's order, known from now on, and nobody else's until the caller's transaction ends. */
    const lock = Effect.fn("IntakeRepo.lock")(function* (shop: OfShop, order_id: string) {
      yield* sql`INSERT INTO storefront_orders (organisation_uid, shop_uid, order_id, cancelled)
        VALUES (${shop.organisation_uid}, ${shop.shop_uid}, ${order_id}, false) ON CONFLICT DO NOTHING`
      const [order] = yield* sql<{ cancelled: boolean; waiting: unknown }>`SELECT cancelled, waiting
        FROM storefront_orders WHERE ${of(shop)} AND order_id = ${order_id} FOR UPDATE`
      const parts = yield* sql<OrderPart>`SELECT pharmacy_uid, pharmacy_order_uid FROM storefront_order_parts
        WHERE ${of(shop)} AND order_id = ${order_id} ORDER BY pharmacy_uid, pharmacy_order_uid`
      const waiting = yield* decodeTold(order?.waiting ?? null)
      return { cancelled: order?.cancelled ?? false, waiting, parts }
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
        sql`UPDATE storefront_orders SET cancelled = true, waiting = NULL, waiting_since = NULL
          WHERE ${of(shop)} AND order_id = ${order_id}`,
      Effect.orDie
    )

    /** No pharmacy can fill it: it waits, with what was told of it, since it was first found so. */
    const wait = Effect.fn("IntakeRepo.wait")(function* (shop: OfShop, order_id: string, told: Told) {
      const now = yield* clock.now
      yield* sql`UPDATE storefront_orders SET waiting = ${yield* encodeTold(told)}::jsonb,
          waiting_since = coalesce(waiting_since, to_timestamp(${now}))
        WHERE ${of(shop)} AND order_id = ${order_id}`
    }, Effect.orDie)

    const waitNoMore = Effect.fn("IntakeRepo.waitNoMore")(
      (shop: OfShop, order_id: string) =>
        sql`UPDATE storefront_orders SET waiting = NULL, waiting_since = NULL
          WHERE ${of(shop)} AND order_id = ${order_id}`,
      Effect.orDie
    )

    /** All that wait, those that have waited longest first. */
    const waiting = Effect.fn("IntakeRepo.waiting")(
      () =>
        sql<WaitingOrder>`SELECT s.shop_identifier, o.order_id, o.waiting->'order'->>'name' AS name,
            o.waiting->>'topic' AS topic, o.waiting_since
          FROM storefront_orders o JOIN shops s ON s.organisation_uid = o.organisation_uid AND s.uid = o.shop_uid
          WHERE o.waiting IS NOT NULL ORDER BY o.waiting_since, s.shop_identifier, o.order_id`,
      Effect.orDie
    )

    return { wasSeen, note, lock, addPart, markCancelled, wait, waitNoMore, waiting } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
