/** Prescriptions waiting for one doctor (Rule 8.4.6). */

import { Effect, Schema } from "effect"
import { midnightOf } from "../../../../schemas/birthDate.ts"
import { type DoctorUid, type OrganisationUid, type PatientUid, PrescriptionUid } from "../../../../schemas/ids.ts"
import { PrescriptionNotFound } from "../../../../schemas/prescriptions/errors.ts"
import { PrescriptionPatient } from "../../../../schemas/prescriptions/Prescription.ts"
import { shownStatus } from "../../../../schemas/prescriptions/PrescriptionStates.ts"
import { Database } from "../../../../services/database/Database.ts"
import { Prescriptions } from "../../../../services/prescriptions/Prescriptions.ts"
import { PrescriptionsRepo, type StoredPrescription } from "../../../../services/prescriptions/PrescriptionsRepo.ts"
import { ANSWER_LIMITS } from "../../../../services/recordLimits.ts"
import { Service } from "../../../../services/Service.ts"
import { newUid } from "../../../../services/uid.ts"
import { PatientRecords } from "../../../shared/services/patients/PatientRecords.ts"
import type { NewWaitingPrescription } from "../../schemas/DoctorsPrescription.ts"

interface Doctor {
  readonly organisation_uid: OrganisationUid
  readonly doctor_uid: DoctorUid
}

/** Prescriptions on a patient's card. */
const OF_PATIENT = 20

const isGender = Schema.is(PrescriptionPatient.fields.gender)

const patientOf = ({ patient }: StoredPrescription) => ({
  display_name: [patient.first_name, patient.last_name].filter(Boolean).join(" ") || null,
  date_of_birth:
    patient.date_of_birth === null ? null : new Date(patient.date_of_birth * 1000).toISOString().slice(0, 10)
})

export class DoctorsPrescriptions extends Service<DoctorsPrescriptions>()("prescriptions/DoctorsPrescriptions", {
  effect: Effect.gen(function* () {
    const repo = yield* PrescriptionsRepo
    const prescriptions = yield* Prescriptions
    const patients = yield* PatientRecords
    const { transaction } = yield* Database

    /**
     * Those waiting for the doctor or for any doctor of the organisation, the oldest first; at most 100, fewer if they have many items.
     */
    const waiting = Effect.fn("DoctorsPrescriptions.waiting")(function* ({ organisation_uid, doctor_uid }: Doctor) {
      const found = yield* repo.waitingFor(organisation_uid, doctor_uid, ANSWER_LIMITS.waitingPrescriptions)
      return yield* Effect.forEach(found, (stored) =>
        Effect.map(prescriptions.shown(stored), (prescription) => ({ ...prescription, patient: patientOf(stored) }))
      )
    })

    /** The latest ones of a patient, by whichever doctor, newest first. */
    const ofPatient = Effect.fn("DoctorsPrescriptions.ofPatient")(function* (
      { organisation_uid }: Doctor,
      patient_uid: PatientUid
    ) {
      const { rows } = yield* repo.list(organisation_uid, { patient_uid, page: 0, limit: OF_PATIENT })
      const refs = rows.map(({ uid }) => ({ organisation_uid, prescription_uid: uid }))
      const items = new Map((yield* repo.findAll(refs)).map((stored) => [stored.uid, stored.items]))
      return rows.map(({ uid, status, doctor, created_at }) => ({
        uid,
        status: shownStatus[status],
        doctor,
        created_at,
        items: items.get(uid) ?? []
      }))
    })

    /**
     * Writes a prescription for a patient of the doctor, which then waits for the signature, and returns it. Fails with `PatientNotFound`.
     */
    const write = Effect.fn("DoctorsPrescriptions.write")(function* (
      { organisation_uid, doctor_uid }: Doctor,
      { patient_uid, items }: NewWaitingPrescription
    ) {
      const { shop_uid, profile } = yield* patients.find(organisation_uid, patient_uid)
      const uid = yield* newUid(PrescriptionUid)
      const { first_name = null, last_name = null, date_of_birth, gender } = profile
      const born = typeof date_of_birth === "string" ? midnightOf(date_of_birth) : undefined
      yield* prescriptions.createWaiting({
        uid,
        organisation_uid,
        shop_uid,
        doctor_uid,
        patient: { first_name, last_name, date_of_birth: born ?? null, gender: isGender(gender) ? gender : null },
        items: items.map((item) => ({ ...item, anamnesis_uid: null }))
      })
      yield* repo.assignPatient(organisation_uid, patient_uid, [uid])
      const stored = yield* Effect.orDie(repo.find({ organisation_uid, prescription_uid: uid }))
      return { ...(yield* prescriptions.shown(stored)), patient: patientOf(stored) }
    }, transaction)

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

    return { waiting, ofPatient, write, own } as const
  }),
  dependencies: [PrescriptionsRepo.Default, Prescriptions.Default, PatientRecords.Default]
}) {}
