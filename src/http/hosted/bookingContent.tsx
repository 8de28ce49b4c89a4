import { calendarLinks } from "../../pages/calendarLinks.ts"
import { byName, type DayStrip, dayStrip, type OfferedSlot, partOfDay, partsOfDay } from "../../pages/days.ts"
import { BookingDetails, type BookingDetailsData } from "../../pages/views/BookingDetails.tsx"
import { BookingDone } from "../../pages/views/BookingDone.tsx"
import { BookingGonePage } from "../../pages/views/BookingGonePage.tsx"
import { BookingTimes, type BookingTimesData } from "../../pages/views/BookingTimes.tsx"
import type { BookingSubject, ReturnTarget } from "../../pages/views/bookingParts.tsx"
import type { DoctorFacts, TypeFacts } from "../../pages/views/cards.tsx"
import { ExpiredHelp } from "../../pages/views/ExpiredHelp.tsx"
import { standardFormat } from "../../schemas/scheduling/AppointmentType.ts"
import { placeIn } from "../../schemas/scheduling/place.ts"
import { DAY } from "../../schemas/seconds.ts"
import { allowedReturn, type PageHost } from "../../services/hosted/PageHosts.ts"
import type { StoredAppointment } from "../../services/scheduling/appointments/StoredAppointment.ts"
import type { BookingProgress, OfferedTime } from "../../services/scheduling/booking/BookingPages.ts"
import { powersOf } from "../../services/scheduling/booking/BookingSessions.ts"
import { catalogue } from "../../texts/catalogue.ts"
import { calendarWords, mapOf } from "./calendarAnswer.ts"
import { notFoundPage } from "./serving/noticeContent.tsx"
import type { PageContent } from "./serving/Respond.tsx"
import { queryText, type Visit } from "./serving/visit.ts"

/** The data from which the three steps of the booking page are rendered. */
export interface BookingScene {
  readonly visit: Visit
  readonly host: PageHost
  readonly progress: BookingProgress
  readonly type: TypeFacts | null
  /** path of the page, without its query */
  readonly self: string
}

const slotOf = ({ doctor_display_name, ...appointment }: StoredAppointment): OfferedSlot => ({
  ...appointment,
  doctor_name: doctor_display_name
})

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/**
 * `Erika M.`, since anyone with the link can read the page. The initial is a whole letter of a script that has initials; without one the
 * first name stands alone. Null without a name.
 */
export const shortName = (name: string) => {
  const [first, ...others] = name.split(/\s+/).filter((word) => word !== "")
  if (first === undefined) return null
  const initial =
    graphemes
      .segment(others.at(-1) ?? "")
      [Symbol.iterator]()
      .next().value?.segment ?? ""
  if (!/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(initial)) return first
  return `${[first, ...others.slice(0, -1)].join(" ")} ${initial}.`
}

/** `e…@example.org` */
const shortAddress = (address: string) => address.replace(/^(.).*@/, "$1…@")

const remainingOf = ({ progress }: BookingScene, held: StoredAppointment) =>
  held.status === "held" ? Math.max(0, (held.hold_expires_at ?? 0) - progress.now) : 0

const factsOf = (held: StoredAppointment) => ({ hold_uid: held.uid, start_date: held.start_date })

const isEmbedded = ({ visit, host }: BookingScene) =>
  visit.parent !== undefined && host.ancestors.includes(visit.parent)

/**
 * The session's return URL, and whether its origin is known: the organisation's return origins, its shops, and origins that may frame its
 * pages. Rule 4.3.7.
 */
const returnOf = ({ host, progress }: BookingScene): ReturnTarget | null => {
  const { return_url } = progress.session
  if (return_url === null) return null
  const known = allowedReturn(return_url, [...host.return_url_origins, ...host.ancestors]) !== null
  return { url: return_url, known }
}

const subjectOf = ({ visit, host, progress, type }: BookingScene): BookingSubject => ({
  type_name: type?.name ?? progress.session.appointment_type_name,
  duration_minutes: progress.session.duration_minutes,
  mode: progress.session.mode,
  meeting_format:
    (progress.latest ?? progress.original)?.meeting_format ??
    progress.session.meeting_format ??
    standardFormat(type?.formats ?? ["DIGITAL"]),
  zone: visit.zone ?? host.timezone,
  patient: progress.latest === null ? null : shortName(progress.latest.patient_display_name)
})

