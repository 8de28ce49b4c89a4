/** The time that was pressed in the calendar, for which a patient is chosen next. */
import { Effect } from "effect"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { DoctorUid, type PatientUid } from "../../../../schemas/ids.ts"
import { DAY, MINUTE } from "../../../../schemas/seconds.ts"
import { chosenOf, type Named } from "../../../shared/http/choices.ts"
import { isDay, zonedInstant } from "../../../shared/pages/zoned.ts"
import type { ChosenTime } from "../../pages/practice/ChosenTime.tsx"
import type { Visitor } from "../serving/visitor.ts"
import { wishesIn } from "./freeTimes.ts"

/** `start` in seconds, or `day` and `time` in the zone; null without one. */
const startIn = (query: URLSearchParams, zone: string) => {
  const [day, time] = [query.get("day"), query.get("time")]
  const start = isDay(day) && time !== null ? (zonedInstant(`${day}T${time}`, zone) ?? 0) : Number(query.get("start"))
  return Number.isSafeInteger(start) && start > 0 && start < 250_000_000_000 ? start : null
}

/** Confirmed appointments of the doctor, or of the patient, that may overlap the time. */
const around = (
  { api }: Visitor,
  of: { readonly doctor_uid: DoctorUid } | { readonly patient_uid: PatientUid },
  { start, end }: Pick<ChosenTime, "start" | "end">
) =>
  Effect.map(
    api["management.appointments"].list({
      urlParams: {
        ...of,
        status: "confirmed",
        from: UnixSeconds.make(start - DAY),
        to: UnixSeconds.make(end),
        page: 0,
        limit: 200
      }
    }),
    ({ data }) => data.filter((one) => one.start_date < end && one.end_date > start)
  )

/** With what lies at the time: the doctor's hours and appointments. */
export const chosenTime = Effect.fnUntraced(function* (
  visitor: Visitor,
  { zone, doctors, types }: { readonly zone: string; readonly doctors: Named; readonly types: Named }
) {
  const { api, consoleApi, now, query } = visitor
  const start = startIn(query, zone)
  const [type, doctor] = [chosenOf(types, query.get("type")), chosenOf(doctors, query.get("doctor"))]
  if (start === null || doctor === "") return null
  const { data } = yield* api["management.appointment_types"].list({ urlParams: {} })
  const minutes = data.find(({ uid }) => uid === type)?.duration_minutes ?? 0
  const end = start + minutes * MINUTE
  const doctor_uid = DoctorUid.make(doctor)
  const range = { from: UnixSeconds.make(start), to: UnixSeconds.make(Math.max(end, start + 1)), doctor_uid }
  const { subjects } = yield* consoleApi["management.practice"].calendar({ urlParams: range })
  const chosen: ChosenTime = {
    start,
    end,
    type,
    doctor,
    names: new Map<string, string>([...types, ...doctors]),
    squeeze: query.get("squeeze") === "true",
    format: wishesIn(query, now, zone).format,
    subject: subjects.find(({ uid }) => uid === doctor) ?? null,
    taken: yield* around(visitor, { doctor_uid }, { start, end })
  }
  return chosen
})

/** The patients' other visits at the time, by patient. */
export const visitsAt = Effect.fnUntraced(function* (
  visitor: Visitor,
  patients: ReadonlyArray<PatientUid>,
  chosen: ChosenTime
) {
  const found = yield* Effect.forEach(patients, (patient_uid) =>
    Effect.map(around(visitor, { patient_uid }, chosen), (visits) => [patient_uid, visits] as const)
  )
  return new Map(found)
})
