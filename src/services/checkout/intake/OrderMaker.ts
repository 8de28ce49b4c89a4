/** Makes pharmacy orders of a storefront's order: the pharmacy, the prescriptions, the lines of each (Rules 11.7.5 to 11.7.8). */
import { Effect, Option } from "effect"
import type { OrderNotice, OrderWebhook } from "../../../schemas/checkout/OrderWebhook.ts"
import { PharmacyUid, PrescriptionUid } from "../../../schemas/ids.ts"
import { Catalogue } from "../../pharmacy/Catalogue.ts"
import { Orders } from "../../pharmacy/Orders.ts"
import { Pharmacies } from "../../pharmacy/Pharmacies.ts"
import { Prescriptions } from "../../prescriptions/Prescriptions.ts"
import { newUid } from "../../uid.ts"
import type { Shop } from "../Shops.ts"
import { IntakeRepo } from "./IntakeRepo.ts"
import { namedIn, numberOf, type OrderedLine, orderedLines, patientOf, shippingPrice } from "./orderContents.ts"
import { toAttributes } from "./properties.ts"

/** The lines of one pharmacy order: those of one prescription. */
interface Part {
  readonly prescription_uid: PrescriptionUid | null
  readonly lines: ReadonlyArray<OrderedLine>
}

export class OrderMaker extends Effect.Service<OrderMaker>()("checkout/OrderMaker", {
  effect: Effect.gen(function* () {
    const repo = yield* IntakeRepo
    const catalogue = yield* Catalogue
    const pharmacies = yield* Pharmacies
    const orders = yield* Orders
    const prescriptions = yield* Prescriptions

    /** The attribute's, where there is such a pharmacy; else the shop's default; else the cheapest that has every line. */
    const pharmacyFor = Effect.fnUntraced(function* (
      shop: Shop,
      named: string | undefined,
      lines: ReadonlyArray<OrderedLine>
    ) {
      const uid = PharmacyUid.make(named ?? "")
      if (yield* pharmacies.exists(uid)) return uid
      if (shop.default_pharmacy_uid !== null) return shop.default_pharmacy_uid
      return yield* Effect.flatten(pharmacies.cheapestCarrying(lines))
    })

    /** The prescriptions of this organisation among those that lines name: a buyer can write anything into a cart. */
    const prescribed = Effect.fnUntraced(function* ({ organisation_uid }: Shop, lines: ReadonlyArray<OrderedLine>) {
      const named = new Set(lines.flatMap(({ prescription_uid }) => prescription_uid ?? []))
      const refs = [...named].map((prescription_uid) => ({ organisation_uid, prescription_uid }))
      const found = yield* prescriptions.forOrders(refs)
      return new Set(found.map(({ prescription_uid }) => prescription_uid))
    })

    /** A prescription that waits for a doctor, for physical lines without one. */
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

    /** One part a prescription; lines without one go with the first. */
    const partsOf = Effect.fnUntraced(function* (shop: Shop, order: OrderWebhook, lines: ReadonlyArray<OrderedLine>) {
      const known = yield* prescribed(shop, lines)
      const groups = Map.groupBy(lines, ({ prescription_uid, digital }) =>
        prescription_uid !== null && known.has(prescription_uid) ? prescription_uid : digital ? "none" : "open"
      )
      const { none = [], open = [] } = { none: groups.get("none"), open: groups.get("open") }
      const parts: Array<Part> = [...known].map((prescription_uid) => ({
        prescription_uid,
        lines: groups.get(prescription_uid) ?? []
      }))
      if (open.length > 0) parts.push({ prescription_uid: yield* openPrescription(shop, order, open), lines: open })
      const [first = { prescription_uid: null, lines: [] }, ...rest] = parts
      return [{ ...first, lines: [...first.lines, ...none] }, ...rest]
    })

    /** Makes the pharmacy orders, in the caller's transaction. False when there is no pharmacy for them. */
    const make = Effect.fn("OrderMaker.make")(function* (shop: Shop, { topic, order, groups }: OrderNotice) {
      const lines = orderedLines(order, yield* catalogue.named(namedIn(order)), groups)
      if (lines.length === 0) return true
      const details = toAttributes(order.note_attributes)
      const pharmacy = yield* Effect.option(pharmacyFor(shop, details.pharmacy_uid, lines))
      if (Option.isNone(pharmacy)) return false
      const address = order.shipping_address ?? order.billing_address
      const parts = yield* partsOf(shop, order, lines)
      for (const [i, part] of parts.entries()) {
        const made = yield* Effect.orDie(
          orders.create({
            pharmacy_uid: pharmacy.value,
            name: i === 0 ? order.name : `${order.name}-${i + 1}`,
            paid: topic === "orders/paid",
            organisation_uid: shop.organisation_uid,
            shop_uid: shop.shop_uid,
            prescription_uid: part.prescription_uid,
            payment_id: details.transaction_id || null,
            shipping_price: i === 0 ? shippingPrice(order) : 0,
            patient: part.prescription_uid === null ? patientOf(order) : null,
            shipping_address: address,
            lines: part.lines.map(({ sku_uid, quantity, total_price }) => ({ sku_uid, quantity, total_price }))
          })
        )
        yield* repo.addPart(shop, numberOf(order), { pharmacy_uid: pharmacy.value, pharmacy_order_uid: made.uid })
      }
      return true
    })

    return { make } as const
  }),
  dependencies: [IntakeRepo.Default, Catalogue.Default, Pharmacies.Default, Orders.Default, Prescriptions.Default]
}) {}
