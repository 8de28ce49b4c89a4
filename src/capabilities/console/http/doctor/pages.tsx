import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { ComponentChild } from "preact"
import type { SettingsShape } from "../../../../config.ts"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import type { InRequest } from "../../../../http/inRequest.ts"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { AppointmentUid, PatientUid } from "../../../../schemas/ids.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { joinWindowState } from "../../../../schemas/scheduling/joinWindow.ts"
import { HOUR } from "../../../../schemas/seconds.ts"
import { asPartOfRead } from "../../../shared/http/names.ts"
import { segment } from "../../../shared/http/query.ts"
import { PageHead } from "../../../shared/pages/Desk.tsx"
import { addDays, dayIn, isDay, weekOf, zonedInstant } from "../../../shared/pages/zoned.ts"
import { CallPage } from "../../pages/doctor/CallPage.tsx"
import { OwnCalendarsPage } from "../../pages/doctor/OwnCalendarsPage.tsx"
import { OwnPatientsPage } from "../../pages/doctor/OwnPatientsPage.tsx"
import { PatientCardPage, WEEKS } from "../../pages/doctor/PatientCardPage.tsx"
import { PrescriptionsPage } from "../../pages/doctor/PrescriptionsPage.tsx"
import { TodayPage } from "../../pages/doctor/TodayPage.tsx"
import { WeekPage } from "../../pages/doctor/WeekPage.tsx"
import { Hours } from "../../pages/parts/Hours.tsx"
import { freeTimes, slotIn, timesOfTypes, wishedTimes, wishesIn } from "../practice/freeTimes.ts"
import { effectsOf, wantedException } from "../serving/exceptions.ts"
import type { Visitor } from "../serving/visitor.ts"

const PAGE_SIZE = 200

/** Where the doctor works: days begin and times are shown there. */
const zoneOf = ({ staff }: Pick<Visitor, "staff">) => staff.timezone ?? "Europe/Berlin"

const midnightIn = (zone: string) => (day: string) => zonedInstant(`${day}T00:00`, zone) ?? 0

/** The doctor's appointments that start in `[from, to)`. */
const starting = ({ api }: Visitor, from: number, to: number) =>
  Effect.map(
    api.doctor.appointments({
      urlParams: {
        status: "all",
        from: UnixSeconds.make(from),
        to: UnixSeconds.make(to - 1),
        page: 0,
        limit: PAGE_SIZE
      }
    }),
    ({ data }) => data.filter(({ status }) => status !== "expired")
  )

/** The page of an appointment's patient, with that appointment's note. */
const cardOf = ({ uid, patient_uid }: Appointment) =>
  `/console/doctor/patients/${encodeURIComponent(patient_uid)}?${new URLSearchParams({ appointment: uid })}`

/** Redirects to the patient's card, from a calendar entry and after a call; with `move=true` where the appointment is moved. */
export const appointment = Effect.fn("console.ownAppointment")(function* ({ api }: Pick<Visitor, "api">) {
  const path = { appointment_uid: AppointmentUid.make(yield* segment("uid")) }
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const isMoving = new URL(url, "http://localhost").searchParams.get("move") === "true"
  return seeOther(`${cardOf(yield* api.doctor.appointment({ path }))}${isMoving ? "&move=true#follow-up" : ""}`)
})

/** A running call with the patient's card beside it. Rule 17.6.18. */
export const call =
  ({ baseUrl, meetingsUrl }: Pick<SettingsShape, "baseUrl" | "meetingsUrl">) =>
  ({ api, language, query, texts }: Visitor) =>
    Effect.gen(function* () {
      const path = { appointment_uid: AppointmentUid.make(yield* segment("uid")) }
      const own = yield* api.doctor.appointment({ path })
      const meeting = new URLSearchParams({
        jwt: query.get("jwt") ?? "",
        // after the call the doctor returns to the patient's card
        return_url: `${baseUrl}/console/doctor/appointments/${encodeURIComponent(own.uid)}`,
        parent: new URL(baseUrl).origin,
        lang: language
      })
      const room = encodeURIComponent(query.get("room") ?? "")
      return {
        title: texts.doctor.call,
        live: false,
        call: new URL(meetingsUrl).origin,
        body: (
          <CallPage room={`${meetingsUrl}/meeting/${room}?${meeting}`} card={cardOf(own)} patient={own.patient_uid} />
        )
      }
    })

