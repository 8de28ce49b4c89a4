import { Effect } from "effect"
import { UnixSeconds } from "../../../../schemas/fields.ts"
import { AppointmentUid, DoctorUid, PatientUid } from "../../../../schemas/ids.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { choicesOf } from "../../../shared/http/choices.ts"
import { pageOf, segment } from "../../../shared/http/query.ts"
import { addDays, weekOf, zonedInstant } from "../../../shared/pages/zoned.ts"
import { isMoved } from "../../pages/calendar/TimeGrid.tsx"
import { AppointmentPage } from "../../pages/practice/AppointmentPage.tsx"
import type { PanelProps } from "../../pages/practice/AppointmentPanel.tsx"
import { CalendarPage, calendarViews, type FirstStep } from "../../pages/practice/CalendarPage.tsx"
import type { Visitor } from "../serving/visitor.ts"
import { freeTimes, slotIn, timesOfTypes, wishedTimes, wishesIn } from "./freeTimes.ts"

/** Appointments read for the calendar, and free times shown. */
const ENTRIES_MAX = 2_000
const PAGE_SIZE = 200
/** Appointments of a patient among which the one is that a move made. */
const MOVES_READ = 200
/** Rows of the list. */
const ROWS = 100
/** Free times offered to move an appointment to, and as the next ones, at once. */
const TIMES_OFFERED = 60

type Choices = ReadonlyArray<readonly [uid: string, name: string]>
/** The appointments of the period, without those that are not to be shown. */
const appointmentsIn = Effect.fnUntraced(function* (
  { api }: Visitor,
  { from, to }: { readonly from: number; readonly to: number },
  doctor: string,
  withCancelled: boolean
) {
  const found: Array<Appointment> = []
  let isCut = false
  for (let page = 0; page * PAGE_SIZE < ENTRIES_MAX; page++) {
    const { data, totalPages } = yield* api["management.appointments"].list({
      urlParams: {
        ...(doctor !== "" && { doctor_uid: DoctorUid.make(doctor) }),
        status: "all",
        from: UnixSeconds.make(from),
        to: UnixSeconds.make(to - 1),
        page,
        limit: PAGE_SIZE
      }
    })
    found.push(...data.filter(({ status }) => status !== "expired" && (withCancelled || status !== "cancelled")))
    isCut = page + 1 < totalPages
    if (!isCut) break
  }
  return { appointments: found, isCut }
})

/** The patient's confirmed appointments from today on, without this one. */
const othersOf = ({ api, now }: Visitor, { uid, patient_uid }: Appointment) =>
  Effect.map(
    api["management.appointments"].list({
      urlParams: { patient_uid, status: "confirmed", from: UnixSeconds.make(now - DAY), page: 0, limit: PAGE_SIZE }
    }),
    ({ data }) => data.filter((one) => one.uid !== uid)
  )

/** The appointment that is open beside the calendar, or the one that is being moved. */
const panelIn = Effect.fnUntraced(function* (
  visitor: Visitor,
  shop: Parameters<typeof freeTimes>[1],
  doctors: Choices
) {
  const { api, query, now } = visitor
  const read = (uid: string) =>
    Effect.option(api["management.appointments"].one({ path: { appointment_uid: AppointmentUid.make(uid) } }))
  const moved = query.get("move")
  if (moved !== null && moved !== "") {
    const one = yield* read(moved)
    if (one._tag === "None" || one.value.status !== "confirmed") return null
    const to = slotIn(query.get("to"))
    const type = one.value.appointment_type_uid ?? ""
    const there =
      to === null
        ? []
        : yield* freeTimes(
            visitor,
            shop,
            { type, doctor: to.doctor_uid, from: to.start_date, to: to.start_date + 1 },
            1
          )
    const panel: PanelProps = {
      kind: "move",
      one: one.value,
      to,
      others: to === null ? [] : yield* othersOf(visitor, one.value),
      fits: there.length > 0,
      doctorNames: new Map(doctors)
    }
    return panel
  }
  const opened = query.get("appointment")
  if (opened === null || opened === "") return null
  const one = yield* read(opened)
  if (one._tag === "None") return null
  const { profile } = yield* api["organisation.patients"].one({
    path: { patient_uid: PatientUid.make(one.value.patient_uid) }
  })
  const panel: PanelProps = { kind: "open", one: one.value, now, profile }
  return panel
})

/** What a new practice has, and what it lacks. */
const firstSteps = Effect.fnUntraced(function* (
  { api }: Visitor,
  { doctors, types, shop }: { readonly doctors: Choices; readonly types: Choices; readonly shop: unknown }
) {
  const { branding } = yield* api["organisation.settings"].one({})
  const steps: ReadonlyArray<FirstStep> = [
    ["doctor", doctors.length > 0],
    ["hours", doctors.length > 0 ? null : false],
    ["type", types.length > 0],
    ["legal", branding.imprint_url !== null && branding.privacy_url !== null],
    ["shop", shop !== undefined]
  ]
  return steps
})

