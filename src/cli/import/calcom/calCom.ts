/**
 * Cal.com, from one JSON object with the bodies of its API v2: `me`, `event-types` (2024-06-14), `schedules` (2024-06-11) and `bookings`
 * (2024-08-13). The account's person is the doctor.
 */
import { Effect, ParseResult, Schema } from "effect"
import { byWord } from "../../../schemas/byWord.ts"
import { type Goal, ImportUnreadable, leaveOthers, midnightOfDate, minuteOf, planFor } from "../plan.ts"

const [S, N, B] = [Schema.NullishOr(Schema.String), Schema.NullishOr(Schema.Number), Schema.NullishOr(Schema.Boolean)]
const Id = Schema.Union(Schema.Number, Schema.String)
const body = <A, I>(one: Schema.Schema<A, I>) => Schema.Struct({ data: Schema.Array(one) })
const some = <A, I>(one: Schema.Schema<A, I>) => Schema.NullishOr(Schema.Array(one))
const others = { key: Schema.String, value: Schema.Unknown }
const Hours = { startTime: Schema.String, endTime: Schema.String }

const Me = Schema.Struct({ name: S, email: S, username: S, timeZone: S, defaultScheduleId: Schema.NullishOr(Id) })
const EventType = Schema.Struct(
  {
    ...{ id: Id, title: Schema.String, lengthInMinutes: Schema.Number, description: S, slotInterval: N, price: N },
    ...{ minimumBookingNotice: N, beforeEventBuffer: N, afterEventBuffer: N, seatsPerTimeSlot: N, currency: S },
    ...{ hidden: B, schedulingType: S, scheduleId: Schema.NullishOr(Id) },
    locations: some(Schema.Struct({ type: Schema.String })),
    seats: Schema.NullishOr(Schema.Struct({ seatsPerTimeSlot: N })),
    disableRescheduling: Schema.NullishOr(Schema.Struct({ disabled: B })),
    bookingFields: some(Schema.Struct({ slug: S, isDefault: B }))
  },
  others
)
const Schedule = Schema.Struct({
  ...{ id: Id, timeZone: Schema.String, isDefault: B },
  availability: Schema.Array(Schema.Struct({ days: Schema.Array(Schema.String), ...Hours })),
  overrides: some(Schema.Struct({ date: Schema.String, ...Hours }))
})
const Booking = Schema.Struct({
  ...{ uid: Schema.String, status: Schema.String, start: Schema.String, end: Schema.String, location: S },
  ...{ eventTypeId: Schema.NullishOr(Id), eventType: Schema.NullishOr(Schema.Struct({ id: Id })) },
  ...{ hosts: some(Schema.Struct({ email: S })), guests: some(Schema.Unknown) },
  attendees: Schema.Array(Schema.Struct({ name: S, email: S, phoneNumber: S, language: S, seatUid: S })),
  bookingFieldsResponses: Schema.NullishOr(Schema.Struct({ notes: S, attendeePhoneNumber: S }, others))
})
const File = Schema.Struct({
  ...{ me: Schema.Struct({ data: Me }), schedules: body(Schedule), bookings: body(Booking) },
  "event-types": body(EventType)
})
const decode = Schema.decodeUnknown(Schema.parseJson(File))

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
/** Locations of event types; of the others this service has none. */
const FORMATS = byWord<"DIGITAL" | "IN_PERSON">({
  integration: "DIGITAL",
  link: "DIGITAL",
  conferencing: "DIGITAL",
  organizersDefaultApp: "DIGITAL",
  address: "IN_PERSON"
})
const TYPE =
  `id title slug lengthInMinutes description locations slotInterval minimumBookingNotice beforeEventBuffer afterEventBuffer
  scheduleId seatsPerTimeSlot seats price currency hidden disableRescheduling bookingFields ownerId users metadata isDefault
  bookingUrl color bookerLayouts destinationCalendar calVideoSettings`.replace(/\s+/g, " ")
