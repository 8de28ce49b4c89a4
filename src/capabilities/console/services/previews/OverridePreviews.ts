/** Previews the effects of a change of a doctor's date overrides. Read-only and without locks (Rule 7.6.6). */
import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { AppointmentTypeUid, AppointmentUid, type DoctorUid, type OrganisationUid } from "../../../../schemas/ids.ts"
import { invalid } from "../../../../schemas/problems.ts"
import { AppointmentType } from "../../../../schemas/scheduling/AppointmentType.ts"
import { DateOverrideNotFound } from "../../../../schemas/scheduling/errors.ts"
import { DAY, MINUTE } from "../../../../schemas/seconds.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { turns } from "../../../../services/eventLoop.ts"
import { ANSWER_LIMITS, RECORD_LIMITS } from "../../../../services/recordLimits.ts"
import { Service } from "../../../../services/Service.ts"
import { appointmentRows } from "../../../../services/scheduling/appointments/appointmentRows.ts"
import { type Calendars, CalendarsRepo } from "../../../../services/scheduling/booking/Calendars.ts"
import { AppointmentTypes } from "../../../../services/scheduling/practice/AppointmentTypes.ts"
import { DateOverrides, isDisplaced } from "../../../../services/scheduling/practice/DateOverrides.ts"
import { Doctors } from "../../../../services/scheduling/practice/Doctors.ts"
import type { DateOverride, DoctorCalendar, Range } from "../../../../services/scheduling/slots/calendar.ts"
import { cutDoctor } from "../../../../services/scheduling/slots/cut.ts"
import { predicateOf } from "../../../../services/scheduling/slots/predicate.ts"
import type { CurrentTenant } from "../../../../services/tenancy/Tenancy.ts"
import { coveredHours } from "../../../shared/services/free/offered.ts"
import type { DateOverrideEffects, DateOverridePreview } from "../../schemas/Previews.ts"

/** A range that contains the date in every zone. */
const around = (date: number) => ({ from: date - DAY, to: date + 2 * DAY })

/** Of an appointment, what a preview decides on. */
export const Booked = Schema.Struct({
  uid: AppointmentUid,
  appointment_type_uid: Schema.NullOr(AppointmentTypeUid),
  start_date: UnixSeconds,
  end_date: UnixSeconds
})
export type Booked = typeof Booked.Type

interface Start {
  readonly appointment_type_uid: AppointmentTypeUid
  readonly start_date: UnixSeconds
}
/** A type that the doctor offers or is a further doctor of, with the booking notice that applies. */
const OfferedType = Schema.Struct({
  ...AppointmentType.pick(
    "uid",
    "duration_minutes",
    "buffer_before_minutes",
    "buffer_after_minutes",
    "slot_step_minutes",
    "closed_on_holidays"
  ).fields,
  notice_minutes: Schema.Number,
  /** Whether the doctor's calendar alone does not decide: requirements, seats or limits. */
  takes_more: Schema.Boolean,
  /** Whether the doctor is a further doctor of it: then times of others change. */
  requires: Schema.Boolean
})
type OfferedType = typeof OfferedType.Type

/** The doctor's calendar around a date, for every type. */
interface Read {
  readonly calendar: DoctorCalendar
  readonly range: Range
}
/** The calendar if `there` were all overrides of the dates. */
const calendarWith = (
  { calendar }: Read,
  dates: ReadonlyArray<number>,
  there: ReadonlyArray<DateOverride>
): DoctorCalendar => ({
  ...calendar,
  overrides: [...calendar.overrides.filter(({ date }) => !dates.includes(date)), ...there]
})

/** Starts by type, without duplicates across dates. */
type Starts = Map<string, Start>

/** Adds the type's starts that are not in `others`. */
const addMissing = (to: Starts, { uid }: OfferedType, some: ReadonlyArray<number>, others: ReadonlyArray<number>) => {
  const known = new Set(others)
  for (const start of some)
    if (!known.has(start))
      to.set(`${uid} ${start}`, { appointment_type_uid: uid, start_date: UnixSeconds.make(start, true) })
}

/** The free starts of one type in a range, before and after. */
type Cut = (
  type: OfferedType,
  read: Read
) => Effect.Effect<
  { readonly was: ReadonlyArray<number>; readonly becomes: ReadonlyArray<number> },
  never,
  CurrentTenant
>

