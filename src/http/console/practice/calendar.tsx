import { Effect } from "effect"
import { AppointmentPage, CalendarPage } from "../../../pages/console/practice/CalendarPage.tsx"
import { DayPage } from "../../../pages/console/practice/DayPage.tsx"
import { addDays, dayIn, isDay, weekOf, zonedInstant } from "../../../pages/console/zoned.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { AppointmentUid, DoctorUid, PatientUid } from "../../../schemas/ids.ts"
import type { Appointment } from "../../../schemas/scheduling/Appointment.ts"
import type { Visitor } from "../serving/Console.tsx"
import { segment } from "../serving/query.ts"
import { choicesOf, chosenOf, freeTimes, wishedTimes, wishesIn } from "./choices.ts"

/** Appointments read for a doctor's week, and free times shown. */
const ENTRIES_MAX = 400
const PAGE_SIZE = 200
/** Free times offered to move an appointment to, at once. */
const TIMES_OFFERED = 60

/** The midnights of a week's days and of the Monday after it. */
const midnightsOf = (monday: string, zone: string) =>
  [...weekOf(monday), addDays(monday, 7)].map((day) => zonedInstant(`${day}T00:00`, zone) ?? 0)

export const calendar = Effect.fn("console.calendar")(function* (visitor: Visitor) {
  const { api, now, query, texts } = visitor
  const { zone, doctors, types, shop } = yield* choicesOf(visitor)
  const named = query.get("week")
  const [monday = ""] = weekOf(isDay(named) ? named : dayIn(now, zone))
  const midnights = midnightsOf(monday, zone)
  const [from = 0, to = 0] = [midnights[0], midnights[7]]
  const doctor = chosenOf(doctors, query.get("doctor"))
  const type = chosenOf(types, query.get("type"))
  const appointments: Array<Appointment> = []
  for (let page = 0; doctor !== "" && page * PAGE_SIZE < ENTRIES_MAX; page++) {
    const { data, totalPages } = yield* api["management.appointments"].list({
      urlParams: {
        doctor_uid: DoctorUid.make(doctor),
        status: "all",
        from: UnixSeconds.make(from),
        to: UnixSeconds.make(to - 1),
        page,
        limit: PAGE_SIZE
      }
    })
    appointments.push(...data.filter(({ status }) => status !== "cancelled" && status !== "expired"))
    if (page + 1 >= totalPages) break
  }
  const free = yield* freeTimes(visitor, shop, { type, doctor, from: Math.max(from, now), to }, ENTRIES_MAX)
  return {
    title: texts.practice.pages.calendar,
    zone,
    body: (
      <CalendarPage
        now={now}
        monday={monday}
        midnights={midnights}
        doctors={doctors}
        types={types}
        doctor={doctor}
        type={type}
        appointments={appointments}
        free={free}
      />
    )
  }
})

/** Appointments read for a day of all doctors, and free times shown. */
const DAY_ENTRIES_MAX = 2_000

export const day = Effect.fn("console.day")(function* (visitor: Visitor) {
  const { api, now, query, texts } = visitor
  const { zone, doctors, types, shop } = yield* choicesOf(visitor)
  const { day: shown } = wishesIn(query, now, zone)
  const midnight = zonedInstant(`${shown}T00:00`, zone) ?? 0
  const next = zonedInstant(`${addDays(shown, 1)}T00:00`, zone) ?? 0
  const type = chosenOf(types, query.get("type"))
  const withCancelled = query.get("cancelled") === "true"
  const appointments: Array<Appointment> = []
  let isCut = false
  for (let page = 0; ; page++) {
    const { data, totalPages } = yield* api["management.appointments"].list({
      urlParams: {
        status: "all",
        from: UnixSeconds.make(midnight),
        to: UnixSeconds.make(next - 1),
        page,
        limit: PAGE_SIZE
      }
    })
    appointments.push(...data.filter(({ status }) => status !== "expired" && (withCancelled || status !== "cancelled")))
    isCut = page + 1 < totalPages
    if (!isCut || (page + 1) * PAGE_SIZE >= DAY_ENTRIES_MAX) break
  }
  const free = yield* freeTimes(
    visitor,
    shop,
    { type, doctor: null, from: Math.max(midnight, now), to: next },
    DAY_ENTRIES_MAX
  )
  return {
    title: texts.practice.pages.day,
    zone,
    body: (
      <DayPage
        now={now}
        day={shown}
        midnight={midnight}
        doctors={doctors}
        types={types}
        type={type}
        appointments={appointments}
        free={free}
        withCancelled={withCancelled}
        isCut={isCut}
      />
    )
  }
})

export const appointment = Effect.fn("console.appointment")(function* (visitor: Visitor) {
  const { api, now, query, texts } = visitor
  const uid = AppointmentUid.make(yield* segment("uid"))
  const one = yield* api["management.appointments"].one({ path: { appointment_uid: uid } })
  const { zone, doctors, shop } = yield* choicesOf(visitor)
  const wishes = wishesIn(query, now, zone)
  const doctor = query.get("doctor") ?? ""
  const search = { type: one.appointment_type_uid ?? "", doctor, zone, wishes }
  const free = one.status === "confirmed" ? yield* wishedTimes(visitor, shop, search, TIMES_OFFERED) : []
  const { profile } = yield* api["organisation.patients"].one({
    path: { patient_uid: PatientUid.make(one.patient_uid) }
  })
  return {
    title: texts.practice.appointment,
    zone,
    body: (
      <AppointmentPage
        now={now}
        one={one}
        free={free}
        wishes={wishes}
        doctors={doctors}
        doctor={doctor}
        contact={["phone", "email"].flatMap((field) => {
          const value = profile[field]
          return typeof value === "string" && value !== "" ? [value] : []
        })}
      />
    )
  }
})
