/** The weeks of a range, for figures by week. */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import type { OrganisationUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import { WEEK } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { WEEKS_MAX, type WeeksQuery } from "../schemas/Weeks.ts"

/** Before the present one, by default. */
const WEEKS = 12

export class Weeks extends Effect.Service<Weeks>()("scheduling/Weeks", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const weeks = rowsOf(Schema.Struct({ week: UnixSeconds }))

    const zone = (owner: OrganisationUid) => sql`(SELECT timezone FROM organisations WHERE organisation_uid = ${owner})`

    /** Mondays of the weeks, and the one after them. */
    const mondays = (owner: OrganisationUid, from: number, to: number) =>
      Effect.map(
        weeks.all(sql`SELECT extract(epoch FROM monday AT TIME ZONE z.zone)::bigint AS week
          FROM (SELECT ${zone(owner)} AS zone) z,
            generate_series(date_trunc('week', to_timestamp(${from}) AT TIME ZONE z.zone),
              date_trunc('week', to_timestamp(${to}) AT TIME ZONE z.zone) + interval '1 week', interval '1 week') monday
          ORDER BY monday`),
        (rows) => rows.map(({ week }) => week)
      )

    /** The weeks of a query, and the Mondays between which they lie. Fails with `Invalid` for more than 60. */
    const weeksOf = Effect.fnUntraced(function* (owner: OrganisationUid, query: WeeksQuery) {
      const now = yield* clock.now
      const { from = Math.max(0, now - WEEKS * WEEK), to = now } = query
      if (to < from) return yield* invalid("to", "must not be before from")
      if (to - from > WEEKS_MAX * WEEK) return yield* invalid("to", `must be within ${WEEKS_MAX} weeks of from`)
      return yield* mondays(owner, from, to)
    })

    return { weeksOf, zone } as const
  })
}) {}
