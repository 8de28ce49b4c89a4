/**
 * Idempotency of prescription ids (Rule 11.5). The steps of a checkout: claim, store the files, call the storefront, finish. After a
 * crash in any of them, the same request repeats the steps with the same uids; files and draft orders are named by these, so that nothing
 * is created twice.
 */
import { Effect } from "effect"
import { InProgress } from "../../../schemas/access/errors.ts"
import type { PatientData } from "../../../schemas/checkout/Checkout.ts"
import { PrescriptionAlreadyAccepted } from "../../../schemas/checkout/errors.ts"
import type { PrescriptionUid, SkuUid } from "../../../schemas/ids.ts"
import type { StoredFile } from "../../../schemas/prescriptions/Prescription.ts"
import type { Signature } from "../../../schemas/prescriptions/Signature.ts"
import { Database } from "../../database/Database.ts"
import { PrescriptionFiles } from "../../prescriptions/PrescriptionFiles.ts"
import { Prescriptions } from "../../prescriptions/Prescriptions.ts"
import { Service } from "../../Service.ts"
import { Invoices } from "../Invoices.ts"
import type { OpenedCheckout } from "../openCheckout.ts"
import type { PrescribedArticle } from "../reservedLines.ts"
import type { Shop } from "../Shops.ts"
import type { SignedPdf } from "../SignedPdfs.ts"
import { AcceptancesRepo, type Claim, type Numbered } from "./AcceptancesRepo.ts"

/** A signed prescription whose file is stored and whose row is not inserted yet. */
export interface Incoming {
  readonly prescription_uid: PrescriptionUid
  readonly file: StoredFile
  readonly signature: Signature | null
  readonly items: ReadonlyArray<{ readonly sku_uid: SkuUid; readonly quantity: number }>
}

const blocked = ({ organisation_name, organisation_uid }: Shop, known: ReadonlyArray<Numbered>) =>
  new PrescriptionAlreadyAccepted({
    reason: known
      .map(
        ({ id, prescription_uid }) =>
          `Prescription id ${id} was already accepted for provider ${organisation_name} (${organisation_uid}) ` +
          `as prescription ${prescription_uid}`
      )
      .join("; ")
  })

export class Acceptances extends Service<Acceptances>()("checkout/Acceptances", {
  effect: Effect.gen(function* () {
    const repo = yield* AcceptancesRepo
    const files = yield* PrescriptionFiles
    const prescriptions = yield* Prescriptions
    const invoices = yield* Invoices
    const { transaction } = yield* Database

    /** Fails with `PrescriptionAlreadyAccepted` if any of the ids was accepted. */
    const refuseKnown = Effect.fn("Acceptances.refuseKnown")(function* (shop: Shop, ids: ReadonlyArray<string>) {
      const known = yield* repo.accepted(shop.organisation_uid, ids)
      if (known.length > 0) return yield* blocked(shop, known)
    })

    /** First step. The caller holds a lease on every id. Fails with `PrescriptionAlreadyAccepted`. */
    const claim = Effect.fn("Acceptances.claim")(function* (shop: Shop, ids: ReadonlyArray<string>) {
      yield* refuseKnown(shop, ids)
      return yield* repo.claim(shop.organisation_uid, shop.shop_uid, ids)
    }, transaction)

    /** Second step. */
    const storeFiles = Effect.fn("Acceptances.storeFiles")(function* (
      { organisation_uid }: Shop,
      claimed: Claim,
      pdfs: ReadonlyArray<SignedPdf>,
      articles: ReadonlyArray<PrescribedArticle>
    ) {
      const byId = new Map(pdfs.map((pdf) => [pdf.id, pdf]))
      const numbered = claimed.prescriptions.flatMap(({ id, prescription_uid }) => {
        const pdf = byId.get(id)
        return pdf === undefined ? [] : [{ ...pdf, prescription_uid }]
      })
      return yield* Effect.forEach(numbered, ({ id, prescription_uid, bytes, signature }) =>
        Effect.map(
          files.put("signed", { organisation_uid, prescription_uid }, bytes),
          (file): Incoming => ({
            prescription_uid,
            file,
            signature,
            items: articles.filter(({ prescription_id }) => prescription_id === id)
          })
        )
      )
    })

    /**
     * Last step: blocks the ids, creates the prescriptions and queues the payment request. Fails with `InProgress` if the checkout was
     * abandoned concurrently, which is only possible after a lost lease.
     */
    const finish = Effect.fn("Acceptances.finish")(function* (
      shop: Shop,
      { checkout_uid }: Claim,
      incoming: ReadonlyArray<Incoming>,
      patient: PatientData,
      { draft_order_id, invoice }: Pick<OpenedCheckout, "draft_order_id" | "invoice">
    ) {
      const { organisation_uid, shop_uid } = shop
      const accepted = yield* repo.accept(organisation_uid, checkout_uid, draft_order_id)
      if (accepted === "gone") return yield* new InProgress()
      if (accepted === "before") return // a repeated run
      yield* Effect.forEach(incoming, ({ prescription_uid, file, signature, items }) =>
        prescriptions.createSigned(
          {
            uid: prescription_uid,
            organisation_uid,
            shop_uid,
            doctor_uid: null,
            patient,
            items: items.map(({ sku_uid, quantity }) => ({ sku_uid, quantity, dosage: null, anamnesis_uid: null }))
          },
          file,
          signature
        )
      )
      if (invoice && draft_order_id !== null) yield* invoices.request(shop, draft_order_id)
    }, transaction)

    /** After a rejection by the storefront: releases the ids; the files are deleted later. */
    const release = ({ organisation_uid }: Shop, { checkout_uid }: Claim) =>
      repo.abandon(organisation_uid, checkout_uid)

    /** The prescriptions among these that came with an accepted checkout. */
    const acceptedAmong = ({ organisation_uid }: Shop, uids: ReadonlyArray<PrescriptionUid>) =>
      repo.acceptedUids(organisation_uid, uids)

    return { refuseKnown, claim, storeFiles, finish, release, acceptedAmong } as const
  }),
  dependencies: [AcceptancesRepo.Default, PrescriptionFiles.Default, Prescriptions.Default, Invoices.Default]
}) {}
