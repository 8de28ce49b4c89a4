/**
 * Creates pharmacy orders from a storefront's order, and brings them to its present state: the pharmacy, the prescriptions, the lines and
 * the money of each (Rules 11.7.3 to 11.7.8, 11.7.15 to 11.7.18).
 */
import { Effect, Option } from "effect"
import { AnamnesisRequired, NoPharmacy, PrescriptionNotUsable } from "../../../../schemas/checkout/errors.ts"
import { PharmacyUid, PrescriptionUid } from "../../../../schemas/ids.ts"
import { isVoid } from "../../../../schemas/pharmacy/PharmacyOrderStates.ts"
import type { Shop } from "../../../../services/checkout/Shops.ts"
import { BirthDates } from "../../../../services/patients/BirthDates.ts"
import { Catalogue } from "../../../../services/pharmacy/Catalogue.ts"
import { Orders } from "../../../../services/pharmacy/Orders.ts"
import type { OrderShare } from "../../../../services/pharmacy/OrdersRepo.ts"
import { Pharmacies } from "../../../../services/pharmacy/Pharmacies.ts"
import { type Content, type ShopState, sharesOf, totalOf } from "../../../../services/pharmacy/shopChanges.ts"
import { Dispensing } from "../../../../services/prescriptions/Dispensing.ts"
import { Prescriptions } from "../../../../services/prescriptions/Prescriptions.ts"
import { RECORD_LIMITS } from "../../../../services/recordLimits.ts"
import { Service } from "../../../../services/Service.ts"
import { withOwner } from "../../../../services/tenancy/Tenancy.ts"
import { newUid } from "../../../../services/uid.ts"
import type { OrderNotice, OrderWebhook } from "../../schemas/OrderWebhook.ts"
import { IntakeRepo, type OrderPart } from "./IntakeRepo.ts"
import {
  isPaid,
  namedIn,
  numberOf,
  type OrderedLine,
  orderedLines,
  patientOf,
  paymentOf,
  shippingPrice
} from "./orderContents.ts"
import { toAttributes } from "./properties.ts"

/** One pharmacy order: the lines of one prescription, or those without one. */
interface Part {
  /** The prescription that the shop's lines name; empty for lines that name none. */
  readonly key: string
  /** Allocated to the prescription. */
  readonly lines: ReadonlyArray<OrderedLine>
  /** Lines that need no prescription. */
  readonly others: ReadonlyArray<OrderedLine>
  /** Cents. */
  readonly shipping_price: number
}

/** A shop's order as received, and what is known of its money. */
export interface ReceivedOrder extends OrderNotice {
  readonly cancelled: boolean
  readonly parts: ReadonlyArray<OrderPart>
  /** Received and refunded, in cents. */
  readonly received: number
  readonly refunded: number
  /** A refund has returned pieces that the order's latest body does not know of. */
  readonly unlisted: boolean
  /** A person has decided that the order needs no anamnesis. */
  readonly anamnesis_waived: boolean
}

/** A pharmacy order of the shop's order that is neither rejected nor cancelled. */
type LivePart = OrderPart & OrderShare

const totalOfPart = ({ lines, others, shipping_price }: Part) =>
  totalOf({ lines: [...lines, ...others], shipping_price })

const contentOf = ({ lines, others, shipping_price }: Part): Content => {
  const content = (prescribed: boolean) => (line: OrderedLine) => ({
    sku_uid: line.sku_uid,
    display_name: line.display_name,
    quantity: line.quantity,
    total_price: line.total_price,
    prescribed,
    anamnesis_uid: line.anamnesis_uid
  })
  return { lines: [...lines.map(content(true)), ...others.map(content(false))], shipping_price }
}

