/** Calendar files of appointments (RFC 5545): for download, and as invitations by mail (RFC 5546). */
import ical, {
  ICalAlarmType,
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus
} from "ical-generator"

interface Address {
  readonly name: string
  readonly address: string
}

/** The content of a calendar entry. */
export interface CalendarEntry {
  /** The first appointment of a chain of moves, so that a calendar shows one entry for all of them. */
  readonly first_uid: string
  readonly start_date: number
  readonly end_date: number
  /** Time of writing, Unix seconds. */
  readonly stamp: number
  readonly summary: string
  readonly location: string
  readonly description?: string
  /** The appointment's page. */
  readonly url?: string
}

/** Adds the entry to the recipient's calendar, or removes it with `CANCEL`. */
export interface Invitation {
  readonly method: "REQUEST" | "CANCEL"
  /** Increases with every move and on cancellation. */
  readonly sequence: number
  readonly language: string
  readonly organiser: Address
  readonly attendee: Address
}

/** Seconds before the start at which calendars show an alarm. */
const ALARM_BEFORE = 1800

const calendarIn = (language: string, method: Invitation["method"] | "PUBLISH") =>
  ical({
    prodId: { company: "Sprechstunde", product: "Appointments", language: language.toUpperCase() },
    method: ICalCalendarMethod[method]
  })

const eventOf = (entry: CalendarEntry) => ({
  id: `${entry.first_uid}@sprechstunde`,
  stamp: new Date(entry.stamp * 1000),
  start: new Date(entry.start_date * 1000),
  end: new Date(entry.end_date * 1000),
  summary: entry.summary,
  location: entry.location,
  status: ICalEventStatus.CONFIRMED,
  ...(entry.description !== undefined && { description: entry.description }),
  ...(entry.url !== undefined && { url: entry.url })
})

/** A subscribed calendar feed. Without alarms: subscribers configure them in their calendar. */
export const calendarOf = (
  name: string,
  language: string,
  entries: ReadonlyArray<CalendarEntry>,
  readEverySeconds: number
): string => {
  const calendar = calendarIn(language, "PUBLISH").name(name).ttl(readEverySeconds)
  for (const entry of entries) calendar.createEvent(eventOf(entry))
  return calendar.toString()
}

/** An iCalendar file. Times are UTC: every calendar shows its own zone. */
export const calendarFile = (entry: CalendarEntry, invitation?: Invitation): string => {
  const calendar = calendarIn(invitation?.language ?? "en", invitation?.method ?? "PUBLISH")
  const event = calendar.createEvent({
    ...eventOf(entry),
    ...(invitation?.method === "CANCEL" && { status: ICalEventStatus.CANCELLED }),
    ...(invitation !== undefined && {
      sequence: invitation.sequence,
      organizer: { name: invitation.organiser.name, email: invitation.organiser.address }
    })
  })
  if (invitation !== undefined)
    event.createAttendee({
      name: invitation.attendee.name,
      email: invitation.attendee.address,
      role: ICalAttendeeRole.REQ,
      status: ICalAttendeeStatus.NEEDSACTION,
      rsvp: false
    })
  if (invitation?.method !== "CANCEL")
    event.createAlarm({ type: ICalAlarmType.display, trigger: ALARM_BEFORE, description: entry.summary })
  return calendar.toString()
}