export const today = Effect.fn("console.today")(function* (visitor: Visitor) {
  const { consoleApi, now, texts } = visitor
  const zone = zoneOf(visitor)
  const midnight = midnightIn(zone)
  const day = dayIn(now, zone)
  // Includes a call that began before midnight
  const from = Math.min(midnight(day), now - HOUR)
  const appointments = yield* starting(visitor, from, midnight(addDays(day, 1)))
  const { data: waiting } = yield* consoleApi["doctor.day"].waiting({})
  return {
    title: texts.doctor.pages.today,
    zone,
    body: <TodayPage now={now} appointments={appointments} waiting={waiting} />
  }
})

/** The types of these appointments, most of them first. */
const typesOf = (appointments: ReadonlyArray<Appointment>) =>
  [...Map.groupBy(appointments, ({ appointment_type_uid }) => appointment_type_uid ?? "")]
    .filter(([uid]) => uid !== "")
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([uid, own]) => [uid, own[0]?.appointment_type_name ?? uid] as const)

/** Times of a week that are shown as places to drop at. */
const PLACES = 500

export const week = Effect.fn("console.week")(function* (visitor: Visitor) {
  const { api, consoleApi, now, query, staff, texts } = visitor
  const named = query.get("week")
  const zone = zoneOf(visitor)
  const midnight = midnightIn(zone)
  const days = weekOf(isDay(named) ? named : dayIn(now, zone))
  const [monday = ""] = days
  const [from, to] = [midnight(monday), midnight(addDays(monday, 7))]
  const appointments = yield* starting(visitor, from, to)
  // those in which the doctor only joins are moved by their own doctor
  const isOwn = ({ doctor_uid }: Appointment) => doctor_uid === staff.doctor_uid
  const movable = appointments.filter((of) => of.status === "confirmed" && of.start_date > now && isOwn(of))
  const types = typesOf(movable)
  const [moved, target] = [query.get("move") ?? "", slotIn(query.get("to"))]
  const one =
    moved === "" ? null : yield* api.doctor.appointment({ path: { appointment_uid: AppointmentUid.make(moved) } })
  /** Free times are those of the shop whose patient it is. */
  const freeOf = (of: Appointment, type: string, range: { readonly from: number; readonly to: number }) =>
    Effect.flatMap(
      asPartOfRead(consoleApi["doctor.day"].patient({ path: { patient_uid: PatientUid.make(of.patient_uid) } })),
      ({ shop_uid }) => freeTimes(visitor, shop_uid, { type, doctor: staff.doctor_uid, ...range }, PLACES)
    )
  const [type = ""] = types.find(([uid]) => uid === query.get("type")) ?? types[0] ?? []
  const [first] = movable
  const free = first === undefined ? [] : yield* freeOf(first, type, { from: Math.max(from, now), to })
  const at = target?.start_date ?? 0
  const there =
    one === null ? [] : yield* freeOf(one, one.appointment_type_uid ?? "", { from: Math.max(at, now), to: at + 1 })
  return {
    title: texts.doctor.pages.week,
    zone,
    body: (
      <WeekPage
        now={now}
        monday={monday}
        midnights={[...days, addDays(monday, 7)].map(midnight)}
        appointments={appointments}
        types={types}
        type={type}
        free={free}
        move={one === null || target === null ? null : { one, to: at, fits: there.length > 0 && isOwn(one) }}
      />
    )
  }
})

export const hours = Effect.fn("console.ownHours")(function* (visitor: Visitor) {
  const { api, consoleApi, query, texts } = visitor
  const { data: rules } = yield* api.doctor.rules({ urlParams: {} })
  const { data: overrides } = yield* consoleApi["doctor.calendar"].overrides({
    urlParams: { page: 0, limit: PAGE_SIZE }
  })
  const wanted = wantedException(query, overrides)
  const effects = yield* effectsOf(wanted, {
    preview: (payload) => consoleApi["doctor.calendar"].preview_override({ payload }),
    booked: (from, to) => starting(visitor, from, to),
    address: cardOf
  })
  return {
    title: texts.doctor.pages.hours,
    zone: zoneOf(visitor),
    live: false,
    body: (
      <>
        <PageHead title={texts.doctor.pages.hours} />
        <Hours path="/v1/doctor" rules={rules} overrides={overrides} wanted={wanted} effects={effects} />
      </>
    )
  }
})

