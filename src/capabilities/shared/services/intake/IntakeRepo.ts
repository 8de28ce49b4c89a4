/** The repository of storefront webhooks and of the pharmacy orders that a storefront's order became. */

import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { type OrganisationUid, PharmacyOrderUid, PharmacyUid } from "../../../../schemas/ids.ts"
import { Shop } from "../../../../services/checkout/Shops.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { any, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { ANSWER_LIMITS } from "../../../../services/recordLimits.ts"
import { Envelope, type SealedPlace } from "../../../../services/sealing/Envelope.ts"
import { OrderNotice, OrderTopic, type OrderWebhook, WaitingReason } from "../../schemas/OrderWebhook.ts"
import { NOT_WAITING } from "./notWaiting.ts"
import { toAttributes, toBirthDate } from "./properties.ts"

type OfShop = Pick<Shop, "organisation_uid" | "shop_uid">

/** A pharmacy order created from a storefront's order. */
export const OrderPart = Schema.Struct({
  pharmacy_uid: PharmacyUid,
  pharmacy_order_uid: PharmacyOrderUid,
  /** The prescription that the shop's lines name; empty for lines that name none. */
  prescription: Schema.String,
  /** The shop has removed all of its lines. Once it is cancelled, lines that come back go to another pharmacy order. */
  removed: Schema.Boolean
})
export type OrderPart = typeof OrderPart.Type

/** An order for which no pharmacy order can be created yet, as listed for an operator. */
const WaitingOrder = Schema.Struct({
  shop_identifier: Shop.fields.shop_identifier,
  order_id: Schema.String,
  name: Schema.String,
  topic: OrderTopic,
  reason: WaitingReason,
  waiting_since: UnixSeconds
})
export type WaitingOrder = typeof WaitingOrder.Type

/** Waiting orders of an organisation retried at a time: each may be a mebibyte to decrypt and decode. */
const RETRIED_AT_ONCE = 500

const Notice = Schema.parseJson(OrderNotice)

/** Refunds of an order by the shop's id of them. */
const Refunds = Schema.Record({
  key: Schema.String,
  value: Schema.Struct({
    /** Cents. */
    amount: Schema.Number,
    returnsPieces: Schema.Boolean,
    /** Whether the order's latest webhook has it. */
    listed: Schema.Boolean
  })
})
export type Refunds = typeof Refunds.Type

/** What the latest webhooks have said of an order's progress and money. */
const Progress = Schema.Struct({
  /** The shop's own time. */
  updated_at: Schema.NullOr(UnixSeconds),
  progress: Schema.Number,
  /** Cents, before refunds. */
  received: Schema.Number,
  refunds: Refunds
})
export type Progress = typeof Progress.Type

const StoredOrder = Schema.Struct({
  cancelled: Schema.Boolean,
  ...Progress.fields,
  anamnesis_waived: Schema.Boolean,
  waiting: Schema.NullOr(Notice)
})

const encodeNotice = Schema.encode(Notice)

const placeOf = ({ organisation_uid, shop_uid }: OfShop, order_id: string): SealedPlace => ({
  table: "storefront_orders",
  column: "waiting_encrypted",
  row: [organisation_uid, shop_uid, order_id]
})

/** The names on an order, of the patient in its attributes, the recipient, the customer and the payer, and the patient's birth date. */
const namedBy = ({ note_attributes, shipping_address, customer, billing_address }: OrderWebhook) => {
  const { first_name = null, last_name = null, date_of_birth } = toAttributes(note_attributes)
  const names = [{ first_name, last_name }, shipping_address, customer, billing_address].flatMap((one) => one ?? [])
  return { names, born: toBirthDate(date_of_birth) }
}

