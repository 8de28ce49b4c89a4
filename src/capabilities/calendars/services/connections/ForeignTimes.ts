/** Times of entries that others have made in doctors' calendars, without their titles; the only writer of its table. Rule 3.15.3. */
import { Effect, Schema } from "effect"
import type { DoctorUid } from "../../../../schemas/ids.ts"
import { done, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { Service } from "../../../../services/Service.ts"
import { TakenTime } from "../../../shared/services/TakenTime.ts"
import { joined } from "../ics/ranges.ts"
import type { ReadEntry } from "./CalendarProviders.ts"
import { type ConnectionKey, ofConnection } from "./ConnectionsRepo.ts"

/** Kind of taken time. */
const CONNECTION = "connected_calendar"
const Range = Schema.Struct({ start: Schema.Number, end: Schema.Number })

export class ForeignTimes extends Service<ForeignTimes>()("calendars/ForeignTimes", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const taken = yield* TakenTime
    const ranges = rowsOf(Range)
    const timesOf = ofConnection(sql)

    /** The doctor is busy at what is known of the connection's calendars. */
    const take = Effect.fnUntraced(function* (key: ConnectionKey, doctor: DoctorUid) {
      const times = yield* ranges.all(
        sql`SELECT start_date AS start, end_date AS "end" FROM connected_times WHERE ${timesOf(key)}`
      )
      yield* taken.put({ ...key, kind: CONNECTION }, doctor, joined(times))
    })

    /** Replaces what was known of these entries of a calendar, or of all, by those that are busy. */
    const put = Effect.fnUntraced(function* (
      key: ConnectionKey,
      calendar: string,
      entries: ReadonlyArray<ReadEntry>,
      isWhole: boolean
    ) {
      const named = isWhole ? sql`true` : sql`entry_id = ANY (${entries.map(({ id }) => id)}::text[])`
      yield* done(sql`DELETE FROM connected_times WHERE ${timesOf(key)} AND calendar_id = ${calendar} AND ${named}`)
      const busy = entries.filter(({ isGone, isBlocking, start, end }) => !isGone && isBlocking && end > start)
      if (busy.length === 0) return
      yield* done(sql`INSERT INTO connected_times (organisation_uid, connection_uid, calendar_id, entry_id, start_date, end_date)
        SELECT ${key.organisation_uid}, ${key.uid}, ${calendar}, t.id, t.start_date, t.end_date FROM unnest(${busy.map(({ id }) => id)}::text[],
          ${busy.map(({ start }) => start)}::bigint[], ${busy.map(({ end }) => end)}::bigint[]) t (id, start_date, end_date)
        ON CONFLICT DO NOTHING`)
    })

    /** Nothing is known any more of other calendars of the connection than these. */
    const keepOnly = (key: ConnectionKey, calendars: ReadonlyArray<string>) =>
      done(sql`DELETE FROM connected_times WHERE ${timesOf(key)} AND calendar_id <> ALL (${[...calendars]}::text[])`)
    return { take, put, keepOnly } as const
  }),
  dependencies: [TakenTime.Default]
}) {}
