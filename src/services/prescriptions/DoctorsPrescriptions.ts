/** Prescriptions waiting for one doctor (Rule 8.4.6). */
import { Effect } from "effect"
import type { DoctorUid, OrganisationUid, PrescriptionUid } from "../../schemas/ids.ts"
import { PrescriptionNotFound } from "../../schemas/prescriptions/errors.ts"
import { Prescriptions } from "./Prescriptions.ts"
import { PrescriptionsRepo } from "./PrescriptionsRepo.ts"

const LIMITS = { limit: 100, items: 1_000 }

interface Doctor {
  readonly organisation_uid: OrganisationUid
  readonly doctor_uid: DoctorUid
}

export class DoctorsPrescriptions extends Effect.Service<DoctorsPrescriptions>()("prescriptions/DoctorsPrescriptions", {
  effect: Effect.gen(function* () {
    const repo = yield* PrescriptionsRepo
    const prescriptions = yield* Prescriptions

    /**
     * Those waiting for the doctor or for any doctor of the organisation, the oldest first; at most 100, fewer if they have many items.
     */
    const waiting = Effect.fn("DoctorsPrescriptions.waiting")(function* ({ organisation_uid, doctor_uid }: Doctor) {
      const found = yield* repo.waitingFor(organisation_uid, doctor_uid, LIMITS)
      return yield* Effect.forEach(found, prescriptions.shown)
    })

    /** The prescription's reference, if it is assigned to the doctor or to none; else fails with `PrescriptionNotFound`. */
    const own = Effect.fn("DoctorsPrescriptions.own")(function* (
      { organisation_uid, doctor_uid }: Doctor,
      prescription_uid: PrescriptionUid
    ) {
      const ref = { organisation_uid, prescription_uid }
      const { doctor } = yield* repo.find(ref)
      if (doctor !== null && doctor.uid !== doctor_uid) return yield* new PrescriptionNotFound()
      return ref
    })

    return { waiting, own } as const
  }),
  dependencies: [PrescriptionsRepo.Default, Prescriptions.Default]
}) {}
