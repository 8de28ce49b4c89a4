/** What a change of a doctor's days off and special hours would do: it is made, looked at, and taken back (Rule 7.6.6). */
import { SqlClient } from "@effect/sql"
import { Data, Effect, Schema } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import {
  AppointmentTypeUid,
  AppointmentUid,
  type DoctorUid,
  type OrganisationUid,
  type OverrideUid
} from "../../../schemas/ids.ts"
import type {
  DateOverrideEffects,
  DateOverridePreview,
  NewDateOverride
} from "../../../schemas/scheduling/DateOverride.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { Database } from "../../Database.ts"
import { DomainClock } from "../../DomainClock.ts"
import { rowsOf } from "../../rows.ts"
import { SlotEngine } from "../booking/SlotEngine.ts"
import type { DoctorCalendar } from "../slots/calendar.ts"
import { isWithinHours } from "../slots/offered.ts"
import { AppointmentTypes } from "./AppointmentTypes.ts"
import { DateOverrides } from "./DateOverrides.ts"
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
/** The doctor's free starts by type, and the hours that they follow from. */
interface Seen {
  readonly free: ReadonlyMap<string, Start>
  readonly hours: ReadonlyMap<string, DoctorCalendar>
}

/** Ends the transaction in which the change was made: nothing of it stays. */
class Previewed extends Data.TaggedError("Previewed")<{ readonly effects: DateOverrideEffects }> {}

const missingIn = (some: Seen, others: Seen) =>
  [...some.free].flatMap(([key, start]) => (others.free.has(key) ? [] : [start]))

const isInside = ({ hours }: Seen, { appointment_type_uid, start_date, end_date }: Booked) => {
  const [any] = hours.values()
  const own = hours.get(appointment_type_uid ?? "") ?? any
  return own !== undefined && isWithinHours(own, appointment_type_uid ?? "", start_date, end_date)
}

/** Types that are looked at: each is a search of its own. */
const MOST_TYPES = 100

/** A new override as an update of one that is there. */
const asChanges = ({ appointment_type_uid, ...plain }: NewDateOverride) => ({
  ...plain,
  ...(appointment_type_uid === null ? { clear_appointment_type: true } : { appointment_type_uid })
})

export class OverridePreviews extends Effect.Service<OverridePreviews>()("scheduling/OverridePreviews", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { transaction } = yield* Database
    const clock = yield* DomainClock
    const engine = yield* SlotEngine
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const overrides = yield* DateOverrides
    const appointments = rowsOf(Booked)

    const look = Effect.fnUntraced(function* (owner: OrganisationUid, doctor: DoctorUid, dates: ReadonlyArray<number>) {
      const free = new Map<string, Start>()
      const hours = new Map<string, DoctorCalendar>()
      const active = (yield* types.list(owner, {})).filter((type) => type.active)
      for (const { uid: appointment_type_uid } of active.slice(0, MOST_TYPES)) {
        for (const date of dates) {
          const query = { appointment_type_uid, doctor_uids: [doctor], ...around(date) }
          const found = yield* Effect.orDie(engine.freeStarts(owner, query))
          for (const { start_date } of found.free)
            free.set(`${appointment_type_uid} ${start_date}`, {
              appointment_type_uid,
              start_date: UnixSeconds.make(start_date)
            })
          for (const calendar of found.doctors) {
            const before = hours.get(appointment_type_uid)
            hours.set(appointment_type_uid, {
              ...calendar,
              overrides: [...(before?.overrides ?? []), ...calendar.overrides]
            })
          }
        }
      }
      const seen: Seen = { free, hours }
      return seen
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

    const change = (owner: OrganisationUid, doctor: DoctorUid, { override, override_uid }: DateOverridePreview) => {
      if (override === undefined)
        return override_uid === undefined ? Effect.void : overrides.remove(owner, doctor, override_uid)
      return override_uid === undefined
        ? overrides.create(owner, doctor, override)
        : overrides.update(owner, doctor, override_uid, asChanges(override))
    }

    const dateOf = (owner: OrganisationUid, doctor: DoctorUid, uid: OverrideUid | undefined) =>
      uid === undefined
        ? Effect.succeed([])
        : Effect.map(overrides.findForChange(owner, doctor, uid), ({ date }): ReadonlyArray<number> => [date])

    const changed = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      doctor: DoctorUid,
      request: DateOverridePreview
    ) {
      yield* doctors.ensure(owner, doctor)
      const now = yield* clock.now
      const old = yield* dateOf(owner, doctor, request.override_uid)
      const dates = [...new Set([...old, ...(request.override === undefined ? [] : [request.override.date])])]
      const before = yield* look(owner, doctor, dates)
      yield* change(owner, doctor, request)
      const after = yield* look(owner, doctor, dates)
      const booked = yield* bookedOn(owner, doctor, dates, now)
      return {
        appearing: missingIn(after, before),
        disappearing: missingIn(before, after),
        hit: booked.filter((one) => isInside(before, one) && !isInside(after, one)).map(({ uid }) => uid)
      }
    })

    /**
     * Slots that would appear and disappear, and booked appointments that would lie outside of the doctor's hours. Fails as
     * the change itself: with `DoctorNotFound`, `DateOverrideNotFound`, `AppointmentTypeNotFound` or `Invalid`.
     */
    const preview = Effect.fn("OverridePreviews.preview")(
      (owner: OrganisationUid, doctor: DoctorUid, request: DateOverridePreview) =>
        transaction(
          Effect.flatMap(changed(owner, doctor, request), (effects) => Effect.fail(new Previewed({ effects })))
        ).pipe(Effect.catchTag("Previewed", ({ effects }) => Effect.succeed(effects)))
    )

    return { preview } as const
  }),
  dependencies: [
    Database.Default,
    DomainClock.Default,
    SlotEngine.Default,
    Doctors.Default,
    AppointmentTypes.Default,
    DateOverrides.Default
  ]
}) {}