/** One part per prescription; digital lines without one are added to the first, and shipping is on it. */
const partsOf = (order: OrderWebhook, lines: ReadonlyArray<OrderedLine>): ReadonlyArray<Part> => {
  const isDigital = (line: OrderedLine) => line.prescription_uid === null && line.digital
  const groups = Map.groupBy(
    lines.filter((line) => !isDigital(line)),
    ({ prescription_uid }) => prescription_uid ?? ""
  )
  // those that name one first, as they are in the order
  const keys = [...groups.keys()].sort((a, b) => Number(a === "") - Number(b === ""))
  const others = lines.filter(isDigital)
  if (keys.length === 0 && others.length > 0) keys.push("")
  return keys.map((key, i) => ({
    key,
    lines: groups.get(key) ?? [],
    others: i === 0 ? others : [],
    shipping_price: i === 0 ? shippingPrice(order) : 0
  }))
}

const emptyPart: Part = { key: "", lines: [], others: [], shipping_price: 0 }

const REFUNDED = "Refunded in the shop"

/** Why the whole order is off; null if it is not. */
const endOf = ({ order, cancelled, received, refunded }: ReceivedOrder): ShopState["ended"] => {
  if (cancelled)
    return { by: "cancelled", reason: `Cancelled in the shop${order.cancel_reason ? `: ${order.cancel_reason}` : ""}` }
  const isRefunded = order.financial_status === "refunded" || (isPaid(order) && refunded > 0 && received <= refunded)
  return isRefunded ? { by: "refunded", reason: REFUNDED } : null
}

