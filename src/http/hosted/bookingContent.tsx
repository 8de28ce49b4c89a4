import { dayPage, type OfferedSlot } from "../../pages/days.ts"
import { BookingDetails } from "../../pages/views/BookingDetails.tsx"
import { BookingDone } from "../../pages/views/BookingDone.tsx"
import { BookingTimes, type BookingTimesData } from "../../pages/views/BookingTimes.tsx"
import type { BookingSubject } from "../../pages/views/bookingParts.tsx"
import type { PageHost } from "../../services/hosted/PageHosts.ts"
import type { StoredAppointment } from "../../services/scheduling/appointments/AppointmentsRepo.ts"
import type { BookingProgress, OfferedTime } from "../../services/scheduling/booking/BookingPages.ts"
import { catalogue } from "../../texts/catalogue.ts"
import type { PageContent } from "./serving/Respond.tsx"
import type { Visit } from "./serving/visit.ts"

/** Everything that the three steps of the booking page are drawn from. */
export interface BookingScene {
  readonly visit: Visit
  readonly host: PageHost
  readonly progress: BookingProgress
  /** path of the page, without its query */
  readonly self: string
}

const slotOf = (appointment: StoredAppointment): OfferedSlot => ({
  doctor_uid: appointment.doctor_uid,
  doctor_name: appointment.doctor_display_name,
  start_date: appointment.start_date,
  end_date: appointment.end_date
})

const subjectOf = ({ visit, host, progress }: BookingScene): BookingSubject => ({
  type_name: progress.session.appointment_type_name,
  duration_minutes: progress.session.duration_minutes,
  mode: progress.session.mode,
  meeting_format: (progress.latest ?? progress.original)?.meeting_format ?? "DIGITAL",
  zone: visit.zone ?? host.timezone
})

/** The address of one of the page's own routes, with what links carry along. */
export const addressIn = ({ self, visit }: Pick<BookingScene, "self" | "visit">, path: string, more = {}) => {
  const query = new URLSearchParams({ ...visit.kept, ...more }).toString()
  return `${self}${path}${query === "" ? "" : `?${query}`}`
}

/** Where one stands, in front of what it is about: the first thing that is read aloud when a page opens. */
const titleOf = ({ visit, progress }: BookingScene, step: "choose" | "details" | "done") => {
  const { headings, title } = catalogue[visit.language].booking
  const { mode } = progress.session
  return `${headings[mode][step]} – ${title[mode]}`
}

/** Step one, from the times that are free now. */
export const timesPage = (
  scene: BookingScene,
  offers: ReadonlyArray<OfferedTime>,
  told: Pick<BookingTimesData, "notice" | "visit_reason">
): PageContent => {
  const { visit, progress, self } = scene
  const subject = subjectOf(scene)
  const doctors = [
    ...new Map(offers.map(({ doctor_uid, doctor_name }) => [doctor_uid, { doctor_uid, doctor_name }])).values()
  ]
  const chosen = doctors.find(({ doctor_uid }) => doctor_uid === visit.query.get("doctor"))?.doctor_uid ?? null
  const shown = chosen === null ? offers : offers.filter(({ doctor_uid }) => doctor_uid === chosen)
  const title = titleOf(scene, "choose")
  return {
    title: told.notice === null ? title : `${catalogue[visit.language].page.attention}: ${title}`,
    script: "booking",
    stage: told.notice === null ? "times" : "error",
    ...(told.notice !== null && { facts: { reason: told.notice } }),
    status: told.notice === null ? 200 : 409,
    body: (
      <BookingTimes
        language={visit.language}
        data={{
          ...told,
          subject,
          self,
          doctors,
          now: progress.now,
          action: addressIn(scene, "/hold"),
          kept: visit.kept,
          current: progress.original === null ? null : slotOf(progress.original),
          doctor_uid: chosen,
          next: shown[0] ?? null,
          page: dayPage(shown, subject.zone, visit.query.get("from") ?? undefined)
        }}
      />
    )
  }
}

/** Step two, for a hold that lasts or has lapsed. */
export const detailsPage = (scene: BookingScene, held: StoredAppointment): PageContent => {
  const { visit, progress } = scene
  const remaining = held.status === "held" ? Math.max(0, (held.hold_expires_at ?? 0) - progress.now) : 0
  return {
    title: titleOf(scene, "details"),
    script: "booking",
    stage: remaining > 0 ? "held" : "expired",
    facts: { hold_uid: held.uid, start_date: held.start_date, remaining_seconds: remaining },
    body: (
      <BookingDetails
        language={visit.language}
        data={{
          subject: subjectOf(scene),
          slot: slotOf(held),
          hold_uid: held.uid,
          action: addressIn(scene, "/confirm"),
          remaining,
          ttl_seconds: held.hold_ttl_seconds ?? remaining,
          visit_reason: held.visit_reason,
          current: progress.original === null ? null : slotOf(progress.original)
        }}
      />
    )
  }
}

/** Step three, for a confirmed appointment. */
export const donePage = (scene: BookingScene, confirmed: StoredAppointment): PageContent => {
  const { visit, host, progress } = scene
  const { return_url } = progress.session
  return {
    title: titleOf(scene, "done"),
    script: "booking",
    stage: "confirmed",
    facts: { appointment_uid: confirmed.uid, start_date: confirmed.start_date, end_date: confirmed.end_date },
    body: (
      <BookingDone
        language={visit.language}
        data={{
          subject: subjectOf(scene),
          slot: slotOf(confirmed),
          calendar: addressIn(scene, "/appointment.ics"),
          return_url,
          embedded: visit.parent !== undefined && host.ancestors.includes(visit.parent)
        }}
      />
    )
  }
}
