/** Previews the effects of a change of a doctor's date overrides. Read-only and without locks (Rule 7.6.6). */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, AppointmentUid, type DoctorUid, type OrganisationUid } from "../../../schemas/ids.ts"
import { invalid } from "../../../schemas/problems.ts"
import type { DateOverrideEffects, DateOverridePreview } from "../../../schemas/scheduling/DateOverride.ts"
import { DateOverrideNotFound } from "../../../schemas/scheduling/errors.ts"
import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { rowsOf } from "../../database/rows.ts"
import { inChunks } from "../../eventLoop.ts"
import { CalendarsRepo } from "../booking/Calendars.ts"
import type { BookableType, DateOverride, DoctorCalendar, Range } from "../slots/calendar.ts"
import { cutWithVisits } from "../slots/cut.ts"
import { isWithinHours } from "../slots/offered.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { DateOverridesRepo, isDisplaced } from "./DateOverridesRepo.ts"
import { Doctors } from "./Doctors.ts"

/** A range that contains the date in every zone. */
const around = (date: number) => ({ from: date - DAY, to: date + 2 * DAY })

const Booked = Schema.Struct({
  uid: AppointmentUid,
  appointment_type_uid: Schema.NullOr(AppointmentTypeUid),
  start_date: UnixSeconds,
  end_date: UnixSeconds
})
type Booked = typeof Booked.Type

interface Start {
  readonly appointment_type_uid: AppointmentTypeUid
  readonly start_date: UnixSeconds
}
/** The doctor's calendar for a type around a date. */
interface Read {
  readonly type: BookableType & { readonly uid: AppointmentTypeUid }
  readonly calendar: DoctorCalendar
  readonly range: Range
}
/** The calendar if `there` were all overrides of the dates. */
const calendarWith = (
  { type, calendar }: Read,
  dates: ReadonlyArray<number>,
  there: ReadonlyArray<DateOverride>
): DoctorCalendar => ({
  ...calendar,
  overrides: [
    ...calendar.overrides.filter(({ date }) => !dates.includes(date)),
    ...there.filter((one) => one.appointment_type_uid === null || one.appointment_type_uid === type.uid)
  ]
})

/** Starts by type, without duplicates across dates. */
type Starts = Map<string, Start>

/** Adds the type's starts that are not in `others`. */
const addMissing = (
  to: Starts,
  { type: { uid } }: Read,
  some: ReadonlyArray<number>,
  others: ReadonlyArray<number>
) => {
  const known = new Set(others)
  for (const start of some)
    if (!known.has(start))
      to.set(`${uid} ${start}`, { appointment_type_uid: uid, start_date: UnixSeconds.make(start, true) })
}

/** Starts visited, for all types, between yields to the event loop. */
const VISITS_PER_TURN = 30_000
/** Maximum starts in a preview, of those that appear and of those that disappear. */
const STARTS_MAX = 50_000

/** The free starts that appear and disappear, date by date and type by type. */
const differences = Effect.fnUntraced(function* (
  reads: ReadonlyArray<Read>,
  dates: ReadonlyArray<number>,
  before: ReadonlyArray<DateOverride>,
  after: ReadonlyArray<DateOverride>
) {
  const appearing: Starts = new Map()
  const disappearing: Starts = new Map()
  const isAboveLimit = () => Math.max(appearing.size, disappearing.size) > STARTS_MAX
  yield* inChunks(reads.length, VISITS_PER_TURN, (at) => {
    let visits = 0
    for (const read of isAboveLimit() ? [] : reads.slice(at, at + 1)) {
      const [was, becomes] = [before, after].map((there) =>
        cutWithVisits(calendarWith(read, dates, there), read.type, read.range)
      )
      if (was === undefined || becomes === undefined) continue
      addMissing(appearing, read, becomes.starts, was.starts)
      addMissing(disappearing, read, was.starts, becomes.starts)
      visits += was.visits + becomes.visits
    }
    return visits
  })
  if (isAboveLimit()) return yield* invalid("override", `changes more than ${STARTS_MAX} times of all types together`)
  return { appearing: [...appearing.values()], disappearing: [...disappearing.values()] }
})

/** The doctor's hours by type. A calendar has the rules of the weekdays around its date only: those of all dates are joined. */
const hoursWith = (
  reads: ReadonlyArray<Read>,
  dates: ReadonlyArray<number>,
  there: ReadonlyArray<DateOverride>
): ReadonlyMap<string, DoctorCalendar> => {
  const hours = new Map<string, DoctorCalendar>()
  for (const read of reads) {
    const calendar = calendarWith(read, dates, there)
    const before = hours.get(read.type.uid)
    hours.set(read.type.uid, {
      ...calendar,
      rules: [...(before?.rules ?? []), ...calendar.rules],
      overrides: [...(before?.overrides ?? []), ...calendar.overrides]
    })
  }
  return hours
}

