import { bookingTexts } from "../texts/booking.ts"
import { frameTexts } from "../texts/frame.ts"
import type { Language } from "../texts/language.ts"
import { clockTime, fullDay, zoneName } from "../time.ts"
import { CheckIcon, ClockIcon, GlobeIcon, PersonIcon, VideoIcon } from "./icons.tsx"

/** What is being booked: the same on every step of the booking. */
export interface BookingSubject {
  readonly type_name: string
  readonly duration_minutes: number
  readonly mode: "booking" | "rebooking"
  readonly meeting_format: "DIGITAL" | "IN_PERSON"
  readonly zone: string
}

const steps = ["time", "details", "done"] as const

/** Where one stands, as an ordered list: the present step carries `aria-current`. */
export const Steps = ({ language, at }: { readonly language: Language; readonly at: (typeof steps)[number] }) => {
  const texts = bookingTexts[language].steps
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

export const formatName = (language: Language, format: BookingSubject["meeting_format"]) =>
  format === "DIGITAL" ? bookingTexts[language].video : bookingTexts[language].onSite

/** Name, length and kind of what is being booked. */
export const Subject = ({ language, subject }: { readonly language: Language; readonly subject: BookingSubject }) => {
  const texts = bookingTexts[language]
  return (
    <p class="subject">
      <strong>{subject.type_name}</strong>
      <span>
        <ClockIcon />
        {texts.minutes(subject.duration_minutes)}
      </span>
      <span>
        {subject.meeting_format === "DIGITAL" ? <VideoIcon /> : <PersonIcon />}
        {formatName(language, subject.meeting_format)}
      </span>
    </p>
  )
}

interface MomentProps {
  readonly language: Language
  readonly zone: string
  readonly start_date: number
  readonly end_date: number
  readonly doctor_name: string | null
}

/** One appointment's day, time, zone and doctor, large enough to be checked at a glance. */
export const Moment = ({ language, zone, start_date, end_date, doctor_name }: MomentProps) => (
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

/** Stands in every form, to be shown when a press of its button could not be sent. */
export const Unreachable = ({ language }: { readonly language: Language }) => (
  <p class="notice warn" tabindex={-1} data-unreachable hidden>
    {frameTexts[language].unreachable}
  </p>
)
