/** What a change of a doctor's days off and special hours would do: computed from what is read, nothing is written or locked (Rule 7.6.6). */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentTypeUid, AppointmentUid, type DoctorUid, type OrganisationUid } from "../../../schemas/ids.ts"
import type { DateOverrideEffects, DateOverridePreview } from "../../../schemas/scheduling/DateOverride.ts"
import { DateOverrideNotFound } from "../../../schemas/scheduling/errors.ts"
import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../DomainClock.ts"
import { rowsOf } from "../../database/rows.ts"
import { CalendarsRepo } from "../booking/Calendars.ts"
import type { BookableType, DateOverride, DoctorCalendar, Range } from "../slots/calendar.ts"
import { cutDoctor } from "../slots/cut.ts"
import { isWithinHours } from "../slots/offered.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { DateOverridesRepo, isDisplaced } from "./DateOverridesRepo.ts"
import { Doctors } from "./Doctors.ts"

/** Whatever zone the doctor is in, the date lies within. */
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
/** The doctor's free starts by type, and the hours that they follow from. */
interface Seen {
  readonly free: ReadonlyMap<string, Start>
  readonly hours: ReadonlyMap<string, DoctorCalendar>
}

/** The calendars as they are when these are all overrides of the dates. */
const seenWith = (
  reads: ReadonlyArray<Read>,
  dates: ReadonlyArray<number>,
  there: ReadonlyArray<DateOverride>
): Seen => {
  const free = new Map<string, Start>()
  const hours = new Map<string, DoctorCalendar>()
  for (const { type, calendar, range } of reads) {
    const appointment_type_uid = type.uid
    const overrides = [
      ...calendar.overrides.filter(({ date }) => !dates.includes(date)),
      ...there.filter((one) => one.appointment_type_uid === null || one.appointment_type_uid === appointment_type_uid)
    ]
    for (const start of cutDoctor({ ...calendar, overrides }, type, range))
      free.set(`${appointment_type_uid} ${start}`, { appointment_type_uid, start_date: UnixSeconds.make(start) })
    const before = hours.get(appointment_type_uid)
    hours.set(appointment_type_uid, { ...calendar, overrides: [...(before?.overrides ?? []), ...overrides] })
  }
  return { free, hours }
}

/** The overrides of the dates once the change is made. */
const changed = (
  stored: ReadonlyArray<DateOverride & { readonly uid: string }>,
  { override, override_uid }: DateOverridePreview
): ReadonlyArray<DateOverride> => {
  const others = stored.filter(({ uid }) => uid !== override_uid)
  return override === undefined ? others : [...others.filter((one) => !isDisplaced(one, override)), override]
}

const missingIn = (some: Seen, others: Seen) =>
  [...some.free].flatMap(([key, start]) => (others.free.has(key) ? [] : [start]))

const isInside = ({ hours }: Seen, { appointment_type_uid, start_date, end_date }: Booked) => {
  const [any] = hours.values()
  const own = hours.get(appointment_type_uid ?? "") ?? any
  return own !== undefined && isWithinHours(own, appointment_type_uid ?? "", start_date, end_date)
}

/** Types that are looked at: each is a statement of its own. */
const MOST_TYPES = 100

export class OverridePreviews extends Effect.Service<OverridePreviews>()("scheduling/OverridePreviews", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const calendars = yield* CalendarsRepo
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const overrides = yield* DateOverridesRepo
    const appointments = rowsOf(Booked)

    /** None of a type that is given up meanwhile, or that the doctor does not give. `buffer` in seconds. */
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
      const reads = yield* Effect.forEach(active.slice(0, MOST_TYPES), ({ uid }) =>
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
     * Slots that would appear and disappear, and booked appointments that would lie outside of the doctor's hours. Fails as
     * the change itself: with `DoctorNotFound`, `DateOverrideNotFound` or `AppointmentTypeNotFound`.
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
      const before = seenWith(reads, dates, stored)
      const after = seenWith(reads, dates, changed(stored, request))
      const booked = yield* bookedOn(owner, doctor, dates, now)
      const effects: DateOverrideEffects = {
        appearing: missingIn(after, before),
        disappearing: missingIn(before, after),
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
