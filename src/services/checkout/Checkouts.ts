/** Prescription checkouts (Rules 11.2 to 11.5): signed PDFs with lines, for a new checkout or a reserved draft order. */
import { Effect, Option } from "effect"
import type { PrescriptionCheckout, PrescriptionCheckoutResult } from "../../schemas/checkout/Checkout.ts"
import { DraftOrderCompleted, DraftOrderNotFound, LineAlreadyPrescribed } from "../../schemas/checkout/errors.ts"
import { type OrganisationUid, PrescriptionUid } from "../../schemas/ids.ts"
import { Invalid } from "../../schemas/problems.ts"
import { BirthDates, NOT_BORN } from "../patients/BirthDates.ts"
import { Leases } from "../queue/Leases.ts"
import { Service } from "../Service.ts"
import { Acceptances } from "./acceptance/Acceptances.ts"
import { type Claim, leaseOf } from "./acceptance/AcceptancesRepo.ts"
import { Basket } from "./Basket.ts"
import { addressOf, contactOf, lineAttributes, orderAttributes, prescriptionFaults } from "./checkoutPlan.ts"
import { linkLines } from "./linkLines.ts"
import { type OpenedCheckout, openCheckout } from "./openCheckout.ts"
import { Reservations } from "./Reservations.ts"
import { type Match, matchLines } from "./reservedLines.ts"
import { type Shop, Shops } from "./Shops.ts"
import { type SignedPdf, SignedPdfs } from "./SignedPdfs.ts"
import { type Storefront, Storefronts } from "./Storefront.ts"

/** A request without faults. */
interface Checked {
  readonly shop: Shop
  readonly storefront: Storefront
  readonly body: PrescriptionCheckout
  readonly ids: ReadonlyArray<string>
  readonly pdfs: ReadonlyArray<SignedPdf>
  readonly variant: Effect.Effect.Success<ReturnType<Basket["check"]>>["variant"]
}

const result = (
  claim: Claim,
  { checkout_url, draft_order_id }: Omit<OpenedCheckout, "invoice">
): PrescriptionCheckoutResult => ({
  status: "success",
  prescriptions: claim.prescriptions,
  checkout_url,
  draft_order_id
})

const uidsOf = (claim: Claim) => new Map(claim.prescriptions.map(({ id, prescription_uid }) => [id, prescription_uid]))

