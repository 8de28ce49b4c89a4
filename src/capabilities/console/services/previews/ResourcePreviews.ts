/** Previews which appointments a change of a resource, its removal or a change of its overrides hits. Read-only (Rule 18.1.5). */

import { Effect, Schema } from "effect"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { AppointmentTypeUid, type OrganisationUid, type ResourceUid } from "../../../../schemas/ids.ts"
import type { Resource } from "../../../../schemas/scheduling/Resource.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { ANSWER_LIMITS } from "../../../../services/recordLimits.ts"
import { Service } from "../../../../services/Service.ts"
import type { Calendars } from "../../../../services/scheduling/booking/Calendars.ts"
import { AppointmentTypes } from "../../../../services/scheduling/practice/AppointmentTypes.ts"
import { ResourceRules } from "../../../../services/scheduling/practice/AvailabilityRules.ts"
import { ResourceOverrides } from "../../../../services/scheduling/practice/DateOverrides.ts"
import { Resources } from "../../../../services/scheduling/practice/Resources.ts"
import {
  type DateOverride,
  hoursOfResource,
  type Rule,
  type Unit
} from "../../../../services/scheduling/slots/calendar.ts"
import { coveredBy } from "../../../../services/scheduling/slots/units.ts"
import { makeCalendarCache } from "../../../shared/services/free/CalendarCache.ts"
import { FirstStarts } from "../../../shared/services/free/FirstStarts.ts"
import type { DateOverridePreview, ResourceEffects, ResourcePreview, TypedStart } from "../../schemas/Previews.ts"
import { Booked, overridesAfter } from "./OverridePreviews.ts"

const Zone = Schema.Struct({ timezone: Schema.String })

/** What decides whether a resource is open. */
interface Opening extends Pick<Resource, "active" | "always_available"> {
  readonly timezone: string
  readonly rules: ReadonlyArray<Rule>
  readonly overrides: ReadonlyArray<DateOverride>
}

/** Whether the resource is open for the whole of an appointment. */
const openFor = ({ active, always_available, ...own }: Opening) => {
  if (!active) return () => false
  const hours = hoursOfResource(always_available, own)
  if (hours === null) return () => true
  return ({ appointment_type_uid, start_date, end_date }: Booked) =>
    coveredBy(hours, appointment_type_uid, { from: start_date, to: end_date })(start_date, end_date)
}

/** Appointments for which it is open before and not afterwards. */
const hitBy = (taking: ReadonlyArray<Booked>, before: Opening, after: Opening) => {
  const [was, becomes] = [openFor(before), openFor(after)]
  return taking.filter((one) => was(one) && !becomes(one)).map(({ uid }) => uid)
}

/** The calendars as if this were the opening of the resource; null: it is gone. */
const withOpening =
  (uid: string, opening: Opening | null) =>
  (read: Calendars): Calendars => {
    const units = read.surroundings.units.flatMap((unit): ReadonlyArray<Unit> => {
      if (unit.kind !== "resource" || unit.uid !== uid) return [unit]
      if (opening === null || !opening.active) return []
      const { timezone, rules, overrides } = opening
      return [{ ...unit, hours: hoursOfResource(opening.always_available, { timezone, rules, overrides }) }]
    })
    return { ...read, surroundings: { ...read.surroundings, units } }
  }

/** Starts that a change of the resource itself is previewed for. */
const AHEAD = 28 * DAY

