/** Prescriptions: how they come into being, what is shown of them, and the steps that orders take them through. */
import { Effect } from "effect"
import { type Actor, system } from "../../schemas/access/Actor.ts"
import { Conflict } from "../../schemas/conflicts.ts"
import type {
  NewPrescription,
  Prescription,
  PrescriptionFile,
  PrescriptionPatient,
  PrescriptionRef,
  StoredFile
} from "../../schemas/prescriptions/Prescription.ts"
import { nextStatus, type PrescriptionTrigger, shownStatus } from "../../schemas/prescriptions/PrescriptionStates.ts"
import type { Signature } from "../../schemas/prescriptions/Signature.ts"
import { NotFound } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { transaction } from "../transaction.ts"
import { FileAddresses } from "./FileAddresses.ts"
import { PrescriptionFiles } from "./PrescriptionFiles.ts"
import { PrescriptionsRepo, refOf, type StoredPrescription } from "./PrescriptionsRepo.ts"

/** What a pharmacy order shows of the prescription that it carries. */
export interface PrescriptionForOrder extends PrescriptionRef {
  readonly patient: PrescriptionPatient
  readonly file: PrescriptionFile | null
}

export class Prescriptions extends Effect.Service<Prescriptions>()("prescriptions/Prescriptions", {
  effect: Effect.gen(function* () {
    const repo = yield* PrescriptionsRepo
    const files = yield* PrescriptionFiles
    const addresses = yield* FileAddresses
    const clock = yield* DomainClock

    const shownFile = (stored: StoredPrescription): Effect.Effect<PrescriptionFile | null> =>
      stored.file === null
        ? Effect.succeed(null)
        : Effect.map(addresses.addressOf(refOf(stored)), (url) => ({
            url,
            sha256: stored.file?.sha256 ?? "",
            size: stored.file?.size ?? 0
          }))

    /** As the management interface shows it. 404 for another organisation's. */
    const get = Effect.fn("Prescriptions.get")(function* (ref: PrescriptionRef) {
      const stored = yield* repo.find(ref)
      const { uid, status, doctor, items, signature, created_at, updated_at } = stored
      const file = yield* shownFile(stored)
      const shown: Prescription = {
        uid,
        status: shownStatus(status),
        doctor,
        rendered: file !== null,
        file,
        items,
        signature,
        created_at,
        updated_at
      }
      return shown
    })

    /** The PDF behind a signed address, in pieces. 404 when the address does not hold. */
    const download = Effect.fn("Prescriptions.download")(function* (token: string) {
      const { file } = yield* repo.find(yield* addresses.open(token))
      if (file === null) return yield* new NotFound({ what: "File" })
      return yield* files.read(file)
    })

    /**
     * One that came in signed. `file` was put into the signed store before (`PrescriptionFiles.put`), `signature` comes
     * from `SignatureExaminer`. Runs in the caller's transaction.
     */
    const createSigned = Effect.fn("Prescriptions.createSigned")(function* (
      prescription: NewPrescription,
      file: StoredFile,
      signature: Signature
    ) {
      const now = yield* clock.now
      yield* repo.insert(prescription, "SIGNED", signature, now)
      yield* repo.addFile(refOf(prescription), file, now)
    }, transaction)

    /** One that a doctor has yet to decide on. Runs in the caller's transaction. */
    const createWaiting = Effect.fn("Prescriptions.createWaiting")(function* (prescription: NewPrescription) {
      yield* repo.insert(prescription, "WAITING_FOR_DOCTOR", null, yield* clock.now)
    }, transaction)

    /** Takes the step if the table allows it from where the prescription stands; otherwise nothing happens. */
    const advance = Effect.fnUntraced(function* (ref: PrescriptionRef, trigger: PrescriptionTrigger) {
      const stored = yield* repo.lock(ref)
      const to = nextStatus(trigger, stored.status)
      if (to !== undefined) yield* repo.move(stored, trigger, to, system, yield* clock.now)
    })
    const step = (trigger: PrescriptionTrigger) =>
      Effect.fn(`Prescriptions.${trigger}`)(
        (ref: PrescriptionRef) => advance(ref, trigger),
        // An order may name a prescription that is not there: nothing to take further.
        Effect.catchTag("NotFound", () => Effect.void),
        transaction
      )

    /** Calls it off, whoever waits for it. 409 when it is completed or called off already. */
    const cancel = Effect.fn("Prescriptions.cancel")(function* (ref: PrescriptionRef, reason: string, actor: Actor) {
      const stored = yield* repo.lock(ref)
      const to = nextStatus("cancel", stored.status)
      if (to === undefined)
        return yield* new Conflict({ reason: "not_cancellable", hint: `The prescription is ${stored.status}` })
      yield* repo.move(stored, "cancel", to, actor, yield* clock.now, reason)
      return { uid: stored.uid, status: "CANCELLED" as const }
    }, transaction)

    /** What orders show of these prescriptions; unknown ones are left out. */
    const forOrders = Effect.fn("Prescriptions.forOrders")(function* (refs: ReadonlyArray<PrescriptionRef>) {
      const found = yield* repo.findAll(refs)
      return yield* Effect.forEach(found, (stored) =>
        Effect.map(
          shownFile(stored),
          (file): PrescriptionForOrder => ({ ...refOf(stored), patient: stored.patient, file })
        )
      )
    })

    return {
      get,
      download,
      createSigned,
      createWaiting,
      forOrders,
      /** A paid order carries it. One that is not signed yet stays as it is, and follows when it is. */
      dispatch: step("dispatch"),
      /** The order that carries it is completed. */
      complete: step("complete"),
      cancel
    } as const
  }),
  dependencies: [PrescriptionsRepo.Default, PrescriptionFiles.Default, FileAddresses.Default, DomainClock.Default]
}) {}
