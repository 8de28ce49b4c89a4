/** An absence as one act: the days are blocked, and what is booked in them stays, is moved or is cancelled. Section 17.5. */
import type { HttpMethod } from "@effect/platform"
import { Effect } from "effect"
import { AbsencesPage } from "../../../pages/console/practice/AbsencesPage.tsx"
import { addDays, isDay, zonedInstant } from "../../../pages/console/zoned.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { DoctorUid, type OverrideUid } from "../../../schemas/ids.ts"
import { LONGEST_ABSENCE } from "../../../schemas/scheduling/Rebooking.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { seeOther } from "../../hosted/serving/pageHandler.ts"
import { outcomeOfForm, type Visitor } from "../serving/Console.tsx"
import type { Fields } from "../serving/formFields.ts"
import type { Client, InProcessApi } from "../serving/InProcessApi.ts"
import { pageOf } from "../serving/query.ts"
import { answerOf, problemIn } from "../serving/refusals.ts"
import { choicesOf } from "./choices.ts"

const ROWS = 50
/** Overrides of one request. */
const OVERRIDES = 200
/** Days of all absent doctors that are blocked by one form. */
const DAYS_MAX = 1_000
/** Requests to cancel or to move: each changes at most 1,000 or 50. */
const ROUNDS_MAX = 40

interface Absence {
  readonly doctor: string
  readonly from: string
  readonly until: string
  readonly start: number
  readonly end: number
}

/** The absence that the parameters name; null if its days are none, or too many. */
const absenceIn = (value: (name: string) => string | null | undefined, zone: string): Absence | null => {
  const [from, until] = [value("from"), value("until")]
  if (!isDay(from) || !isDay(until)) return null
  const start = zonedInstant(`${from}T00:00`, zone)
  const end = zonedInstant(`${addDays(until, 1)}T00:00`, zone)
  if (start === undefined || end === undefined || end <= start || end - start > LONGEST_ABSENCE) return null
  return { doctor: value("doctor") ?? "", from, until, start, end }
}

const addressOf = ({ doctor, from, until }: Absence) =>
  `/console/practice/absences?${new URLSearchParams({ doctor, from, until })}`

const rangeOf = ({ doctor, start, end }: Absence) => ({
  ...(doctor !== "" && { doctor_uid: DoctorUid.make(doctor) }),
  from: UnixSeconds.make(start),
  to: UnixSeconds.make(end)
})

const datesOf = ({ from, until }: Absence) => {
  const first = Date.parse(`${from}T00:00Z`) / 1000
  const last = Date.parse(`${until}T00:00Z`) / 1000
  return Array.from({ length: (last - first) / DAY + 1 }, (_, index) => first + index * DAY)
}

const absentDoctors = ({ doctor }: Absence, doctors: ReadonlyArray<readonly [uid: string, name: string]>) =>
  doctors.flatMap(([uid]) => (doctor === "" || doctor === uid ? [uid] : []))

/** The days off that the absent doctors have in these days. An interface list has at most 184 days. */
const daysOff = Effect.fnUntraced(function* (api: Client, absence: Absence, doctors: ReadonlyArray<string>) {
  const dates = datesOf(absence)
  const found: Array<{ readonly doctor: string; readonly date: number; readonly uid: OverrideUid }> = []
  for (const doctor of doctors)
    for (let index = 0; index < dates.length; index += OVERRIDES / 2) {
      const [from = 0, to = 0] = [dates[index], dates[Math.min(index + OVERRIDES / 2, dates.length) - 1]]
      let page = 0
      while (true) {
        const { data, totalPages } = yield* api["management.date_overrides"].list({
          path: { doctor_uid: DoctorUid.make(doctor) },
          urlParams: { from: UnixSeconds.make(from), to: UnixSeconds.make(to), page, limit: OVERRIDES }
        })
        for (const { date, uid, start_time, appointment_type_uid } of data)
          if (start_time === null && appointment_type_uid === null) found.push({ doctor, date, uid })
        page += 1
        if (page >= totalPages) break
      }
    }
  return found
})

/** What would be cancelled: held times, too. */
const affected = (api: Client, absence: Absence) =>
  Effect.map(
    api["management.appointment_actions"].bulk_cancel({
      payload: { ...rangeOf(absence), reason: "-", dry_run: true }
    }),
    ({ cancelled }) => cancelled.length
  )

