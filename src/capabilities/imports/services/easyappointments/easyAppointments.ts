/** Easy!Appointments 1.4 and 1.5, from an SQL dump of its database. Its times are those of the provider's zone. */
import { Effect, Option, Schema } from "effect"
import { DAY } from "../../../../schemas/seconds.ts"
import { isoDateOf } from "../../../../services/scheduling/calendar/dates.ts"
import { spanAt, zoneOf } from "../../../../services/scheduling/slots/zones.ts"
import {
  type Goal,
  instantAt,
  languageOf,
  planFor,
  unreadable,
  wallOf,
  windowOf
} from "../../../shared/services/importing/importPlan.ts"
import { type Row, rowsOfDump } from "./dump.ts"

const span = { start: Schema.String, end: Schema.String }
const Hours = Schema.NullishOr(
  Schema.Struct({ ...span, breaks: Schema.optional(Schema.NullOr(Schema.Array(Schema.Struct(span)))) })
)
const decodeHours = Schema.decodeUnknownOption(Schema.parseJson(Schema.Record({ key: Schema.String, value: Hours })))
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
/** Days off are brought over for so long, from today on. */
const DAYS = 1100
/** What an appointment that takes place is called, in lower case. */
const TAKES_PLACE = ["", "booked", "confirmed", "rescheduled"]
const TABLES = "users roles services services_providers user_settings appointments blocked_periods settings"
const ROW = "id create_datetime update_datetime delete_datetime hash"
const NAMES = "first_name last_name email phone_number language timezone id_roles is_private"

type Window = ReturnType<typeof windowOf>

/** The windows without a span. */
const without = (windows: ReadonlyArray<Window>, cut: Window): ReadonlyArray<Window> =>
  windows
    .flatMap(({ start_time, end_time }) => [
      { start_time, end_time: Math.min(end_time, cut.start_time) },
      { start_time: Math.max(start_time, cut.end_time), end_time }
    ])
    .filter(({ start_time, end_time }) => start_time < end_time)

/** Undefined for hours that cannot be read. */
const windowsOf = (hours: typeof Hours.Type) => {
  const spans = hours ? [hours, ...(hours.breaks ?? [])].map(({ start, end }) => windowOf(start, end)) : []
  if (spans.some(({ start_time, end_time }) => Number.isNaN(start_time + end_time))) return undefined
  return spans.slice(1).reduce(without, spans.slice(0, 1))
}

/** Start and end of a row, in wall-clock seconds. */
const spanOf = (row: Row) => ({ start: wallOf(row.start_datetime), end: wallOf(row.end_datetime) })

