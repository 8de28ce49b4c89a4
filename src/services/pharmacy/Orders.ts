/**
 * Transitions of a pharmacy order (Rule 10.4). Each is one transaction that locks the order first, then its prescription, then stock,
 * then payouts; this fixed order prevents deadlocks. The pharmacy's terms are locked with SHARE, which concurrent transitions can hold
 * together.
 */
import { Effect } from "effect"
import { PharmacyOrderUid, type PharmacyUid } from "../../schemas/ids.ts"
import { paged } from "../../schemas/paging.ts"
import { OrderNotPaid, PrescriptionNotSigned, StatusNotAllowed } from "../../schemas/pharmacy/errors.ts"
import type { OrderQuery, PharmacyOrder, StatusChange } from "../../schemas/pharmacy/PharmacyOrder.ts"
import {
  forbiddenBy,
  isAllowed,
  isVoid,
  type PharmacyOrderStatus,
  type PharmacyOrderTrigger
} from "../../schemas/pharmacy/PharmacyOrderStates.ts"
import { invalid } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { EventLog } from "../events/EventLog.ts"
import { withOwner } from "../tenancy/Tenancy.ts"
import { newUid } from "../uid.ts"
import { type NewOrder, type OrderChange, OrdersRepo, type StoredOrder } from "./OrdersRepo.ts"
import { PayoutProjector } from "./PayoutProjector.ts"
import { Pharmacies, type Pharmacy } from "./Pharmacies.ts"
import { type CarriedPrescription, PrescriptionProgress } from "./PrescriptionProgress.ts"
import { Routing } from "./Routing.ts"
import { SkusRepo } from "./SkusRepo.ts"

/** An order as sent by a shop. */
export type IncomingOrder = Omit<NewOrder, "uid" | "status" | "currency" | "takes_stock" | "created_at">

/** Two organisations may provision prescriptions with the same uid. */
const keyOf = ({ organisation_uid, prescription_uid }: Pick<StoredOrder, "organisation_uid" | "prescription_uid">) =>
  JSON.stringify([organisation_uid, prescription_uid])

const carried = ({ organisation_uid, prescription_uid }: StoredOrder): ReadonlyArray<CarriedPrescription> =>
  prescription_uid === null ? [] : [{ organisation_uid, prescription_uid }]

