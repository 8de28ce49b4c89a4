/**
 * Transitions of a pharmacy order (Rule 10.4). Each is one transaction that locks the order first, then its prescription, then stock,
 * then payouts; this fixed order prevents deadlocks. The pharmacy's terms are locked with SHARE, which concurrent transitions can hold
 * together.
 */
import { Effect } from "effect"
import { UnixSeconds } from "../../schemas/fields.ts"
import { PharmacyOrderLineUid, PharmacyOrderUid, type PharmacyUid, ShopChangeUid } from "../../schemas/ids.ts"
import { paged } from "../../schemas/paging.ts"
import {
  NothingToUndo,
  OrderChanged,
  OrderNotPaid,
  OrderNotShipped,
  PrescriptionNotSigned,
  StatusNotAllowed
} from "../../schemas/pharmacy/errors.ts"
import type {
  NewOrderProblem,
  NewTracking,
  OrderQuery,
  PharmacyOrder,
  StatusChange
} from "../../schemas/pharmacy/PharmacyOrder.ts"
import {
  canBeUndone,
  forbiddenBy,
  isAllowed,
  isVoid,
  type PharmacyOrderStatus,
  type PharmacyOrderTrigger,
  UNDO_SECONDS
} from "../../schemas/pharmacy/PharmacyOrderStates.ts"
import { Invalid, invalid } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { EventLog } from "../events/EventLog.ts"
import { Service } from "../Service.ts"
import { withOwner } from "../tenancy/Tenancy.ts"
import { newUid } from "../uid.ts"
import { type NewOrder, type OrderChange, OrdersRepo, type ShopOrderRef, type StoredOrder } from "./OrdersRepo.ts"
import { PayoutProjector } from "./PayoutProjector.ts"
import { Pharmacies, type Pharmacy } from "./Pharmacies.ts"
import { type CarriedPrescription, PrescriptionProgress } from "./PrescriptionProgress.ts"
import { Routing } from "./Routing.ts"
import { SkusRepo } from "./SkusRepo.ts"
import {
  type Content,
  type Decision,
  decide,
  hasSameGoods,
  isSameChange,
  type ShopState,
  shownChange,
  withKnown
} from "./shopChanges.ts"

/** An order as sent by a shop. */
export type IncomingOrder = Omit<NewOrder, "uid" | "status" | "currency" | "takes_stock" | "created_at"> &
  Pick<ShopOrderRef, "order_id">

/** Whether a change of the shop waits for a person, so that the order does not go on. */
const isHeld = ({ shop_change }: StoredOrder) => shop_change !== null && !shop_change.settled

/** Two organisations may provision prescriptions with the same uid. */
const keyOf = ({ organisation_uid, prescription_uid }: Pick<StoredOrder, "organisation_uid" | "prescription_uid">) =>
  JSON.stringify([organisation_uid, prescription_uid])

const carried = ({ organisation_uid, prescription_uid }: StoredOrder): ReadonlyArray<CarriedPrescription> =>
  prescription_uid === null ? [] : [{ organisation_uid, prescription_uid }]