export const calendars = Effect.fn("console.ownCalendars")(function* ({ consoleApi, staff, texts }: Visitor) {
  const { created_at } = yield* consoleApi["doctor.calendar"].feed({})
  return {
    title: texts.doctor.pages.calendars,
    zone: zoneOf({ staff }),
    body: <OwnCalendarsPage feedSince={created_at} />
  }
})

export const prescriptions = Effect.fn("console.prescriptions")(function* ({ consoleApi, texts }: Visitor) {
  const { data } = yield* consoleApi["doctor.day"].prescriptions({})
  return { title: texts.doctor.pages.prescriptions, documents: true, body: <PrescriptionsPage prescriptions={data} /> }
})

export const patients = Effect.fn("console.ownPatients")(function* ({ consoleApi, query, staff, texts }: Visitor) {
  const search = query.get("search")?.trim() ?? ""
  const { data } = yield* consoleApi["doctor.day"].patients({ urlParams: search === "" ? {} : { search } })
  return {
    title: texts.doctor.pages.patients,
    zone: zoneOf({ staff }),
    live: false,
    body: <OwnPatientsPage patients={data} search={search} />
  }
})

/** The query with the appointment that the card shows. */
const withAppointment = (query: URLSearchParams, uid: string | undefined) => {
  const named = new URLSearchParams(query)
  if (uid === undefined) named.delete("appointment")
  else named.set("appointment", uid)
  return named
}

/** `added`: what capabilities have on the card. */
export const patient = (added: (visitor: Visitor) => Effect.Effect<ComponentChild, unknown, InRequest>) =>
  Effect.fn("console.patientCard")(function* (visitor: Visitor) {
    const { api, consoleApi, now, query, staff, texts } = visitor
    const card = yield* consoleApi["doctor.day"].patient({
      path: { patient_uid: PatientUid.make(yield* segment("uid")) }
    })
    const { data: types } = yield* api["patient.booking"].appointment_types({ urlParams: { shop_uid: card.shop_uid } })
    const choices = types.map(({ uid, name }) => [uid, name] as const)
    const own = card.visits.filter(({ doctor_uid }) => doctor_uid === staff.doctor_uid)
    const noted =
      own.find(({ uid }) => uid === query.get("appointment")) ??
      own.findLast((one) => one.status === "confirmed" && joinWindowState(one, now) === "open") ??
      own.at(-1)
    const note =
      noted === undefined
        ? null
        : yield* consoleApi["doctor.day"].note({ path: { appointment_uid: AppointmentUid.make(noted.uid) } })
    const zone = zoneOf(visitor)
    const wishes = wishesIn(query, now, zone)
    const isMoving = query.get("move") === "true" && noted?.status === "confirmed" && noted.start_date > now
    const articleSearch = query.get("article")?.trim() ?? ""
    const { data: articles } = yield* api.doctor.articles({ urlParams: { search: articleSearch } })
    const wanted = isMoving ? ([[noted.appointment_type_uid ?? "", ""]] as const) : choices
    const { type, free } = yield* timesOfTypes(
      wanted,
      query.get("type") ?? noted?.appointment_type_uid ?? null,
      (one) => wishedTimes(visitor, card.shop_uid, { type: one, doctor: staff.doctor_uid, zone, wishes }, 24)
    )
    const today = dayIn(now, zone)
    const soonest = yield* Effect.forEach(isMoving ? [] : WEEKS, (weeks) => {
      const from = { ...wishes, day: addDays(today, 7 * weeks) }
      const search = { type, doctor: staff.doctor_uid, zone, wishes: from }
      return Effect.map(wishedTimes(visitor, card.shop_uid, search, 1), (found) =>
        found.map((time) => [weeks, time] as const)
      )
    })
    return {
      title: texts.doctor.patient,
      zone,
      live: false,
      body: (
        <PatientCardPage
          card={card}
          noted={noted ?? null}
          note={note?.note ?? null}
          types={choices}
          type={type}
          free={free}
          soonest={soonest.flat()}
          wishes={wishes}
          now={now}
          isMoving={isMoving}
          completes={query.get("complete") === "true"}
          articles={articles}
          articleSearch={articleSearch}
          added={yield* added({ ...visitor, query: withAppointment(query, noted?.uid) })}
        />
      )
    }
  })
