import { catalogue, fill } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"
import type { OfferedSlot } from "../days.ts"
import { AppointmentTime, type BookingSubject, Steps, Subject } from "./bookingParts.tsx"
import { ArrowIcon, CalendarIcon, CheckIcon } from "./icons.tsx"

/** A confirmed appointment, with the ways on from here. */
export interface BookingDoneData {
  readonly subject: BookingSubject
  readonly slot: OfferedSlot
  /** address of the calendar file */
  readonly calendar: string
  /** where the partner wants the patient back */
  readonly return_url: string | null
  /** the link leaves the widget's frame */
  readonly embedded: boolean
}

/** Step three: it stands. */
export const BookingDone = ({ language, data }: { readonly language: Language; readonly data: BookingDoneData }) => {
  const texts = catalogue[language].booking
  const { mode, meeting_format } = data.subject
  return (
    <div class="card">
      <Steps language={language} at="done" />
      <div class="done">
        <span class="done-mark">
          <CheckIcon />
        </span>
        <h1>{texts.headings[mode].done}</h1>
        <p>
          {texts.doneText[mode]} {meeting_format === "DIGITAL" ? texts.doneVideo : null}
        </p>
      </div>
      <Subject language={language} subject={data.subject} />
      <AppointmentTime
        language={language}
        zone={data.subject.zone}
        start_date={data.slot.start_date}
        end_date={data.slot.end_date}
        doctor_name={data.slot.doctor_name}
      />
      <div class="actions">
        {data.return_url === null ? null : (
          <a class="primary" href={data.return_url} target={data.embedded ? "_top" : undefined}>
            {fill(texts.returnTo, { host: new URL(data.return_url).host })}
            <ArrowIcon />
          </a>
        )}
        <a class="secondary" href={data.calendar}>
          <CalendarIcon />
          {texts.calendar}
        </a>
      </div>
      {data.return_url === null ? <p class="help">{texts.closeHint}</p> : null}
    </div>
  )
}
