/** The secret URL of a doctor's calendar feed, one each, and its entries: times, no patients (Rules 8.4.7 and 8.4.8). */
import { Effect, Option, Schema } from "effect"
import { Settings } from "../../../../config.ts"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { AppointmentUid, DoctorUid, OrganisationUid } from "../../../../schemas/ids.ts"
import { MeetingFormat } from "../../../../schemas/scheduling/AppointmentType.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { Database } from "../../../../services/database/Database.ts"
import { anyOr, rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { timestamp } from "../../../../services/database/SqlErrors.ts"
import { ANSWER_LIMITS } from "../../../../services/recordLimits.ts"
import { Service } from "../../../../services/Service.ts"
import { appointmentRows } from "../../../../services/scheduling/appointments/appointmentRows.ts"
import { OwnerByKey, tagKey } from "../../../../services/tenancy/OwnerByKey.ts"
import { enter } from "../../../../services/tenancy/Tenancy.ts"
import { hashOf, newCodeOf } from "../../../../services/uid.ts"
import { CalendarFeedNotFound } from "../../schemas/errors.ts"

export const FEEDS_PATH = "/v1/calendar-feeds"

/** Seconds before and after now that a feed covers. */
const BACK = 31 * DAY
const AHEAD = 366 * DAY

interface Owner {
  readonly organisation_uid: OrganisationUid
  readonly doctor_uid: DoctorUid
}

const Made = Schema.Struct({ created_at: UnixSeconds })
const Feed = Schema.Struct({ organisation_uid: OrganisationUid, doctor_uid: DoctorUid })

/** A feed's entry for an appointment. */
const Entry = Schema.Struct({
  uid: AppointmentUid,
  slot_group: AppointmentUid,
  start_date: UnixSeconds,
  end_date: UnixSeconds,
  appointment_type_name: Schema.NullOr(Schema.String),
  meeting_format: MeetingFormat
})

export class CalendarFeeds extends Service<CalendarFeeds>()("scheduling/CalendarFeeds", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const { baseUrl } = yield* Settings
    const clock = yield* DomainClock
    const owners = yield* OwnerByKey
    const made = rowsOf(Made)
    const feeds = rowsOf(Feed)
    const entries = rowsOf(Entry)
    const { isFurther } = appointmentRows(sql)

    const of = ({ organisation_uid, doctor_uid }: Owner) =>
      sql`organisation_uid = ${organisation_uid} AND doctor_uid = ${doctor_uid}`

    /** When the doctor's feed was created; null without one. */
    const find = Effect.fn("CalendarFeeds.find")(function* (owner: Owner) {
      const found = yield* made.first(sql`SELECT created_at FROM calendar_feeds WHERE ${of(owner)}`)
      return { created_at: Option.getOrNull(Option.map(found, ({ created_at }) => created_at)) }
    })

    /** Creates the doctor's feed; revokes an earlier one. */
    const create = Effect.fn("CalendarFeeds.create")(function* ({ organisation_uid, doctor_uid }: Owner) {
      const now = yield* clock.now
      const code = yield* newCodeOf("cal", organisation_uid)
      const row = { organisation_uid, doctor_uid, code_hash: hashOf(code), created_at: timestamp(now) }
      yield* Effect.orDie(sql`INSERT INTO calendar_feeds ${sql.insert(row)}
        ON CONFLICT (organisation_uid, doctor_uid)
          DO UPDATE SET code_hash = excluded.code_hash, created_at = excluded.created_at`)
      return { url: `${baseUrl}${FEEDS_PATH}/${code}`, created_at: UnixSeconds.make(now) }
    }, transaction)

    /** Fails with `CalendarFeedNotFound` if there is none. */
    const revoke = Effect.fn("CalendarFeeds.revoke")((owner: Owner) =>
      anyOr(sql`DELETE FROM calendar_feeds WHERE ${of(owner)} RETURNING doctor_uid`, () => new CalendarFeedNotFound())
    )

    /** The doctor's confirmed appointments, also as a further one, by start. Fails with `CalendarFeedNotFound` for a code that is revoked or unknown. */
    const read = Effect.fn("CalendarFeeds.read")(function* (code: string) {
      const unknown = () => new CalendarFeedNotFound()
      const { organisation_uid, doctor_uid } = yield* owners.within(tagKey(code), unknown, (owner) =>
        feeds.firstOr(
          sql`SELECT f.organisation_uid, f.doctor_uid FROM calendar_feeds f
            JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = f.doctor_uid AND d.deleted_at IS NULL
            WHERE f.organisation_uid = ${owner} AND f.code_hash = ${hashOf(code)}`,
          unknown
        )
      )
      yield* enter({ organisation_uid, actor: { kind: "doctor", uid: doctor_uid } })
      const now = yield* clock.now
      const found = yield* entries.all(sql`SELECT a.uid, a.slot_group, a.start_date, a.end_date,
          t.name AS appointment_type_name, a.meeting_format
        FROM appointments a LEFT JOIN appointment_types t
          ON t.organisation_uid = ${organisation_uid} AND t.uid = a.appointment_type_uid
        WHERE a.organisation_uid = ${organisation_uid} AND (a.doctor_uid = ${doctor_uid} OR ${isFurther(doctor_uid)})
          AND a.status = 'confirmed'
          AND a.start_date >= to_timestamp(${now - BACK}) AND a.start_date < to_timestamp(${now + AHEAD})
        ORDER BY a.start_date, a.uid COLLATE "C" LIMIT ${ANSWER_LIMITS.feedEntries}`)
      return { now, entries: found }
    })

    return { find, create, revoke, read } as const
  }),
  dependencies: [OwnerByKey.Default]
}) {}
