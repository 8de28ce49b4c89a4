/** A doctor's day: waiting patients, a patient's card, and follow-ups (Rules 8.4.1 to 8.4.3). */
import { Effect, Schema } from "effect"
import { PatientNotFound } from "../../../schemas/access/errors.ts"
import { NOTHING_SENT } from "../../../schemas/access/PatientProfile.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, type DoctorUid, PatientUid } from "../../../schemas/ids.ts"
import type { FollowUp } from "../../../schemas/scheduling/DoctorDay.ts"
import { PatientRecords } from "../../access/PatientRecords.ts"
import { DomainClock } from "../../DomainClock.ts"
import { anyOr, rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { WaitingRooms } from "../../meetings/WaitingRooms.ts"
import { KeyHolds } from "../booking/KeyHolds.ts"
import { CLOSES_AFTER_END_SECONDS, OPENS_BEFORE_START_SECONDS } from "../joining/joinWindow.ts"
import { AppointmentLists } from "./AppointmentLists.ts"
import type { Caller } from "./Appointments.ts"
import { appointmentRows } from "./appointmentRows.ts"

export interface DoctorCaller extends Caller {
  readonly doctor_uid: DoctorUid
}

const Expected = Schema.Struct({ uid: AppointmentUid, patient_uid: PatientUid, room_name: Schema.String })
const VISITS = 50

export class DoctorDay extends Effect.Service<DoctorDay>()("scheduling/DoctorDay", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const rooms = yield* WaitingRooms
    const lists = yield* AppointmentLists
    const patients = yield* PatientRecords
    const holds = yield* KeyHolds
    const expected = rowsOf(Expected)
    const { isFurther } = appointmentRows(sql)

    /** Patients in the waiting rooms of the doctor's appointments whose join window is open, the longest wait first. */
    const waiting = Effect.fn("DoctorDay.waiting")(function* ({ organisation_uid, doctor_uid }: DoctorCaller) {
      const now = yield* clock.now
      const open = yield* expected.all(sql`SELECT uid, patient_uid, room_name FROM appointments a
        WHERE organisation_uid = ${organisation_uid} AND (doctor_uid = ${doctor_uid} OR ${isFurther(doctor_uid)})
          AND status = 'confirmed' AND start_date <= to_timestamp(${now + OPENS_BEFORE_START_SECONDS}) AND end_date >= to_timestamp(${now - CLOSES_AFTER_END_SECONDS})
        ORDER BY start_date, uid COLLATE "C" LIMIT 200`)
      const found = yield* Effect.forEach(open, ({ uid, patient_uid, room_name }) =>
        Effect.map(rooms.waitingSince(room_name, patient_uid), (since) =>
          since === undefined ? [] : [{ appointment_uid: uid, patient_uid, waiting_since: UnixSeconds.make(since) }]
        )
      )
      return found.flat().sort((a, b) => a.waiting_since - b.waiting_since)
    })

    /** Requires a past or future appointment of the patient with the doctor, also as a further one. Fails with `PatientNotFound`. */
    const ensureOwn = ({ organisation_uid: owner, doctor_uid: doctor }: DoctorCaller, patient: PatientUid) =>
      anyOr(
        sql`SELECT 1 FROM appointments a WHERE organisation_uid = ${owner} AND patient_uid = ${patient}
          AND (doctor_uid = ${doctor} OR ${isFurther(doctor)}) AND confirmed_at IS NOT NULL LIMIT 1`,
        () => new PatientNotFound()
      )

    /** The patient's data and visits to the whole practice. Fails with `PatientNotFound`. */
    const card = Effect.fn("DoctorDay.card")(function* (caller: DoctorCaller, patient_uid: PatientUid) {
      const { organisation_uid: owner } = caller
      yield* ensureOwn(caller, patient_uid)
      const { uid, shop_uid, profile } = yield* patients.find(owner, patient_uid)
      const query = { patient_uid, status: "all" as const, from: UnixSeconds.make(0), limit: VISITS }
      const { totalPages } = yield* lists.list(owner, { ...query, page: 0 })
      const { data: visits } = yield* lists.list(owner, { ...query, page: Math.max(0, totalPages - 1) })
      const display_name = [profile.first_name, profile.last_name].filter(Boolean).join(" ")
      const { date_of_birth = null, phone = null, email = null } = profile
      return { uid, shop_uid, display_name, date_of_birth, phone, email, visits }
    })

    /** Books a follow-up for the doctor's own patient. Fails as `KeyHolds.book`. */
    const followUp = Effect.fn("DoctorDay.followUp")(function* (
      caller: DoctorCaller,
      { visit_reason, ...wanted }: FollowUp,
      key: string | undefined
    ) {
      const { organisation_uid: owner, doctor_uid } = caller
      yield* ensureOwn(caller, wanted.patient_uid)
      const { shop_uid } = yield* patients.find(owner, wanted.patient_uid)
      return yield* holds.book(
        caller,
        {
          ...wanted,
          visit_reason,
          doctor_uid,
          shop_uid,
          patient_profile_fields: NOTHING_SENT,
          over_limit: false,
          squeeze_in: false
        },
        key
      )
    })

    return { waiting, ensureOwn, card, followUp } as const
  }),
  dependencies: [
    DomainClock.Default,
    WaitingRooms.Default,
    AppointmentLists.Default,
    PatientRecords.Default,
    KeyHolds.Default
  ]
}) {}
