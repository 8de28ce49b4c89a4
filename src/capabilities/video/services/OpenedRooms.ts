/** The rooms of appointments whose meetings may be in progress, and who is late for them. */
import { Effect, Schema } from "effect"
import { AppointmentUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { OPENS_BEFORE_START_SECONDS } from "../../../schemas/scheduling/joinWindow.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { nameInRoom } from "../../../services/scheduling/joining/rooms.ts"

const Room = Schema.Struct({ uid: AppointmentUid, room_name: Schema.String })
const Late = Schema.Struct({
  patient_uid: Schema.String,
  patient_display_name: Schema.String,
  seat: Schema.NullOr(Schema.Number),
  minutes: Schema.Number
})

export class OpenedRooms extends Effect.Service<OpenedRooms>()("scheduling/OpenedRooms", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const rooms = rowsOf(Room)
    const late = rowsOf(Late)

    /** Of those whose join window has opened. */
    const of = (owner: OrganisationUid, appointments: ReadonlyArray<AppointmentUid>, now: number) =>
      rooms.all(sql`SELECT uid, room_name FROM appointments
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...appointments]})
          AND start_date <= to_timestamp(${now + OPENS_BEFORE_START_SECONDS})`)

    /** Patients who announced that they will be late, of the room's confirmed appointments that have not ended. */
    const lateIn = Effect.fnUntraced(function* (owner: OrganisationUid, room: string, now: number) {
      const found = yield* late.all(sql`SELECT a.patient_uid, a.seat, a.late_minutes AS minutes,
          trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name')) AS patient_display_name
        FROM appointments a JOIN patients p ON p.organisation_uid = ${owner} AND p.uid = a.patient_uid
        WHERE a.organisation_uid = ${owner} AND a.room_name = ${room} AND a.status = 'confirmed'
          AND a.late_minutes IS NOT NULL AND a.end_date > to_timestamp(${now}) ORDER BY a.start_date LIMIT 20`)
      return found.map((one) => ({ patient_uid: one.patient_uid, minutes: one.minutes, name: nameInRoom(one) }))
    })

    return { of, lateIn } as const
  })
}) {}