export class Orders extends Service<Orders>()("pharmacy/Orders", {
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
        const { organisation_uid: _, takes_stock: __, shop_change, ...order } = stored
        const prescription = byKey.get(keyOf(stored))
        return {
          ...order,
          shop_change: shownChange(shop_change),
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

    /** The effects of a payment that is no longer one. */
    const becomeUnpaid = Effect.fnUntraced(function* (terms: Pharmacy, order: StoredOrder) {
      if (order.takes_stock) yield* skus.moveStock(terms.pharmacy_uid, order.uid, 1, yield* clock.now)
      yield* projector.project(terms, [order.uid])
    })

    /** Creates an order. Not idempotent. Fails with `PharmacyNotFound`. */
    const create = Effect.fn("Orders.create")(
      function* (incoming: IncomingOrder) {
        const { pharmacy_uid, paid } = incoming
        const terms = yield* pharmacies.lockTerms(pharmacy_uid)
        const uid = yield* newUid(PharmacyOrderUid)
        const created_at = yield* clock.now
        const payment_id = yield* repo.ownPayment(incoming.organisation_uid, incoming.payment_id, incoming)
        const { currency } = terms
        yield* repo.insert({ ...incoming, uid, payment_id, status: "new", currency, takes_stock: true, created_at })
        const order = yield* repo.find(pharmacy_uid, uid)
        if (paid) yield* becomePaid(terms, order)
        return yield* publish(pharmacy_uid, order, "pharmacy_order.created")
      },
      transaction,
      (made, { pharmacy_uid }) => withOwner({ pharmacy_uid })(made)
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
     * `completed`, `PharmacyOrderNotFound`, `StatusNotAllowed` for any other transition, `OrderChanged` while a change of the
     * shop waits, or `PrescriptionNotSigned` once the prescription was cancelled. Rules 10.4.8, 10.4.13 and 10.4.15.
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
      if (isHeld(order) && !isVoid(status)) return yield* new OrderChanged({})
      yield* ensureDispensable("set_status", order, status)
      const until = UnixSeconds.make((yield* clock.now) + UNDO_SECONDS)
      const undo = canBeUndone(status) ? { status: order.status, until } : null
      return yield* move(pharmacy, order, { status, tracking: tracking ?? null, status_reason: reason ?? null, undo })
    }, transaction)

    /**
     * Takes the last step back. Fails with `PharmacyOrderNotFound`, or with `NothingToUndo` for a step that cannot be undone or is more than
     * ten seconds ago. Rule 10.4.20.
     */
    const undo = Effect.fn("Orders.undo")(function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid) {
      const order = yield* repo.lock(pharmacy, uid)
      if (order.undo === null || order.undo.until < (yield* clock.now)) return yield* new NothingToUndo()
      const without = order.status === "shipped" ? { without_tracking: true as const } : {}
      return yield* move(pharmacy, order, { status: order.undo.status, status_reason: null, undo: null, ...without })
    }, transaction)

    /**
     * Records what the pharmacy cannot deliver, or, without a message and missing articles, that there is no problem any more. Fails with
     * `PharmacyOrderNotFound`, and with `Invalid` for a line that is not the order's or has fewer units. Rule 10.4.21.
     */
    const report = Effect.fn("Orders.report")(function* (
      pharmacy: PharmacyUid,
      uid: PharmacyOrderUid,
      { message, missing }: NewOrderProblem
    ) {
      const order = yield* repo.lock(pharmacy, uid)
      const faults = missing.flatMap(({ line_uid, quantity }, at) => {
        const line = order.lines.find((one) => one.uid === line_uid)
        if (line === undefined) return [{ field: `missing[${at}].line_uid`, message: "is no line of this order" }]
        if (quantity <= line.quantity) return []
        return [{ field: `missing[${at}].quantity`, message: `must be at most ${line.quantity}` }]
      })
      if (faults.length > 0) return yield* new Invalid({ faults })
      const since = yield* clock.now
      const problem = message === null && missing.length === 0 ? null : { message, missing, since }
      const reported = yield* repo.update(pharmacy, uid, { problem }, since)
      return yield* publish(pharmacy, reported, "pharmacy_order.status_updated")
    }, transaction)

    /** Cancels a locked order for the shop. */
    const cancelFor = (pharmacy: PharmacyUid, order: StoredOrder, reason: string) =>
      move(
        pharmacy,
        order,
        { status: "cancelled", status_reason: reason, shop_change: null },
        // What was shipped has left the pharmacy, and a shop does not know whether it came back (Rule 9.6.6)
        { keepsQuantities: order.status === "shipped" }
      )

    /** Takes over the lines and the shipping of the shop's order. False, and nothing is changed, if the prescription does not cover them. */
    const replace = Effect.fnUntraced(function* (pharmacy: PharmacyUid, order: StoredOrder, content: Content) {
      const { lines, shipping_price } = content
      const now = yield* clock.now
      const ref = { pharmacy_uid: pharmacy, pharmacy_order_uid: order.uid }
      const change: OrderChange = { shipping_price }
      if (!hasSameGoods(lines, order.lines)) {
        const prescribed = lines.flatMap((line, i) =>
          line.prescribed ? [{ ...line, uid: PharmacyOrderLineUid.make(`${order.uid}_${i + 1}`) }] : []
        )
        const [carries] = carried(order)
        if (carries === undefined && prescribed.length > 0) return false
        const prescription_uid = carries && (yield* prescriptions.refilled(carries, ref, prescribed))
        if (prescription_uid === null) return false
        if (prescription_uid !== undefined) Object.assign(change, { prescription_uid })
      }
      const stocked = order.takes_stock && order.paid
      if (stocked) yield* skus.moveStock(pharmacy, order.uid, 1, now)
      yield* repo.replaceLines(pharmacy, order.uid, lines)
      if (stocked) yield* skus.moveStock(pharmacy, order.uid, -1, now)
      yield* repo.update(pharmacy, order.uid, change, now)
      return true
    })

    /** Records what was paid. A shipped order stays paid: it has left the pharmacy. Returns whether anything changed. */
    const recordPayment = Effect.fnUntraced(function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid, state: ShopState) {
      const order = yield* repo.find(pharmacy, uid)
      const isGone = order.status === "shipped" || order.status === "completed"
      const paid = state.paid === null || (isGone && order.paid) ? order.paid : state.paid
      const { paid_amount, refunded_amount } = state
      const isSame =
        paid === order.paid && paid_amount === order.paid_amount && refunded_amount === order.refunded_amount
      if (isSame) return false
      const now = yield* clock.now
      const payment_id = paid ? yield* repo.ownPayment(order.organisation_uid, state.payment_id, state) : null
      const updated = yield* repo.update(
        pharmacy,
        uid,
        {
          paid_amount,
          refunded_amount,
          ...(paid !== order.paid && { paid_at: paid ? now : null }),
          ...(payment_id !== null && { payment_id })
        },
        now
      )
      if (paid === order.paid || isVoid(order.status)) return true
      const terms = yield* lockTerms(pharmacy)
      yield* paid ? becomePaid(terms, updated) : becomeUnpaid(terms, updated)
      return true
    })

    /** The change as stored: the same one keeps its uid, and stays settled. */
    const changeOf = Effect.fnUntraced(function* (order: StoredOrder, change: Decision["change"]) {
      if (change === null) return null
      if (order.shop_change !== null && isSameChange(order.shop_change, change)) return order.shop_change
      return { ...change, uid: yield* newUid(ShopChangeUid), since: yield* clock.now, settled: false }
    })

    /**
     * Follows the shop's order: takes its content and its payment over, cancels, or lets the order wait for a person (`decide`).
     * Idempotent. Fails with `PharmacyOrderNotFound`. Rules 10.4.14 to 10.4.18.
     */
    const follow = Effect.fn("Orders.follow")(
      function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid, state: ShopState) {
        const order = yield* repo.lock(pharmacy, uid)
        const { cancel, replace: content, change } = decide(order, withKnown(state, order.shop_change))
        if (cancel !== null) {
          yield* recordPayment(pharmacy, uid, { ...state, paid: null })
          return yield* cancelFor(pharmacy, yield* repo.find(pharmacy, uid), cancel)
        }
        const isReplaced = content !== null && (yield* replace(pharmacy, order, content))
        const isPaidNow = yield* recordPayment(pharmacy, uid, state)
        const waits: Decision["change"] =
          content === null || isReplaced
            ? change
            : { reason: "prescription_not_usable", content, refunded_amount: state.refunded_amount }
        const shop_change = yield* changeOf(order, isVoid(order.status) ? null : waits)
        if (!(isReplaced || isPaidNow) && shop_change === order.shop_change) return yield* one(order)
        const followed = yield* repo.update(pharmacy, uid, { shop_change }, yield* clock.now)
        if (isReplaced && order.status !== "completed") yield* projector.project(yield* lockTerms(pharmacy), [uid])
        return yield* publish(pharmacy, followed, "pharmacy_order.status_updated")
      },
      transaction,
      (followed, pharmacy_uid) => withOwner({ pharmacy_uid })(followed)
    )

    /**
     * Accepts the change that waits: takes its content over, or cancels the order if nothing of it is left; what has been shipped stays
     * as it is. Accepting it again is a no-op. Fails with `PharmacyOrderNotFound`, or `OrderChanged` for another change, or one that the
     * pharmacy cannot settle. Rule 10.4.16.
     */
    const acceptChange = Effect.fn("Orders.acceptChange")(function* (
      pharmacy: PharmacyUid,
      uid: PharmacyOrderUid,
      accepted: { readonly uid: string }
    ) {
      const order = yield* repo.lock(pharmacy, uid)
      const change = order.shop_change
      if (change === null || change.uid !== accepted.uid)
        return yield* new OrderChanged({ reason: "This is not the change that waits: read the order again" })
      if (change.settled) return yield* one(order)
      const { reason, content } = change
      if (reason === "anamnesis_required")
        return yield* new OrderChanged({
          reason: "The shop's organisation has to settle this: the order lacks an anamnesis"
        })
      const isGone = order.status === "shipped" || order.status === "completed"
      if (content !== null && !isGone) {
        if (content.lines.length === 0) return yield* cancelFor(pharmacy, order, "The shop has taken the order back")
        if (!(yield* replace(pharmacy, order, content)))
          return yield* new OrderChanged({
            reason: "The prescription does not cover what the shop's order has now: cancel the order, or ask the shop"
          })
      }
      const settled = yield* repo.update(pharmacy, uid, { shop_change: { ...change, settled: true } }, yield* clock.now)
      if (content !== null && !isGone) yield* projector.project(yield* lockTerms(pharmacy), [uid])
      return yield* publish(pharmacy, settled, "pharmacy_order.status_updated")
    }, transaction)

    /**
     * Adds or replaces the tracking number of a shipped or completed order; the same one again is a no-op. Fails with
     * `PharmacyOrderNotFound` or `OrderNotShipped`. Rule 10.4.19.
     */
    const setTracking = Effect.fn("Orders.setTracking")(function* (
      pharmacy: PharmacyUid,
      uid: PharmacyOrderUid,
      { carrier, number }: NewTracking
    ) {
      const order = yield* repo.lock(pharmacy, uid)
      if (order.status !== "shipped" && order.status !== "completed") return yield* new OrderNotShipped()
      if (order.tracking?.carrier === carrier && order.tracking.number === number) return yield* one(order)
      const tracked = yield* repo.update(pharmacy, uid, { tracking: { carrier, number } }, yield* clock.now)
      return yield* publish(pharmacy, tracked, "pharmacy_order.status_updated")
    }, transaction)

    /**
     * Completes a paid order: freezes the payouts and queues a job that routes them. Idempotent. Fails with `PharmacyOrderNotFound`,
     * `StatusNotAllowed`, `OrderNotPaid`, `OrderChanged`, or `PrescriptionNotSigned` while the prescription waits for a doctor, or once it was cancelled.
     * Rules 10.4.9, 10.4.10, 10.4.13 and 10.5.6.
     */
    const complete = Effect.fn("Orders.complete")(function* (pharmacy: PharmacyUid, uid: PharmacyOrderUid) {
      const order = yield* repo.lock(pharmacy, uid)
      if (order.status === "completed") return yield* one(order)
      if (!isAllowed("complete_order", order.status, "completed"))
        return yield* new StatusNotAllowed({ status: order.status, to: "completed" })
      if (isHeld(order)) return yield* new OrderChanged({})
      if (!order.paid) return yield* new OrderNotPaid()
      yield* ensureDispensable("complete_order", order, "completed")
      const now = yield* clock.now
      const toRoute = yield* projector.freeze(yield* lockTerms(pharmacy), uid)
      const completed = yield* repo.update(pharmacy, uid, { status: "completed", completed_at: now }, now)
      yield* Effect.forEach(carried(order), prescriptions.completed)
      if (toRoute) yield* routing.start(pharmacy, uid)
      return yield* publish(pharmacy, completed, "pharmacy_order.completed")
    }, transaction)

    return {
      list,
      carrying: repo.carrying,
      shares: repo.shares,
      get,
      create,
      changeStatus,
      undo,
      report,
      follow,
      acceptChange,
      setTracking,
      /** Locks an order until the transaction ends. Fails with `PharmacyOrderNotFound`. */
      findForChange: repo.lock,
      complete
    } as const
  }),
  dependencies: [OrdersRepo.Default, Pharmacies.Default, SkusRepo.Default, PayoutProjector.Default, Routing.Default]
}) {}
