/**
 * Cal.com, from one JSON object with the bodies of its API v2: `me`, `event-types` (2024-06-14), `schedules` (2024-06-11) and `bookings`
 * (2024-08-13). The account's person is the doctor.
 */
import { Effect, ParseResult, Schema } from "effect"
import { midnightOf } from "../../../../schemas/birthDate.ts"
import type { MeetingFormat } from "../../../../schemas/scheduling/AppointmentType.ts"
import { DAY } from "../../../../schemas/seconds.ts"
import { type Goal, planFor, unreadable, windowOf } from "../../../shared/services/importing/importPlan.ts"

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
    ...{ hidden: B, scheduleId: Schema.NullishOr(Id) },
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
/** Locations of event types by video; of those that are neither an address nor these, this service has none. */
const VIDEO = ["integration", "link", "conferencing", "organizersDefaultApp"]
const formatOf = (place: string): MeetingFormat | undefined =>
  place === "address" ? "IN_PERSON" : VIDEO.includes(place) ? "DIGITAL" : undefined
/** What is read of a type, and what says nothing about its appointments. */
const TYPE = `${Object.keys(EventType.fields).join(" ")} slug ownerId users metadata isDefault bookingUrl color bookerLayouts destinationCalendar calVideoSettings`
const ANSWERS = "name email notes attendeePhoneNumber location title guests rescheduleReason displayEmail"

/** Where a file is another than the interface's, and how, without the shape of everything below. */
const faultsOf = (error: ParseResult.ParseError) =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ path, message }) =>
      `${path.join(".")} ${message.startsWith("Expected {") ? "has another form" : message}`.trim()
    )
    .join("; ")

