/** A doctor's day: waiting patients, a patient's card, and follow-ups (Rules 8.4.1 to 8.4.3). */

import { Effect, Schema } from "effect"
import type { Patient } from "../../../../schemas/access/Patient.ts"
import { NOTHING_SENT } from "../../../../schemas/access/PatientProfile.ts"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { AppointmentUid, type DoctorUid, PatientUid } from "../../../../schemas/ids.ts"
import { CLOSES_AFTER_END_SECONDS, OPENS_BEFORE_START_SECONDS } from "../../../../schemas/scheduling/joinWindow.ts"
import { MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { Database } from "../../../../services/database/Database.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { Extensions } from "../../../../services/Extensions.ts"
import { EventLog } from "../../../../services/events/EventLog.ts"
import { Service } from "../../../../services/Service.ts"
import { AppointmentLists } from "../../../../services/scheduling/appointments/AppointmentLists.ts"
import type { Caller } from "../../../../services/scheduling/appointments/Appointments.ts"
import { appointmentRows } from "../../../../services/scheduling/appointments/appointmentRows.ts"
import { publicAppointment } from "../../../../services/scheduling/appointments/StoredAppointment.ts"
import { BookingRepo } from "../../../../services/scheduling/booking/BookingRepo.ts"
import { KeyHolds } from "../../../../services/scheduling/booking/KeyHolds.ts"
import { announceLate, presenceOf } from "../../../shared/services/addedExtension.ts"
import { PatientRecords } from "../../../shared/services/patients/PatientRecords.ts"
import { type Delay, type FollowUp, OWN_PATIENTS_MAX, type OwnPatientQuery } from "../../schemas/DoctorDay.ts"

export interface DoctorCaller extends Caller {
  readonly doctor_uid: DoctorUid
}

const Expected = Schema.Struct({ uid: AppointmentUid, patient_uid: PatientUid, room_name: Schema.String })
const VISITS = 50

const personOf = ({ uid, profile }: Pick<Patient, "uid" | "profile">) => {
  const { date_of_birth = null, phone = null, email = null } = profile
  const display_name = [profile.first_name, profile.last_name].filter(Boolean).join(" ")
  return { uid, display_name, date_of_birth, phone, email }
}

export class DoctorDay extends Service<DoctorDay>()("scheduling/DoctorDay", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const extensions = yield* Extensions
    const lists = yield* AppointmentLists
    const patients = yield* PatientRecords
    const holds = yield* KeyHolds
    const { transaction } = yield* Database
    const repo = yield* BookingRepo
    const events = yield* EventLog
    const expected = rowsOf(Expected)
    const { isFurther } = appointmentRows(sql)

    /** Patients who wait for the doctor's appointments whose join window is open, the longest wait first. */
    const waiting = Effect.fn("DoctorDay.waiting")(function* ({ organisation_uid, doctor_uid }: DoctorCaller) {
      const now = yield* clock.now
      const open = yield* expected.all(sql`SELECT uid, patient_uid, room_name FROM appointments a
        WHERE organisation_uid = ${organisation_uid} AND (doctor_uid = ${doctor_uid} OR ${isFurther(doctor_uid)})
          AND status = 'confirmed' AND start_date <= to_timestamp(${now + OPENS_BEFORE_START_SECONDS}) AND end_date >= to_timestamp(${now - CLOSES_AFTER_END_SECONDS})
        ORDER BY start_date, uid COLLATE "C" LIMIT 200`)
      const { waitingSince } = yield* presenceOf(extensions)
      const found = yield* Effect.forEach(open, ({ uid, patient_uid, room_name }) =>
        Effect.map(waitingSince(room_name, patient_uid), (since) =>
          since === undefined ? [] : [{ appointment_uid: uid, patient_uid, waiting_since: UnixSeconds.make(since) }]
        )
      )
      return found.flat().sort((a, b) => a.waiting_since - b.waiting_since)
    })

    /** The patient's data and visits to the whole practice. Fails with `PatientNotFound`. */
    const card = Effect.fn("DoctorDay.card")(function* (caller: DoctorCaller, patient_uid: PatientUid) {
      const { organisation_uid: owner } = caller
      yield* lists.ensureOwnPatient(caller, patient_uid)
      const { uid, shop_uid, profile } = yield* patients.find(owner, patient_uid)
      const query = { patient_uid, status: "all" as const, from: UnixSeconds.make(0), limit: VISITS }
      const first = yield* lists.list(owner, { ...query, page: 0 })
      const later = [first.totalPages - 2, first.totalPages - 1].filter((page) => page > 0)
      const pages = yield* Effect.forEach(later, (page) => lists.list(owner, { ...query, page }))
      // the last page may have a single one
      const visits = [first, ...pages].flatMap(({ data }) => data).slice(-VISITS)
      return { ...personOf({ uid, profile }), shop_uid, visits, profile }
    })

    /** The doctor's patients whom the search fits, those added last first; at most 50. */
    const search = Effect.fn("DoctorDay.search")(function* (
      { organisation_uid: owner, doctor_uid: seen_by }: DoctorCaller,
      wanted: OwnPatientQuery
    ) {
      const { data } = yield* patients.list(owner, { ...wanted, seen_by, page: 0, limit: OWN_PATIENTS_MAX })
      return data.map(personOf)
    })

    /** Books a follow-up for the doctor's own patient. Fails as `KeyHolds.book`. */
    const followUp = Effect.fn("DoctorDay.followUp")(function* (
      caller: DoctorCaller,
      { visit_reason, ...wanted }: FollowUp
    ) {
      const { organisation_uid: owner, doctor_uid } = caller
      yield* lists.ensureOwnPatient(caller, wanted.patient_uid)
      const { shop_uid } = yield* patients.find(owner, wanted.patient_uid)
      return yield* holds.book(caller, {
        ...wanted,
        visit_reason,
        doctor_uid,
        shop_uid,
        patient_profile_fields: NOTHING_SENT,
        over_limit: false,
        squeeze_in: false
      })
    })

    /**
     * Announces to the patients of the next appointments, and to those who wait, that the doctor is late: by an event each, on their pages and
     * where they wait. Returns the appointments to which that is new; with 0 minutes it is taken back without events.
     */
    const late = Effect.fn("DoctorDay.late")(function* (caller: DoctorCaller, { minutes, within_minutes }: Delay) {
      const { organisation_uid, doctor_uid, actor } = caller
      const here = yield* waiting(caller)
      const now = yield* clock.now
      const told = yield* repo.announceDoctorLate(
        organisation_uid,
        doctor_uid,
        {
          minutes: minutes === 0 ? null : minutes,
          until: now + within_minutes * MINUTE,
          waiting: here.map(({ appointment_uid }) => appointment_uid)
        },
        now
      )
      if (minutes > 0) {
        yield* events.appendAll(
          told.map((one) => ({
            organisation_uid,
            type: "scheduling.doctor_late" as const,
            subject: one.uid,
            data: { appointment: publicAppointment(one), minutes, actor }
          }))
        )
        const inRooms = new Map(told.map((one) => [one.room_name, one.doctor_display_name]))
        for (const [room_name, name] of inRooms)
          yield* announceLate(extensions, { room_name, by: "doctor", uid: doctor_uid, name, minutes })
      }
      return told.map(publicAppointment)
    }, transaction)

    return { waiting, card, search, followUp, late } as const
  }),
  dependencies: [AppointmentLists.Default, PatientRecords.Default, KeyHolds.Default, BookingRepo.Default]
}) {}
