/** Patients who announced that they will be late for an appointment in a room; in a group by their numbers. */
import { Effect, Schema } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { nameInRoom } from "./seats.ts"

const Late = Schema.Struct({
  patient_uid: Schema.String,
  patient_display_name: Schema.String,
  seat: Schema.NullOr(Schema.Number),
  minutes: Schema.Number
})

export class LateArrivals extends Effect.Service<LateArrivals>()("scheduling/LateArrivals", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const late = rowsOf(Late)

    /** Late patients of the room's confirmed appointments that have not ended. */
    const inRoom = Effect.fnUntraced(function* (owner: OrganisationUid, room: string, now: number) {
      const found = yield* late.all(sql`SELECT a.patient_uid, a.seat, a.late_minutes AS minutes,
          trim(concat_ws(' ', p.profile->>'first_name', p.profile->>'last_name')) AS patient_display_name
        FROM appointments a JOIN patients p ON p.organisation_uid = ${owner} AND p.uid = a.patient_uid
        WHERE a.organisation_uid = ${owner} AND a.room_name = ${room} AND a.status = 'confirmed'
          AND a.late_minutes IS NOT NULL AND a.end_date > to_timestamp(${now}) ORDER BY a.start_date LIMIT 20`)
      return found.map((one) => ({ patient_uid: one.patient_uid, minutes: one.minutes, name: nameInRoom(one) }))
    })

    return { inRoom } as const
  })
}) {}
