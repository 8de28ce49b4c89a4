/** Patients who announced that they will be late for an appointment in a room; in a group by their numbers. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, AppointmentUid, DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import { rowsOf } from "../../database/rows.ts"
import { Seats } from "./Seats.ts"

const Late = Schema.Struct({
  organisation_uid: OrganisationUid,
  uid: AppointmentUid,
  doctor_uid: DoctorUid,
  appointment_type_uid: Schema.NullOr(AppointmentTypeUid),
  start_date: UnixSeconds,
  patient_uid: Schema.String,
  patient_display_name: Schema.String,
  minutes: Schema.Number
})

export class LateArrivals extends Effect.Service<LateArrivals>()("scheduling/LateArrivals", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const late = rowsOf(Late)
    const seats = yield* Seats

    /** Late patients of the room's confirmed appointments that have not ended. */
    const inRoom = Effect.fnUntraced(function* (owner: OrganisationUid, room: string, now: number) {
      const found =
        yield* late.all(sql`SELECT a.organisation_uid, a.uid, a.doctor_uid, a.appointment_type_uid, a.start_date,
          a.patient_uid, a.late_minutes AS minutes,
          trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name')) AS patient_display_name
        FROM appointments a JOIN patients p ON p.organisation_uid = ${owner} AND p.uid = a.patient_uid
        WHERE a.organisation_uid = ${owner} AND a.room_name = ${room} AND a.status = 'confirmed'
          AND a.late_minutes IS NOT NULL AND a.end_date > to_timestamp(${now}) ORDER BY a.start_date LIMIT 20`)
      return yield* Effect.forEach(found, (one) =>
        Effect.map(seats.nameOf(one), ({ name }) => ({ patient_uid: one.patient_uid, minutes: one.minutes, name }))
      )
    })

    return { inRoom } as const
  }),
  dependencies: [Seats.Default]
}) {}
