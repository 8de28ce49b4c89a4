/**
 * Calendar invitations. An appointment and those that replace it are one calendar entry: the same UID, a higher SEQUENCE
 * with every move and when it is withdrawn.
 */
import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from "ical-generator"
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import { type AppointmentNotice, counterpart, shownReason } from "./AppointmentNotice.ts"
import type { Invite } from "./Mailer.ts"

export interface Address {
  readonly name: string
  readonly address: string
}

export interface InviteDetails {
  readonly organiser: Address
  readonly attendee: Address
  /** When the invitation is written, Unix seconds. */
  readonly stamp: number
}

/** The entry for the recipient's calendar, or with `CANCEL` its removal. Times are UTC: every calendar shows its own zone. */
export const inviteOf = (method: Invite["method"], notice: AppointmentNotice, details: InviteDetails): Invite => {
  const texts = catalogue[notice.recipient.language].messages
  const { appointment, links } = notice
  const reason = shownReason(notice)
  const calendar = ical({
    prodId: { company: "Sprechstunde", product: "Appointments", language: notice.recipient.language.toUpperCase() },
    method: ICalCalendarMethod[method]
  })
  const event = calendar.createEvent({
    id: `${appointment.first_uid}@sprechstunde`,
    sequence: appointment.moves + (method === "CANCEL" ? 1 : 0),
    stamp: new Date(details.stamp * 1000),
    start: new Date(appointment.start_date * 1000),
    end: new Date(appointment.end_date * 1000),
    summary: fill(texts.calendarTitle, { counterpart: counterpart(notice) }),
    location: appointment.meeting_format === "DIGITAL" ? texts.video : texts.onSite,
    status: method === "CANCEL" ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: details.organiser.name || notice.organisation_name, email: details.organiser.address },
    ...(reason !== null && { description: `${texts.reason}: ${reason}` }),
    ...(links.join !== undefined && { url: links.join })
  })
  event.createAttendee({
    name: details.attendee.name,
    email: details.attendee.address,
    role: ICalAttendeeRole.REQ,
    status: ICalAttendeeStatus.NEEDSACTION,
    rsvp: false
  })
  return { method, content: calendar.toString() }
}
