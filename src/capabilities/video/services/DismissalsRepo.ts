/** The repository of dismissals: participants whose meeting a doctor has ended, and when. */
import { Effect, Option, Schema } from "effect"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { withOwner } from "../../../services/tenancy/Tenancy.ts"

export interface Dismissed {
  readonly organisation_uid: OrganisationUid
  readonly appointment_uid: string
  /** A guest's uid, or `patient`. */
  readonly participant: string
}

export class DismissalsRepo extends Effect.Service<DismissalsRepo>()("video/DismissalsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const times = rowsOf(Schema.Struct({ millis: Schema.Number }))

    /** `now` is real time in milliseconds, as in tokens. */
    const note = Effect.fn("DismissalsRepo.note")((dismissed: Dismissed, now: number) =>
      sql`INSERT INTO meeting_dismissals ${sql.insert({
        organisation_uid: dismissed.organisation_uid,
        appointment_uid: dismissed.appointment_uid,
        participant: dismissed.participant,
        dismissed_at: new Date(now)
      })}
        ON CONFLICT (organisation_uid, appointment_uid, participant) DO UPDATE SET dismissed_at = excluded.dismissed_at`.pipe(
        Effect.orDie,
        withOwner(dismissed)
      )
    )

    /** When they were last dismissed, in milliseconds. */
    const latest = Effect.fn("DismissalsRepo.latest")(({ organisation_uid, appointment_uid, participant }: Dismissed) =>
      Effect.map(
        times.first(sql`SELECT (extract(epoch FROM dismissed_at) * 1000)::bigint AS millis FROM meeting_dismissals
          WHERE organisation_uid = ${organisation_uid} AND appointment_uid = ${appointment_uid} AND participant = ${participant}`),
        Option.map(({ millis }) => millis)
      ).pipe(withOwner({ organisation_uid }))
    )

    return { note, latest } as const
  })
}) {}
