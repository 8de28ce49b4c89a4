import { fill } from "../../texts/fill.ts"
import { countdown } from "../countdown.ts"
import { clockTime, duration, fullDay } from "../time.ts"
import { ArrowIcon, CalendarIcon, CameraIcon, CheckIcon, ClockIcon, GlobeIcon, PersonIcon } from "./icons.tsx"
import { useLanguage, useTexts } from "./pageLanguage.ts"
import { usePlaceName } from "./placeName.ts"

/** The selection: the same on every step of the booking. */
export interface BookingSubject {
  readonly type_name: string
  readonly duration_minutes: number
  readonly mode: "booking" | "rebooking"
  readonly meeting_format: "DIGITAL" | "IN_PERSON"
  readonly zone: string
  /** given name and initial; null before the details */
  readonly patient: string | null
}

const steps = ["time", "details", "done"] as const

/** The steps as an ordered list: the current one has `aria-current`. */
export const Steps = ({ at }: { readonly at: (typeof steps)[number] }) => {
  const texts = useTexts().booking.steps
  const here = steps.indexOf(at)
  return (
    <ol class="steps" aria-label={texts.label}>
      {steps.map((step, index) => (
        <li key={step} class={index < here ? "past" : ""} aria-current={index === here ? "step" : undefined}>
          <span class="step-mark">{index < here ? <CheckIcon /> : index + 1}</span>
          {texts[step]}
        </li>
      ))}
    </ol>
  )
}

/** Name, duration and format of the selection. */
export const Subject = ({ subject }: { readonly subject: BookingSubject }) => {
  const language = useLanguage()
  const texts = useTexts().booking
  return (
    <p class="subject">
      <strong>{subject.type_name}</strong>
      <span>
        <ClockIcon />
        {duration(language, subject.duration_minutes)}
      </span>
      <span>
        {subject.meeting_format === "DIGITAL" ? <CameraIcon /> : <PersonIcon />}
        {texts.formats[subject.meeting_format]}
      </span>
      {subject.patient === null ? null : <span>{fill(texts.for, { name: subject.patient })}</span>}
    </p>
  )
}

interface AppointmentTimeProps {
  readonly zone: string
  readonly start_date: number
  readonly end_date: number
  readonly doctor_name: string | null
  /** it does not take place: the date is struck through */
  readonly gone?: boolean
}

/** Day, time, zone and doctor of one appointment, in large print. */
export const AppointmentTime = ({ zone, start_date, end_date, doctor_name, gone = false }: AppointmentTimeProps) => {
  const language = useLanguage()
  const placeOf = usePlaceName()
  return (
    <div class={gone ? "moment gone" : "moment"}>
      <p class="moment-day">{fullDay(language, zone, start_date)}</p>
      <p class="moment-time">
        <time dateTime={new Date(start_date * 1000).toISOString()}>{clockTime(language, zone, start_date)}</time>
        {" – "}
        <time dateTime={new Date(end_date * 1000).toISOString()}>{clockTime(language, zone, end_date)}</time>
      </p>
      <p class="moment-facts">
        {doctor_name === null ? null : (
          <span>
            <PersonIcon />
            {doctor_name}
          </span>
        )}
        <span>
          <GlobeIcon />
          {placeOf(zone, start_date)}
        </span>
      </p>
    </div>
  )
}

/** Remaining minutes and seconds, counted down by a script. */
export const Countdown = ({ seconds }: { readonly seconds: number }) => (
  <strong role="timer" data-countdown>
    {countdown(seconds)}
  </strong>
)

/** URLs that add the appointment to a calendar. */
export interface CalendarAddresses {
  readonly file: string
  readonly google: string
  readonly outlook: string
}

export const Calendars = ({ calendars }: { readonly calendars: CalendarAddresses }) => {
  const texts = useTexts().appointment
  return (
    <p class="calendars">
      <span class="calendars-label">
        <CalendarIcon />
        {texts.calendars}
      </span>
      <a href={calendars.google} target="_blank" rel="noopener noreferrer">
        Google
      </a>
      <a href={calendars.outlook} target="_blank" rel="noopener noreferrer">
        Outlook
      </a>
      <a href={calendars.file}>{texts.calendarFile}</a>
    </p>
  )
}

/** A link to a map of an address. */
export const MapLink = ({ map }: { readonly map: string | null }) =>
  map === null ? null : (
    <a href={map} target="_blank" rel="noopener noreferrer">
      {useTexts().appointment.map}
    </a>
  )

/** Where the partner wants the patient to go. */
export interface ReturnTarget {
  readonly url: string
  /** its origin is one of the organisation's or of its shops */
  readonly known: boolean
}

/**
 * The link back to the partner, which opens outside of the widget's frame; it names the host. The main button for a known origin, else a
 * plain link.
 */
export const ReturnLink = ({ back, embedded }: { readonly back: ReturnTarget | null; readonly embedded: boolean }) =>
  back === null ? null : (
    <a
      class={back.known ? "primary" : "quiet"}
      href={back.url}
      rel={back.known ? undefined : "noopener noreferrer"}
      target={embedded ? "_top" : undefined}
    >
      {fill(useTexts().booking.returnTo, { host: new URL(back.url).host })}
      {back.known ? <ArrowIcon /> : null}
    </a>
  )
