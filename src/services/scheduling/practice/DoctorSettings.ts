/** What single doctors make of appointment types: whether they give them, and with which notice. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { AppointmentTypeUid, DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { NotFound } from "../../../schemas/problems.ts"
import type { DoctorSetting, DoctorSettingBody } from "../../../schemas/scheduling/DoctorSetting.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { Doctors } from "./Doctors.ts"

export class DoctorSettings extends Effect.Service<DoctorSettings>()("scheduling/DoctorSettings", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const columns = sql`s.doctor_uid, s.appointment_type_uid, s.active, s.booking_min_notice_minutes`

    /** The doctor's settings for every type that is not deleted. 404: no such doctor. */
    const list = Effect.fn("DoctorSettings.list")(function* (owner: OrganisationUid, doctor: DoctorUid) {
      yield* doctors.ensure(owner, doctor)
      return yield* sql<DoctorSetting>`SELECT ${columns} FROM doctor_appointment_type_settings s
        JOIN appointment_types t ON t.organisation_uid = s.organisation_uid AND t.uid = s.appointment_type_uid
        WHERE s.organisation_uid = ${owner} AND s.doctor_uid = ${doctor} AND t.deleted_at IS NULL
        ORDER BY s.appointment_type_uid`.pipe(Effect.orDie)
    })

    /** Puts the setting as a whole, new or in place of the one there is. 404: no such doctor or appointment type. */
    const put = Effect.fn("DoctorSettings.put")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      type: AppointmentTypeUid,
      setting: DoctorSettingBody
    ) {
      yield* doctors.ensure(owner, doctor)
      yield* types.ensure(owner, type)
      const row = { organisation_uid: owner, doctor_uid: doctor, appointment_type_uid: type, ...setting }
      const [stored] = yield* sql<DoctorSetting>`INSERT INTO doctor_appointment_type_settings AS s ${sql.insert(row)}
        ON CONFLICT (organisation_uid, doctor_uid, appointment_type_uid) DO UPDATE
        SET active = excluded.active, booking_min_notice_minutes = excluded.booking_min_notice_minutes
        RETURNING ${columns}`.pipe(Effect.orDie)
      return stored ?? (yield* Effect.dieMessage("an insert returns its row"))
    })

    /** 404: no such doctor or appointment type, or no setting for the two. */
    const remove = Effect.fn("DoctorSettings.remove")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      type: AppointmentTypeUid
    ) {
      yield* doctors.ensure(owner, doctor)
      yield* types.ensure(owner, type)
      const removed = yield* sql`DELETE FROM doctor_appointment_type_settings WHERE organisation_uid = ${owner}
        AND doctor_uid = ${doctor} AND appointment_type_uid = ${type} RETURNING doctor_uid`.pipe(Effect.orDie)
      if (removed.length === 0) return yield* new NotFound({ what: "Doctor-specific setting" })
    })
    return { list, put, remove } as const
  }),
  dependencies: [Doctors.Default, AppointmentTypes.Default]
}) {}
