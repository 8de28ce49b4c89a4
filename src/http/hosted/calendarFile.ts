import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator"

/** What a calendar entry says: never why somebody sees a doctor. */
export interface CalendarEntry {
  readonly uid: string
  readonly start_date: number
  readonly end_date: number
  /** when the file is made, Unix seconds */
  readonly stamp: number
  readonly summary: string
  readonly location: string
  readonly description: string
  /** the page that shows the appointment */
  readonly url: string
}

/** An iCalendar file. Its UID is that of the invitations sent by mail, so that a calendar shows one entry, not two. */
export const calendarFile = ({
  uid,
  start_date,
  end_date,
  stamp,
  summary,
  location,
  description,
  url
}: CalendarEntry) => {
  const calendar = ical({ prodId: { company: "Sprechstunde", product: "Booking" }, method: ICalCalendarMethod.PUBLISH })
  calendar.createEvent({
    id: `${uid}@sprechstunde`,
    stamp: new Date(stamp * 1000),
    start: new Date(start_date * 1000),
    end: new Date(end_date * 1000),
    summary,
    location,
    description,
    url,
    status: ICalEventStatus.CONFIRMED
  })
  return calendar.toString()
}