/** URL of one of the page's routes, with the query parameters that links keep. */
export const addressIn = ({ self, visit }: Pick<BookingScene, "self" | "visit">, path: string, more = {}) =>
  `${self}${path}${queryText({ ...visit.kept, ...more })}`

/** The step before the subject, since screen readers read the title first. */
const titleOf = (visit: Visit, mode: BookingSubject["mode"], step: "choose" | "details" | "done") => {
  const { headings, title } = catalogue[visit.language].booking
  return `${headings[mode][step]} – ${title[mode]}`
}

/** The most holidays that are named. */
const HOLIDAYS_SHOWN = 3

/** The holidays between the strip's dates, and before its first strip. */
const closedIn = (
  { dates, earlier }: DayStrip,
  holidays: ReadonlyArray<{ readonly day: number; readonly name: string }>
) => {
  const dayOf = (date: string | undefined) => (date === undefined ? Number.NaN : Date.parse(date) / (DAY * 1000))
  const [first, last] = [dayOf(dates[0]?.date), dayOf(dates.at(-1)?.date)]
  const open = new Set(dates.map(({ date }) => dayOf(date)))
  return holidays
    .filter(({ day }) => day <= last && (earlier === null || day >= first) && !open.has(day))
    .slice(0, HOLIDAYS_SHOWN)
    .map(({ day, name }) => ({ at: day * DAY, name }))
}

/** What the list of free times is about; without `latest` and `original` before there is a session. */
interface TimesScene {
  readonly visit: Visit
  /** Path of the page, without its query, and the query that its links keep. */
  readonly self: string
  readonly kept: Readonly<Record<string, string>>
  /** Where a chosen time is posted. */
  readonly action: string
  readonly subject: BookingSubject
  readonly type: TypeFacts | null
  readonly now: number
  readonly latest: StoredAppointment | null
  readonly held: BookingTimesData["held"]
  readonly original: StoredAppointment | null
}

type TimesGiven = Pick<BookingTimesData, "notice" | "cards" | "noneSuits"> & {
  /** by days since 1970-01-01 */
  readonly holidays: ReadonlyArray<{ readonly day: number; readonly name: string }>
}

/** Step one: the free times. */
export const timesContent = (
  { visit, self, kept, action, subject, type, now, latest, held, original }: TimesScene,
  offers: ReadonlyArray<OfferedTime>,
  given: TimesGiven
): PageContent => {
  const doctors = [
    ...new Map(offers.map(({ doctor_uid, doctor_name }) => [doctor_uid, { doctor_uid, doctor_name }])).values()
  ].sort(byName)
  const chosen = doctors.find(({ doctor_uid }) => doctor_uid === visit.query.get("doctor"))?.doctor_uid ?? null
  const part = partsOfDay.find((one) => one === visit.query.get("part")) ?? null
  const shown = offers.filter(
    ({ doctor_uid, start_date }) =>
      (chosen === null || doctor_uid === chosen) && (part === null || partOfDay(subject.zone, start_date) === part)
  )
  const title = titleOf(visit, subject.mode, "choose")
  const from = visit.query.get("from")
  const strip = dayStrip(shown, subject.zone, from ?? undefined)
  return {
    title: given.notice === null ? title : `${catalogue[visit.language].page.attention}: ${title}`,
    script: "booking",
    address: `${self}${queryText({ ...kept, ...(from !== null && { from }) })}`,
    stage: given.notice === null ? "times" : "error",
    ...(given.notice !== null && { facts: { reason: given.notice } }),
    ...(given.notice === null && latest !== null && held !== null && { facts: factsOf(latest) }),
    body: (
      <BookingTimes
        data={{
          ...given,
          holidays: closedIn(strip, given.holidays),
          typed: (latest?.visit_reason ?? "") !== "",
          subject,
          self,
          doctors,
          type,
          now,
          action,
          kept,
          held,
          current: original === null ? null : slotOf(original),
          doctor_uid: chosen,
          part,
          filtered: offers.length > 0,
          next: shown[0] ?? null,
          strip
        }}
      />
    )
  }
}

/** The free times of a session. */
export const timesPage = (scene: BookingScene, offers: ReadonlyArray<OfferedTime>, given: TimesGiven): PageContent => {
  const { visit, progress, self, type } = scene
  const { latest, original, now } = progress
  const remaining = latest === null ? 0 : remainingOf(scene, latest)
  const held =
    latest === null || remaining === 0 ? null : { slot: slotOf(latest), remaining, address: addressIn(scene, "") }
  const kept = { ...visit.kept, step: "times" }
  const action = addressIn(scene, "/hold")
  return timesContent(
    { visit, self, kept, action, subject: subjectOf(scene), type, now, latest, held, original },
    offers,
    given
  )
}