/** The overrides of the dates after the change. */
const changed = (
  stored: ReadonlyArray<DateOverride & { readonly uid: string }>,
  { override, override_uid }: DateOverridePreview
): ReadonlyArray<DateOverride> => {
  const others = stored.filter(({ uid }) => uid !== override_uid)
  return override === undefined ? others : [...others.filter((one) => !isDisplaced(one, override)), override]
}

const isInside = (
  hours: ReadonlyMap<string, DoctorCalendar>,
  { appointment_type_uid, start_date, end_date }: Booked
) => {
  const [any] = hours.values()
  const own = (appointment_type_uid === null ? undefined : hours.get(appointment_type_uid)) ?? any
  return own !== undefined && isWithinHours(own, appointment_type_uid, start_date, end_date)
}

/** Maximum types considered: each is a statement of its own. */
const TYPES_MAX = 100

export class OverridePreviews extends Effect.Service<OverridePreviews>()("scheduling/OverridePreviews", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const calendars = yield* CalendarsRepo
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const overrides = yield* DateOverridesRepo
    const appointments = rowsOf(Booked)

    /** Empty if the type was deactivated concurrently, or the doctor does not offer it. `buffer` in seconds. */
    const readOne = (
      owner: OrganisationUid,
      doctor: DoctorUid,
      uid: AppointmentTypeUid,
      range: Range,
      buffer: number
    ): Effect.Effect<ReadonlyArray<Read>> =>
      calendars
        .read({
          owner: { organisation_uid: owner },
          appointment_type_uid: uid,
          doctor_uids: [doctor],
          from: range.from - buffer,
          to: range.to + buffer,
          now: range.now
        })
        .pipe(
          Effect.map(({ type, doctors }) => doctors.map((calendar) => ({ type, calendar, range }))),
          Effect.catchTag("BookableTypeNotFound", () => Effect.succeed([]))
        )

    const read = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      dates: ReadonlyArray<number>,
      { override }: DateOverridePreview,
      now: number
    ) {
      const active = (yield* types.list(owner, {})).filter((type) => type.active)
      const buffer = (override?.buffer_minutes ?? 0) * MINUTE
      const reads = yield* Effect.forEach(active.slice(0, TYPES_MAX), ({ uid }) =>
        Effect.forEach(dates, (date) => readOne(owner, doctor, uid, { ...around(date), now }, buffer))
      )
      return reads.flat(2)
    })

    const bookedOn = (owner: OrganisationUid, doctor: DoctorUid, dates: ReadonlyArray<number>, now: number) =>
      appointments.all(sql`SELECT uid, appointment_type_uid, start_date, end_date FROM appointments
        WHERE organisation_uid = ${owner} AND doctor_uid = ${doctor} AND status = 'confirmed'
          AND end_date > to_timestamp(${now}) AND ${sql.or(
            dates.map((date) => {
              const { from, to } = around(date)
              return sql`(start_date >= to_timestamp(${from}) AND start_date < to_timestamp(${to}))`
            })
          )}
        ORDER BY start_date, uid COLLATE "C"`)

    /**
     * Slots that would appear and disappear, and booked appointments that would lie outside of the doctor's hours. Fails as the change
     * itself: with `DoctorNotFound`, `DateOverrideNotFound` or `AppointmentTypeNotFound`; and with `Invalid` above 50,000 slots of either
     * kind.
     */
    const preview = Effect.fn("OverridePreviews.preview")(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      request: DateOverridePreview
    ) {
      const { override, override_uid } = request
      yield* doctors.ensure(owner, doctor)
      yield* types.ensure(owner, override?.appointment_type_uid)
      const now = yield* clock.now
      const stored = yield* overrides.onDates(owner, doctor, { date: override?.date, uid: override_uid })
      const old = stored.find(({ uid }) => uid === override_uid)
      if (override_uid !== undefined && old === undefined) return yield* new DateOverrideNotFound()
      const dates = [...new Set([old?.date, override?.date].filter((date) => date !== undefined))]
      const reads = yield* read(owner, doctor, dates, request, now)
      const becoming = changed(stored, request)
      const starts = yield* differences(reads, dates, stored, becoming)
      const [before, after] = [hoursWith(reads, dates, stored), hoursWith(reads, dates, becoming)]
      const booked = yield* bookedOn(owner, doctor, dates, now)
      const effects: DateOverrideEffects = {
        ...starts,
        hit: booked.filter((one) => isInside(before, one) && !isInside(after, one)).map(({ uid }) => uid)
      }
      return effects
    })

    return { preview } as const
  }),
  dependencies: [
    DomainClock.Default,
    CalendarsRepo.Default,
    Doctors.Default,
    AppointmentTypes.Default,
    DateOverridesRepo.Default
  ]
}) {}
