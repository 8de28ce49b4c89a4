/** Easy!Appointments 1.4 and 1.5, from an SQL dump of its database. Its times are those of the provider's zone. */
import { Effect, Option, Schema } from "effect"
import { DAY } from "../../../schemas/seconds.ts"
import { isoDateOf } from "../../../services/scheduling/calendar/dates.ts"
import {
  type Goal,
  ImportUnreadable,
  instantAt,
  languageOf,
  leaveOthers,
  midnightOfDate,
  minuteOf,
  planFor,
  today,
  type Window
} from "../plan.ts"
import { type Row, rowsOfDump } from "./dump.ts"

const Hours = Schema.NullOr(
  Schema.Struct({
    start: Schema.String,
    end: Schema.String,
    breaks: Schema.optional(Schema.NullOr(Schema.Array(Schema.Struct({ start: Schema.String, end: Schema.String }))))
  })
)
const decodeHours = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.NullishOr(Hours) }))
)
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
/** Days off are brought over for so long, from today on. */
const DAYS = 1100
/** What an appointment that takes place is called, in lower case. */
const TAKES_PLACE = ["", "booked", "confirmed", "rescheduled"]
const TABLES = "users roles services services_providers user_settings appointments blocked_periods settings"
const ROW = "id create_datetime update_datetime delete_datetime hash"
const NAMES = "first_name last_name email phone_number language timezone id_roles is_private"

/** The windows without a span, minutes of the same day. */
const without = (windows: ReadonlyArray<Window>, [from, to]: Window): ReadonlyArray<Window> =>
  windows
    .flatMap(
      ([start, end]): ReadonlyArray<Window> => [
        [start, Math.min(end, from)],
        [Math.max(start, to), end]
      ]
    )
    .filter(([start, end]) => start < end)

/** Undefined for hours that cannot be read. */
const windowsOf = (hours: typeof Hours.Type | undefined): ReadonlyArray<Window> | undefined => {
  if (hours === null || hours === undefined) return []
  const spans = [hours, ...(hours.breaks ?? [])].flatMap((span): ReadonlyArray<Window> => {
    const [start, end] = [minuteOf(span.start), minuteOf(span.end)]
    return start === undefined || end === undefined ? [] : [[start, end]]
  })
  const [whole = [0, 0], ...breaks] = spans
  return breaks.length === (hours.breaks ?? []).length ? breaks.reduce(without, [whole]) : undefined
}

/** A date and time of MySQL: the UTC midnight of the date, and the minute. */
const timeOf = (text: string | null | undefined) => {
  const [date = "", time = ""] = (text ?? "").split(" ")
  const [day, minute] = [midnightOfDate(date), minuteOf(time)]
  return day === undefined || minute === undefined ? undefined : { day, minute }
}

