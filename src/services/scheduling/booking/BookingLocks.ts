/** Advisory locks that serialise bookings until the transaction ends: first doctors, then the patient. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { DoctorUid, OrganisationUid, PatientUid } from "../../../schemas/ids.ts"
import { rowsOf } from "../../database/rows.ts"

export class BookingLocks extends Effect.Service<BookingLocks>()("scheduling/BookingLocks", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const locks = rowsOf(Schema.Struct({ locked: Schema.Boolean }))

    const lockKey = (name: string) => sql`hashtextextended(${name}, 0)`

    const patientLock = (owner: OrganisationUid, patient: PatientUid) =>
      sql`pg_advisory_xact_lock(${lockKey(`${owner}/patient/${patient}`)})`

    /** Tries the doctor's lock; if it is free, also waits for the lock of `patient`, if any, and returns true. */
    const tryLock = (owner: OrganisationUid, doctor: DoctorUid, patient: PatientUid | null) =>
      Effect.map(
        locks.one(sql`SELECT CASE WHEN pg_try_advisory_xact_lock(${lockKey(`${owner}/${doctor}`)})
            THEN ${patient === null ? sql`true` : sql`${patientLock(owner, patient)} IS NOT NULL`} ELSE false END AS locked`),
        ({ locked }) => locked
      )

    /** Serialises bookings of each doctor. A statement of its own, so that the next one sees what the previous holder committed. */
    const lockDoctors = Effect.fnUntraced(function* (owner: OrganisationUid, doctorUids: ReadonlyArray<DoctorUid>) {
      const names = [...new Set(doctorUids)].sort().map((doctor) => `${owner}/${doctor}`)
      // In this order: rows of `unnest` are returned in the order of the array
      yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(${names}::text[]) name`
    }, Effect.orDie)

    /** Serialises bookings of each patient, since appointments are counted and a session has one hold. Taken after the doctors' locks. */
    const lockPatient = (owner: OrganisationUid, patient: PatientUid) =>
      Effect.asVoid(Effect.orDie(sql`SELECT ${patientLock(owner, patient)}`))

    return { tryLock, lockDoctors, lockPatient } as const
  })
}) {}
