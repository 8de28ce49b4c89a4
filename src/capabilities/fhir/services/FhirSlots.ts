/**
 * Slots are not stored: a slot is a doctor, a type and a start, and its id says so. Whether it is free, the slot engine decides. Rule 20.6.
 */
import { Effect, Option } from "effect"
import type { AppointmentTypeUid, DoctorUid, OrganisationUid } from "../../../schemas/ids.ts"
import type { AppointmentStatus } from "../../../schemas/scheduling/AppointmentStates.ts"
import { DAY, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { readFromReplica } from "../../../services/database/staleReads.ts"
import { Service } from "../../../services/Service.ts"
import { AppointmentLists, type AppointmentTime } from "../../../services/scheduling/appointments/AppointmentLists.ts"
import { LONGEST_RANGE, SlotEngine } from "../../../services/scheduling/booking/SlotEngine.ts"
import { AppointmentTypes } from "../../../services/scheduling/practice/AppointmentTypes.ts"
import { Doctors } from "../../../services/scheduling/practice/Doctors.ts"
import { conditionsOf } from "./conditions.ts"
import { FhirSchedules } from "./FhirSchedules.ts"
import { localInstant, type Resource, slotForm } from "./forms.ts"
import { scheduleId, slotIn } from "./ids.ts"
import type { FhirCaller, SearchQuery } from "./kinds.ts"
import { OfferedStarts } from "./OfferedStarts.ts"
import { type Given, type Range, textOf, tokenOf } from "./parameters.ts"
import { notFound, refuse } from "./refused.ts"
import { countOf, firstOf, lastOf, type Part, type Position, type SlotColumns, slotColumns } from "./slotColumns.ts"

/** A search without an end looks so far ahead, seconds. */
export const FARTHEST = 366 * DAY

/** A type, and the doctors asked for; undefined: all. */
interface Group {
  readonly type_uid: AppointmentTypeUid
  readonly doctor_uids: ReadonlyArray<DoctorUid> | undefined
}

/** All ranges at once; empty if they do not meet. */
const meetOf = (ranges: ReadonlyArray<Range>): Range => ({
  from: ranges.reduce<number | undefined>(
    (latest, { from }) => (from === undefined ? latest : Math.max(from, latest ?? from)),
    undefined
  ),
  to: ranges.reduce<number | undefined>(
    (earliest, { to }) => (to === undefined ? earliest : Math.min(to, earliest ?? to)),
    undefined
  )
})

export interface SlotPage {
  /** Slots asked for by their ids, or found ones. */
  readonly slots: { readonly resources: ReadonlyArray<Resource> } | { readonly columns: ReadonlyArray<SlotColumns> }
  readonly count: number
  readonly next: Position | undefined
}

const FREE: ReadonlySet<string> = new Set(["free"])
/** Statuses of appointments whose time is taken. */
const LIVE: ReadonlySet<string> = new Set<AppointmentStatus>(["held", "confirmed", "completed", "no_show"])
/** Starts asked for beyond a page: those before the position have the same start. */
const SPARE = 64

/** Busy slots of appointments, with their own ends. */
const takenParts = (rows: ReadonlyArray<AppointmentTime>, zones: ReadonlyMap<string, string>): ReadonlyArray<Part> =>
  [...Map.groupBy(rows, ({ appointment_type_uid }) => appointment_type_uid ?? "")].map(([type_uid, own]) => ({
    type_uid,
    duration_minutes: 0,
    doctors: own.map(({ doctor_uid }) => ({ doctor_uid, timezone: zones.get(doctor_uid) ?? "UTC" })),
    doctorAt: own.map((_, at) => at),
    starts: own.map(({ start_date }) => start_date),
    isFree: own.map(() => 0),
    ends: own.map(({ end_date }, at) => [at, end_date] as const)
  }))

export class FhirSlots extends Service<FhirSlots>()("fhir/FhirSlots", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const engine = yield* SlotEngine
    const offeredStarts = yield* OfferedStarts
    const lists = yield* AppointmentLists
    const doctors = yield* Doctors
    const types = yield* AppointmentTypes
    const schedules = yield* FhirSchedules
    const { isAmong } = conditionsOf(sql)

    /** Starts that appointments of these types take, whether or not they are offered (any more). */
    const takenIn = (owner: OrganisationUid, groups: ReadonlyArray<Group>, from: number, to: number) =>
      lists.timesOf(owner, ({ status, start_date, doctor_uid, appointment_type_uid }) => {
        const ofGroup = ({ type_uid, doctor_uids }: Group) =>
          doctor_uids === undefined
            ? sql`${appointment_type_uid} = ${type_uid}`
            : sql`(${appointment_type_uid} = ${type_uid} AND ${isAmong(doctor_uid, doctor_uids)})`
        return sql`${isAmong(status, LIVE)} AND ${start_date} >= to_timestamp(${from}) AND ${start_date} < to_timestamp(${to})
          AND ${sql.or(groups.map(ofGroup))}`
      })

    /** The first free slots of the range, of each type by start and doctor. */
    const freeIn = (owner: OrganisationUid, groups: ReadonlyArray<Group>, from: number, to: number, limit: number) =>
      Effect.forEach(groups, ({ type_uid, doctor_uids }) =>
        engine
          .find({
            owner: { organisation_uid: owner },
            appointment_type_uid: type_uid,
            ...(doctor_uids !== undefined && { doctor_uids: [...doctor_uids] }),
            from,
            to,
            limit
          })
          .pipe(
            Effect.map((found) => [{ ...found, type_uid, isWhole: found.starts.length < limit }]),
            Effect.catchTag("BookableTypeNotFound", () => Effect.succeed([]))
          )
      ).pipe(Effect.map((parts) => parts.flat()))

    /** The page's first free slots: more are asked for until there are enough after the position, or no more. */
    const freePage = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      groups: ReadonlyArray<Group>,
      range: { readonly from: number; readonly to: number },
      wanted: number,
      after: Position | undefined
    ) {
      const found: Array<SlotColumns> = []
      for (let from = range.from; from < range.to && countOf(found) < wanted; from += LONGEST_RANGE) {
        const to = Math.min(range.to, from + LONGEST_RANGE)
        for (let limit = after === undefined ? wanted : wanted + SPARE; ; limit *= 2) {
          const parts = yield* freeIn(owner, groups, from, to, limit)
          const columns = slotColumns(parts, { from, to }, after, FREE)
          if (columns.starts.length >= wanted || parts.every((part) => part.isWhole)) {
            found.push(columns)
            break
          }
        }
      }
      return found
    })

    /** The same with busy slots: days in growing ranges, so that a page does not read a whole year. */
    const mixedPage = Effect.fnUntraced(function* (
      owner: OrganisationUid,
      groups: ReadonlyArray<Group>,
      range: { readonly from: number; readonly to: number },
      wanted: number,
      after: Position | undefined,
      statuses: ReadonlySet<string>
    ) {
      const found: Array<SlotColumns> = []
      const zones = new Map<string, string>()
      let from = range.from
      for (let span = DAY; from < range.to && countOf(found) < wanted; span = Math.min(2 * span, LONGEST_RANGE)) {
        const to = Math.min(range.to, from + span)
        const offered = yield* Effect.forEach(groups, ({ type_uid, doctor_uids }) =>
          offeredStarts
            .within({ owner: { organisation_uid: owner }, appointment_type_uid: type_uid, doctor_uids, from, to })
            .pipe(
              Effect.map((starts) => [{ ...starts, type_uid }]),
              Effect.catchTag("BookableTypeNotFound", () => Effect.succeed([]))
            )
        )
        const others = yield* takenIn(owner, groups, from, to)
        for (const { doctor_uid, timezone } of offered.flatMap(([part]) => part?.doctors ?? []))
          zones.set(doctor_uid, timezone)
        const unknown = new Set(others.map(({ doctor_uid }) => doctor_uid).filter((uid) => !zones.has(uid)))
        if (unknown.size > 0)
          for (const { uid, timezone } of yield* doctors.matching.all(owner, ({ uid }) => isAmong(uid, unknown)))
            zones.set(uid, timezone)
        found.push(slotColumns([...takenParts(others, zones), ...offered.flat()], { from, to }, after, statuses))
        from = to
      }
      return found
    })

    /** Those of `free` and `busy` that every occurrence of the parameter has. */
    const wantedStatuses = (given: ReadonlyArray<Given>) => {
      const codes = given.map(({ values }) => values.map((value) => tokenOf(value).code ?? ""))
      return new Set(["free", "busy"].filter((status) => codes.every((some) => some.includes(status))))
    }

    const read = Effect.fn("FhirSlots.read")(function* ({ organisation_uid: owner }: FhirCaller, id: string) {
      const place = slotIn(id)
      const found = yield* schedules.at(owner, place)
      if (place === undefined || found === undefined) return yield* notFound("Slot", id)
      const now = yield* clock.now
      const { doctor_uid, doctor_zone, type_uid, seats } = found
      const { start } = place
      const schedule_id = scheduleId(doctor_uid, type_uid)
      const local = localInstant(doctor_zone)
      const form = (status: "free" | "busy" | "busy-unavailable", end: number) =>
        slotForm({ id, schedule_id, status, start: local(start), end: local(end) })
      const times = yield* lists.timesOf(
        owner,
        (one) => sql`${one.doctor_uid} = ${doctor_uid} AND ${one.appointment_type_uid} = ${type_uid}
          AND ${one.start_date} = to_timestamp(${start})`
      )
      const live = times.find(({ status }) => LIVE.has(status))
      const appointment = live ?? times[0]
      if (live !== undefined && seats === 1) return form("busy", live.end_date)
      const query = { organisation_uid: owner, appointment_type_uid: type_uid, start_date: start, now }
      const offer = yield* Effect.either(readFromReplica(engine.offer(query, doctor_uid, "start_date")))
      if (offer._tag === "Right") return form("free", offer.right.end_date)
      if (offer.left._tag === "SlotTaken") {
        const offered = yield* offeredStarts
          .within({
            owner: { organisation_uid: owner },
            appointment_type_uid: type_uid,
            doctor_uids: [doctor_uid],
            from: start,
            to: start + 1
          })
          .pipe(Effect.catchTag("BookableTypeNotFound", () => Effect.succeed({ duration_minutes: 0 })))
        return form("busy", appointment?.end_date ?? start + offered.duration_minutes * MINUTE)
      }
      // No longer offered: an appointment that was there still refers to it
      if (appointment === undefined) return yield* notFound("Slot", id)
      return form(live === undefined ? "busy-unavailable" : "busy", appointment.end_date)
    })

    /** Fails with `FhirRefused` for a search that names neither a schedule nor a start nor ids. */
    const search = Effect.fn("FhirSlots.search")(function* (caller: FhirCaller, { given, count, after }: SearchQuery) {
      const { organisation_uid: owner } = caller
      const now = yield* clock.now
      const named = (name: string) => given.filter((one) => one.name === name)
      const statuses = wantedStatuses(named("status"))
      const updated = meetOf(named("_lastUpdated").flatMap(({ ranges }) => ranges))
      const nothing: SlotPage = { slots: { resources: [] }, count: 0, next: undefined }
      // A slot is computed now
      if (now < (updated.from ?? now) || now >= (updated.to ?? now + 1)) return nothing
      const range = meetOf(named("start").flatMap(({ ranges }) => ranges))
      const ids = named("_id").flatMap(({ values }) => values.map(textOf))
      const bySchedule = [...named("schedule"), ...named("schedule.actor")]
      if (ids.length === 0 && bySchedule.length === 0 && named("start").length === 0)
        return yield* refuse(400, "required", "A search for slots names a schedule or a start", "schedule")
      const position =
        after === undefined ? undefined : ([Number(after[0]), String(after[1]), String(after[2])] as const)
      const chosen = bySchedule.length === 0 ? undefined : yield* schedules.ofSearch(owner, bySchedule)

      if (ids.length > 0) {
        const read1 = (id: string) => Effect.option(read(caller, id))
        const some = (yield* Effect.forEach([...new Set(ids)], read1)).flatMap((one) => Option.toArray(one))
        const places = new Set(
          chosen?.map(({ doctor_uid, type_uid }) => `Schedule/${scheduleId(doctor_uid, type_uid)}`)
        )
        const fits = some.filter((slot) => {
          const start = Date.parse(String(slot.start)) / 1000
          const { reference } = slot.schedule as { readonly reference: string } // as `slotForm` made it
          return (
            (named("status").length === 0 || statuses.has(String(slot.status))) &&
            start >= (range.from ?? start) &&
            start < (range.to ?? start + 1) &&
            (chosen === undefined || places.has(reference))
          )
        })
        const page: SlotPage = {
          slots: { resources: fits.slice(0, count) },
          count: Math.min(fits.length, count),
          next: undefined
        }
        return page
      }

      const groups: ReadonlyArray<Group> =
        chosen === undefined
          ? (yield* types.matching.all(owner, ({ active, deleted }) => sql`(${active} AND NOT ${deleted})`)).map(
              ({ uid }) => ({ type_uid: uid, doctor_uids: undefined })
            )
          : [...Map.groupBy(chosen, ({ type_uid }) => type_uid)].map(([type_uid, some]) => ({
              type_uid,
              doctor_uids: some.map(({ doctor_uid }) => doctor_uid)
            }))
      const first = range.from ?? now
      const last = range.to ?? first + FARTHEST
      const whole = { from: position === undefined ? first : Math.max(first, position[0]), to: last }
      if (groups.length === 0 || whole.from >= whole.to || statuses.size === 0) return nothing
      if (whole.to - first > FARTHEST) return yield* refuse(400, "value", "start: a range is at most 366 days", "start")
      const found = statuses.has("busy")
        ? yield* mixedPage(owner, groups, whole, count + 1, position, statuses)
        : yield* freePage(owner, groups, { ...whole, from: Math.max(whole.from, now) }, count + 1, position)
      const columns = firstOf(found, count)
      const page: SlotPage = {
        slots: { columns },
        count: countOf(columns),
        next: countOf(found) > count ? lastOf(columns) : undefined
      }
      return page
    })

    return { read, search } as const
  }),
  dependencies: [
    AppointmentLists.Default,
    AppointmentTypes.Default,
    Doctors.Default,
    FhirSchedules.Default,
    OfferedStarts.Default,
    SlotEngine.Default
  ]
}) {}
