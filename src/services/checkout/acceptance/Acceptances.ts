/**
 * The id rule (Rule 11.5): a partner's prescription id is accepted once per provider, and blocked only then. The
 * steps of a checkout, in order: claim, keep the files, ask the storefront, finish. Whichever of them a process dies in,
 * the same request again takes the same uids through the same steps, and both stores are written by name, so that
 * nothing comes to be twice.
 */
import { Effect } from "effect"
import type { PatientData, PrescriptionCheckout } from "../../../schemas/checkout/Checkout.ts"
import { Conflict } from "../../../schemas/conflicts.ts"
import type { PrescriptionUid, SkuUid } from "../../../schemas/ids.ts"
import type { StoredFile } from "../../../schemas/prescriptions/Prescription.ts"
import type { Signature } from "../../../schemas/prescriptions/Signature.ts"
import { busy } from "../../Leases.ts"
import { PrescriptionFiles } from "../../prescriptions/PrescriptionFiles.ts"
import { Prescriptions } from "../../prescriptions/Prescriptions.ts"
import { transaction } from "../../transaction.ts"
import { Invoices } from "../Invoices.ts"
import type { Opened } from "../opening.ts"
import type { Shop } from "../Shops.ts"
import type { SignedPdf } from "../SignedPdfs.ts"
import { AcceptancesRepo, type Claim, type Numbered } from "./AcceptancesRepo.ts"

/** A signed prescription on its way in: its file is in the store, nothing tells of it yet. */
export interface Incoming {
  readonly prescription_uid: PrescriptionUid
  readonly file: StoredFile
  readonly signature: Signature
  readonly items: ReadonlyArray<{ readonly sku_uid: SkuUid; readonly quantity: number }>
}

const blocked = ({ organisation_name, organisation_uid }: Shop, known: ReadonlyArray<Numbered>) =>
  new Conflict({
    reason: "prescription_already_accepted",
    hint: known
      .map(
        ({ id, prescription_uid }) =>
          `Prescription id ${id} was already accepted for provider ${organisation_name} (${organisation_uid}) ` +
          `as prescription ${prescription_uid}`
      )
      .join("; ")
  })

export class Acceptances extends Effect.Service<Acceptances>()("checkout/Acceptances", {
  effect: Effect.gen(function* () {
    const repo = yield* AcceptancesRepo
    const files = yield* PrescriptionFiles
    const prescriptions = yield* Prescriptions
    const invoices = yield* Invoices

    /** 409 when any of the ids is accepted already, with each id, the provider and the prescription that came of it. */
    const refuseKnown = Effect.fn("Acceptances.refuseKnown")(function* (shop: Shop, ids: ReadonlyArray<string>) {
      const known = yield* repo.accepted(shop.organisation_uid, ids)
      if (known.length > 0) return yield* blocked(shop, known)
    })

    /** First step. The caller has a lease on every id, so that nobody else is under way with any of them. */
    const claim = Effect.fn("Acceptances.claim")(function* (shop: Shop, ids: ReadonlyArray<string>) {
      yield* refuseKnown(shop, ids)
      return yield* repo.claim(shop.organisation_uid, shop.shop_uid, ids)
    }, transaction)

    /** Second step. */
    const keepFiles = Effect.fn("Acceptances.keepFiles")(function* (
      { organisation_uid }: Shop,
      claimed: Claim,
      pdfs: ReadonlyArray<SignedPdf>,
      lines: PrescriptionCheckout["lines"]
    ) {
      const uids = new Map(claimed.prescriptions.map(({ id, prescription_uid }) => [id, prescription_uid]))
      return yield* Effect.forEach(pdfs, ({ id, bytes, signature }) => {
        const prescription_uid = uids.get(id) ?? ("" as PrescriptionUid) // the claim is of the very ids of the PDFs
        const items = lines.filter(({ prescription_id }) => prescription_id === id)
        return Effect.map(
          files.put("signed", { organisation_uid, prescription_uid }, bytes),
          (file): Incoming => ({ prescription_uid, file, signature, items })
        )
      })
    })

    /**
     * Last step: from its commit on the ids are blocked, the prescriptions are there and the customer is being asked. 409
     * when another request has taken over meanwhile, which takes a lease that was lost.
     */
    const finish = Effect.fn("Acceptances.finish")(function* (
      shop: Shop,
      { checkout_uid }: Claim,
      incoming: ReadonlyArray<Incoming>,
      patient: PatientData,
      { draft_order_id, invoice }: Pick<Opened, "draft_order_id" | "invoice">
    ) {
      const { organisation_uid, shop_uid } = shop
      const accepted = yield* repo.accept(organisation_uid, checkout_uid, draft_order_id)
      if (accepted === "gone") return yield* busy
      if (accepted === "before") return // the second run of a commit whose answer got lost
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

    /** After a refusal by the storefront: the ids are free for a better request, and the files are cleared away. */
    const release = ({ organisation_uid }: Shop, { checkout_uid }: Claim) =>
      repo.abandon(organisation_uid, checkout_uid)

    /** Those of the prescriptions that are accepted. */
    const acceptedAmong = ({ organisation_uid }: Shop, uids: ReadonlyArray<string>) =>
      repo.acceptedUids(organisation_uid, uids)

    return { refuseKnown, claim, keepFiles, finish, release, acceptedAmong } as const
  }),
  dependencies: [AcceptancesRepo.Default, PrescriptionFiles.Default, Prescriptions.Default, Invoices.Default]
}) {}
