import { catalogue } from "../../texts/catalogue.ts"
import { fill } from "../../texts/fill.ts"
import type { Language } from "../../texts/language.ts"
import { countdown } from "../countdown.ts"
import { clockTime, duration, fullDay, zoneName } from "../time.ts"
import { ArrowIcon, CheckIcon, ClockIcon, GlobeIcon, PersonIcon, VideoIcon } from "./icons.tsx"

/** What is being booked: the same on every step of the booking. */
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

/** Where one stands, as an ordered list: the present step carries `aria-current`. */
export const Steps = ({ language, at }: { readonly language: Language; readonly at: (typeof steps)[number] }) => {
  const texts = catalogue[language].booking.steps
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

/** Name, length and kind of what is being booked. */
export const Subject = ({ language, subject }: { readonly language: Language; readonly subject: BookingSubject }) => (
  <p class="subject">
    <strong>{subject.type_name}</strong>
    <span>
      <ClockIcon />
      {duration(language, subject.duration_minutes)}
    </span>
    <span>
      {subject.meeting_format === "DIGITAL" ? <VideoIcon /> : <PersonIcon />}
      {catalogue[language].booking.formats[subject.meeting_format]}
    </span>
    {subject.patient === null ? null : <span>{fill(catalogue[language].booking.for, { name: subject.patient })}</span>}
  </p>
)

interface AppointmentTimeProps {
  readonly language: Language
  readonly zone: string
  readonly start_date: number
  readonly end_date: number
  readonly doctor_name: string | null
}

/** One appointment's day, time, zone and doctor, large enough to be checked at a glance. */
export const AppointmentTime = ({ language, zone, start_date, end_date, doctor_name }: AppointmentTimeProps) => (
  <div class="moment">
    <p class="moment-day">{fullDay(language, zone, start_date)}</p>
    <p class="moment-time">
      <time dateTime={new Date(start_date * 1000).toISOString()}>{clockTime(language, zone, start_date)}</time>
      {" – "}
      {clockTime(language, zone, end_date)}
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
        {zoneName(language, zone, start_date)}
      </span>
    </p>
  </div>
)

/** Minutes and seconds left; an island counts them down. */
export const Countdown = ({ seconds }: { readonly seconds: number }) => (
  <strong role="timer" data-countdown>
    {countdown(seconds)}
  </strong>
)

/** The way back to the partner, out of the widget's frame too. */
export const ReturnLink = ({
  language,
  return_url,
  embedded
}: {
  readonly language: Language
  readonly return_url: string | null
  readonly embedded: boolean
}) =>
  return_url === null ? null : (
    <a class="primary" href={return_url} target={embedded ? "_top" : undefined}>
      {fill(catalogue[language].booking.returnTo, { host: new URL(return_url).host })}
      <ArrowIcon />
    </a>
  )

/** Stands in every form, to be shown when a press of its button could not be sent. */
export const Unreachable = ({ language }: { readonly language: Language }) => (
  <p class="notice warn" tabindex={-1} data-unreachable hidden>
    {catalogue[language].page.unreachable}
  </p>
)