/** The free starts that appear and disappear, date by date and type by type. */
const differences = Effect.fnUntraced(function* (
  reads: ReadonlyArray<Read>,
  types: ReadonlyArray<OfferedType>,
  cut: Cut
) {
  const appearing: Starts = new Map()
  const disappearing: Starts = new Map()
  const isAboveLimit = () => Math.max(appearing.size, disappearing.size) > ANSWER_LIMITS.previewedStarts
  const turn = turns()
  for (const read of reads)
    for (const type of types) {
      if (isAboveLimit()) break
      const { was, becomes } = yield* cut(type, read)
      addMissing(appearing, type, becomes, was)
      addMissing(disappearing, type, was, becomes)
      yield* turn
    }
  if (isAboveLimit())
    return yield* invalid("override", `changes more than ${ANSWER_LIMITS.previewedStarts} times of all types together`)
  return { appearing: [...appearing.values()], disappearing: [...disappearing.values()] }
})

/** Free starts by the doctor's calendar alone. */
const cutAlone =
  (dates: ReadonlyArray<number>, before: ReadonlyArray<DateOverride>, after: ReadonlyArray<DateOverride>): Cut =>
  (type, read) =>
    Effect.sync(() => {
      const { closed, ...open } = read.calendar
      const calendar = { ...open, notice_minutes: type.notice_minutes, ...(type.closed_on_holidays && { closed }) }
      const cut = (there: ReadonlyArray<DateOverride>) =>
        cutDoctor(calendarWith({ ...read, calendar }, dates, there), type, read.range)
      return { was: cut(before), becomes: cut(after) }
    })

/** The calendars of a type if `there` were all overrides of the doctor's dates. */
const calendarsWith = (
  read: Calendars,
  doctor: DoctorUid,
  range: Range,
  dates: ReadonlyArray<number>,
  there: ReadonlyArray<DateOverride>
): Calendars => ({
  ...read,
  doctors: read.doctors.map((one) =>
    one.doctor_uid === doctor
      ? { ...one, overrides: calendarWith({ calendar: one, range }, dates, there).overrides }
      : one
  ),
  surroundings: {
    ...read.surroundings,
    units: read.surroundings.units.map((unit) => {
      if (unit.kind !== "doctor" || unit.uid !== doctor || unit.hours === null) return unit
      const overrides = [...unit.hours.overrides.filter(({ date }) => !dates.includes(date)), ...there]
      return { ...unit, hours: { ...unit.hours, overrides } }
    })
  }
})

/** The doctor's hours around all dates. A calendar has the rules of the weekdays around its date only. */
const hoursWith = (reads: ReadonlyArray<Read>, dates: ReadonlyArray<number>, there: ReadonlyArray<DateOverride>) => {
  const all = reads.map((read) => calendarWith(read, dates, there))
  // holidays close types, not hours
  return all.slice(0, 1).map(({ closed: _, ...calendar }) =>
    coveredHours({
      ...calendar,
      rules: all.flatMap(({ rules }) => rules),
      overrides: all.flatMap(({ overrides }) => overrides)
    })
  )
}

/** The overrides after the change. */
export const overridesAfter = (
  stored: ReadonlyArray<DateOverride & { readonly uid: string }>,
  { override, override_uid }: DateOverridePreview
): ReadonlyArray<DateOverride> => {
  const others = stored.filter(({ uid }) => uid !== override_uid)
  return override === undefined ? others : [...others.filter((one) => !isDisplaced(one, override)), override]
}

