/** Creating and reading prescriptions, and their transitions through orders (Rules 9.1 and 9.2). */
import { Effect } from "effect"
import { type Actor, system } from "../../schemas/access/Actor.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { paged } from "../../schemas/paging.ts"
import { FileNotFound, PrescriptionNotCancellable } from "../../schemas/prescriptions/errors.ts"
import type {
  NewPrescription,
  Prescription,
  PrescriptionFile,
  PrescriptionPatient,
  PrescriptionQuery,
  PrescriptionRef,
  StoredFile
} from "../../schemas/prescriptions/Prescription.ts"
import { nextStatus, type PrescriptionTrigger, shownStatus } from "../../schemas/prescriptions/PrescriptionStates.ts"
import type { Signature } from "../../schemas/prescriptions/Signature.ts"
import { DomainClock } from "../DomainClock.ts"
import { Database } from "../database/Database.ts"
import { Service } from "../Service.ts"
import { FileAddresses } from "./FileAddresses.ts"
import { PrescriptionFiles } from "./PrescriptionFiles.ts"
import { type PrescriptionOnOrder, PrescriptionsRepo, refOf, type StoredPrescription } from "./PrescriptionsRepo.ts"

/** The prescription's data on a pharmacy order that carries it. */
export interface PrescriptionForOrder extends PrescriptionRef {
  readonly patient: PrescriptionPatient
  readonly file: PrescriptionFile | null
}

export class Prescriptions extends Service<Prescriptions>()("prescriptions/Prescriptions", {
  effect: Effect.gen(function* () {
    const repo = yield* PrescriptionsRepo
    const files = yield* PrescriptionFiles
    const addresses = yield* FileAddresses
    const clock = yield* DomainClock
    const { transaction } = yield* Database

    const shownFile = Effect.fnUntraced(function* (stored: PrescriptionOnOrder) {
      if (stored.file === null) return null
      const { sha256, size } = stored.file
      const file: PrescriptionFile = { url: (yield* addresses.addressOf(refOf(stored))).url, sha256, size }
      return file
    })

    const shown = Effect.fnUntraced(function* (stored: StoredPrescription) {
      const { uid, status, doctor, items, signature, created_at, updated_at } = stored
      const file = yield* shownFile(stored)
      const prescription: Prescription = {
        uid,
        status: shownStatus[status],
        doctor,
        rendered: file !== null,
        file,
        items,
        signature,
        created_at,
        updated_at
      }
      return prescription
    })

    /** The record of the management interface. Fails with `PrescriptionNotFound`. */
    const get = Effect.fn("Prescriptions.get")((ref: PrescriptionRef) => Effect.flatMap(repo.find(ref), shown))

    /** Streams the PDF of a signed URL. Fails with `FileNotFound` if the URL is invalid. */
    const download = Effect.fn("Prescriptions.download")(function* (token: string) {
      const stored = yield* addresses.open(token).pipe(
        Effect.flatMap((ref) => repo.find(ref)),
        Effect.catchTag("PrescriptionNotFound", () => new FileNotFound())
      )
      if (stored.file === null) return yield* new FileNotFound()
      return yield* files.read(refOf(stored), stored.file)
    })

    /**
     * Creates a prescription that was received signed. `file` was stored with `PrescriptionFiles.put`, `signature` is from
     * its examination.
     */
    const createSigned = Effect.fn("Prescriptions.createSigned")(function* (
      prescription: NewPrescription,
      file: StoredFile,
      signature: Signature | null
    ) {
      const now = yield* clock.now
      yield* repo.insert(prescription, "SIGNED", signature, now)
      yield* repo.addFile(refOf(prescription), file, now)
    }, transaction)

    const createWaiting = Effect.fn("Prescriptions.createWaiting")(function* (prescription: NewPrescription) {
      yield* repo.insert(prescription, "WAITING_FOR_DOCTOR", null, yield* clock.now)
    }, transaction)

    /** Applies the transition if the prescription's status allows it; else no-op. */
    const step = (trigger: PrescriptionTrigger) =>
      Effect.fn(`Prescriptions.${trigger}`)(
        function* (ref: PrescriptionRef) {
          const stored = yield* repo.lockStatus(ref)
          const to = nextStatus(trigger, stored.status)
          if (to !== undefined) yield* repo.move(stored, trigger, to, system, yield* clock.now)
        },
        Effect.catchTag("PrescriptionNotFound", () => Effect.void), // an order can refer to a missing one
        transaction
      )

    /** Fails with `PrescriptionNotFound`, or `PrescriptionNotCancellable` if it is completed or cancelled. Rule 9.1.6. */
    const cancel = Effect.fn("Prescriptions.cancel")(function* (ref: PrescriptionRef, reason: string, actor: Actor) {
      const stored = yield* repo.lockStatus(ref)
      const to = nextStatus("cancel", stored.status)
      if (to === undefined) return yield* new PrescriptionNotCancellable({ status: stored.status })
      yield* repo.move(stored, "cancel", to, actor, yield* clock.now, reason)
      return { uid: stored.uid, status: "CANCELLED" as const }
    }, transaction)

    /** The data on orders of these prescriptions; unknown ones are left out. */
    const forOrders = Effect.fn("Prescriptions.forOrders")(function* (refs: ReadonlyArray<PrescriptionRef>) {
      return yield* Effect.forEach(yield* repo.onOrders(refs), (stored) =>
        Effect.map(
          shownFile(stored),
          (file): PrescriptionForOrder => ({ ...refOf(stored), patient: stored.patient, file })
        )
      )
    })

    /** A page of the organisation's prescriptions, newest first, without the names of articles. */
    const list = Effect.fn("Prescriptions.list")(function* (owner: OrganisationUid, query: PrescriptionQuery) {
      const page = paged(yield* repo.list(owner, query))
      return { ...page, data: page.data.map(({ status, ...one }) => ({ ...one, status: shownStatus[status] })) }
    })

    return {
      list,
      get,
      shown,
      download,
      createSigned,
      createWaiting,
      forOrders,
      /** A paid order carries it. An unsigned one keeps its status, and is dispatched when it is signed. */
      dispatch: step("dispatch"),
      /** The order that carries it is completed. */
      complete: step("complete"),
      cancel
    } as const
  }),
  dependencies: [PrescriptionsRepo.Default, PrescriptionFiles.Default, FileAddresses.Default]
}) {}
