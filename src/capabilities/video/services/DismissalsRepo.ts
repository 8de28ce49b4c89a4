/** The repository of dismissals: patients whose meeting a doctor has ended, and when. */
import { Effect, Option, Schema } from "effect"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { withOwner } from "../../../services/tenancy/Tenancy.ts"
import type { Guest } from "./meetingTokens.ts"

type Dismissed = Pick<Guest, "organisation_uid" | "room" | "id">

export class DismissalsRepo extends Effect.Service<DismissalsRepo>()("meetings/DismissalsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const times = rowsOf(Schema.Struct({ millis: Schema.Number }))

    /** `now` is real time in milliseconds, as in tokens. */
    const note = Effect.fn("DismissalsRepo.note")(({ organisation_uid, room, id }: Dismissed, now: number) =>
      sql`INSERT INTO meeting_dismissals (organisation_uid, room_name, participant_uid, dismissed_at)
        VALUES (${organisation_uid}, ${room}, ${id}, ${new Date(now)})
        ON CONFLICT (organisation_uid, room_name, participant_uid) DO UPDATE SET dismissed_at = excluded.dismissed_at`.pipe(
        Effect.orDie,
        withOwner({ organisation_uid })
      )
    )

    /** When the participant was last dismissed from the room, in milliseconds. */
    const latest = Effect.fn("DismissalsRepo.latest")(({ organisation_uid, room, id }: Dismissed) =>
      Effect.map(
        times.first(sql`SELECT (extract(epoch FROM dismissed_at) * 1000)::bigint AS millis FROM meeting_dismissals
          WHERE organisation_uid = ${organisation_uid} AND room_name = ${room} AND participant_uid = ${id}`),
        Option.map(({ millis }) => millis)
      ).pipe(withOwner({ organisation_uid }))
    )

    return { note, latest } as const
  })
}) {}