const ANSWERS = "name email notes attendeePhoneNumber location title guests rescheduleReason displayEmail"

export const planOfCalCom = Effect.fnUntraced(function* (json: string, goal: Goal) {
  const plan = planFor("calcom", goal)
  const { id } = plan
  const { me, schedules, bookings, ...file } = yield* Effect.mapError(
    decode(json),
    (error) =>
      new ImportUnreadable({
        why: `It lacks what Cal.com's interface sends:\n${ParseResult.TreeFormatter.formatErrorSync(error)}`
      })
  )
  const person = me.data
  const standard = schedules.data.find((one) => one.id === person.defaultScheduleId || one.isDefault === true)
  const timezone = standard?.timeZone ?? person.timeZone ?? goal.timezone
  const display_name = person.name || person.username || ""
  const doctor_uid = plan.doctor("me", "me", { display_name, email: person.email ?? null, timezone })
  if (doctor_uid === undefined) return plan

  const types = new Map<string | number, { readonly formats: ReadonlyArray<"DIGITAL" | "IN_PERSON"> }>()
  const scheduled: Array<{ readonly type: string; readonly schedule: string | number | undefined }> = []
  for (const type of file["event-types"].data) {
    const label = `event-types ${type.id}`
    const locations = (type.locations ?? []).map((one) => one.type)
    const formats = [...new Set(locations.flatMap((one) => FORMATS[one] ?? []))]
    for (const one of locations) if (FORMATS[one] === undefined) plan.leave(label, `location ${one}`)
    leaveOthers(plan, label, type, TYPE)
    for (const { slug, isDefault } of type.bookingFields ?? [])
      if (isDefault !== true && !ANSWERS.split(" ").includes(slug ?? "")) plan.leave(label, `booking field ${slug}`)
    if (typeof type.schedulingType === "string") {
      plan.leave(label, "belongs to a team: it does not come")
      continue
    }
    if (locations.length > 0 && formats.length === 0) {
      plan.leave(label, "has no place that there is here: it does not come")
      continue
    }
    if (type.hidden === true) plan.leave(label, "is hidden: it comes as not bookable")
    const uid = id("type", type.id)
    const isAdded = plan.type(label, {
      ...{ uid, name: type.title, duration_minutes: type.lengthInMinutes, description: type.description || null },
      allow_patient_rebooking: type.disableRescheduling?.disabled !== true,
      booking_min_notice_minutes: type.minimumBookingNotice ?? 0,
      price: type.price ? `${(type.price / 100).toFixed(2)} ${(type.currency ?? "").toUpperCase()}`.trim() : null,
      buffer_before_minutes: type.beforeEventBuffer ?? 0,
      buffer_after_minutes: type.afterEventBuffer ?? 0,
      slot_step_minutes: type.slotInterval ?? null,
      seats: type.seatsPerTimeSlot ?? type.seats?.seatsPerTimeSlot ?? 1,
      ...{ formats: formats.length === 0 ? ["DIGITAL"] : formats, active: type.hidden !== true }
    })
    if (!isAdded) continue
    plan.add("doctor_appointment_type_settings", label, { doctor_uid, appointment_type_uid: uid })
    types.set(type.id, { formats: formats.length === 0 ? ["DIGITAL"] : formats })
    scheduled.push({ type: uid, schedule: type.scheduleId ?? standard?.id })
  }

  // where all types share a schedule it is the doctor's, else each type has its own
  const isShared = new Set(scheduled.map(({ schedule }) => schedule)).size <= 1
  for (const schedule of schedules.data) {
    const label = `schedules ${schedule.id}`
    const using = scheduled.filter((one) => one.schedule === schedule.id)
    const isDoctors = isShared && (using.length > 0 || (scheduled.length === 0 && schedule === standard))
    if (using.length === 0 && !isDoctors) plan.leave(label, "no event type uses it")
    else if (schedule.timeZone !== timezone) plan.leave(label, `is in the zone ${schedule.timeZone}: no hours`)
    else
      for (const { type } of isDoctors ? [{ type: null }] : using) {
        const scope = { doctor_uid, appointment_type_uid: type }
        const key = type === null ? `${schedule.id}` : `${schedule.id}-${type.slice(id("type", "").length)}`
        schedule.availability.forEach(({ days, startTime, endTime }, n) => {
          for (const day of days) {
            const window = { weekday: DAYS.indexOf(day), start_time: minuteOf(startTime), end_time: minuteOf(endTime) }
            plan.add("availability_rules", `${label}, ${day}`, {
              uid: id("rule", `${key}-${day}-${n}`),
              ...scope,
              ...window
            })
          }
        })
        schedule.overrides?.forEach(({ date: named, startTime, endTime }, n) => {
          const date = midnightOfDate(named.slice(0, 10))
          const [start_time, end_time] = [minuteOf(startTime), minuteOf(endTime)]
          const hours = start_time === 0 && end_time === 0 ? { day_off: true } : { start_time, end_time }
          const entry = { uid: id("day", `${key}-${named.slice(0, 10)}-${n}`), ...scope, date, ...hours }
          if (date === undefined || date * 1000 >= goal.known.now * 1000 - 86_400_000)
            plan.add("availability_date_overrides", `${label}, ${named.slice(0, 10)}`, entry)
        })
      }
  }

  for (const booking of bookings.data) {
    const label = `bookings ${booking.uid}`
    const [start_date, end_date] = [booking.start, booking.end].map((time) => Date.parse(time) / 1000)
    const { attendees, hosts, guests, location, bookingFieldsResponses: answers } = booking
    const typeId = booking.eventType?.id ?? booking.eventTypeId
    const type = types.get(typeId ?? "")
    const seats = attendees.filter(({ seatUid }) => typeof seatUid === "string")
    const booked = seats.length > 0 ? seats : attendees.slice(0, 1)
    const isPast = start_date !== undefined && start_date <= goal.known.now
    const cancelled = booking.status !== "accepted"
    if (start_date === undefined || end_date === undefined || Number.isNaN(start_date + end_date))
      plan.leave(label, "its time cannot be read")
    else if (hosts?.some(({ email }) => typeof email === "string" && email !== person.email) && !isPast)
      plan.leave(label, "has another host")
    else if (type === undefined && !isPast) plan.leave(label, "its event type did not come")
    else if (isPast) plan.skipPast()
    else {
      if (booking.status === "pending") plan.leave(label, "waits to be confirmed")
      if (!cancelled) {
        const others = [...(guests ?? []), ...(seats.length > 0 ? [] : attendees.slice(1))]
        if (others.length > 0) plan.leave(label, `${others.length} guests`)
        leaveOthers(plan, label, answers ?? {}, ANSWERS)
      }
      for (const attendee of booked) {
        const { email, name, language, seatUid } = attendee
        if (!email) {
          plan.leave(label, "its attendee has no mail address")
          continue
        }
        const phone = attendee.phoneNumber ?? answers?.attendeePhoneNumber
        const profile = plan.profileOf(label, { last_name: name, email, phone, language })
        // a cancelled booking alone makes nobody a patient
        const known = { key: email.toLowerCase().replace(/[^a-z0-9@.+_-]/g, "_"), profile }
        const patient_uid = cancelled ? "" : plan.patient(label, known)
        const isVideo = location === null || location === undefined || /^(integrations:|https?:)/.test(location)
        const wished = isVideo ? "DIGITAL" : "IN_PERSON"
        const [only = wished, ...more] = type?.formats ?? []
        if (patient_uid !== undefined)
          plan.appointment(label, {
            key: seatUid ? `${booking.uid}-${seatUid}` : booking.uid,
            doctor_uid,
            patient_uid,
            appointment_type_uid: id("type", typeId ?? ""),
            start_date,
            end_date,
            meeting_format: more.length === 0 ? only : wished,
            visit_reason: answers?.notes ?? null,
            cancelled
          })
      }
    }
  }
  return plan
})
