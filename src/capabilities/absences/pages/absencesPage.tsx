/** An absence as one act: the time is closed, and what is booked in it stays, is moved or is cancelled. Section 17.5. */
import { Effect } from "effect"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { DoctorUid } from "../../../schemas/ids.ts"
import { BulkMovesApi } from "../../shared/http/BulkMovesApi.ts"
import { choicesOf } from "../../shared/http/choices.ts"
import { whereRefused } from "../../shared/http/InProcessApi.ts"
import type { AddedPage, Visitor } from "../../shared/http/pages.ts"
import { pageOf } from "../../shared/http/query.ts"
import { addDays, dayIn, isDay, zonedInstant } from "../../shared/pages/zoned.ts"
import { LONGEST_RANGE } from "../../shared/schemas/BulkMove.ts"
import { AbsencesApi } from "../http/AbsencesApi.ts"
import { AbsenceUid } from "../schemas/Absence.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { AbsencesPage, type WantedAbsence } from "./AbsencePages.tsx"

/** Rows with a choice on one page: as many as a bulk move looks at. */
const ROWS = 200

const wantedIn = (query: URLSearchParams, doctor: string): WantedAbsence => ({
  doctor: query.get("doctor") ?? doctor,
  kind: query.get("kind") ?? "vacation",
  from: query.get("from") ?? "",
  fromTime: query.get("from_time") ?? "",
  any_specialty: query.get("any_specialty") ?? "",
  until: query.get("until") ?? "",
  untilTime: query.get("until_time") ?? ""
})

const isClock = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

/** The time of the absence; null if it is none, or too long. */
const rangeIn = ({ from, fromTime, until, untilTime }: WantedAbsence, zone: string) => {
  if (!isDay(from) || !isDay(until)) return null
  const start = zonedInstant(`${from}T${isClock(fromTime) ? fromTime : "00:00"}`, zone)
  const end = zonedInstant(isClock(untilTime) ? `${until}T${untilTime}` : `${addDays(until, 1)}T00:00`, zone)
  if (start === undefined || end === undefined || end <= start || end - start > LONGEST_RANGE) return null
  return { from: UnixSeconds.make(start), to: UnixSeconds.make(end) }
}

/** What is booked in the time, and where each appointment could be moved. */
const hitIn = Effect.fnUntraced(function* (
  { api, clientOf, now, query }: Visitor,
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
  const moves = yield* clientOf(BulkMovesApi)
  const { moved, left } = yield* moves["management.bulk_moves"].move({
    payload: { ...of, ...range, including_further: further, any_specialty: any_specialty === "true", dry_run: true }
  })
  const names = new Map(doctors)
  return {
    ...range,
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
const shownIn = Effect.fnUntraced(function* ({ clientOf, query }: Visitor) {
  const uid = query.get("absence")
  if (uid === null || uid === "") return null
  const path = { absence_uid: AbsenceUid.make(uid) }
  const api = yield* clientOf(AbsencesApi)
  const read = Effect.gen(function* () {
    const absence = yield* api["management.absences"].get({ path })
    const { data: settled } = yield* api["management.absences"].appointments({ path })
    return { absence, settled }
  })
  return yield* whereRefused(404, null)(read)
})

const show = Effect.fn("console.absences")(function* (visitor: Visitor) {
  const { clientOf, now, query, language } = visitor
  const { zone, doctors } = yield* choicesOf(visitor)
  // without a choice the first doctor, since the others would be a whole practice
  const asked = wantedIn(query, doctors[0]?.[0] ?? "")
  const today = dayIn(now, zone)
  const range = rangeIn(asked, zone)
  const wanted =
    range === null ? { ...asked, from: asked.from || today, until: asked.until || asked.from || today } : asked
  const api = yield* clientOf(AbsencesApi)
  const { data } = yield* api["management.absences"].list({ urlParams: {} })
  const shown = yield* shownIn(visitor)
  const hit = range === null ? null : yield* hitIn(visitor, wanted, range, doctors)
  return {
    title: deskTextsOf(language).title,
    zone,
    // A preview searches free times for every affected appointment: it is not loaded again by itself
    live: hit === null,
    body: (
      <AbsencesPage
        doctors={doctors}
        absences={data}
        wanted={wanted}
        isRefused={range === null && query.has("until")}
        hit={hit}
        shown={shown}
        now={now}
      />
    )
  }
})

export const absencesPage: AddedPage = {
  path: "absences",
  entry: { text: (language) => deskTextsOf(language).title },
  hiddenFrom: ["billing", "read_only"],
  show
}
