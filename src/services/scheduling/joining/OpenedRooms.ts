/** The rooms of appointments whose meetings may be in progress. */
import { Effect, Schema } from "effect"
import { AppointmentUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { rowsOf } from "../../database/rows.ts"
import { Sql } from "../../database/Sql.ts"
import { OPENS_BEFORE_START_SECONDS } from "./joinWindow.ts"
import { roomName } from "./rooms.ts"

const Room = Schema.Struct({ uid: AppointmentUid, doctor_uid: Schema.String, room_name: Schema.String })

export class OpenedRooms extends Effect.Service<OpenedRooms>()("scheduling/OpenedRooms", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const rooms = rowsOf(Room)

    /** Of those whose join window has opened: the room, and whether it is the doctor's permanent one (Rule 5.3.3). */
    const of = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      appointments: ReadonlyArray<AppointmentUid>,
      now: number
    ) {
      const opened = yield* rooms.all(sql`SELECT uid, doctor_uid, room_name FROM appointments
        WHERE organisation_uid = ${owner} AND uid = ANY (${[...appointments]})
          AND start_date <= to_timestamp(${now + OPENS_BEFORE_START_SECONDS})`)
      return yield* Effect.forEach(opened, ({ uid, doctor_uid, room_name: room }) =>
        Effect.map(roomName("persistent_per_provider", owner, doctor_uid), (permanent) => ({
          uid,
          room,
          isPermanent: room === permanent
        }))
      )
    })

    return { of } as const
  })
}) {}
