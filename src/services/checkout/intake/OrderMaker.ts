/** Creates pharmacy orders from a storefront's order: the pharmacy, the prescriptions, the lines of each (Rules 11.7.5 to 11.7.8). */
import { Effect, Option } from "effect"
import { NoPharmacy, PrescriptionNotUsable } from "../../../schemas/checkout/errors.ts"
import type { OrderNotice, OrderWebhook } from "../../../schemas/checkout/OrderWebhook.ts"
import { PharmacyUid, PrescriptionUid } from "../../../schemas/ids.ts"
import { Catalogue } from "../../pharmacy/Catalogue.ts"
import { Orders } from "../../pharmacy/Orders.ts"
import { Pharmacies } from "../../pharmacy/Pharmacies.ts"
import { Dispensing } from "../../prescriptions/Dispensing.ts"
import { Prescriptions } from "../../prescriptions/Prescriptions.ts"
import { newUid } from "../../uid.ts"
import type { Shop } from "../Shops.ts"
import { IntakeRepo } from "./IntakeRepo.ts"
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

/** Maximum prescriptions of an order, each of which becomes a pharmacy order; a checkout has at most twenty. */
const PRESCRIPTIONS_MAX = 50

/** One pharmacy order: the lines of one prescription. */
interface Part {
  readonly prescription_uid: PrescriptionUid | null
  /** Allocated to the prescription. */
  readonly lines: ReadonlyArray<OrderedLine>
  /** Lines without a prescription. */
  readonly others: ReadonlyArray<OrderedLine>
}

type PrescribedLine = OrderedLine & { readonly prescription_uid: PrescriptionUid }

export class OrderMaker extends Effect.Service<OrderMaker>()("checkout/OrderMaker", {
  effect: Effect.gen(function* () {
    const repo = yield* IntakeRepo
    const catalogue = yield* Catalogue
    const pharmacies = yield* Pharmacies
    const orders = yield* Orders
    const prescriptions = yield* Prescriptions
    const dispensing = yield* Dispensing

    /**
     * The pharmacy in the order's attribute, if the shop may use it; else the shop's default; else the cheapest that carries every line.
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
      if (shop.default_pharmacy_uid !== null) return shop.default_pharmacy_uid
      const cheapest = yield* pharmacies.cheapestCarrying(lines, shop.pharmacy_uids)
      return Option.isSome(cheapest) ? cheapest.value : yield* new NoPharmacy()
    })

    /** Groups lines by prescription. Fails with `PrescriptionNotUsable` if one does not cover its lines. */
    const prescribed = Effect.fnUntraced(function* ({ organisation_uid }: Shop, lines: ReadonlyArray<OrderedLine>) {
      const named = lines.filter((line): line is PrescribedLine => line.prescription_uid !== null)
      const groups = [...Map.groupBy(named, ({ prescription_uid }) => prescription_uid)]
      if (groups.length > PRESCRIPTIONS_MAX) return yield* new PrescriptionNotUsable()
      // fixed lock order, so that two orders cannot deadlock
      for (const [prescription_uid, own] of groups.toSorted(([a], [b]) => (a < b ? -1 : 1)))
        if (!(yield* dispensing.canFill({ organisation_uid, prescription_uid }, own)))
          return yield* new PrescriptionNotUsable()
      return groups.map(([prescription_uid, own]): Part => ({ prescription_uid, lines: own, others: [] }))
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
        patient: patientOf(order),
        items: lines.map(({ sku_uid, quantity, anamnesis_uid }) => ({
          sku_uid,
          quantity,
          dosage: null,
          anamnesis_uid
        }))
      })
      return uid
    })

    /** One part per prescription; digital lines without one are added to the first. */
    const partsOf = Effect.fnUntraced(function* (shop: Shop, order: OrderWebhook, lines: ReadonlyArray<OrderedLine>) {
      const parts = yield* prescribed(shop, lines)
      const unprescribed = lines.filter(({ prescription_uid }) => prescription_uid === null)
      const [digital, physical] = [
        unprescribed.filter((line) => line.digital),
        unprescribed.filter((line) => !line.digital)
      ]
      if (physical.length > 0)
        parts.push({ prescription_uid: yield* openPrescription(shop, order, physical), lines: physical, others: [] })
      const [first = { prescription_uid: null, lines: [], others: [] }, ...rest] = parts
      return [{ ...first, others: digital }, ...rest]
    })

    /** Creates the pharmacy order of one part, and allocates its lines to the prescription. */
    const makePart = Effect.fnUntraced(function* (
      shop: Shop,
      order: OrderWebhook,
      pharmacy_uid: PharmacyUid,
      { prescription_uid, lines, others }: Part,
      index: number
    ) {
      const { organisation_uid, shop_uid } = shop
      const made = yield* Effect.orDie(
        orders.create({
          pharmacy_uid,
          name: index === 0 ? order.name : `${order.name}-${index + 1}`,
          paid: isPaid(order),
          organisation_uid,
          shop_uid,
          prescription_uid,
          payment_id: paymentOf(order),
          shipping_price: index === 0 ? shippingPrice(order) : 0,
          patient: prescription_uid === null ? patientOf(order) : null,
          shipping_address: order.shipping_address ?? order.billing_address,
          lines: [...lines, ...others].map(({ sku_uid, quantity, total_price }) => ({ sku_uid, quantity, total_price }))
        })
      )
      const part = { pharmacy_uid, pharmacy_order_uid: made.uid }
      if (prescription_uid !== null)
        yield* dispensing.fill({ organisation_uid, prescription_uid }, part, made.lines.slice(0, lines.length))
      yield* repo.addPart(shop, numberOf(order), part)
    })

    /**
     * Creates the pharmacy orders of a storefront's order, in the caller's transaction. Fails with `NoPharmacy` or
     * `PrescriptionNotUsable` before writing anything.
     */
    const make = Effect.fn("OrderMaker.make")(function* (shop: Shop, { order, groups }: OrderNotice) {
      const lines = orderedLines(order, yield* catalogue.named(namedIn(order)), groups)
      if (lines.length === 0) return
      const pharmacy_uid = yield* pharmacyFor(shop, toAttributes(order.note_attributes).pharmacy_uid, lines)
      const parts = yield* partsOf(shop, order, lines)
      for (const [i, part] of parts.entries()) yield* makePart(shop, order, pharmacy_uid, part, i)
    })

    return { make } as const
  }),
  dependencies: [
    IntakeRepo.Default,
    Catalogue.Default,
    Pharmacies.Default,
    Orders.Default,
    Prescriptions.Default,
    Dispensing.Default
  ]
}) {}
