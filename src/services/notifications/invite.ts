import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import { type AppointmentNotice, counterpart, placeOf, shownReason } from "./AppointmentNotice.ts"
import { type CalendarEntry, calendarFile, type Invitation } from "./calendarFile.ts"
import type { Invite } from "./Mailer.ts"

/**
 * The entry for the recipient's calendar, or its removal with `CANCEL`. An appointment and its replacements are one entry: the same UID,
 * a higher SEQUENCE with every move and on cancellation.
 */
export const inviteOf = (
  method: Invitation["method"],
  notice: AppointmentNotice,
  { organiser, attendee, stamp }: Pick<Invitation, "organiser" | "attendee"> & Pick<CalendarEntry, "stamp">
): Invite => {
  const { appointment, links } = notice
  const { language } = notice.recipient
  const texts = catalogue[language].messages
  const reason = shownReason(notice)
  const { first_uid, start_date, end_date } = appointment
  const { phone } = notice.branding
  const lines = [
    ...(reason === null ? [] : [`${texts.reason}: ${reason}`]),
    ...(links.join === undefined || appointment.meeting_format !== "DIGITAL" ? [] : [texts.joinHint]),
    ...(links.join === undefined ? [] : [`${texts.manage}: ${links.join}`]),
    ...(phone === null ? [] : [`${notice.organisation_name}: ${phone}`])
  ]
  const content = calendarFile(
    {
      first_uid,
      start_date,
      end_date,
      stamp,
      summary: fill(texts.calendarTitle, { counterpart: counterpart(notice) }),
      location: placeOf(notice),
      ...(lines.length > 0 && { description: lines.join("\n") }),
      ...(links.join !== undefined && { url: links.join })
    },
    {
      method,
      sequence: appointment.moves + (method === "CANCEL" ? 1 : 0),
      language,
      organiser: { ...organiser, name: notice.branding.sender_name ?? (organiser.name || notice.organisation_name) },
      attendee
    }
  )
  return { method, content }
}
