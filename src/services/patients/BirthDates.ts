/** Birth dates lie between 1800, which schemas check, and today in the organisation's zone. Rule 1.6.7. */
import { Effect, Schema } from "effect"
import type { PatientProfile, SentProfile } from "../../schemas/access/PatientProfile.ts"
import { midnightOf } from "../../schemas/birthDate.ts"
import type { OrganisationUid } from "../../schemas/ids.ts"
import { DAY } from "../../schemas/seconds.ts"
import { DomainClock } from "../DomainClock.ts"
import { rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"

export const NOT_BORN = "must not be after today"

export class BirthDates extends Effect.Service<BirthDates>()("patients/BirthDates", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const days = rowsOf(Schema.Struct({ today: Schema.Int }))

    /** Whether somebody can be born on the UTC date of this second. The zone is read only for dates around today. */
    const isPast = Effect.fn("BirthDates.isPast")(function* (owner: OrganisationUid, seconds: number) {
      const midnight = Math.floor(seconds / DAY) * DAY
      const now = yield* clock.now
      if (Math.abs(midnight - now) > 2 * DAY) return midnight < now
      const { today } = yield* days.one(sql`SELECT
          extract(epoch FROM date_trunc('day', to_timestamp(${now}) AT TIME ZONE timezone) AT TIME ZONE 'UTC')::bigint AS today
        FROM organisations WHERE organisation_uid = ${owner}`)
      return midnight <= today
    })

    const isPossible = (owner: OrganisationUid, { date_of_birth }: PatientProfile) => {
      const midnight = typeof date_of_birth === "string" ? midnightOf(date_of_birth) : undefined
      return midnight === undefined ? Effect.succeed(true) : isPast(owner, midnight)
    }

    /** Without a birth date that cannot be used, which is then among the ignored fields. Rule 1.6.5. */
    const usable = Effect.fn("BirthDates.usable")(function* (owner: OrganisationUid, sent: SentProfile) {
      if (yield* isPossible(owner, sent.profile)) return sent
      const { date_of_birth: _, ...profile } = sent.profile
      return { profile, ignored: [...sent.ignored, "date_of_birth"] } satisfies SentProfile
    })

    /** A patient's record without a birth date that cannot be one. */
    const orUnknown = <A extends { readonly date_of_birth: number | null }>(owner: OrganisationUid, patient: A) =>
      patient.date_of_birth === null
        ? Effect.succeed(patient)
        : Effect.map(isPast(owner, patient.date_of_birth), (isBorn) =>
            isBorn ? patient : { ...patient, date_of_birth: null }
          )

    return { isPast, isPossible, orUnknown, usable } as const
  })
}) {}
