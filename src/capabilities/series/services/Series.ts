/** Series: several appointments of one patient and doctor, booked in one transaction (Rule 4.12). */
import { Data, Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import {
  AppointmentUid,
  type DoctorUid,
  type OrganisationUid,
  type PatientUid,
  SeriesUid
} from "../../../schemas/ids.ts"
import { SlotNotOffered, SlotTaken } from "../../../schemas/scheduling/errors.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Database } from "../../../services/database/Database.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { holderOf } from "../../../services/Idempotency.ts"
import { Service } from "../../../services/Service.ts"
import { Appointments, type Caller } from "../../../services/scheduling/appointments/Appointments.ts"
import type { StoredAppointment } from "../../../services/scheduling/appointments/StoredAppointment.ts"
import type { Booked } from "../../../services/scheduling/booking/BookingRepo.ts"
import { BookingRepo } from "../../../services/scheduling/booking/BookingRepo.ts"
import { DirectBookings } from "../../../services/scheduling/booking/DirectBookings.ts"
import { HoldManager, type RequestedSlot } from "../../../services/scheduling/booking/HoldManager.ts"
import { bookedForm, bookerFor, forKey, KeyHolds } from "../../../services/scheduling/booking/KeyHolds.ts"
import { instantOfWall, spanAt, zoneOf } from "../../../services/scheduling/slots/zones.ts"
import { newUid } from "../../../services/uid.ts"
import { fill } from "../../../texts/fill.ts"
import type { Language } from "../../../texts/language.ts"
import { makeCalendarCache } from "../../shared/services/free/CalendarCache.ts"
import { FirstStarts } from "../../shared/services/free/FirstStarts.ts"
import { SeriesConflict, SeriesNotFound } from "../schemas/errors.ts"
import { type NewSeries, SeriesBooked, type SeriesPlan } from "../schemas/Series.ts"
import { pageTextsOf } from "../texts/page.ts"

/** How far `shift` looks for another start, before and after, seconds. */
const SHIFT = 3 * DAY
const WEEK = 7 * DAY

/** Starts at the wall-clock time of the first, every so many weeks, in the zone. */
export const startsOf = (first: number, count: number, interval_weeks: number, timezone: string): Array<number> => {
  const zone = zoneOf(timezone)
  const wall = first + spanAt(zone, first).offset
  return Array.from({ length: count }, (_, at) =>
    at === 0 ? first : instantOfWall(zone, wall + at * interval_weeks * WEEK)
  )
}

/** Of two equally near starts the earlier. */
export const nearest = (wanted: number, starts: ReadonlyArray<number>): number | undefined =>
  starts.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)[0]

/** Rolls back the transaction of a dry run, and carries what it found. */
class Planned extends Data.TaggedError("Planned")<{ readonly plan: SeriesPlan }> {}

