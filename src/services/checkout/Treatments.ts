/** Treatment checkouts: lines that a doctor decides on after the order (Rule 11.6). */
import { Effect } from "effect"
import type { TreatmentCheckout, TreatmentCheckoutResult } from "../../schemas/checkout/Checkout.ts"
import { CheckoutUid, type OrganisationUid } from "../../schemas/ids.ts"
import { Invalid } from "../../schemas/problems.ts"
import { Service } from "../Service.ts"
import { newUid } from "../uid.ts"
import { Basket } from "./Basket.ts"
import { contactOf, treatmentFaults } from "./checkoutPlan.ts"
import { Invoices } from "./Invoices.ts"
import { openCheckout } from "./openCheckout.ts"
import { Shops } from "./Shops.ts"
import { Storefronts } from "./Storefront.ts"

export class Treatments extends Service<Treatments>()("checkout/Treatments", {
  effect: Effect.gen(function* () {
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const basket = yield* Basket
    const invoices = yield* Invoices

    /**
     * Opens a checkout for these lines. Fails with `Invalid`, `ShopNotFound`, `StorefrontRefused` or
     * `StorefrontUnavailable`.
     */
    const open = Effect.fn("Treatments.open")(function* (
      organisation_uid: OrganisationUid,
      shop_identifier: string,
      body: TreatmentCheckout
    ) {
      const shop = yield* shops.ofOrganisation(organisation_uid, shop_identifier)
      const { faults, variant } = yield* basket.check(shop, body.lines)
      const all = [...treatmentFaults(body), ...faults]
      if (all.length > 0) return yield* new Invalid({ faults: all })
      const storefront = yield* storefronts.of(shop)
      const { checkout_url, draft_order_id, invoice } = yield* openCheckout(storefront, body.checkout_type, {
        key: yield* newUid(CheckoutUid),
        repeated: false,
        ...contactOf(body.buyerIdentity),
        lines: body.lines.map(({ sku_uid, quantity, anamnesis_id }) => ({
          variant_id: variant(sku_uid),
          quantity,
          attributes: anamnesis_id ? { _anamnesis_uid: anamnesis_id } : {}
        })),
        attributes: {}
      })
      if (invoice && draft_order_id !== null) yield* invoices.request(shop, draft_order_id)
      const result: TreatmentCheckoutResult = { status: "success", checkout_url, draft_order_id }
      return result
    })

    return { open } as const
  }),
  dependencies: [Shops.Default, Basket.Default, Invoices.Default]
}) {}
