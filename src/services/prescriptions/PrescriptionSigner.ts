/** Owns the step to `EXTERNALLY_SIGNED` (specification §3.3, §4.4). */
import { Effect } from "effect"
import { type Actor, system } from "../../schemas/access/Actor.ts"
import { Conflict } from "../../schemas/conflicts.ts"
import type { PrescriptionRef, StoredFile } from "../../schemas/prescriptions/Prescription.ts"
import { nextStatus, type PrescriptionTrigger, shownStatus } from "../../schemas/prescriptions/PrescriptionStates.ts"
import { DomainClock } from "../DomainClock.ts"
import { EventLog } from "../events/EventLog.ts"
import { transaction } from "../transaction.ts"
import { type Carrier, Carriers } from "./Carriers.ts"
import { PrescriptionFiles } from "./PrescriptionFiles.ts"
import { PrescriptionsRepo, refOf, type StoredPrescription } from "./PrescriptionsRepo.ts"

/** The rendered file of a prescription that may be registered as signed outside; 409 says why it may not. */
const signable = Effect.fnUntraced(function* ({ status, items, file }: StoredPrescription) {
  if (nextStatus("external_sign", status) === undefined)
    return yield* new Conflict({
      reason: "not_waiting_for_doctor",
      hint: `The prescription is ${status}, not WAITING_FOR_DOCTOR`
    })
  if (items.some(({ anamnesis_uid }) => anamnesis_uid !== null)) return yield* new Conflict({ reason: "has_anamnesis" })
  return file ?? (yield* new Conflict({ reason: "not_rendered" }))
})

export class PrescriptionSigner extends Effect.Service<PrescriptionSigner>()("prescriptions/PrescriptionSigner", {
  effect: Effect.gen(function* () {
    const repo = yield* PrescriptionsRepo
    const files = yield* PrescriptionFiles
    const orders = yield* Carriers
    const events = yield* EventLog
    const clock = yield* DomainClock

    /** The status is read again: it has just changed. */
    const advance = Effect.fnUntraced(function* (ref: PrescriptionRef, trigger: PrescriptionTrigger) {
      const stored = yield* repo.find(ref)
      const to = nextStatus(trigger, stored.status)
      if (to !== undefined) yield* repo.move(stored, trigger, to, system, yield* clock.now)
    })

    /** An order that was paid, or completed, before now gets what it waited for. */
    const catchUp = Effect.fnUntraced(function* (ref: PrescriptionRef, carriers: ReadonlyArray<Carrier>) {
      if (carriers.some(({ paid }) => paid)) yield* advance(ref, "dispatch")
      if (carriers.some(({ completed }) => completed)) yield* advance(ref, "complete")
    })

    /** Told to the organisation, and to each pharmacy whose order carries it, or to the shop's own one when none does. */
    const tell = Effect.fnUntraced(function* (
      { organisation_uid, uid, doctor, items, default_pharmacy_uid }: StoredPrescription,
      { sha256, size }: StoredFile,
      carriers: ReadonlyArray<Carrier>,
      actor: Actor
    ) {
      const type = "pharmacy_manager.send_prescription"
      const prescription = { uid, status: shownStatus("EXTERNALLY_SIGNED"), doctor, items, file: { sha256, size } }
      yield* events.append({
        type,
        organisation_uid,
        subject: uid,
        data: { prescription_uid: uid, prescription, actor }
      })
      const none =
        default_pharmacy_uid === null ? [] : [{ pharmacy_uid: default_pharmacy_uid, pharmacy_order_uid: null }]
      yield* Effect.forEach(carriers.length > 0 ? carriers : none, ({ pharmacy_uid, pharmacy_order_uid }) =>
        events.append({
          type,
          pharmacy_uid,
          subject: pharmacy_order_uid ?? uid,
          data: { prescription_uid: uid, prescription, pharmacy_order_uid }
        })
      )
    })

    /** Copy, status, log and event are one: the copy is not told of until the transaction that tells of it commits. */
    const register = Effect.fnUntraced(function* (ref: PrescriptionRef, copied: string, actor: Actor) {
      const prescription = yield* repo.lock(ref)
      const file = yield* signable(prescription)
      if (file.sha256 !== copied) return yield* new Conflict({ reason: "rendered_again" })
      const now = yield* clock.now
      yield* repo.addFile(ref, { ...file, area: "signed" }, now)
      yield* repo.move(prescription, "external_sign", "EXTERNALLY_SIGNED", actor, now)
      const carriers = yield* orders.of(ref)
      yield* tell(prescription, file, carriers, actor)
      yield* catchUp(ref, carriers)
      return { uid: ref.prescription_uid, status: "EXTERNALLY_SIGNED" as const }
    }, transaction)

    /**
     * Registers the rendered PDF as signed outside: it is copied to the signed store and dispatched to the pharmacy. Of
     * two at once one succeeds and the other is told 409. 404 for another organisation's.
     */
    const externalSign = Effect.fn("PrescriptionSigner.externalSign")(function* (ref: PrescriptionRef, actor: Actor) {
      const prescription = yield* repo.find(ref)
      const { sha256 } = yield* Effect.flatMap(signable(prescription), files.copyToSigned)
      return yield* register(refOf(prescription), sha256, actor)
    })

    return { externalSign } as const
  }),
  dependencies: [PrescriptionsRepo.Default, PrescriptionFiles.Default, EventLog.Default, DomainClock.Default]
}) {}