export class Series extends Service<Series>()("scheduling/Series", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const { firstStarts } = yield* FirstStarts
    const holds = yield* HoldManager
    const keys = yield* KeyHolds
    const direct = yield* DirectBookings
    const appointments = yield* Appointments
    const repo = yield* BookingRepo
    const zones = rowsOf(Schema.Struct({ timezone: Schema.String }))
    const members = rowsOf(Schema.Struct({ uid: AppointmentUid, is_ahead: Schema.Boolean }))

    const zoneOfDoctor = (owner: OrganisationUid, doctor: DoctorUid) =>
      Effect.map(
        zones.firstOr(
          sql`SELECT timezone FROM doctors WHERE organisation_uid = ${owner} AND uid = ${doctor}`,
          () => new SlotNotOffered({ field: "start_date" })
        ),
        ({ timezone }) => timezone
      )

    /** Books all starts for the patient; fails with `SeriesConflict` for the first that is not free, if conflicts are to fail. */
    const bookAll = Effect.fnUntraced(function* (
      caller: Caller,
      request: NewSeries,
      doctor_uid: DoctorUid,
      patient_uid: PatientUid
    ) {
      const { organisation_uid } = caller
      const { count, interval_weeks, on_conflict, dry_run, appointment_type_uid, visit_reason, meeting_format } =
        request
      const { over_limit } = request
      const series_uid = yield* newUid(SeriesUid)
      const timezone = yield* zoneOfDoctor(organisation_uid, doctor_uid)
      const booked: Array<Booked> = []
      const skipped: Array<SeriesBooked["skipped"][number]> = []
      const at = (start: number) =>
        holds.book(bookerFor(caller, patient_uid), {
          doctor_uid,
          appointment_type_uid,
          start_date: UnixSeconds.make(start),
          ...(visit_reason !== undefined && { visit_reason }),
          ...(meeting_format !== undefined && { meeting_format }),
          over_limit,
          series_uid
        })
      const shifted = Effect.fnUntraced(function* (start: number) {
        const range = { from: start - SHIFT, to: start + SHIFT + 1 }
        const query = { appointment_type_uid, doctor_uids: [doctor_uid], ...range }
        const free = yield* firstStarts(organisation_uid, query, 10_000, () => true, makeCalendarCache())
        const found = nearest(
          start,
          free.map(({ start_date }) => start_date)
        )
        return found === undefined ? yield* new SlotTaken() : yield* at(found)
      })
      for (const [index, start] of startsOf(request.start_date, count, interval_weeks, timezone).entries()) {
        const start_date = UnixSeconds.make(start)
        if (request.except.includes(start_date)) continue
        const attempt = at(start)
        const done = yield* Effect.either(
          on_conflict === "shift"
            ? Effect.catchIf(
                attempt,
                (error) => error instanceof SlotTaken || error instanceof SlotNotOffered,
                () => shifted(start)
              )
            : attempt
        )
        if (done._tag === "Right") booked.push(done.right)
        else {
          const error = done.left
          const isTaken = error instanceof SlotTaken
          if (!isTaken && !(error instanceof SlotNotOffered)) return yield* error
          if (on_conflict === "fail") return yield* isTaken || index > 0 ? new SeriesConflict({ start_date }) : error
          skipped.push({ start_date, code: isTaken ? "slot_taken" : "slot_not_offered" })
        }
      }
      const found = { appointments: booked.map(bookedForm), skipped }
      return dry_run ? yield* new Planned({ plan: { series_uid: null, ...found } }) : { series_uid, ...found }
    })

    /**
     * Books a series, or plans it. Without a doctor it is the first one, in the order of `freeDoctors`, with whom there is no conflict, else the first who is free
     * at the first start. Fails with `SeriesConflict` where conflicts are to fail, and as `KeyHolds.book` does.
     */
    const book = Effect.fn("Series.book")(function* (caller: Caller, request: NewSeries) {
      const claim = { ...holderOf(caller), answer: SeriesBooked }
      return yield* keys
        .inShop(caller, request.shop_uid, (shop) => {
          const take = ({ doctor_uid }: Pick<RequestedSlot, "doctor_uid">) =>
            Effect.flatMap(keys.patientOf(shop, caller, request), ({ patient_uid }) =>
              bookAll(caller, request, doctor_uid, patient_uid)
            ).pipe(transaction)
          return direct.book(forKey(caller), request, claim, take, (error) => error instanceof SeriesConflict)
        })
        .pipe(Effect.catchTag("Planned", ({ plan }) => Effect.succeed(plan)))
    })

    /** Cancels the appointments that have not begun. Calling it again cancels nothing more. Fails with `SeriesNotFound`. */
    const cancel = Effect.fn("Series.cancel")(function* (
      caller: Caller,
      series_uid: SeriesUid,
      { reason, from = 0 }: { readonly reason: string; readonly from?: number | undefined }
    ) {
      const now = yield* clock.now
      const found = yield* members.all(sql`SELECT uid, status IN ('held', 'confirmed')
            AND start_date > to_timestamp(${now}) AND start_date >= to_timestamp(${from}) AS is_ahead
        FROM appointments WHERE organisation_uid = ${caller.organisation_uid} AND series_uid = ${series_uid}
        ORDER BY start_date, uid`)
      if (found.length === 0) return yield* new SeriesNotFound()
      const ahead = found.filter(({ is_ahead }) => is_ahead).map(({ uid }) => uid)
      return { series_uid, ...(yield* appointments.cancelSome(caller, ahead, reason)) }
    })

    /** The appointments of its series, by start, without those that others have replaced: for an appointment's page. */
    const datesOf = Effect.fn("Series.datesOf")(function* (
      { organisation_uid, uid: own, series_uid }: StoredAppointment,
      language: Language
    ) {
      if (series_uid === null) return []
      const all = yield* repo.bookedTogether(organisation_uid, series_uid, yield* clock.now)
      const replaced = new Set(all.map(({ previous_meeting_uid }) => previous_meeting_uid))
      const shown = all.filter(({ uid, status }) => !replaced.has(uid) && status !== "held" && status !== "expired")
      const at = shown.findIndex(({ uid }) => uid === own)
      if (at === -1) return []
      const texts = pageTextsOf(language)
      const dates = shown.map(({ uid, start_date, status }) => {
        const gone = status === "cancelled"
        return { start_date, gone, note: gone ? texts.cancelled : uid === own ? texts.current : null }
      })
      return [
        { title: fill(texts.one, { number: String(at + 1), count: String(shown.length) }), more: texts.all, dates }
      ]
    })

    return { book, cancel, datesOf } as const
  }),
  dependencies: [
    FirstStarts.Default,
    HoldManager.Default,
    KeyHolds.Default,
    DirectBookings.Default,
    Appointments.Default,
    BookingRepo.Default
  ]
}) {}