export class OrderMaker extends Service<OrderMaker>()("checkout/OrderMaker", {
  effect: Effect.gen(function* () {
    const repo = yield* IntakeRepo
    const catalogue = yield* Catalogue
    const pharmacies = yield* Pharmacies
    const orders = yield* Orders
    const prescriptions = yield* Prescriptions
    const dispensing = yield* Dispensing
    const births = yield* BirthDates

    /**
     * The pharmacy in the order's attribute, if the shop may use it; else, unless patients choose, the shop's default, else the cheapest that
     * carries every line. Rule 11.7.5.
     */
    const pharmacyFor = Effect.fnUntraced(function* (
      shop: Shop,
      named: string | undefined,
      lines: ReadonlyArray<OrderedLine>
    ) {
      if (named !== undefined) {
        const uid = PharmacyUid.make(named)
        const allowed = shop.pharmacy_uids === null || shop.pharmacy_uids.includes(uid)
        if (allowed && (yield* pharmacies.exists(uid))) return uid
      }
      if (shop.pharmacy_choice === "patient") return yield* new NoPharmacy()
      if (shop.default_pharmacy_uid !== null) return shop.default_pharmacy_uid
      const cheapest = yield* pharmacies.cheapestCarrying(lines, shop.pharmacy_uids)
      return Option.isSome(cheapest) ? cheapest.value : yield* new NoPharmacy()
    })

    /** Fails with `PrescriptionNotUsable` if one that a part names does not cover its lines. */
    const ensureCovered = Effect.fnUntraced(function* ({ organisation_uid }: Shop, parts: ReadonlyArray<Part>) {
      const named = parts.filter(({ key }) => key !== "")
      if (named.length > RECORD_LIMITS.prescriptionsOfOrder) return yield* new PrescriptionNotUsable()
      // fixed lock order, so that two orders cannot deadlock
      for (const { key, lines } of named.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
        if (!(yield* dispensing.canFill({ organisation_uid, prescription_uid: PrescriptionUid.make(key) }, lines)))
          return yield* new PrescriptionNotUsable()
    })

    /** Creates a prescription that waits for a doctor, for physical lines without one. */
    const openPrescription = Effect.fnUntraced(function* (
      shop: Shop,
      order: OrderWebhook,
      lines: ReadonlyArray<OrderedLine>
    ) {
      const uid = yield* newUid(PrescriptionUid)
      yield* prescriptions.createWaiting({
        uid,
        organisation_uid: shop.organisation_uid,
        shop_uid: shop.shop_uid,
        doctor_uid: null,
        patient: yield* births.orUnknown(shop.organisation_uid, patientOf(order)),
        items: lines.map(({ sku_uid, quantity, anamnesis_uid }) => ({
          sku_uid,
          quantity,
          dosage: null,
          anamnesis_uid
        }))
      })
      return uid
    })

    /** Creates the pharmacy order of one part, and allocates its lines to the prescription. */
    const makePart = Effect.fnUntraced(function* (
      shop: Shop,
      received: ReceivedOrder,
      pharmacy_uid: PharmacyUid,
      part: Part,
      { paid_amount, index }: { readonly paid_amount: number; readonly index: number }
    ) {
      const { order } = received
      const { key, lines, others, shipping_price } = part
      const { organisation_uid, shop_uid } = shop
      const opened = key === "" && lines.length > 0 ? yield* openPrescription(shop, order, lines) : null
      const prescription_uid = key === "" ? opened : PrescriptionUid.make(key)
      const made = yield* Effect.orDie(
        orders.create({
          pharmacy_uid,
          name: index === 0 ? order.name : `${order.name}-${index + 1}`,
          paid: isPaid(order),
          organisation_uid,
          shop_uid,
          order_id: numberOf(order),
          prescription_uid,
          payment_id: paymentOf(order),
          shipping_price,
          paid_amount,
          refunded_amount: received.refunded,
          patient: prescription_uid === null ? yield* births.orUnknown(organisation_uid, patientOf(order)) : null,
          shipping_address: order.shipping_address ?? order.billing_address,
          lines: [...lines, ...others].map(({ sku_uid, quantity, total_price }) => ({ sku_uid, quantity, total_price }))
        })
      )
      const ref = { pharmacy_uid, pharmacy_order_uid: made.uid }
      if (prescription_uid !== null)
        yield* dispensing.fill({ organisation_uid, prescription_uid }, ref, made.lines.slice(0, lines.length))
      yield* repo.addPart(shop, numberOf(order), { ...ref, prescription: key, removed: false })
      return ref
    })

    /** The parts' pharmacy orders that are neither rejected nor cancelled, locked. */
    const livePartsOf = Effect.fnUntraced(function* (parts: ReadonlyArray<OrderPart>) {
      const known = yield* Effect.forEach(parts, (part) =>
        Effect.map(
          Effect.orDie(withOwner(part)(orders.shares(part.pharmacy_uid, part.pharmacy_order_uid))),
          (share): LivePart => ({ ...share, ...part })
        )
      )
      return known.filter(({ status }) => !isVoid(status))
    })

    const baseState = (shop: Shop, received: ReceivedOrder) => ({
      paid: isPaid(received.order),
      payment_id: paymentOf(received.order),
      shop_uid: shop.shop_uid,
      order_id: numberOf(received.order),
      refunded_amount: received.refunded
    })

    const followPart = (live: LivePart, state: ShopState) =>
      Effect.orDie(orders.follow(live.pharmacy_uid, live.pharmacy_order_uid, state))

    /** Whether a new order without a prescription can no longer stay as it is: it needs one now, or needs none any more. */
    const isOfAnotherKind = (live: LivePart, part: Part) =>
      live.status === "new" && part.key === "" && (live.prescription_uid === null) !== (part.lines.length === 0)

    /**
     * Brings the pharmacy orders of a storefront's order to its present state, in the caller's transaction: follows those that exist, and
     * creates those that are missing. Fails with `NoPharmacy`, `PrescriptionNotUsable` or `AnamnesisRequired` where some cannot be
     * created; then those that exist have followed.
     */
    const follow = Effect.fn("OrderMaker.follow")(function* (shop: Shop, received: ReceivedOrder) {
      const { order, groups, parts: known } = received
      const ended = endOf(received)
      const all = orderedLines(order, yield* catalogue.named(namedIn(order)), groups)
      const parts = ended === null ? partsOf(order, all) : []
      const lives = yield* livePartsOf(known)
      const lacksAnamnesis =
        !received.anamnesis_waived &&
        parts.some(({ key, lines, others }) =>
          [...(key === "" ? lines : []), ...others].some(
            ({ sku_uid, needs_anamnesis, anamnesis_uid }) =>
              (needs_anamnesis || shop.anamnesis_sku_uids.includes(sku_uid)) && anamnesis_uid === null
          )
        )
      const partOf = (live: LivePart) => parts.find(({ key }) => key === live.prescription)
      const stays = (live: LivePart) => {
        const part = partOf(live)
        return part !== undefined && !isOfAnotherKind(live, part)
      }
      // an order that was rejected or cancelled is not made again, unless the shop had removed all of its lines
      const isMade = ({ key }: Part) =>
        known.some((part) => {
          const live = lives.find((one) => one.pharmacy_order_uid === part.pharmacy_order_uid)
          return part.prescription === key && (live === undefined ? !part.removed : stays(live))
        })
      const mark = (live: LivePart, removed: boolean) =>
        live.removed === removed || ended !== null
          ? Effect.void
          : repo.markRemoved(shop, numberOf(order), live, removed)
      const missing = parts.filter((part) => !isMade(part))
      const owners = [...lives.filter(stays), ...missing]
      const totals = owners.map((one) =>
        "key" in one
          ? { total: totalOfPart(one), committed: 0 }
          : { total: totalOfPart(partOf(one) ?? emptyPart), committed: one.committed }
      )
      const gone = lives.filter((live) => !stays(live))
      const reserved = gone.map(({ committed }) => ({ total: committed, committed }))
      const net = isPaid(order) ? received.received - received.refunded : 0
      const shares = sharesOf([...reserved, ...totals], net)
      const shareOf = (i: number) => shares[i] ?? 0
      const base = baseState(shop, received)
      const hold = received.unlisted ? ("refunded" as const) : null
      const nothingLeft = { lines: [], shipping_price: 0 }
      for (const [i, live] of gone.entries()) {
        yield* followPart(live, { ...base, content: nothingLeft, paid_amount: shareOf(i), ended, hold: null })
        yield* mark(live, true)
      }
      for (const [i, live] of lives.filter(stays).entries()) {
        yield* followPart(live, {
          ...base,
          content: contentOf(partOf(live) ?? emptyPart),
          paid_amount: shareOf(gone.length + i),
          ended,
          hold: lacksAnamnesis ? "anamnesis_required" : hold
        })
        yield* mark(live, false)
      }
      if (missing.length === 0) return
      if (lacksAnamnesis) return yield* new AnamnesisRequired()
      const pharmacy_uid =
        lives[0]?.pharmacy_uid ?? (yield* pharmacyFor(shop, toAttributes(order.note_attributes).pharmacy_uid, all))
      yield* ensureCovered(shop, missing)
      for (const [i, part] of missing.entries()) {
        const paid_amount = shareOf(gone.length + lives.filter(stays).length + i)
        const made = yield* makePart(shop, received, pharmacy_uid, part, { paid_amount, index: known.length + i })
        const [live] = yield* livePartsOf([{ ...made, prescription: part.key, removed: false }])
        const state = { ...base, content: contentOf(part), paid_amount, ended, hold }
        if (live !== undefined && received.refunded > 0) yield* followPart(live, state)
      }
    })

    /** The same after a refund of which the order's body does not know yet. */
    const refunded = Effect.fn("OrderMaker.refunded")(function* (
      shop: Shop,
      order_id: string,
      { parts, received, refunded, unlisted }: Pick<ReceivedOrder, "parts" | "received" | "refunded" | "unlisted">
    ) {
      const lives = yield* livePartsOf(parts)
      const net = received - refunded
      const shares = sharesOf(lives, net)
      const ended = received > 0 && net <= 0 ? { by: "refunded" as const, reason: REFUNDED } : null
      for (const [i, live] of lives.entries())
        yield* followPart(live, {
          content: null,
          paid: null,
          payment_id: null,
          shop_uid: shop.shop_uid,
          order_id,
          paid_amount: shares[i] ?? 0,
          refunded_amount: refunded,
          ended,
          hold: unlisted ? "refunded" : null
        })
    })

    return { follow, refunded } as const
  }),
  dependencies: [
    IntakeRepo.Default,
    Catalogue.Default,
    Pharmacies.Default,
    Orders.Default,
    Prescriptions.Default,
    Dispensing.Default,
    BirthDates.Default
  ]
}) {}
