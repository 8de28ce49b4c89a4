/** The one room for the SQL of storefront webhooks and of which pharmacy orders a storefront's order became. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { PharmacyOrderUid, PharmacyUid } from "../../../schemas/ids.ts"
import { DomainClock } from "../../DomainClock.ts"
import type { Shop } from "../Shops.ts"

type OfShop = Pick<Shop, "organisation_uid" | "shop_uid">

export interface OrderPart {
  readonly pharmacy_uid: PharmacyUid
  readonly pharmacy_order_uid: PharmacyOrderUid
}

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
      const [order] = yield* sql<{ cancelled: boolean }>`SELECT cancelled FROM storefront_orders
        WHERE ${of(shop)} AND order_id = ${order_id} FOR UPDATE`
      const parts = yield* sql<OrderPart>`SELECT pharmacy_uid, pharmacy_order_uid FROM storefront_order_parts
        WHERE ${of(shop)} AND order_id = ${order_id} ORDER BY pharmacy_uid, pharmacy_order_uid`
      return { cancelled: order?.cancelled ?? false, parts }
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
        sql`UPDATE storefront_orders SET cancelled = true WHERE ${of(shop)} AND order_id = ${order_id}`,
      Effect.orDie
    )

    return { wasSeen, note, lock, addPart, markCancelled } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
