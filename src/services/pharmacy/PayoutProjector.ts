/**
 * Keeps payout rows up to date: previews follow orders, prices and terms until the order is completed, which freezes them as intents to
 * route. Every method runs in the caller's transaction.
 */
import { Array, Chunk, Effect, Stream } from "effect"
import type { PharmacyOrderUid, PharmacySkuUid } from "../../schemas/ids.ts"
import { DomainClock } from "../DomainClock.ts"
import { Service } from "../Service.ts"
import { PayoutsRepo, type PricedOrder, type ProjectedRow } from "./PayoutsRepo.ts"
import type { Pharmacy } from "./Pharmacies.ts"
import { payout, routingDescription } from "./payouts.ts"

/** Orders per batch. */
const BATCH = 500

/** Reason for which a component of a completed order is not routed. */
export const NO_ACCOUNT = "the pharmacy has no payment account"
/** The same, where the shop sold below the pharmacy's price or has refunded since (Rule 10.5.14). */
export const NOT_COVERED = "the payouts are more than the patient paid, less refunds"

type Intent = Pick<ProjectedRow, "routing" | "parked_reason">

type IntentOf = (terms: Pharmacy, order: PricedOrder, payouts: number) => Intent

const preview: IntentOf = () => ({ routing: "none", parked_reason: null })
const frozen: IntentOf = ({ payment_account }, { paid_amount }, payouts) => {
  if (payouts > paid_amount) return { routing: "parked", parked_reason: NOT_COVERED }
  if (payment_account === null) return { routing: "parked", parked_reason: NO_ACCOUNT }
  return { routing: "pending", parked_reason: null }
}

const projectedRows = (terms: Pharmacy, order: PricedOrder, intentOf: IntentOf): ReadonlyArray<ProjectedRow> => {
  const components = payout(terms, order)
  const intent = intentOf(
    terms,
    order,
    components.reduce((sum, { amount }) => sum + amount, 0)
  )
  return components.map(({ component_type, amount }) => ({
    pharmacy_order_uid: order.uid,
    component_type,
    amount,
    currency: order.currency,
    pharmacy_order_name: order.name,
    pharmacy_order_created_at: order.created_at,
    routing_description: intent.routing === "none" ? null : routingDescription(order, component_type),
    ...intent
  }))
}

export class PayoutProjector extends Service<PayoutProjector>()("pharmacy/PayoutProjector", {
  effect: Effect.gen(function* () {
    const clock = yield* DomainClock
    const repo = yield* PayoutsRepo

    const write = Effect.fnUntraced(function* (
      pharmacy: Pharmacy,
      uids: ReadonlyArray<PharmacyOrderUid>,
      intent: IntentOf
    ) {
      const orders = yield* repo.priced(pharmacy.pharmacy_uid, uids)
      const rows = orders.flatMap((order) => projectedRows(pharmacy, order, intent))
      yield* repo.replacePreviews(pharmacy.pharmacy_uid, uids, rows, yield* clock.now)
      return rows
    })

    /**
     * Projects these orders: previews for those that are paid and neither rejected nor cancelled, none for the others. The caller has
     * locked the pharmacy's terms.
     */
    const project = Effect.fn("PayoutProjector.project")(function* (
      pharmacy: Pharmacy,
      uids: ReadonlyArray<PharmacyOrderUid>
    ) {
      for (const batch of Array.chunksOf(uids, BATCH)) yield* write(pharmacy, batch, preview)
    })

    /**
     * Projects the pharmacy's open orders again with its current prices and terms; all of them, or those with one of these SKUs. The
     * caller has locked the pharmacy for change.
     */
    const reproject = Effect.fn("PayoutProjector.reproject")(function* (
      pharmacy: Pharmacy,
      skus?: ReadonlyArray<PharmacySkuUid>
    ) {
      yield* Stream.paginateChunkEffect("", (after) =>
        Effect.map(repo.openOrders(pharmacy.pharmacy_uid, after, BATCH, skus), (uids) => [
          Chunk.fromIterable(uids),
          Array.last(uids)
        ])
      ).pipe(
        Stream.rechunk(BATCH),
        Stream.runForEachChunk((uids) => write(pharmacy, Chunk.toReadonlyArray(uids), preview))
      )
    })

    /** Turns an order's payouts into intents to route. True if there is one to route. The caller has locked the pharmacy's terms. */
    const freeze = Effect.fn("PayoutProjector.freeze")(function* (pharmacy: Pharmacy, uid: PharmacyOrderUid) {
      const rows = yield* write(pharmacy, [uid], frozen)
      return rows.some(({ routing }) => routing === "pending")
    })

    return { project, reproject, freeze } as const
  }),
  dependencies: [PayoutsRepo.Default]
}) {}
