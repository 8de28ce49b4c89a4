/** The console's page of series. */
import { Effect } from "effect"
import { NOTHING_SENT } from "../../../schemas/access/PatientProfile.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { PageNotFound } from "../../../schemas/hosted/errors.ts"
import { AppointmentTypeUid, DoctorUid, PatientUid } from "../../../schemas/ids.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { choicesOf, chosenOf } from "../../shared/http/choices.ts"
import { ApiRefused } from "../../shared/http/InProcessApi.ts"
import type { AddedPage, Visitor } from "../../shared/http/pages.ts"
import { nameOf } from "../../shared/pages/rows.tsx"
import { dayIn, isDay, zonedInstant } from "../../shared/pages/zoned.ts"
import { SeriesApi } from "../http/SeriesApi.ts"
import type { SeriesPlan } from "../schemas/Series.ts"
import { startsOf } from "../services/Series.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { type PlannedStart, SeriesMembersPage, SeriesPage, type WantedSeries } from "./SeriesPages.tsx"

/** Of a patient's appointments, among which those of a series are found. */
const APPOINTMENTS_READ = 200

const whole = (text: string | null, least: number, most: number, other: number) => {
  const number = Number(text ?? "")
  return text !== null && Number.isInteger(number) && number >= least && number <= most ? number : other
}

const wantedSeries = (query: URLSearchParams, type: string, doctor: string, today: string): WantedSeries => {
  const day = query.get("day")
  const time = query.get("time") ?? ""
  return {
    type,
    doctor,
    day: isDay(day) ? day : today,
    time: /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? time : "09:00",
    count: whole(query.get("count"), 2, 26, 10),
    weeks: whole(query.get("weeks"), 1, 52, 1),
    conflict: query.get("conflict") === "shift" ? "shift" : "skip"
  }
}

/** The regular starts of a plan: free, moved to another start, or left out with the reason. */
export const plannedStarts = (
  starts: ReadonlyArray<number>,
  { appointments, skipped }: Pick<SeriesPlan, "appointments" | "skipped">
): ReadonlyArray<PlannedStart> => {
  const regular = new Set(starts)
  const at = new Map(appointments.map((one) => [Number(one.start_date), one.overlaps]))
  const moved = [...at.keys()].filter((start) => !regular.has(start))
  return starts.map((start): PlannedStart => {
    const fault = skipped.find(({ start_date }) => start_date === start)
    if (fault !== undefined) return { start, outcome: fault.code, instead: null, overlaps: [] }
    const own = at.get(start)
    if (own !== undefined) return { start, outcome: "free", instead: null, overlaps: own }
    const [instead = start] = moved.splice(0, 1)
    return { start, outcome: "free", instead, overlaps: at.get(instead) ?? [] }
  })
}

/** The patient whom the address names; fails with `PageNotFound` if it names none. */
const patientOf = Effect.fnUntraced(function* ({ api, query }: Visitor) {
  const patient_uid = query.get("patient") ?? ""
  if (patient_uid === "") return yield* new PageNotFound()
  return yield* api["organisation.patients"].one({ path: { patient_uid: PatientUid.make(patient_uid) } })
})

const plan = Effect.fn("console.planSeries")(function* (visitor: Visitor) {
  const { now, query, language, clientOf } = visitor
  const patient = yield* patientOf(visitor)
  const { types, doctors, zone } = yield* choicesOf(visitor)
  const type = chosenOf(types, query.get("type"))
  const doctor = chosenOf(doctors, query.get("doctor"))
  const wanted = wantedSeries(query, type, doctor, dayIn(now + DAY, zone))
  const first = zonedInstant(`${wanted.day}T${wanted.time}`, zone) ?? now
  const found = !query.has("plan")
    ? null
    : yield* (yield* clientOf(SeriesApi))["management.series"]
        .book({
          payload: {
            shop_uid: patient.shop_uid,
            patient_uid: patient.uid,
            appointment_type_uid: AppointmentTypeUid.make(type),
            doctor_uid: DoctorUid.make(doctor),
            start_date: UnixSeconds.make(first),
            count: wanted.count,
            interval_weeks: wanted.weeks,
            on_conflict: wanted.conflict,
            patient_profile_fields: NOTHING_SENT,
            over_limit: false,
            except: [],
            dry_run: true
          }
        })
        .pipe(
          Effect.catchIf(
            (error) => error instanceof ApiRefused && error.status < 500,
            () => Effect.succeed({ appointments: [], skipped: [] })
          )
        )
  const starts = startsOf(first, wanted.count, wanted.weeks, zone)
  return {
    title: deskTextsOf(language).title,
    zone,
    live: false,
    body: (
      <SeriesPage
        patient={{ uid: patient.uid, shop_uid: patient.shop_uid, name: nameOf(patient) }}
        types={types}
        doctors={doctors}
        wanted={wanted}
        first={first}
        plan={found && plannedStarts(starts, found)}
      />
    )
  }
})

const members = Effect.fn("console.seriesMembers")(function* (visitor: Visitor, series: string) {
  const { api, now, language } = visitor
  const patient = yield* patientOf(visitor)
  const patient_uid = patient.uid
  const { data } = yield* api["management.appointments"].list({
    urlParams: { patient_uid, status: "all", from: UnixSeconds.make(0), page: 0, limit: APPOINTMENTS_READ }
  })
  const own = data.filter(({ series_uid }) => series_uid === series)
  if (own.length === 0) return yield* new PageNotFound()
  const { timezone } = yield* api["organisation.settings"].one({})
  return {
    title: deskTextsOf(language).title,
    zone: timezone,
    body: (
      <SeriesMembersPage
        series={series}
        patient={{ uid: patient.uid, name: nameOf(patient) }}
        members={own.toSorted((a, b) => a.start_date - b.start_date)}
        now={now}
      />
    )
  }
})

/** Planning a series, or the appointments of one that is booked. */
export const seriesPage: AddedPage = {
  path: "series",
  hiddenFrom: [],
  show: Effect.fn("console.series")(function* (visitor) {
    const booked = visitor.query.get("series")
    return booked === null ? yield* plan(visitor) : yield* members(visitor, booked)
  })
}