export const planOfCalCom = Effect.fnUntraced(function* (bytes: Buffer, goal: Goal) {
  const plan = planFor("calcom", goal)
  const { id } = plan
  const { me, schedules, bookings, ...file } = yield* Effect.mapError(decode(bytes.toString()), (error) =>
    unreadable(`It lacks what Cal.com's interface sends: ${faultsOf(error)}`)
  )
  const person = me.data
  const standard = schedules.data.find((one) => one.id === person.defaultScheduleId || one.isDefault === true)
  const timezone = standard?.timeZone ?? person.timeZone ?? goal.timezone
  const name = person.name || person.username || ""
  const doctor_uid = plan.doctor("me", "me", { name, email: person.email ?? null, timezone })
  if (doctor_uid === undefined) return plan

  const types = new Map<typeof Id.Type | null | undefined, ReturnType<typeof addType>>()
  /** Adds a type; its formats, and its schedule. Undefined if it does not come. */
  const addType = (label: string, type: typeof EventType.Type) => {
    const places = (type.locations ?? []).map((one) => one.type)
    for (const one of places) if (formatOf(one) === undefined) plan.leave(label, `location ${one}`)
    const formats =
      places.length === 0 ? ["DIGITAL" as const] : [...new Set(places.flatMap((one) => formatOf(one) ?? []))]
    plan.leaveOthers(label, type, TYPE)
    for (const { slug, isDefault } of type.bookingFields ?? [])
      if (isDefault !== true && !ANSWERS.split(" ").includes(slug ?? "")) plan.leave(label, `booking field ${slug}`)
    if (typeof type.schedulingType === "string") return plan.leave(label, "belongs to a team: it does not come")
    if (formats.length === 0) return plan.leave(label, "has no place that there is here: it does not come")
    if (type.hidden === true) plan.leave(label, "is hidden: it comes as not bookable")
    const uid = id("type", type.id)
    const added = plan.type(label, {
      ...{ uid, name: type.title, duration_minutes: type.lengthInMinutes, description: type.description || null },
      allow_patient_rebooking: type.disableRescheduling?.disabled !== true,
      booking_min_notice_minutes: type.minimumBookingNotice ?? 0,
      price: type.price ? `${(type.price / 100).toFixed(2)} ${(type.currency ?? "").toUpperCase()}`.trim() : null,
      buffer_before_minutes: type.beforeEventBuffer ?? 0,
      buffer_after_minutes: type.afterEventBuffer ?? 0,
      slot_step_minutes: type.slotInterval ?? null,
      seats: type.seatsPerTimeSlot ?? type.seats?.seatsPerTimeSlot ?? 1,
      ...{ formats, active: type.hidden !== true }
    })
    if (added === undefined) return undefined
    plan.add("doctor_appointment_type_settings", label, { doctor_uid, appointment_type_uid: uid })
    return { key: type.id, formats, schedule: type.scheduleId ?? standard?.id }
  }
  for (const type of file["event-types"].data) types.set(type.id, addType(`event-types ${type.id}`, type))

  // where all types share a schedule it is the doctor's, else each type has its own
  const scheduled = [...types.values()].filter((type) => type !== undefined)
  const isShared = new Set(scheduled.map(({ schedule }) => schedule)).size <= 1
  for (const schedule of schedules.data) {
    const label = `schedules ${schedule.id}`
    const using = scheduled.filter((one) => one.schedule === schedule.id)
    const isDoctors = isShared && (using.length > 0 || (scheduled.length === 0 && schedule === standard))
    if (using.length === 0 && !isDoctors) plan.leave(label, "no event type uses it")
    else if (schedule.timeZone !== timezone) plan.leave(label, `is in the zone ${schedule.timeZone}: no hours`)
    else
      for (const type of isDoctors ? [undefined] : using) {
        const scope = { doctor_uid, appointment_type_uid: type === undefined ? null : id("type", type.key) }
        const key = type === undefined ? `${schedule.id}` : `${schedule.id}-${type.key}`
        for (const [n, { days, startTime, endTime }] of schedule.availability.entries())
          for (const day of days) {
            const rule = { ...scope, weekday: DAYS.indexOf(day), ...windowOf(startTime, endTime) }
            plan.add("availability_rules", `${label}, ${day}`, { uid: id("rule", `${key}-${day}-${n}`), ...rule })
          }
        for (const [n, override] of (schedule.overrides ?? []).entries()) {
          const [day, window] = [override.date.slice(0, 10), windowOf(override.startTime, override.endTime)]
          const date = midnightOf(day)
          const hours = window.start_time === 0 && window.end_time === 0 ? { day_off: true } : window
          const entry = { uid: id("day", `${key}-${day}-${n}`), ...scope, date, ...hours }
          if (date === undefined || date >= goal.known.now - DAY)
            plan.add("availability_date_overrides", `${label}, ${day}`, entry)
        }
      }
  }

  const addBooking = (label: string, booking: typeof Booking.Type) => {
    const [start_date, end_date] = [Date.parse(booking.start) / 1000, Date.parse(booking.end) / 1000]
    const { attendees, hosts, location, bookingFieldsResponses: answers } = booking
    const typeId = booking.eventType?.id ?? booking.eventTypeId
    const type = types.get(typeId)
    const seats = attendees.filter(({ seatUid }) => typeof seatUid === "string")
    const cancelled = booking.status !== "accepted"
    if (Number.isNaN(start_date + end_date)) return plan.leave(label, "its time cannot be read")
    if (start_date <= goal.known.now) return plan.past++
    if (hosts?.some(({ email }) => typeof email === "string" && email !== person.email))
      return plan.leave(label, "has another host")
    if (type === undefined) return plan.leave(label, "its event type did not come")
    if (booking.status === "pending") plan.leave(label, "waits to be confirmed")
    if (!cancelled) {
      const guests = (booking.guests?.length ?? 0) + (seats.length > 0 ? 0 : Math.max(attendees.length - 1, 0))
      if (guests > 0) plan.leave(label, `${guests} guests`)
      plan.leaveOthers(label, answers ?? {}, ANSWERS)
    }
    for (const { email, name, language, seatUid, phoneNumber } of seats.length > 0 ? seats : attendees.slice(0, 1)) {
      if (!email) {
        plan.leave(label, "its attendee has no mail address")
        continue
      }
      const phone = phoneNumber ?? answers?.attendeePhoneNumber
      const profile = plan.profileOf(label, { last_name: name, email, phone, language })
      const key = email.toLowerCase().replace(/[^a-z0-9@.+_-]/g, "_")
      // a cancelled booking alone makes nobody a patient
      const patient_uid = cancelled ? "" : plan.patient(label, { key, profile })
      const isVideo = location === null || location === undefined || /^(integrations:|https?:)/.test(location)
      const wished = isVideo ? "DIGITAL" : "IN_PERSON"
      const [only = wished, ...more] = type.formats
      if (patient_uid !== undefined)
        plan.appointment(label, {
          key: seatUid ? `${booking.uid}-${seatUid}` : booking.uid,
          ...{ doctor_uid, patient_uid, appointment_type_uid: id("type", type.key), start_date, end_date, cancelled },
          meeting_format: more.length === 0 ? only : wished,
          visit_reason: answers?.notes ?? null
        })
    }
    return undefined
  }
  for (const booking of bookings.data) addBooking(`bookings ${booking.uid}`, booking)
  return plan
})