export const planOfEasyAppointments = Effect.fnUntraced(function* (text: string, goal: Goal) {
  const plan = planFor("ea", goal)
  const { id } = plan
  const dump = rowsOfDump(text)
  const prefix = [...dump.keys()].find((name) => name.endsWith("services_providers"))?.slice(0, -18)
  if (prefix === undefined) return yield* new ImportUnreadable({ why: "It is no SQL dump of Easy!Appointments" })
  const rows = (table: string): ReadonlyArray<Row> => dump.get(prefix + table) ?? []
  const label = (table: string, { id }: Row) => `${table} ${id}`
  const roles = new Map(rows("roles").map(({ id, slug }) => [id, slug]))
  const settings = new Map(rows("settings").map(({ name, value }) => [name, value]))
  const notice = Number(settings.get("book_advance_timeout") ?? 0)

  for (const service of rows("services")) {
    const { id: key, name, duration, price, currency, description } = service
    const step = service.slot_interval ?? (service.availabilities_type === "fixed" ? null : "15")
    plan.type(label("services", service), {
      ...{ uid: id("type", key ?? ""), name, duration_minutes: Number(duration), description: description || null },
      ...{ booking_min_notice_minutes: notice, cancellation_min_notice_minutes: notice },
      ...{ rebooking_min_notice_minutes: notice, allow_patient_rebooking: true, formats: ["IN_PERSON"] },
      price: Number(price ?? 0) > 0 ? `${price} ${currency ?? ""}`.trim() : null,
      slot_step_minutes: step === null ? null : Number(step),
      seats: Number(service.attendants_number ?? 1) || 1,
      active: service.is_private !== "1"
    })
    if (service.is_private === "1") plan.leave(label("services", service), "is private: it comes as not bookable")
    const taken = `${ROW} name duration price currency description slot_interval availabilities_type attendants_number`
    leaveOthers(plan, label("services", service), service, `${taken} is_private`)
  }

  const settingsOf = new Map(rows("user_settings").map((row) => [row.id_users, row]))
  const closed = [...rows("appointments").filter((one) => one.is_unavailability === "1"), ...rows("blocked_periods")]
  const doctors = new Map<string | null, { readonly uid: string; readonly timezone: string }>()
  const patients = new Map<string | null, string>()
  for (const user of rows("users")) {
    const role = roles.get(user.id_roles ?? null)
    const called = label("users", user)
    const key = user.id ?? ""
    const phone = user.phone_number || user.mobile_number
    const taken = `${ROW} ${NAMES} ${user.phone_number ? "" : "mobile_number"}`
    if (role === "customer") {
      const profile = plan.profileOf(called, {
        ...{ first_name: user.first_name, last_name: user.last_name, email: user.email, phone },
        ...{ street: user.address, city: user.city, zip: user.zip_code, language: languageOf(user.language ?? "") }
      })
      const uid = plan.patient(called, { key: `customer-${key}`, profile })
      if (uid !== undefined) patients.set(user.id ?? null, uid)
      leaveOthers(plan, called, user, `${taken} address city zip_code`)
    } else if (role === "provider") {
      const timezone = user.timezone || goal.timezone
      const display_name = [user.first_name, user.last_name].filter(Boolean).join(" ")
      const uid = plan.doctor(called, key, { display_name, email: user.email || null, timezone })
      leaveOthers(plan, called, user, taken)
      if (uid === undefined) continue
      doctors.set(user.id ?? null, { uid, timezone })
      const { working_plan, working_plan_exceptions } = settingsOf.get(user.id ?? null) ?? {}
      const week = decodeHours(working_plan ?? "{}")
      const days = decodeHours(working_plan_exceptions || "{}")
      if (Option.isNone(week) || Option.isNone(days)) {
        plan.leave(called, "working_plan or working_plan_exceptions cannot be read: no hours")
        continue
      }
      const hoursOf = (name: string, hours: typeof Hours.Type | undefined) => {
        const windows = windowsOf(hours)
        if (windows === undefined) plan.leave(called, `hours of ${name} cannot be read`)
        return windows ?? []
      }
      const weekly = WEEKDAYS.map((name) => hoursOf(name, week.value[name]))
      weekly.forEach((windows, weekday) => {
        windows.forEach(([start_time, end_time], n) => {
          const rule = { uid: id("rule", `${key}-${weekday}-${n}`), doctor_uid: uid, weekday, start_time, end_time }
          plan.add("availability_rules", `${called}, ${WEEKDAYS[weekday]}`, rule)
        })
      })
      const own = closed.filter((one) => one.id_users_provider === undefined || one.id_users_provider === user.id)
      const spans = own.flatMap((one) => {
        const [start, end] = [timeOf(one.start_datetime), timeOf(one.end_datetime)]
        return start === undefined || end === undefined ? [] : [{ start, end }]
      })
      const first = today(timezone, goal.known.now)
      for (let day = first; day < first + DAYS * DAY; day += DAY) {
        const date = isoDateOf(day / DAY)
        const exception = days.value[date]
        const usual = weekly[(new Date(day * 1000).getUTCDay() + 6) % 7] ?? []
        const base = exception === undefined ? usual : hoursOf(date, exception)
        const windows = spans
          .filter(({ start, end }) => start.day <= day && end.day >= day)
          .map(
            ({ start, end }): Window => [
              start.day < day ? 0 : start.minute,
              end.day > day || end.minute === 1439 ? 1440 : end.minute
            ]
          )
          .reduce(without, base)
        if (JSON.stringify(windows) === JSON.stringify(usual)) continue
        const override = (n: number, fields: object) =>
          plan.add("availability_date_overrides", `${called}, ${date}`, {
            ...{ uid: id("day", `${key}-${date}-${n}`), doctor_uid: uid, date: day },
            ...fields
          })
        if (windows.length === 0) override(0, { day_off: true })
        windows.forEach(([start_time, end_time], n) => {
          override(n, { start_time, end_time })
        })
      }
    } else plan.leave(called, `is ${role ?? "of no role"}: invite the person as staff`)
  }

  for (const { id_users, id_services } of rows("services_providers")) {
    const doctor = doctors.get(id_users ?? null)
    if (doctor !== undefined)
      plan.add("doctor_appointment_type_settings", `users ${id_users}, services ${id_services}`, {
        doctor_uid: doctor.uid,
        appointment_type_uid: id("type", id_services ?? "")
      })
  }

  for (const appointment of rows("appointments")) {
    if (appointment.is_unavailability === "1") continue
    const called = label("appointments", appointment)
    const doctor = doctors.get(appointment.id_users_provider ?? null)
    const patient_uid = patients.get(appointment.id_users_customer ?? null)
    const [start, end] = [timeOf(appointment.start_datetime), timeOf(appointment.end_datetime)]
    const status = appointment.status ?? ""
    if (doctor === undefined || patient_uid === undefined) plan.leave(called, "its provider or customer did not come")
    else if (start === undefined || end === undefined) plan.leave(called, "its time cannot be read")
    else {
      const start_date = instantAt(doctor.timezone, start.day, start.minute)
      const cancelled = !TAKES_PLACE.includes(status.toLowerCase())
      if (start_date > goal.known.now) {
        if (cancelled) plan.leave(called, `status ${status}`)
        const taken = "book_datetime start_datetime end_datetime is_unavailability status notes color"
        leaveOthers(plan, called, appointment, `${ROW} ${taken} id_users_provider id_users_customer id_services`)
      }
      plan.appointment(called, {
        key: appointment.id ?? "",
        doctor_uid: doctor.uid,
        patient_uid,
        appointment_type_uid: appointment.id_services === null ? null : id("type", appointment.id_services ?? ""),
        start_date,
        end_date: instantAt(doctor.timezone, end.day, end.minute),
        meeting_format: "IN_PERSON",
        visit_reason: appointment.notes || null,
        cancelled
      })
    }
  }

  const taken = new Set(TABLES.split(" ").map((table) => prefix + table))
  for (const [table, found] of dump)
    if (!taken.has(table) && found.length > 0) plan.leave(table, `${found.length} rows have no counterpart`)
  return plan
})