/** Step two: details, for a hold that is active or expired. */
export const detailsPage = (
  scene: BookingScene,
  held: StoredAppointment,
  overlapping: ReadonlyArray<StoredAppointment>,
  doctor: DoctorFacts | null,
  asking: Pick<BookingDetailsData, "consents" | "missing" | "unagreed" | "agreed">
): PageContent => {
  const { visit, progress } = scene
  const remaining = remainingOf(scene, held)
  const isRefused = asking.unagreed || asking.missing.some(({ faulty }) => faulty)
  return {
    title: isRefused
      ? `${catalogue[visit.language].page.attention}: ${titleOf(visit, progress.session.mode, "details")}`
      : titleOf(visit, progress.session.mode, "details"),
    script: "booking",
    stage: remaining > 0 ? "held" : "expired",
    facts: { ...factsOf(held), remaining_seconds: remaining },
    ...(isRefused && { address: addressIn(scene, "") }),
    body: (
      <BookingDetails
        data={{
          subject: subjectOf(scene),
          slot: slotOf(held),
          doctor,
          type: scene.type,
          hold_uid: held.uid,
          action: addressIn(scene, "/confirm"),
          remaining,
          ttl_seconds: held.hold_ttl_seconds ?? remaining,
          visit_reason: held.visit_reason,
          reasonInMessages: scene.host.visit_reason_in_messages,
          ...asking,
          current: progress.original === null ? null : slotOf(progress.original),
          overlapping: overlapping.map((other) => ({
            ...slotOf(other),
            uid: other.uid,
            movable: other.allow_patient_rebooking
          })),
          manage: addressIn(scene, "/manage")
        }}
      />
    )
  }
}

/** Step three: the confirmed appointment. */
export const donePage = (
  scene: BookingScene,
  confirmed: StoredAppointment,
  mail: string | null,
  doctor: DoctorFacts | null,
  preparation: { readonly path: `/${string}`; readonly text: string } | null
): PageContent => {
  const { visit, host } = scene
  const { meeting_format, start_date, end_date } = confirmed
  const words = calendarWords(visit.language, host, confirmed)
  return {
    title: titleOf(visit, scene.progress.session.mode, "done"),
    script: "booking",
    stage: "confirmed",
    facts: { appointment_uid: confirmed.uid, start_date: confirmed.start_date, end_date: confirmed.end_date },
    body: (
      <BookingDone
        data={{
          subject: subjectOf(scene),
          slot: slotOf(confirmed),
          doctor,
          type: scene.type,
          further: confirmed.further_doctors.map(({ display_name }) => display_name),
          place: meeting_format === "IN_PERSON" ? placeIn(confirmed.rooms, host.branding.address) : null,
          map: mapOf(confirmed, host.branding.address),
          is_digital: meeting_format === "DIGITAL",
          preparation: preparation && { url: addressIn(scene, preparation.path), text: preparation.text },
          calendars: {
            file: addressIn(scene, "/appointment.ics"),
            ...calendarLinks({ ...words, start_date, end_date })
          },
          back: returnOf(scene),
          embedded: isEmbedded(scene),
          mail: mail === null ? null : shortAddress(mail),
          appointment_uid: confirmed.uid,
          manage: powersOf(scene.progress.session).own ? addressIn(scene, "/manage") : null,
          movable: confirmed.allow_patient_rebooking
        }}
      />
    )
  }
}

/** The session's appointment type can no longer be booked, or the appointment to be moved was moved or cancelled. */
export const gonePage = (scene: BookingScene, reason: "typeGone" | "notMovable"): PageContent => {
  const { visit, progress } = scene
  const { booking, appointment } = catalogue[visit.language]
  const rebooking = progress.session.mode === "rebooking"
  return {
    title: reason === "typeGone" ? booking.typeGone.title : appointment.movedOrCancelled,
    script: "booking",
    status: 410,
    stage: "error",
    facts: { reason },
    body: <BookingGonePage data={{ reason, back: returnOf(scene), embedded: isEmbedded(scene), rebooking }} />
  }
}

/** The session has expired without an appointment. */
export const expiredPage = (scene: BookingScene, again: string | null): PageContent => ({
  ...notFoundPage(
    scene.visit,
    "booking",
    <ExpiredHelp again={again} back={returnOf(scene)} embedded={isEmbedded(scene)} />
  ),
  anyFrame: false
})