export class Checkouts extends Service<Checkouts>()("checkout/Checkouts", {
  effect: Effect.gen(function* () {
    const shops = yield* Shops
    const storefronts = yield* Storefronts
    const basket = yield* Basket
    const signedPdfs = yield* SignedPdfs
    const reservations = yield* Reservations
    const acceptances = yield* Acceptances
    const leases = yield* Leases
    const births = yield* BirthDates

    const check = Effect.fnUntraced(function* (shop: Shop, body: PrescriptionCheckout) {
      const { faults: ofPdfs, pdfs } = yield* signedPdfs.examine(body.prescriptions)
      const { faults: ofLines, variant, isDigital } = yield* basket.check(shop, body.lines)
      const isBorn = yield* births.isPast(shop.organisation_uid, body.patient_data.date_of_birth)
      const ofBirth = isBorn ? [] : [{ field: "patient_data.date_of_birth", message: NOT_BORN }]
      const faults = [...prescriptionFaults(body), ...ofBirth, ...ofPdfs, ...ofLines]
      if (faults.length > 0) return yield* new Invalid({ faults })
      const lines = linkLines(body, isDigital)
      const ids = body.prescriptions.map(({ id }) => id)
      const storefront = yield* storefronts.of(shop)
      // drops the PDFs' base64 texts, which are large and no longer needed
      const withoutPdfs = { ...body, lines, prescriptions: ids.map((id) => ({ id, pdf_base64: "" })) }
      return { shop, storefront, body: withoutPdfs, ids, pdfs, variant } satisfies Checked
    })

    /** A new checkout. If the storefront rejects it, the ids are released; after any other failure the same request resumes it. */
    const open = Effect.fnUntraced(function* ({ shop, storefront, body, ids, pdfs, variant }: Checked) {
      const claim = yield* acceptances.claim(shop, ids)
      const articles = body.lines.flatMap(({ prescription_id, ...article }) =>
        prescription_id === null ? [] : [{ prescription_id, ...article }]
      )
      const incoming = yield* acceptances.storeFiles(shop, claim, pdfs, articles)
      const uids = uidsOf(claim)
      const unprescribed = body.lines.some(({ prescription_id }) => prescription_id === null)
      const request = {
        key: claim.checkout_uid,
        repeated: claim.repeated,
        ...contactOf(body.buyerIdentity),
        countryCode: body.buyerIdentity?.countryCode ?? undefined,
        customerAccessToken: body.buyerIdentity?.customerAccessToken ?? undefined,
        lines: body.lines.map(({ sku_uid, quantity, prescription_id }) => ({
          variant_id: variant(sku_uid),
          quantity,
          attributes: lineAttributes(prescription_id === null ? undefined : uids.get(prescription_id))
        })),
        attributes: orderAttributes(body, unprescribed),
        billing_address: addressOf(body.billing_address),
        shipping_address: addressOf(body.shipping_address)
      }
      // prescriptions alone: there is nothing to pay (Rule 11.2.2)
      const opened =
        body.lines.length === 0
          ? { checkout_url: null, draft_order_id: null, invoice: false }
          : yield* Effect.tapErrorTag(openCheckout(storefront, body.checkout_type, request), "StorefrontRefused", () =>
              acceptances.release(shop, claim)
            )
      yield* acceptances.finish(shop, claim, incoming, body.patient_data, opened)
      return result(claim, opened)
    })

    /**
     * Matches the prescriptions to lines of the draft order, with the articles of each. Fails if a line already has an accepted
     * prescription.
     */
    const linesFor = Effect.fnUntraced(function* (
      { shop, storefront, body, variant }: Checked,
      draft_order_id: string
    ) {
      const draft = Option.getOrUndefined(yield* storefront.readDraftOrder(draft_order_id))
      if (draft === undefined) return yield* new DraftOrderNotFound()
      if (draft.completed) return yield* new DraftOrderCompleted()
      const skuOf = yield* basket.skuFinder(draft.lines.flatMap(({ variant_id }) => variant_id ?? []))
      const reserved = yield* Effect.mapError(
        matchLines(body, draft, { variantOf: variant, skuOf }),
        (faults) => new Invalid({ faults })
      )
      const { matches } = reserved
      const earlier = matches.flatMap(({ line }) => line.attributes._prescription_uid || [])
      const accepted = yield* acceptances.acceptedAmong(
        shop,
        earlier.map((uid) => PrescriptionUid.make(uid))
      )
      if (accepted.length > 0) return yield* new LineAlreadyPrescribed()
      return reserved
    })

    const update = (
      { storefront, body }: Checked,
      draft_order_id: string,
      matches: ReadonlyArray<Match>,
      claim: Claim
    ) => {
      const uids = uidsOf(claim)
      return storefront.updateDraftOrder(draft_order_id, {
        ...contactOf(body.buyerIdentity),
        billing_address: addressOf(body.billing_address, body.patient_data),
        shipping_address: addressOf(body.shipping_address, body.patient_data),
        line_attributes: matches.map(({ line, id }) => ({ uuid: line.uuid, attributes: lineAttributes(uids.get(id)) }))
      })
    }

    /** Adds the prescriptions to a reserved draft order; creates no checkout (Rule 11.4). */
    const complete = Effect.fnUntraced(function* (checked: Checked, draft_order_id: string) {
      const { shop, body, ids, pdfs } = checked
      const { matches, articles } = yield* linesFor(checked, draft_order_id)
      const claim = yield* acceptances.claim(shop, ids)
      const incoming = yield* acceptances.storeFiles(shop, claim, pdfs, articles)
      yield* update(checked, draft_order_id, matches, claim).pipe(
        Effect.tapErrorTag("StorefrontRefused", () => acceptances.release(shop, claim))
      )
      yield* acceptances.finish(shop, claim, incoming, body.patient_data, { draft_order_id, invoice: false })
      return result(claim, { checkout_url: null, draft_order_id })
    })

    /**
     * Accepts a prescription checkout. Fails with `Invalid`, `ShopNotFound`, `DraftOrderNotFound`,
     * `PrescriptionAlreadyAccepted`, `InProgress`, `ReservationExpired`, `DraftOrderCompleted`, `LineAlreadyPrescribed`,
     * `StorefrontRefused` or `StorefrontUnavailable`.
     */
    const submit = Effect.fn("Checkouts.submit")(function* (
      organisation_uid: OrganisationUid,
      shop_identifier: string,
      body: PrescriptionCheckout
    ) {
      const shop = yield* shops.ofOrganisation(organisation_uid, shop_identifier)
      const checked = yield* check(shop, body)
      yield* acceptances.refuseKnown(shop, checked.ids)
      const reserved = body.reserved_draft_order_id
      const names = checked.ids.map((id) => leaseOf(organisation_uid, id))
      const completeReserved = Effect.fnUntraced(function* (named: string) {
        // Before the lease, whose name must not depend on how the request spells the id
        const draft_order_id = yield* reservations.draftOrder(shop, named)
        const lease = `draft order ${JSON.stringify([shop.shop_uid, draft_order_id])}`
        return yield* leases.holding([...names, lease])(complete(checked, draft_order_id))
      })
      return yield* reserved === null ? leases.holding(names)(open(checked)) : completeReserved(reserved)
    })

    return { submit } as const
  }),
  dependencies: [
    Shops.Default,
    Basket.Default,
    SignedPdfs.Default,
    Reservations.Default,
    Acceptances.Default,
    BirthDates.Default
  ]
}) {}