export const calendar = Effect.fn("console.calendar")(function* (visitor: Visitor) {
  const { consoleApi, now, query, texts } = visitor
  const { zone, doctors, types, shop } = yield* choicesOf(visitor)
  const view = calendarViews.find((one) => one === query.get("view")) ?? "day"
  const wishes = wishesIn(query, now, zone)
  const [monday = wishes.day] = weekOf(wishes.day)
  const day = view === "week" ? monday : wishes.day
  const days = Array.from({ length: view === "week" ? 8 : 2 }, (_, index) => addDays(day, index))
  const midnights = days.map((one) => zonedInstant(`${one}T00:00`, zone) ?? 0)
  const period = { from: midnights[0] ?? 0, to: midnights.at(-1) ?? 0 }
  const named = doctors.find(([uid]) => uid === query.get("doctor"))?.[0] ?? ""
  const panel = yield* panelIn(visitor, shop, doctors)
  const offered = panel?.kind === "move" ? types.filter(([uid]) => uid === panel.one.appointment_type_uid) : types
  const withCancelled = query.get("cancelled") === "true"
  const range = { from: UnixSeconds.make(period.from), to: UnixSeconds.make(period.to) }
  const {
    subjects: all,
    presence,
    squeezed_in
  } = yield* consoleApi["management.practice"].calendar({ urlParams: range })
  const own = all.filter(({ kind }) => kind === "doctor")
  const doctor =
    named !== "" || view !== "week" ? named : ((own.find(({ open }) => open.length > 0) ?? own[0])?.uid ?? "")
  const { totalRegistries: unreached } = yield* consoleApi["management.reports"].messages({
    urlParams: { page: 0, limit: 1, unreached: "true" }
  })
  const missing = doctors.length > 0 && types.length > 0 ? null : yield* firstSteps(visitor, { doctors, types, shop })
  const shared = { zone, title: texts.practice.pages.calendar }
  const states = new Map(presence.map(({ appointment_uid, state }) => [String(appointment_uid), state]))
  const props = {
    view,
    now,
    day,
    midnights,
    doctors,
    types,
    doctor,
    subjects: view === "week" ? own.filter(({ uid }) => uid === doctor) : all,
    presence: (uid: string) => states.get(uid),
    squeezed: new Set(squeezed_in.map(String)),
    withCancelled,
    withAll: query.get("all") === "true",
    withRooms: query.get("rooms") === "true",
    wishes,
    panel,
    missing,
    unreached,
    page: pageOf(query)
  }
  const none = { appointments: [], free: [], isCut: false, pages: 1 }
  if (view === "next") {
    const { type, free } = yield* timesOfTypes(offered, query.get("type"), (one) =>
      wishedTimes(visitor, shop, { type: one, doctor, zone, wishes }, TIMES_OFFERED)
    )
    return { ...shared, body: <CalendarPage {...props} {...none} type={type} free={free} /> }
  }
  const { appointments, isCut } = yield* appointmentsIn(visitor, period, view === "day" ? "" : doctor, withCancelled)
  if (view === "list") {
    const rows = appointments.slice(props.page * ROWS, (props.page + 1) * ROWS)
    const pages = Math.ceil(appointments.length / ROWS)
    return {
      ...shared,
      body: <CalendarPage {...props} {...none} type="" appointments={rows} pages={pages} isCut={isCut} />
    }
  }
  const within = { doctor: view === "week" ? doctor : "", from: Math.max(period.from, now), to: period.to }
  const { type, free } = yield* timesOfTypes(offered, query.get("type"), (one) =>
    freeTimes(visitor, shop, { type: one, ...within }, ENTRIES_MAX)
  )
  return {
    ...shared,
    body: <CalendarPage {...props} {...none} type={type} appointments={appointments} free={free} isCut={isCut} />
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
  const replacement = isMoved(one)
    ? (yield* api["management.appointments"].list({
        urlParams: {
          patient_uid: one.patient_uid,
          status: "all",
          from: UnixSeconds.make(0),
          page: 0,
          limit: MOVES_READ
        }
      })).data.find(({ previous_meeting_uid }) => previous_meeting_uid === uid)
    : undefined
  return {
    title: texts.practice.appointment,
    zone,
    body: (
      <AppointmentPage
        now={now}
        one={one}
        replacement={replacement ?? null}
        free={free}
        others={one.status === "confirmed" ? yield* othersOf(visitor, one) : []}
        wishes={wishes}
        doctors={doctors}
        doctor={doctor}
        profile={profile}
      />
    )
  }
})