export const absences = Effect.fn("console.absences")(function* (visitor: Visitor) {
  const { api, query, texts } = visitor
  const { zone, doctors } = yield* choicesOf(visitor)
  const doctor = query.get("doctor") ?? ""
  const shared = { doctors, doctor, from: query.get("from"), until: query.get("until") }
  // Not live: each load is a dry run, which searches free times for every affected appointment
  const page = { title: texts.practice.pages.absences, zone, live: false }
  const absence = absenceIn((name) => query.get(name), zone)
  if (absence === null) return { ...page, body: <AbsencesPage {...shared} hit={null} /> }
  const range = rangeOf(absence)
  const shown = pageOf(query)
  const { data: rows, totalPages } = yield* api["management.appointments"].list({
    urlParams: {
      ...range,
      to: UnixSeconds.make(absence.end - 1),
      status: "confirmed",
      page: shown,
      limit: ROWS
    }
  })
  const total = yield* affected(api, absence)
  const { moved, left } = yield* api["management.appointment_actions"].bulk_move({
    payload: { ...range, dry_run: true }
  })
  const names = new Map(doctors)
  const targets = new Map(
    moved.map(({ uid, new_start_date, new_doctor_uid }) => [
      String(uid),
      [new_start_date, names.get(new_doctor_uid) ?? new_doctor_uid] as const
    ])
  )
  const absent = absentDoctors(absence, doctors)
  const blocked = yield* daysOff(api, absence, absent)
  return {
    ...page,
    body: (
      <AbsencesPage
        {...shared}
        hit={{
          rows,
          page: shown,
          pages: totalPages,
          total,
          targets,
          withoutTime: new Set(left.flatMap(({ uid, code }) => (code === "too_many_requests" ? [] : String(uid)))),
          days: datesOf(absence).length * absent.length,
          blocked: blocked.length
        }}
      />
    )
  }
})

/** Renders the absence's page with the reason why it was not, or not wholly, carried out. */
const refused = Effect.fnUntraced(function* (
  { page }: InProcessApi,
  address: string,
  fields: Fields,
  {
    status,
    code,
    details = []
  }: { readonly status: number; readonly code: string; readonly details?: ReadonlyArray<string> }
) {
  const problem = { operation: "absence", code, details }
  return yield* Effect.locally(page(address), outcomeOfForm, { status, problem, fields, shown: null })
})

/** Sends an operation of the absence; null if it was accepted, otherwise the page with the reason. */
const sent = Effect.fnUntraced(function* (
  inProcess: InProcessApi,
  address: string,
  fields: Fields,
  operation: { readonly method: HttpMethod.HttpMethod; readonly path: string; readonly body?: object }
) {
  const response = yield* inProcess.send(operation.method, operation.path, operation.body ?? null)
  const answer = yield* answerOf(response)
  if (response.status < 300) return { answer, refusal: null }
  const { code, details } = problemIn(operation.path, answer)
  return {
    answer: null,
    refusal: yield* refused(inProcess, address, fields, { status: response.status, code, details })
  }
})

const overridesOf = (doctor: string) =>
  `/v1/management/scheduling/doctors/${encodeURIComponent(doctor)}/availability-date-overrides`

const listIn = (answer: unknown, name: string): ReadonlyArray<unknown> => {
  const list = answer !== null && typeof answer === "object" ? Reflect.get(answer, name) : undefined
  return Array.isArray(list) ? list : []
}

/** Carries out the form of an absence: blocks its days, or makes them bookable again, and settles its appointments. */
export const settleAbsence = Effect.fnUntraced(function* (inProcess: InProcessApi, fields: Fields) {
  const api = yield* inProcess.client
  const value = (name: string) => fields.get(name)?.at(-1)
  const { timezone: zone } = yield* api["organisation.settings"].one({})
  const absence = absenceIn(value, zone)
  if (absence === null)
    return yield* refused(inProcess, "/console/practice/absences", fields, { status: 400, code: "invalid_request" })
  const address = addressOf(absence)
  const { data } = yield* api["management.doctors"].list({ urlParams: {} })
  const doctors = absentDoctors(
    absence,
    data.map(({ uid, display_name }) => [uid, display_name] as const)
  )
  const dates = datesOf(absence)
  if (dates.length * doctors.length > DAYS_MAX)
    return yield* refused(inProcess, address, fields, { status: 400, code: "too_many_days" })
  const step = value("step")
  if (step === "move" || step === "cancel") {
    const total = yield* affected(api, absence)
    if (String(total) !== value("expected"))
      return yield* refused(inProcess, address, fields, { status: 409, code: "number_changed" })
  }
  if (step === "lift" || value("block") !== undefined) {
    const existing = yield* daysOff(api, absence, doctors)
    const known = new Set(existing.map(({ doctor, date }) => `${doctor} ${date}`))
    const operations =
      step === "lift"
        ? existing.map(({ doctor, uid }) => ({ method: "DELETE" as const, path: `${overridesOf(doctor)}/${uid}` }))
        : doctors.flatMap((doctor) =>
            dates.flatMap((date) =>
              known.has(`${doctor} ${date}`)
                ? []
                : [{ method: "POST" as const, path: overridesOf(doctor), body: { date, day_off: true } }]
            )
          )
    for (const operation of operations) {
      const { refusal } = yield* sent(inProcess, address, fields, operation)
      if (refusal !== null) return refusal
    }
  }
  if (step === "move" || step === "cancel") {
    const path = `/v1/management/scheduling/appointments/bulk-${step}`
    const body = { ...rangeOf(absence), ...(step === "cancel" && { reason: value("reason") ?? "" }) }
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const { answer, refusal } = yield* sent(inProcess, address, fields, { method: "POST", path, body })
      if (refusal !== null) return refusal
      if (listIn(answer, step === "move" ? "moved" : "cancelled").length === 0) break
    }
  }
  return seeOther(`${address}&done=1`)
})