export class OverridePreviews extends Service<OverridePreviews>()("scheduling/OverridePreviews", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const calendars = yield* CalendarsRepo
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const overrides = yield* DateOverrides
    const appointments = rowsOf(Booked)
    const offered = rowsOf(OfferedType)
    const { isFurther } = appointmentRows(sql)

    /** The active types that the doctor offers or is a further doctor of, by name. */
    const offeredBy = (owner: OrganisationUid, doctor: DoctorUid) => {
      const requires = sql`requires_any(t.requirements, ARRAY[${doctor}], '{}')`
      return offered.all(sql`SELECT t.uid, t.duration_minutes, t.buffer_before_minutes, t.buffer_after_minutes, t.slot_step_minutes,
          t.closed_on_holidays, ${requires} AS requires,
          t.requirements <> '[]' OR t.seats > 1 OR t.limits <> '[]' OR d.limits <> '[]' AS takes_more,
          coalesce(s.booking_min_notice_minutes, t.booking_min_notice_minutes) AS notice_minutes
        FROM appointment_types t JOIN doctors d ON d.organisation_uid = ${owner} AND d.uid = ${doctor}
        LEFT JOIN doctor_appointment_type_settings s ON s.organisation_uid = ${owner} AND s.doctor_uid = ${doctor} AND s.appointment_type_uid = t.uid
        WHERE t.organisation_uid = ${owner} AND t.active AND t.deleted_at IS NULL
          AND (coalesce(s.active, t.doctor_assignment_mode = 'all_available_doctors') OR ${requires})
        ORDER BY t.name, t.uid LIMIT ${RECORD_LIMITS.appointmentTypes}`)
    }

    /** Free starts with all that a type takes: its calendars are read for themselves. */
    const cutWithAll =
      (
        owner: OrganisationUid,
        doctor: DoctorUid,
        dates: ReadonlyArray<number>,
        before: ReadonlyArray<DateOverride>,
        after: ReadonlyArray<DateOverride>
      ): Cut =>
      (type, { range }) => {
        const query = {
          owner: { organisation_uid: owner },
          appointment_type_uid: type.uid,
          ...(!type.requires && { doctor_uids: [doctor] }),
          ...range
        }
        return calendars.read(query).pipe(
          Effect.map((read) => {
            const cut = (there: ReadonlyArray<DateOverride>) => {
              const { doctors, type: booked, surroundings } = calendarsWith(read, doctor, range, dates, there)
              const { admits } = predicateOf(booked, surroundings, range)
              return doctors.flatMap((one) => cutDoctor(one, booked, range, admits))
            }
            return { was: cut(before), becomes: cut(after) }
          }),
          Effect.catchTag("BookableTypeNotFound", () => Effect.succeed({ was: [], becomes: [] }))
        )
      }

    /**
     * The doctor's calendar around each date, by way of one of the types; empty if the doctor offers none, or that one was deactivated
     * concurrently.
     */
    const read = (
      owner: OrganisationUid,
      doctor: DoctorUid,
      dates: ReadonlyArray<number>,
      { override }: DateOverridePreview,
      [type]: ReadonlyArray<OfferedType>,
      now: number
    ) => {
      if (type === undefined) return Effect.succeed([])
      const buffer = (override?.buffer_minutes ?? 0) * MINUTE
      const reading = Effect.forEach(dates, (date) => {
        const range = { ...around(date), now }
        const query = {
          owner: { organisation_uid: owner },
          appointment_type_uid: type.uid,
          every_type: true,
          doctor_uids: [doctor],
          from: range.from - buffer,
          to: range.to + buffer,
          now
        }
        return Effect.map(calendars.read(query), ({ doctors }) =>
          doctors.map((calendar): Read => ({ calendar, range }))
        )
      })
      return reading.pipe(
        Effect.map((reads) => reads.flat()),
        Effect.catchTag("BookableTypeNotFound", () => Effect.succeed([]))
      )
    }

    const bookedOn = (owner: OrganisationUid, doctor: DoctorUid, dates: ReadonlyArray<number>, now: number) =>
      appointments.all(sql`SELECT uid, appointment_type_uid, start_date, end_date FROM appointments a
        WHERE organisation_uid = ${owner} AND (doctor_uid = ${doctor} OR ${isFurther(doctor)}) AND status = 'confirmed'
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
      const offering = yield* offeredBy(owner, doctor)
      const reads = yield* read(owner, doctor, dates, request, offering, now)
      const becoming = overridesAfter(stored, request)
      const alone = cutAlone(dates, stored, becoming)
      const withAll = cutWithAll(owner, doctor, dates, stored, becoming)
      const starts = yield* differences(reads, offering, (type, one) =>
        type.takes_more || type.requires ? withAll(type, one) : alone(type, one)
      )
      const [before, after] = [hoursWith(reads, dates, stored), hoursWith(reads, dates, becoming)]
      const booked = yield* bookedOn(owner, doctor, dates, now)
      const isInside =
        ({ appointment_type_uid: type, start_date, end_date }: Booked) =>
        (isCovered: ReturnType<typeof coveredHours>) =>
          isCovered(type, start_date, end_date)
      const effects: DateOverrideEffects = {
        ...starts,
        hit: booked.filter((one) => before.some(isInside(one)) && !after.some(isInside(one))).map(({ uid }) => uid)
      }
      return effects
    })

    return { preview } as const
  }),
  dependencies: [CalendarsRepo.Default, Doctors.Default, AppointmentTypes.Default, DateOverrides.Default]
}) {}
