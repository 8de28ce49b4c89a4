/** Settings of single doctors for appointment types: whether they offer a type, and its notice. */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, DoctorUid, type OrganisationUid } from "../../../schemas/ids.ts"
import type { ListQuery } from "../../../schemas/paging.ts"
import { DoctorSettingNotFound } from "../../../schemas/scheduling/errors.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { changedSince } from "../../../services/database/changedSince.ts"
import { matchingOf } from "../../../services/database/matching.ts"
import { anyOr, columnsOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { Service } from "../../../services/Service.ts"
import { FreedTime } from "../../../services/scheduling/booking/FreedTime.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { DoctorSetting, type DoctorSettingBody } from "../schemas/DoctorSetting.ts"
import type { SettingEntry } from "../schemas/provisionedRecords.ts"

const DoctorWithType = Schema.Struct({
  doctor_uid: DoctorUid,
  doctor_name: Schema.String,
  doctor_specialty: Schema.String,
  doctor_zone: Schema.String,
  type_uid: AppointmentTypeUid,
  type_name: Schema.String,
  type_specialty: Schema.String,
  duration_minutes: Schema.Number,
  seats: Schema.Number,
  /** Every doctor offers the type, or this one has a setting for it. */
  related: Schema.Boolean,
  /** The doctor can be booked for the type. */
  active: Schema.Boolean,
  updated_at: UnixSeconds,
  deleted: Schema.Boolean
})
export type DoctorWithType = typeof DoctorWithType.Type

export class DoctorSettings extends Service<DoctorSettings>()("scheduling/DoctorSettings", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const freed = yield* FreedTime
    const settings = rowsOf(DoctorSetting)
    const columns = sql.literal(columnsOf(DoctorSetting, "s"))

    const upsert = (owner: OrganisationUid, setting: SettingEntry) =>
      Effect.flatMap(clock.now, (now) => {
        const row = { organisation_uid: owner, ...setting, updated_at: timestamp(now) }
        return sql`INSERT INTO doctor_appointment_type_settings AS s ${sql.insert(row)}
          ON CONFLICT (organisation_uid, doctor_uid, appointment_type_uid) DO UPDATE
          SET active = excluded.active, booking_min_notice_minutes = excluded.booking_min_notice_minutes,
            updated_at = excluded.updated_at
          RETURNING ${columns}`
      })

    /** Creates or replaces a setting of a provisioning file. */
    const provision = Effect.fn("DoctorSettings.provision")(upsert)

    /** The doctor's settings for every type that is not deleted. Fails with `DoctorNotFound`. */
    const list = Effect.fn("DoctorSettings.list")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      query: ListQuery
    ) {
      yield* doctors.ensure(owner, doctor)
      const where = sql`s.organisation_uid = ${owner} AND s.doctor_uid = ${doctor} AND t.deleted_at IS NULL`
      return yield* settings.all(sql`SELECT ${columns} FROM doctor_appointment_type_settings s
        JOIN appointment_types t ON t.organisation_uid = ${owner} AND t.uid = s.appointment_type_uid
        WHERE ${sql.and([where, ...changedSince(sql, query, "s.updated_at")])}
        ORDER BY s.appointment_type_uid`)
    })

    /** Pairs of a doctor and a type that fit a condition, deleted ones too, by their uids. */
    const matching = matchingOf(sql, DoctorWithType, {
      fields: {
        doctor_uid: sql`d.uid`,
        doctor_name: sql`d.display_name`,
        doctor_specialty: sql`d.specialty_code`,
        doctor_zone: sql`d.timezone`,
        type_uid: sql`t.uid`,
        type_name: sql`t.name`,
        type_specialty: sql`t.specialty_code`,
        duration_minutes: sql`t.duration_minutes`,
        seats: sql`t.seats`,
        related: sql`(t.doctor_assignment_mode = 'all_available_doctors' OR s.doctor_uid IS NOT NULL)`,
        active: sql`(t.active AND d.deleted_at IS NULL AND t.deleted_at IS NULL
          AND coalesce(s.active, t.doctor_assignment_mode = 'all_available_doctors'))`,
        updated_at: sql`greatest(d.updated_at, t.updated_at)`,
        deleted: sql`(d.deleted_at IS NOT NULL OR t.deleted_at IS NOT NULL)`
      },
      from: (owner) => sql`FROM doctors d JOIN appointment_types t ON t.organisation_uid = ${owner}
        LEFT JOIN doctor_appointment_type_settings s
          ON s.organisation_uid = ${owner} AND s.doctor_uid = d.uid AND s.appointment_type_uid = t.uid
        WHERE d.organisation_uid = ${owner}`,
      key: [
        ["doctor_uid", sql`d.uid`],
        ["type_uid", sql`t.uid`]
      ]
    })

    /** The setting, which stays as it is until the transaction ends: the doctor's row is locked. Fails with `DoctorNotFound`. */
    const findForChange = Effect.fn("DoctorSettings.findForChange")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      type: AppointmentTypeUid
    ) {
      yield* doctors.findForChange(owner, doctor)
      return yield* settings.first(sql`SELECT ${columns} FROM doctor_appointment_type_settings s
        WHERE s.organisation_uid = ${owner} AND s.doctor_uid = ${doctor} AND s.appointment_type_uid = ${type}`)
    })

    /** Creates or replaces the whole setting. Fails with `DoctorNotFound` or `AppointmentTypeNotFound`. */
    const put = Effect.fn("DoctorSettings.put")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      type: AppointmentTypeUid,
      setting: DoctorSettingBody
    ) {
      yield* doctors.ensure(owner, doctor)
      yield* types.ensure(owner, type)
      return yield* settings.one(upsert(owner, { doctor_uid: doctor, appointment_type_uid: type, ...setting }))
    })

    /** Fails with `DoctorNotFound`, `AppointmentTypeNotFound` or `DoctorSettingNotFound`. */
    const remove = Effect.fn("DoctorSettings.remove")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      type: AppointmentTypeUid
    ) {
      yield* doctors.ensure(owner, doctor)
      yield* types.ensure(owner, type)
      yield* anyOr(
        sql`DELETE FROM doctor_appointment_type_settings WHERE organisation_uid = ${owner}
          AND doctor_uid = ${doctor} AND appointment_type_uid = ${type} RETURNING doctor_uid`,
        () => new DoctorSettingNotFound()
      )
    })
    /** A change may open time. */
    const offering = freed.offering((doctor: DoctorUid) => [doctor])
    return { list, matching, findForChange, put: offering(put), provision, remove: offering(remove) } as const
  }),
  dependencies: [Doctors.Default, AppointmentTypes.Default, FreedTime.Default]
}) {}
