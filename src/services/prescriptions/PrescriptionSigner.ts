/** Performs the transition to `EXTERNALLY_SIGNED` (Rule 9.4). */
import { Effect } from "effect"
import type { Actor } from "../../schemas/access/Actor.ts"
import { HasAnamnesis, NotRendered, PrescriptionNotWaiting, RenderedAgain } from "../../schemas/prescriptions/errors.ts"
import type { PrescriptionRef, StoredFile } from "../../schemas/prescriptions/Prescription.ts"
import { nextStatus, shownStatus } from "../../schemas/prescriptions/PrescriptionStates.ts"
import type { Signature } from "../../schemas/prescriptions/Signature.ts"
import { invalid } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { Extensions } from "../Extensions.ts"
import { EventLog } from "../events/EventLog.ts"
import { Service } from "../Service.ts"
import { type CarryingOrder, CarryingOrders } from "./CarryingOrders.ts"
import { decodePdf } from "./decodePdf.ts"
import { PrescriptionFiles } from "./PrescriptionFiles.ts"
import { Prescriptions } from "./Prescriptions.ts"
import { PrescriptionsRepo, refOf, type StoredPrescription } from "./PrescriptionsRepo.ts"

/** Whether the prescription may be registered as externally signed. */
const ensureSignable = Effect.fnUntraced(function* ({ status, items }: StoredPrescription) {
  if (nextStatus("external_sign", status) === undefined) return yield* new PrescriptionNotWaiting({ status })
  if (items.some(({ anamnesis_uid }) => anamnesis_uid !== null)) return yield* new HasAnamnesis()
})

/** The rendered file of such a prescription. */
const signable = Effect.fnUntraced(function* (prescription: StoredPrescription) {
  yield* ensureSignable(prescription)
  return prescription.file ?? (yield* new NotRendered())
})

export class PrescriptionSigner extends Service<PrescriptionSigner>()("prescriptions/PrescriptionSigner", {
  effect: Effect.gen(function* () {
    const repo = yield* PrescriptionsRepo
    const prescriptions = yield* Prescriptions
    const files = yield* PrescriptionFiles
    const orders = yield* CarryingOrders
    const { examined } = yield* Extensions
    const events = yield* EventLog
    const clock = yield* DomainClock
    const { transaction } = yield* Database

    /** Applies the transitions for orders that were paid or completed before the prescription was signed. */
    const catchUp = Effect.fnUntraced(function* (ref: PrescriptionRef, carrying: ReadonlyArray<CarryingOrder>) {
      if (carrying.some(({ paid }) => paid)) yield* prescriptions.dispatch(ref)
      if (carrying.some(({ completed }) => completed)) yield* prescriptions.complete(ref)
    })

    /** Events for the organisation, and for each pharmacy whose order carries it, else for the shop's default one if still assigned. */
    const publish = Effect.fnUntraced(function* (
      { organisation_uid, uid, doctor, items, default_pharmacy_uid, default_pharmacy_assigned }: StoredPrescription,
      { sha256, size }: StoredFile,
      carrying: ReadonlyArray<CarryingOrder>,
      actor: Actor
    ) {
      const type = "pharmacy_manager.send_prescription"
      const prescription = { uid, status: shownStatus.EXTERNALLY_SIGNED, doctor, items, file: { sha256, size } }
      yield* events.append({
        type,
        organisation_uid,
        subject: uid,
        data: { prescription_uid: uid, prescription, actor }
      })
      const byDefault =
        default_pharmacy_uid !== null && default_pharmacy_assigned
          ? [{ pharmacy_uid: default_pharmacy_uid, pharmacy_order_uid: null }]
          : []
      yield* Effect.forEach(carrying.length > 0 ? carrying : byDefault, ({ pharmacy_uid, pharmacy_order_uid }) =>
        events.append({
          type,
          pharmacy_uid,
          subject: pharmacy_order_uid ?? uid,
          data: { prescription_uid: uid, prescription, pharmacy_order_uid }
        })
      )
    })

    /** Records the signed file with status, log and event. A file without a row is replaced by the next call. */
    const record = Effect.fnUntraced(function* (prescription: StoredPrescription, file: StoredFile, actor: Actor) {
      const ref = refOf(prescription)
      const now = yield* clock.now
      yield* repo.addFile(ref, file, now)
      yield* repo.move(prescription, "external_sign", "EXTERNALLY_SIGNED", actor, now)
      const carrying = yield* orders.of(ref)
      yield* publish(prescription, file, carrying, actor)
      yield* catchUp(ref, carrying)
      return { uid: ref.prescription_uid, status: "EXTERNALLY_SIGNED" as const }
    })

    const register = Effect.fnUntraced(function* (ref: PrescriptionRef, copy: StoredFile, actor: Actor) {
      const prescription = yield* repo.lock(ref)
      const file = yield* signable(prescription)
      if (file.sha256 !== copy.sha256) return yield* new RenderedAgain()
      return yield* record(prescription, copy, actor)
    }, transaction)

    const registerUploaded = Effect.fnUntraced(function* (
      ref: PrescriptionRef,
      file: StoredFile,
      signature: Signature | null,
      actor: Actor
    ) {
      const prescription = yield* repo.lock(ref)
      yield* ensureSignable(prescription)
      yield* repo.keepSignature(ref, signature)
      return yield* record(prescription, file, actor)
    }, transaction)

    /** Deletes the copy if the prescription was erased concurrently: it has no file then, and cannot be signed again. */
    const discardErased = Effect.fnUntraced(function* (ref: PrescriptionRef) {
      const [stored] = yield* repo.findAll([ref])
      if (!stored?.file) yield* files.remove("signed", ref)
    })

    /**
     * Registers the rendered PDF as externally signed: it is copied to the signed store and dispatched to the pharmacy. Of two concurrent
     * calls one succeeds. Fails with `PrescriptionNotFound`, `PrescriptionNotWaiting`, `HasAnamnesis`, `NotRendered`, or `RenderedAgain`
     * if the PDF changed during the call.
     */
    const externalSign = Effect.fn("PrescriptionSigner.externalSign")(function* (ref: PrescriptionRef, actor: Actor) {
      const prescription = yield* repo.find(ref)
      const copy = yield* files.copyTo("signed", ref, yield* signable(prescription))
      return yield* Effect.tapError(register(refOf(prescription), copy, actor), () => discardErased(ref))
    })

    /**
     * As `externalSign`, with a PDF that was signed elsewhere, whether or not there is a rendered one. What its examination finds is the
     * prescription's `signature`. Fails with `Invalid` for what is no PDF, has forbidden content, or was changed after it was signed.
     */
    const upload = Effect.fn("PrescriptionSigner.upload")(function* (
      ref: PrescriptionRef,
      pdf_base64: string,
      actor: Actor
    ) {
      yield* Effect.flatMap(repo.find(ref), ensureSignable)
      const refuse = (message: string) => invalid("pdf_base64", message)
      const bytes = yield* Effect.mapError(decodePdf(pdf_base64), refuse)
      const signature = yield* Effect.mapError(examined(bytes), ({ message }) => refuse(message))
      if (signature?.present && !signature.intact) return yield* refuse("was changed after it was signed")
      const file = yield* files.put("signed", ref, bytes)
      return yield* Effect.tapError(registerUploaded(ref, file, signature, actor), () => discardErased(ref))
    })

    return { externalSign, upload } as const
  }),
  dependencies: [PrescriptionsRepo.Default, Prescriptions.Default, PrescriptionFiles.Default]
}) {}