export const planOfEasyAppointments = Effect.fnUntraced(function* (bytes: Buffer, goal: Goal) {
  const plan = planFor("ea", goal)
  const { id } = plan
  const dump = rowsOfDump(bytes.toString())
  const prefix = [...dump.keys()].find((name) => name.endsWith("services_providers"))?.slice(0, -18)
  if (prefix === undefined) return yield* unreadable("It is no SQL dump of Easy!Appointments")
  const rows = (table: string) => dump.get(prefix + table) ?? []
  const roles = new Map(rows("roles").map(({ id, slug }) => [id, slug]))
  const notice = Number(rows("settings").find(({ name }) => name === "book_advance_timeout")?.value ?? 0)

  for (const service of rows("services")) {
    const label = `services ${service.id}`
    const step = service.slot_interval || (service.availabilities_type === "fixed" ? null : 15)
    plan.type(label, {
      ...{ uid: id("type", service.id), name: service.name, duration_minutes: Number(service.duration) },
      ...{ booking_min_notice_minutes: notice, cancellation_min_notice_minutes: notice },
      ...{ rebooking_min_notice_minutes: notice, allow_patient_rebooking: true, formats: ["IN_PERSON"] },
      description: service.description || null,
      price: Number(service.price) > 0 ? `${service.price} ${service.currency ?? ""}`.trim() : null,
      slot_step_minutes: step === null ? null : Number(step),
      seats: Number(service.attendants_number) || 1,
      active: service.is_private !== "1"
    })
    if (service.is_private === "1") plan.leave(label, "is private: it comes as not bookable")
    const taken = `${ROW} name duration price currency description slot_interval availabilities_type attendants_number`
    plan.leaveOthers(label, service, `${taken} is_private`)
  }

  const settingsOf = new Map(rows("user_settings").map((row) => [row.id_users, row]))
  const closed = [...rows("appointments").filter((one) => one.is_unavailability === "1"), ...rows("blocked_periods")]
  /** Adds the weekly hours of a provider, and the days that are not as usual: exceptions and blocked times. */
  const addHours = (label: string, user: Row, doctor_uid: string, timezone: string) => {
    const { working_plan, working_plan_exceptions } = settingsOf.get(user.id) ?? {}
    const read = Option.all([decodeHours(working_plan || "{}"), decodeHours(working_plan_exceptions || "{}")])
    if (Option.isNone(read))
      return plan.leave(label, "working_plan or working_plan_exceptions cannot be read: no hours")
    const [week, exceptions] = read.value
    const hoursOf = (name: string, hours: typeof Hours.Type) =>
      windowsOf(hours) ?? plan.leave(label, `hours of ${name} cannot be read`) ?? []
    const weekly = WEEKDAYS.map((name) => hoursOf(name, week[name]))
    for (const [weekday, windows] of weekly.entries())
      for (const [n, window] of windows.entries()) {
        const rule = { uid: id("rule", `${user.id}-${weekday}-${n}`), doctor_uid, weekday, ...window }
        plan.add("availability_rules", `${label}, ${WEEKDAYS[weekday]}`, rule)
      }
    const spans = closed
      .filter((one) => one.id_users_provider === undefined || one.id_users_provider === user.id)
      .map(spanOf)
      .filter(({ start, end }) => start < end)
    const { now } = goal.known
    const first = Math.floor((now + spanAt(zoneOf(timezone), now).offset) / DAY)
    for (let day = first; day < first + DAYS; day++) {
      const date = isoDateOf(day)
      const usual = weekly[(day + 3) % 7] ?? [] // 1970-01-01 was a Thursday
      const minute = (wall: number) => (wall - day * DAY) / 60
      const windows = spans
        // a day's end is written as 23:59
        .map(({ start, end }) => ({ start_time: minute(start), end_time: minute(end) === 1439 ? 1440 : minute(end) }))
        .reduce(without, exceptions[date] === undefined ? usual : hoursOf(date, exceptions[date]))
      if (JSON.stringify(windows) === JSON.stringify(usual)) continue
      const hours = windows.length === 0 ? [{ day_off: true }] : windows
      hours.forEach((fields, n) => {
        const override = { uid: id("day", `${user.id}-${date}-${n}`), doctor_uid, date: day * DAY, ...fields }
        plan.add("availability_date_overrides", `${label}, ${date}`, override)
      })
    }
    return undefined
  }

  const doctors = new Map<string | undefined, { readonly uid: string; readonly timezone: string }>()
  const patients = new Map<string | undefined, string>()
  for (const user of rows("users")) {
    const role = roles.get(user.id_roles)
    const label = `users ${user.id}`
    const phone = user.phone_number || user.mobile_number
    const taken = `${ROW} ${NAMES} ${user.phone_number ? "" : "mobile_number"}`
    if (role === "customer") {
      const profile = plan.profileOf(label, {
        ...{ first_name: user.first_name, last_name: user.last_name, email: user.email, phone },
        ...{ street: user.address, city: user.city, zip: user.zip_code, language: languageOf(user.language) }
      })
      const uid = plan.patient(label, { key: `customer-${user.id}`, profile })
      if (uid !== undefined) patients.set(user.id, uid)
      plan.leaveOthers(label, user, `${taken} address city zip_code`)
    } else if (role === "provider") {
      const timezone = user.timezone || goal.timezone
      const name = [user.first_name, user.last_name].filter(Boolean).join(" ")
      const uid = plan.doctor(label, user.id, { name, email: user.email || null, timezone })
      plan.leaveOthers(label, user, taken)
      if (uid === undefined) continue
      doctors.set(user.id, { uid, timezone })
      addHours(label, user, uid, timezone)
    } else plan.leave(label, `is ${role ?? "of no role"}: invite the person as staff`)
  }

  for (const { id_users, id_services } of rows("services_providers")) {
    const doctor = doctors.get(id_users)
    const setting = { doctor_uid: doctor?.uid, appointment_type_uid: id("type", id_services) }
    if (doctor !== undefined)
      plan.add("doctor_appointment_type_settings", `users ${id_users}, services ${id_services}`, setting)
  }

  for (const appointment of rows("appointments").filter((one) => one.is_unavailability !== "1")) {
    const label = `appointments ${appointment.id}`
    const doctor = doctors.get(appointment.id_users_provider)
    const patient_uid = patients.get(appointment.id_users_customer)
    const { start, end } = spanOf(appointment)
    const status = appointment.status ?? ""
    if (doctor === undefined || patient_uid === undefined) plan.leave(label, "its provider or customer did not come")
    else if (Number.isNaN(start + end)) plan.leave(label, "its time cannot be read")
    else {
      const start_date = instantAt(doctor.timezone, start)
      const cancelled = !TAKES_PLACE.includes(status.toLowerCase())
      if (start_date > goal.known.now) {
        if (cancelled) plan.leave(label, `status ${status}`)
        const taken = "book_datetime start_datetime end_datetime is_unavailability status notes color"
        plan.leaveOthers(label, appointment, `${ROW} ${taken} id_users_provider id_users_customer id_services`)
      }
      plan.appointment(label, {
        key: `${appointment.id}`,
        ...{ doctor_uid: doctor.uid, patient_uid, start_date, end_date: instantAt(doctor.timezone, end), cancelled },
        appointment_type_uid: appointment.id_services ? id("type", appointment.id_services) : null,
        visit_reason: appointment.notes || null
      })
    }
  }

  for (const [table, found] of dump)
    if (!TABLES.split(" ").includes(table.replace(prefix, "")) && found.length > 0)
      plan.leave(table, `${found.length} rows have no counterpart`)
  return plan
})