export class ResourcePreviews extends Service<ResourcePreviews>()("scheduling/ResourcePreviews", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const types = yield* AppointmentTypes
    const resources = yield* Resources
    const rules = yield* ResourceRules
    const overrides = yield* ResourceOverrides
    const { allStarts } = yield* FirstStarts
    const appointments = rowsOf(Booked)
    const typeUids = rowsOf(Schema.Struct({ uid: AppointmentTypeUid }))
    const zones = rowsOf(Zone)

    /** Confirmed appointments with the resource that have not ended, by start. */
    const taking = (owner: OrganisationUid, uid: ResourceUid, now: number) =>
      appointments.all(sql`SELECT a.uid, a.appointment_type_uid, a.start_date, a.end_date
        FROM claims c JOIN appointments a ON a.organisation_uid = ${owner} AND a.uid = c.claimed_by
        WHERE c.organisation_uid = ${owner} AND c.exclusive AND c.subject_kind = 'resource' AND c.subject_uid = ${uid}
          AND c.end_date > to_timestamp(${now}) AND a.status = 'confirmed'
        ORDER BY a.start_date, a.uid COLLATE "C"`)

    const read = Effect.fnUntraced(function* (owner: OrganisationUid, uid: ResourceUid) {
      const now = yield* clock.now
      const { active, always_available } = yield* resources.find(owner, uid)
      const { timezone } = yield* zones.one(sql`SELECT timezone FROM organisations WHERE organisation_uid = ${owner}`)
      const weekly = (yield* rules.list(owner, uid, {})).filter((rule) => rule.active)
      const stored = yield* overrides.since(owner, uid, now)
      const opening: Opening = { active, always_available, timezone, rules: weekly, overrides: stored }
      return { opening, stored, taking: yield* taking(owner, uid, now) }
    })

    const bookedTypes = (owner: OrganisationUid, uid: ResourceUid) =>
      typeUids.all(sql`SELECT t.uid FROM appointment_types t WHERE t.organisation_uid = ${owner} AND t.active AND t.deleted_at IS NULL
        AND requires_any(t.requirements, '{}', ARRAY[${uid}]) ORDER BY t.name, t.uid`)

    /** The starts in the ranges that are free before only, and after only. */
    const startsOf = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      uid: ResourceUid,
      before: Opening,
      after: Opening | null,
      ranges: ReadonlyArray<{ readonly from: number; readonly to: number }>
    ) {
      const appearing: Array<TypedStart> = []
      const disappearing: Array<TypedStart> = []
      for (const { uid: appointment_type_uid } of yield* bookedTypes(owner, uid))
        for (const range of ranges) {
          const cache = makeCalendarCache()
          const query = { appointment_type_uid, inactive_uids: [uid], ...range }
          const search = (opening: Opening | null) =>
            Effect.map(
              allStarts(owner, query, cache, withOpening(uid, opening)),
              (found) => new Set(found.map(({ start_date }) => start_date))
            )
          const [was, becomes] = [yield* search(before), yield* search(after)]
          const typed = (start: number) => ({ appointment_type_uid, start_date: UnixSeconds.make(start, true) })
          appearing.push(...[...becomes.difference(was)].map(typed))
          disappearing.push(...[...was.difference(becomes)].map(typed))
        }
      const first = (starts: Array<TypedStart>) =>
        starts.sort((a, b) => a.start_date - b.start_date).slice(0, ANSWER_LIMITS.previewedStarts)
      return { appearing: first(appearing), disappearing: first(disappearing) }
    })

    /** The effects of an update, or of the removal without `changes`. Fails with `ResourceNotFound`. */
    const ofChange = Effect.fn("ResourcePreviews.ofChange")(function* (
      owner: OrganisationUid,
      uid: ResourceUid,
      { changes }: ResourcePreview
    ) {
      const { opening, taking } = yield* read(owner, uid)
      const now = yield* clock.now
      const after = changes === undefined ? null : { ...opening, ...changes }
      // what is removed is gone for every appointment, also one outside of its hours
      const hit = after === null ? taking.map((one) => one.uid) : hitBy(taking, opening, after)
      const starts = yield* startsOf(owner, uid, opening, after, [{ from: now, to: now + AHEAD }])
      const effects: ResourceEffects = { ...starts, hit }
      return effects
    })

    /**
     * The effects of a change of the overrides. Fails as the change itself, with `ResourceNotFound`, `DateOverrideNotFound` or
     * `AppointmentTypeNotFound`.
     */
    const ofOverride = Effect.fn("ResourcePreviews.ofOverride")(function* (
      owner: OrganisationUid,
      uid: ResourceUid,
      request: DateOverridePreview
    ) {
      const { override, override_uid } = request
      const { opening, stored, taking } = yield* read(owner, uid)
      yield* types.ensure(owner, override?.appointment_type_uid)
      if (override_uid !== undefined) yield* overrides.ensure(owner, uid, override_uid)
      const after = { ...opening, overrides: overridesAfter(stored, request) }
      const old = stored.find((one) => one.uid === override_uid)
      const dates = new Set([old?.date, override?.date].filter((date) => date !== undefined))
      const ranges = [...dates].map((date) => ({ from: date - DAY, to: date + 2 * DAY }))
      const starts = yield* startsOf(owner, uid, opening, after, ranges)
      const effects: ResourceEffects = { ...starts, hit: hitBy(taking, opening, after) }
      return effects
    })

    return { ofChange, ofOverride } as const
  }),
  dependencies: [
    FirstStarts.Default,
    AppointmentTypes.Default,
    Resources.Default,
    ResourceRules.Default,
    ResourceOverrides.Default
  ]
}) {}
