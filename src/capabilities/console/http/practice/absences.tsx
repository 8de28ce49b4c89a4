/** An absence as one act: the time is closed, and what is booked in it stays, is moved or is cancelled. Section 17.5. */
import { Effect } from "effect"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import { choicesOf } from "../../../../http/staff/choices.ts"
import { type InProcessApi, whereRefused } from "../../../../http/staff/InProcessApi.ts"
import { pageOf } from "../../../../http/staff/query.ts"
import { answerOf, fieldIn } from "../../../../http/staff/refusals.ts"
import { addDays, dayIn, isDay, zonedInstant } from "../../../../pages/staff/zoned.ts"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { AbsenceUid, DoctorUid } from "../../../../schemas/ids.ts"
import { LONGEST_ABSENCE } from "../../../../schemas/scheduling/Rebooking.ts"
import { AbsencesPage, CREATE_ABSENCE, type WantedAbsence } from "../../pages/practice/AbsencesPage.tsx"
import { withRefusal } from "../serving/Console.tsx"
import type { Fields } from "../serving/formFields.ts"
import type { Visitor } from "../serving/visitor.ts"

const ABSENCES = "/console/practice/absences"
/** Rows with a choice on one page: as many as a bulk move looks at. */
const ROWS = 200

type Values = (name: string) => string | null | undefined

const wantedIn = (value: Values): WantedAbsence => ({
  doctor: value("doctor") ?? "",
  kind: value("kind") ?? "vacation",
  from: value("from") ?? "",
  fromTime: value("from_time") ?? value("fromTime") ?? "",
  any_specialty: value("any_specialty") ?? "",
  until: value("until") ?? "",
  untilTime: value("until_time") ?? value("untilTime") ?? ""
})

const isClock = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

/** The time of the absence; null if it is none, or too long. */
const rangeIn = ({ from, fromTime, until, untilTime }: WantedAbsence, zone: string) => {
  if (!isDay(from) || !isDay(until)) return null
  const start = zonedInstant(`${from}T${isClock(fromTime) ? fromTime : "00:00"}`, zone)
  const end = zonedInstant(isClock(untilTime) ? `${until}T${untilTime}` : `${addDays(until, 1)}T00:00`, zone)
  if (start === undefined || end === undefined || end <= start || end - start > LONGEST_ABSENCE) return null
  return { from: UnixSeconds.make(start), to: UnixSeconds.make(end) }
}

/** What is booked in the time, and where each appointment could be moved. */
const hitIn = Effect.fnUntraced(function* (
  { api, now, query }: Visitor,
  { doctor, any_specialty }: WantedAbsence,
  range: { readonly from: UnixSeconds; readonly to: UnixSeconds },
  doctors: ReadonlyArray<readonly [uid: string, name: string]>
) {
  const of = doctor === "" ? {} : { doctor_uid: DoctorUid.make(doctor) }
  const further = doctor !== "" // also appointments that the doctor only joins
  const from = UnixSeconds.make(Math.min(Math.max(range.from, now), range.to - 1))
  const page = pageOf(query)
  const {
    data: rows,
    totalPages,
    totalRegistries
  } = yield* api["management.appointments"].list({
    urlParams: {
      ...of,
      including_further: further ? "true" : "false",
      from,
      to: UnixSeconds.make(range.to - 1),
      page,
      limit: ROWS
    }
  })
  const { moved, left } = yield* api["management.appointment_actions"].bulk_move({
    payload: { ...of, ...range, including_further: further, any_specialty: any_specialty === "true", dry_run: true }
  })
  const names = new Map(doctors)
  return {
    rows,
    page,
    pages: totalPages,
    total: totalRegistries,
    targets: new Map(
      moved.map(({ uid, new_start_date, new_doctor_uid }) => [
        String(uid),
        [new_start_date, names.get(new_doctor_uid) ?? new_doctor_uid] as const
      ])
    ),
    withoutTime: new Set(left.flatMap(({ uid, code }) => (code === "too_many_requests" ? [] : String(uid))))
  }
})

/** The absence that the query names; null without one, and for one that is over. */
const shownIn = Effect.fnUntraced(function* ({ api, query }: Visitor) {
  const uid = query.get("absence")
  if (uid === null || uid === "") return null
  const path = { absence_uid: AbsenceUid.make(uid) }
  const read = Effect.gen(function* () {
    const absence = yield* api["management.absences"].get({ path })
    const { data: settled } = yield* api["management.absences"].appointments({ path })
    return { absence, settled }
  })
  return yield* whereRefused(404, null)(read)
})

export const absences = Effect.fn("console.absences")(function* (visitor: Visitor) {
  const { api, now, query, texts } = visitor
  const { zone, doctors } = yield* choicesOf(visitor)
  // without a choice the first doctor, since the others would be a whole practice
  const asked = wantedIn((name) => query.get(name) ?? (name === "doctor" ? doctors[0]?.[0] : null))
  const today = dayIn(now, zone)
  const range = rangeIn(asked, zone)
  const wanted =
    range === null ? { ...asked, from: asked.from || today, until: asked.until || asked.from || today } : asked
  const { data } = yield* api["management.absences"].list({ urlParams: {} })
  const shown = yield* shownIn(visitor)
  const hit = range === null ? null : yield* hitIn(visitor, wanted, range, doctors)
  return {
    title: texts.practice.pages.absences,
    zone,
    // A preview searches free times for every affected appointment: it is not loaded again by itself
    live: hit === null,
    body: <AbsencesPage doctors={doctors} absences={data} wanted={wanted} hit={hit} shown={shown} now={now} />
  }
})

/** Enters the absence of the form, with the choices for single appointments; a refusal is shown on its preview. */
export const enterAbsence = Effect.fnUntraced(function* ({ client, send }: InProcessApi, fields: Fields) {
  const api = yield* client
  const value: Values = (name) => fields.get(name)?.at(-1)
  const { timezone: zone } = yield* api["organisation.settings"].one({})
  const wanted = wantedIn(value)
  const range = rangeIn(wanted, zone)
  const { fromTime, untilTime, ...days } = wanted
  const preview = `${ABSENCES}?${new URLSearchParams({ ...days, from_time: fromTime, until_time: untilTime })}`
  const body = {
    doctor_uid: wanted.doctor === "" ? null : wanted.doctor,
    ...range,
    kind: wanted.kind,
    any_specialty: wanted.any_specialty === "true",
    message: value("message") || null,
    appointments: value("appointments") ?? "keep",
    choices: [...fields].flatMap(([name, [step]]) =>
      name.startsWith("choice.") && step ? [{ appointment_uid: name.slice("choice.".length), step }] : []
    ),
    expected: Number(value("expected") ?? 0)
  }
  const response = yield* send("POST", "/v1/management/scheduling/absences", body)
  if (response.status >= 300) return yield* withRefusal(preview, CREATE_ABSENCE, response, fields)
  return seeOther(
    `${ABSENCES}?${new URLSearchParams({ absence: fieldIn(yield* answerOf(response), "uid") ?? "", done: "1" })}`
  )
})
