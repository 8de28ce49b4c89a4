/** Performs the transition to `EXTERNALLY_SIGNED` (Rule 9.4). */
import { Effect } from "effect"
import { type Actor, system } from "../../schemas/access/Actor.ts"
import { HasAnamnesis, NotRendered, PrescriptionNotWaiting, RenderedAgain } from "../../schemas/prescriptions/errors.ts"
import type { PrescriptionRef, StoredFile } from "../../schemas/prescriptions/Prescription.ts"
import { nextStatus, type PrescriptionTrigger, shownStatus } from "../../schemas/prescriptions/PrescriptionStates.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { EventLog } from "../events/EventLog.ts"
import { type CarryingOrder, CarryingOrders } from "./CarryingOrders.ts"
import { PrescriptionFiles } from "./PrescriptionFiles.ts"
import { PrescriptionsRepo, refOf, type StoredPrescription } from "./PrescriptionsRepo.ts"

/** The rendered file of a prescription that may be registered as externally signed. */
const signable = Effect.fnUntraced(function* ({ status, items, file }: StoredPrescription) {
  if (nextStatus("external_sign", status) === undefined) return yield* new PrescriptionNotWaiting({ status })
  if (items.some(({ anamnesis_uid }) => anamnesis_uid !== null)) return yield* new HasAnamnesis()
  return file ?? (yield* new NotRendered())
})

export class PrescriptionSigner extends Effect.Service<PrescriptionSigner>()("prescriptions/PrescriptionSigner", {
  effect: Effect.gen(function* () {
    const repo = yield* PrescriptionsRepo
    const files = yield* PrescriptionFiles
    const orders = yield* CarryingOrders
    const events = yield* EventLog
    const clock = yield* DomainClock
    const { transaction } = yield* Database

    /** Reads the status again, since it has just changed. */
    const advance = Effect.fnUntraced(function* (ref: PrescriptionRef, trigger: PrescriptionTrigger) {
      const stored = yield* repo.find(ref)
      const to = nextStatus(trigger, stored.status)
      if (to !== undefined) yield* repo.move(stored, trigger, to, system, yield* clock.now)
    })

    /** Applies the transitions for orders that were paid or completed before the prescription was signed. */
    const catchUp = Effect.fnUntraced(function* (ref: PrescriptionRef, carrying: ReadonlyArray<CarryingOrder>) {
      if (carrying.some(({ paid }) => paid)) yield* advance(ref, "dispatch")
      if (carrying.some(({ completed }) => completed)) yield* advance(ref, "complete")
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

    /** Records the copy with status, log and event. A copy without a row is replaced by the next call. */
    const register = Effect.fnUntraced(function* (ref: PrescriptionRef, copy: StoredFile, actor: Actor) {
      const prescription = yield* repo.lock(ref)
      const file = yield* signable(prescription)
      if (file.sha256 !== copy.sha256) return yield* new RenderedAgain()
      const now = yield* clock.now
      yield* repo.addFile(ref, copy, now)
      yield* repo.move(prescription, "external_sign", "EXTERNALLY_SIGNED", actor, now)
      const carrying = yield* orders.of(ref)
      yield* publish(prescription, file, carrying, actor)
      yield* catchUp(ref, carrying)
      return { uid: ref.prescription_uid, status: "EXTERNALLY_SIGNED" as const }
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
      const copy = yield* files.copyToSigned(ref, yield* signable(prescription))
      return yield* Effect.tapError(register(refOf(prescription), copy, actor), () => discardErased(ref))
    })

    return { externalSign } as const
  }),
  dependencies: [
    PrescriptionsRepo.Default,
    PrescriptionFiles.Default,
    EventLog.Default,
    DomainClock.Default,
    Database.Default
  ]
}) {}