export class Orders extends Effect.Service<Orders>()("pharmacy/Orders", {
  effect: Effect.gen(function* () {
    const repo = yield* OrdersRepo
    const pharmacies = yield* Pharmacies
    const skus = yield* SkusRepo
    const projector = yield* PayoutProjector
    const routing = yield* Routing
    const prescriptions = yield* PrescriptionProgress
    const events = yield* EventLog
    const clock = yield* DomainClock
    const { transaction } = yield* Database

    /** The public records: orders with data of their prescriptions. */
    const shown = Effect.fn("Orders.shown")(function* (orders: ReadonlyArray<StoredOrder>) {
      const found = yield* prescriptions.onOrders(orders.flatMap(carried))
      const byKey = new Map(found.map((one) => [keyOf(one), one]))
      return orders.map((stored): PharmacyOrder => {
        const { organisation_uid: _, takes_stock: __, ...order } = stored
        const prescription = byKey.get(keyOf(stored))
        return {
          ...order,
          patient: order.patient ?? prescription?.patient ?? null,
          prescription_file: prescription?.file ?? null
        }
      })
    })
    const one = (order: StoredOrder) => Effect.orDie(Effect.head(shown([order])))

    /** Fails with `Invalid` if the page's orders have too many lines together. */
    const list = Effect.fn("Orders.list")(function* (pharmacy: PharmacyUid, query: OrderQuery) {
      const found = yield* repo.list(pharmacy, query)
      return paged({ ...found, rows: yield* shown(found.rows) })
    })

    /** Fails with `PharmacyOrderNotFound`. */
    const get = Effect.fn("Orders.get")(function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid) {
      return yield* one(yield* repo.find(pharmacy, uid))
    })

    /** Appends an event with the order, and returns the public record. Events contain no file, because its URL expires. */
    const publish = Effect.fnUntraced(function* (
      pharmacy_uid: PharmacyUid,
      stored: StoredOrder,
      type: "pharmacy_order.created" | "pharmacy_order.status_updated" | "pharmacy_order.completed"
    ) {
      const order = yield* one(stored)
      const data = { order: { ...order, prescription_file: null } }
      yield* events.append({ type, pharmacy_uid, subject: order.uid, data })
      return order
    })

    /** A missing pharmacy is a defect, since every order has one. */
    const lockTerms = (pharmacy: PharmacyUid) => Effect.orDie(pharmacies.lockTerms(pharmacy))

    /** The effects of the payment: stock is reduced, payouts are projected, the prescription is dispatched. */
    const becomePaid = Effect.fnUntraced(function* (terms: Pharmacy, order: StoredOrder) {
      yield* Effect.forEach(carried(order), prescriptions.dispatched)
      if (order.takes_stock) yield* skus.moveStock(terms.pharmacy_uid, order.uid, -1, yield* clock.now)
      yield* projector.project(terms, [order.uid])
    })

    /** Creates an order. Not idempotent. Fails with `PharmacyNotFound`. */
    const create = Effect.fn("Orders.create")(
      function* (incoming: IncomingOrder) {
        const { pharmacy_uid, paid } = incoming
        const terms = yield* pharmacies.lockTerms(pharmacy_uid)
        const uid = yield* newUid(PharmacyOrderUid)
        const created_at = yield* clock.now
        const payment_id = yield* repo.ownPayment(incoming.organisation_uid, incoming.payment_id)
        const { currency } = terms
        yield* repo.insert({ ...incoming, uid, payment_id, status: "new", currency, takes_stock: true, created_at })
        const order = yield* repo.find(pharmacy_uid, uid)
        if (paid) yield* becomePaid(terms, order)
        return yield* publish(pharmacy_uid, order, "pharmacy_order.created")
      },
      transaction,
      (made, { pharmacy_uid }) => withOwner({ pharmacy_uid })(made)
    )

    /** Records the payment. Idempotent. Fails with `PharmacyOrderNotFound`. */
    const markPaid = Effect.fn("Orders.markPaid")(
      function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid, payment_id: string | null) {
        const order = yield* repo.lock(pharmacy, uid)
        if (order.paid) return yield* one(order)
        const now = yield* clock.now
        const own = yield* repo.ownPayment(order.organisation_uid, payment_id)
        const paid = yield* repo.update(pharmacy, uid, { paid_at: now, ...(own !== null && { payment_id: own }) }, now)
        if (!isVoid(paid.status)) yield* becomePaid(yield* lockTerms(pharmacy), paid)
        return yield* publish(pharmacy, paid, "pharmacy_order.status_updated")
      },
      transaction,
      (paid, pharmacy_uid) => withOwner({ pharmacy_uid })(paid)
    )

    /** `keepsQuantities`: an order that is rejected or cancelled releases nothing of its prescription. */
    const move = Effect.fnUntraced(function* (
      pharmacy: PharmacyUid,
      order: StoredOrder,
      change: OrderChange,
      { keepsQuantities = false } = {}
    ) {
      const now = yield* clock.now
      const moved = yield* repo.update(pharmacy, order.uid, change, now)
      if (change.status !== undefined && isVoid(change.status)) {
        const ref = { pharmacy_uid: pharmacy, pharmacy_order_uid: order.uid }
        if (!keepsQuantities)
          yield* Effect.forEach(carried(order), (prescription) => prescriptions.released(prescription, ref))
        if (change.status === "cancelled") yield* Effect.forEach(carried(order), prescriptions.withdrawn)
      }
      if (change.status !== undefined && isVoid(change.status) && order.paid) {
        const terms = yield* lockTerms(pharmacy)
        if (order.takes_stock) yield* skus.moveStock(pharmacy, order.uid, 1, now)
        yield* projector.project(terms, [order.uid])
      }
      return yield* publish(pharmacy, moved, "pharmacy_order.status_updated")
    })

    /**
     * Fails with `PrescriptionNotSigned` if the order's prescription forbids the transition. Cancelling and signing a prescription take
     * the same lock. Rules 9.6.3 and 9.6.5.
     */
    const ensureDispensable = Effect.fnUntraced(function* (
      trigger: PharmacyOrderTrigger,
      order: StoredOrder,
      to: PharmacyOrderStatus
    ) {
      const ends = forbiddenBy(trigger, order.status, to)
      if (ends.length === 0) return
      for (const carries of carried(order)) {
        const prescription = yield* prescriptions.undispensable(carries)
        if (prescription !== null && ends.includes(prescription))
          return yield* new PrescriptionNotSigned({ prescription })
      }
    })

    /**
     * Applies a transition of `PharmacyOrderStates` for the pharmacy; setting the current status is a no-op. Fails with `Invalid` for
     * `completed`, `PharmacyOrderNotFound`, `StatusNotAllowed` for any other transition, or `PrescriptionNotSigned` once the prescription
     * was cancelled. Rules 10.4.8 and 10.4.13.
     */
    const changeStatus = Effect.fn("Orders.changeStatus")(function* (
      pharmacy: PharmacyUid,
      uid: PharmacyOrderUid,
      { status, tracking, reason }: StatusChange
    ) {
      if (status === "completed") return yield* invalid("status", "completed is set by complete_order")
      const order = yield* repo.lock(pharmacy, uid)
      if (order.status === status) return yield* one(order)
      if (!isAllowed("set_status", order.status, status))
        return yield* new StatusNotAllowed({ status: order.status, to: status })
      yield* ensureDispensable("set_status", order, status)
      return yield* move(pharmacy, order, { status, tracking: tracking ?? null, status_reason: reason ?? null })
    }, transaction)

    /** Cancels the order for the shop. No-op if it is completed, rejected or cancelled. Fails with `PharmacyOrderNotFound`. */
    const cancel = Effect.fn("Orders.cancel")(
      function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid, reason: string) {
        const order = yield* repo.lock(pharmacy, uid)
        if (!isAllowed("set_status", order.status, "cancelled")) return yield* one(order)
        // What was shipped has left the pharmacy, and a shop does not know whether it came back (Rule 9.6.6)
        const keepsQuantities = order.status === "shipped"
        return yield* move(pharmacy, order, { status: "cancelled", status_reason: reason }, { keepsQuantities })
      },
      transaction,
      (cancelled, pharmacy_uid) => withOwner({ pharmacy_uid })(cancelled)
    )

    /**
     * Completes a paid order: freezes the payouts and queues a job that routes them. Idempotent. Fails with `PharmacyOrderNotFound`,
     * `StatusNotAllowed`, `OrderNotPaid`, or `PrescriptionNotSigned` while the prescription waits for a doctor, or once it was cancelled.
     * Rules 10.4.9, 10.4.10, 10.4.13 and 10.5.6.
     */
    const complete = Effect.fn("Orders.complete")(function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid) {
      const order = yield* repo.lock(pharmacy, uid)
      if (order.status === "completed") return yield* one(order)
      if (!isAllowed("complete_order", order.status, "completed"))
        return yield* new StatusNotAllowed({ status: order.status, to: "completed" })
      if (!order.paid) return yield* new OrderNotPaid()
      yield* ensureDispensable("complete_order", order, "completed")
      const now = yield* clock.now
      const toRoute = yield* projector.freeze(yield* lockTerms(pharmacy), uid)
      const completed = yield* repo.update(pharmacy, uid, { status: "completed", completed_at: now }, now)
      yield* Effect.forEach(carried(order), prescriptions.completed)
      if (toRoute) yield* routing.start(pharmacy, uid)
      return yield* publish(pharmacy, completed, "pharmacy_order.completed")
    }, transaction)

    return { list, carrying: repo.carrying, get, create, markPaid, changeStatus, cancel, complete } as const
  }),
  dependencies: [
    OrdersRepo.Default,
    Pharmacies.Default,
    SkusRepo.Default,
    PayoutProjector.Default,
    Routing.Default,
    EventLog.Default,
    DomainClock.Default,
    Database.Default
  ]
}) {}