export class IntakeRepo extends Effect.Service<IntakeRepo>()("checkout/IntakeRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const envelope = yield* Envelope
    const opened = envelope.openRows("storefront_orders", ["organisation_uid", "shop_uid", "order_id"])
    const orders = rowsOf(StoredOrder, opened)
    const waitingOrders = rowsOf(WaitingOrder)
    const names = rowsOf(Schema.Struct({ shop_identifier: Shop.fields.shop_identifier, order_id: Schema.String }))

    const of = ({ organisation_uid, shop_uid }: OfShop) =>
      sql`organisation_uid = ${organisation_uid} AND shop_uid = ${shop_uid}`

    const wasSeen = Effect.fn("IntakeRepo.wasSeen")((shop: OfShop, webhook_id: string) =>
      any(sql`SELECT FROM storefront_webhooks WHERE ${of(shop)} AND webhook_id = ${webhook_id}`)
    )

    /** Records the webhook; false if its id or its body is already recorded. A concurrent duplicate waits for the first transaction. */
    const note = Effect.fn("IntakeRepo.note")(function* (
      shop: OfShop,
      { webhook_id, topic, body_sha256 }: Pick<OrderNotice, "webhook_id" | "body_sha256"> & { readonly topic: string }
    ) {
      const now = yield* clock.now
      return yield* any(sql`INSERT INTO storefront_webhooks
          (organisation_uid, shop_uid, webhook_id, topic, body_sha256, received_at)
        VALUES (${shop.organisation_uid}, ${shop.shop_uid}, ${webhook_id}, ${topic}, ${body_sha256}, to_timestamp(${now}))
        ON CONFLICT DO NOTHING RETURNING webhook_id`)
    })

    /** The storefront's order, inserted if new, and locked until the caller's transaction ends. */
    const lock = Effect.fn("IntakeRepo.lock")(function* (shop: OfShop, order_id: string) {
      yield* sql`INSERT INTO storefront_orders (organisation_uid, shop_uid, order_id, cancelled)
        VALUES (${shop.organisation_uid}, ${shop.shop_uid}, ${order_id}, false) ON CONFLICT DO NOTHING`
      const order = yield* orders.one(sql`SELECT organisation_uid, shop_uid, order_id, cancelled, updated_at, progress,
          received, refunds, anamnesis_waived, waiting_encrypted
        FROM storefront_orders WHERE ${of(shop)} AND order_id = ${order_id} FOR UPDATE`)
      const parts = yield* rowsOf(OrderPart).all(sql`SELECT pharmacy_uid, pharmacy_order_uid,
          prescription, removed FROM storefront_order_parts WHERE ${of(shop)} AND order_id = ${order_id}
        ORDER BY pharmacy_uid, pharmacy_order_uid`)
      return { ...order, parts }
    }, Effect.orDie)

    const addPart = Effect.fn("IntakeRepo.addPart")(
      (shop: OfShop, order_id: string, part: OrderPart) =>
        sql`INSERT INTO storefront_order_parts (organisation_uid, shop_uid, order_id, pharmacy_uid, pharmacy_order_uid, prescription)
          VALUES (${shop.organisation_uid}, ${shop.shop_uid}, ${order_id}, ${part.pharmacy_uid},
            ${part.pharmacy_order_uid}, ${part.prescription})`,
      Effect.orDie
    )

    const markRemoved = Effect.fn("IntakeRepo.markRemoved")(
      (shop: OfShop, order_id: string, part: OrderPart, removed: boolean) =>
        sql`UPDATE storefront_order_parts SET removed = ${removed} WHERE ${of(shop)} AND order_id = ${order_id}
          AND pharmacy_uid = ${part.pharmacy_uid} AND pharmacy_order_uid = ${part.pharmacy_order_uid}`,
      Effect.orDie
    )

    const markCancelled = Effect.fn("IntakeRepo.markCancelled")(
      (shop: OfShop, order_id: string) =>
        sql`UPDATE storefront_orders SET cancelled = true, ${sql.literal(NOT_WAITING)}
          WHERE ${of(shop)} AND order_id = ${order_id}`,
      Effect.orDie
    )

    /** Records what a webhook says. */
    const saw = Effect.fn("IntakeRepo.saw")(
      (shop: OfShop, order_id: string, { updated_at, progress, received, refunds }: Progress) =>
        sql`UPDATE storefront_orders SET updated_at = coalesce(to_timestamp(${updated_at}), updated_at),
            progress = ${progress}, received = ${received}, refunds = ${JSON.stringify(refunds)}::jsonb
          WHERE ${of(shop)} AND order_id = ${order_id}`,
      Effect.orDie
    )

    /** Records that a person has decided that an order needs no anamnesis. False if no such order waits for one. */
    const waiveAnamnesis = Effect.fn("IntakeRepo.waiveAnamnesis")((shop: OfShop, order_id: string) =>
      any(sql`UPDATE storefront_orders SET anamnesis_waived = true WHERE ${of(shop)} AND order_id = ${order_id}
        AND waiting_reason = 'anamnesis_required' RETURNING order_id`)
    )

    /**
     * Stores an order for which no pharmacy order can be created, with its latest notice, sealed, and the patients whom it names. Keeps
     * the time of the first one.
     */
    const wait = Effect.fn("IntakeRepo.wait")(function* (
      shop: OfShop,
      order_id: string,
      notice: OrderNotice,
      reason: WaitingReason
    ) {
      const now = yield* clock.now
      const sealed = yield* envelope.sealed(placeOf(shop, order_id), yield* encodeNotice(notice))
      const { names, born } = namedBy(notice.order)
      // a record is no longer named by the one that was merged into it: it stays
      yield* sql`UPDATE storefront_orders SET waiting_encrypted = ${sealed},
          waiting_patients = ARRAY(SELECT unnest(patients_named(${shop.organisation_uid}, ${shop.shop_uid},
              ${names.map((one) => one.first_name)}, ${names.map((one) => one.last_name)}, ${born}::bigint))
            UNION SELECT m.patient_uid FROM patient_merges m
              WHERE m.organisation_uid = ${shop.organisation_uid} AND waiting_patients && ARRAY[m.merged_uid, m.patient_uid]),
          waiting_since = coalesce(waiting_since, to_timestamp(${now})), waiting_reason = ${reason},
          waiting_name = ${notice.order.name}, waiting_topic = ${notice.topic}
        WHERE ${of(shop)} AND order_id = ${order_id}`
    }, Effect.orDie)

    const stopWaiting = Effect.fn("IntakeRepo.stopWaiting")(
      (shop: OfShop, order_id: string) =>
        sql`UPDATE storefront_orders SET ${sql.literal(NOT_WAITING)}
          WHERE ${of(shop)} AND order_id = ${order_id}`,
      Effect.orDie
    )

    /** The 1,000 orders that have waited longest, without their contents, which together may exceed memory. */
    const waiting = Effect.fn("IntakeRepo.waiting")(() =>
      waitingOrders.all(sql`SELECT s.shop_identifier, o.order_id, o.waiting_name AS name, o.waiting_topic AS topic,
          o.waiting_reason AS reason, o.waiting_since
        FROM storefront_orders o JOIN shops s ON s.organisation_uid = o.organisation_uid AND s.uid = o.shop_uid
        WHERE o.waiting_since IS NOT NULL ORDER BY o.waiting_since, s.shop_identifier, o.order_id LIMIT ${ANSWER_LIMITS.waitingOrders}`)
    )

    /**
     * An organisation's waiting orders, longest first; if there are more than 500, a random sample, so that all are retried eventually.
     */
    const waitingNames = Effect.fn("IntakeRepo.waitingNames")((owner: OrganisationUid, most = RETRIED_AT_ONCE) =>
      names.all(sql`SELECT s.shop_identifier, o.order_id
        FROM (SELECT shop_uid, order_id, waiting_since FROM storefront_orders
            WHERE organisation_uid = ${owner} AND waiting_since IS NOT NULL ORDER BY random() LIMIT ${most}) o
          JOIN shops s ON s.organisation_uid = ${owner} AND s.uid = o.shop_uid
        ORDER BY o.waiting_since, s.shop_identifier, o.order_id`)
    )

    return {
      wasSeen,
      note,
      lock,
      addPart,
      markRemoved,
      markCancelled,
      saw,
      waiveAnamnesis,
      wait,
      stopWaiting,
      waiting,
      waitingNames
    } as const
  })
}) {}
