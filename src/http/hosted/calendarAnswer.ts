/** An appointment as a calendar file to download, for the booking's last page and the appointment's page. */
import { HttpServerResponse } from "@effect/platform"
import { placeIn } from "../../schemas/scheduling/place.ts"
import type { PageHost } from "../../services/hosted/PageHosts.ts"
import { calendarFile } from "../../services/notifications/calendarFile.ts"
import type { StoredAppointment } from "../../services/scheduling/appointments/StoredAppointment.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import type { Language } from "../../texts/language.ts"

/** A map of the first room's site, else of the practice, opened by a press only; null: by video, or no address. */
export const mapOf = ({ meeting_format, rooms }: StoredAppointment, address: string | null) => {
  const query = rooms.find(({ site }) => site !== null)?.site ?? address
  return meeting_format === "IN_PERSON" && query !== null
    ? `https://www.openstreetmap.org/search?${new URLSearchParams({ query })}`
    : null
}

/** Title and location of the entry, without health data. */
export const calendarWords = (language: Language, host: PageHost, appointment: StoredAppointment) => {
  const texts = catalogue[language].booking
  const format = texts.formats[appointment.meeting_format]
  const place =
    appointment.meeting_format === "IN_PERSON" ? (placeIn(appointment.rooms, host.branding.address) ?? format) : format
  const doctors = [appointment.doctor_display_name, ...appointment.further_doctors.map((one) => one.display_name)]
  return { summary: `${format} ${fill(texts.with, { doctor: doctors.join(", ") })}`, location: place }
}

/** `url` is the page that shows the appointment. */
export const calendarAnswer = (
  language: Language,
  host: PageHost,
  appointment: StoredAppointment,
  { url, stamp }: { readonly url: string; readonly stamp: number }
) => {
  const texts = catalogue[language].booking
  const { slot_group, start_date, end_date } = appointment
  const lines = [
    ...(appointment.meeting_format === "DIGITAL" ? [texts.doneVideo] : []),
    fill(texts.manage.calendar, { url }),
    ...(host.branding.phone === null ? [] : [`${host.name}: ${host.branding.phone}`])
  ]
  const file = calendarFile({
    first_uid: slot_group,
    start_date,
    end_date,
    stamp,
    ...calendarWords(language, host, appointment),
    description: lines.join("\n"),
    url
  })
  return HttpServerResponse.text(file, {
    contentType: "text/calendar; charset=utf-8; method=PUBLISH",
    headers: {
      "content-disposition": 'attachment; filename="appointment.ics"',
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    }
  })
}
