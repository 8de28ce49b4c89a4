import { appointmentTexts } from "../texts/appointment.ts"
import type { Language } from "../texts/language.ts"
import { clockTime, countdown, dateIn, longDay } from "../time.ts"
import { type AppointmentPageData, headingOf, type Outcome, outcomeOf } from "./appointmentState.ts"
import { Moment, Unreachable } from "./bookingParts.tsx"
import { ArrowIcon, CheckIcon, VideoIcon } from "./icons.tsx"

interface Part {
  readonly language: Language
  readonly data: AppointmentPageData
}

const Done = ({ title, text, good }: Outcome) => (
  <div class="done">
    {good ? (
      <span class="done-mark">
        <CheckIcon />
      </span>
    ) : null}
    <h2>{title}</h2>
    <p>{text}</p>
  </div>
)

const untilOpen = (language: Language, seconds: number) => {
  const days = Math.floor(seconds / 86_400)
  return days > 0 ? appointmentTexts[language].days(days) : appointmentTexts[language].hours(Math.floor(seconds / 3600))
}

/** When the waiting room opens: in the last hour as a countdown. */
const Opening = ({ language, data }: Part) => {
  const texts = appointmentTexts[language]
  const { zone, now } = data
  const { opens_at } = data.join_window
  const remaining = Math.max(0, opens_at - now)
  const time = clockTime(language, zone, opens_at)
  return (
    <div data-opens-in={remaining}>
      <p>
        {texts.joinEarly} {texts.joinEarlyHelp}
      </p>
      <p class="opens">
        {dateIn(zone, opens_at) === dateIn(zone, now)
          ? texts.opensAt(time)
          : texts.opensOn(longDay(language, zone, opens_at), time)}
        {", "}
        {texts.in}{" "}
        {remaining < 3600 ? (
          <>
            <strong role="timer" data-countdown>
              {countdown(remaining)}
            </strong>{" "}
            {texts.minutes}
          </>
        ) : (
          <strong>{untilOpen(language, remaining)}</strong>
        )}
        .
      </p>
    </div>
  )
}

const Join = ({ language, data }: Part) => {
  const texts = appointmentTexts[language]
  if (data.join_window.state !== "open") return <Opening language={language} data={data} />
  return (
    <>
      <p>{texts.joinOpen}</p>
      <div class="actions">
        <button type="submit" class="primary">
          <VideoIcon />
          {texts.join}
        </button>
      </div>
    </>
  )
}

const Cancel = ({ language }: Part) => {
  const texts = appointmentTexts[language]
  return (
    <>
      <p>{texts.cancelText}</p>
      <div class="field">
        <label for="reason">{texts.cancelReason}</label>
        <textarea id="reason" name="reason" rows={3} maxlength={2000} />
      </div>
      <div class="actions">
        <button type="submit" class="primary danger">
          {texts.cancel}
        </button>
      </div>
    </>
  )
}

const Rebook = ({ language }: Part) => {
  const texts = appointmentTexts[language]
  return (
    <>
      <p>{texts.rebookText}</p>
      <div class="actions">
        <button type="submit" class="primary">
          {texts.rebook}
          <ArrowIcon />
        </button>
      </div>
    </>
  )
}

const parts = { join: Join, cancel: Cancel, rebook: Rebook }

/** One appointment and the one thing its link is for. Nothing happens before the button is pressed. */
export const AppointmentPage = ({ language, data }: Part) => {
  const texts = appointmentTexts[language]
  const Action = parts[data.action]
  const outcome = outcomeOf(language, data)
  return (
    <div class="card">
      <h1>{texts.title}</h1>
      {data.refused ? (
        <p class="notice warn" role="alert" tabindex={-1}>
          {texts.noLonger}
        </p>
      ) : null}
      {data.appointment_type_name === null ? null : (
        <p class="subject">
          <strong>{data.appointment_type_name}</strong>
        </p>
      )}
      <Moment
        language={language}
        zone={data.zone}
        start_date={data.appointment_start}
        end_date={data.appointment_end}
        doctor_name={data.doctor_display_name}
      />
      {outcome === null ? (
        <form method="post" action={data.post} class="stack">
          <h2>{headingOf(language, data)}</h2>
          <Action language={language} data={data} />
          <Unreachable language={language} />
        </form>
      ) : (
        <Done {...outcome} />
      )}
    </div>
  )
}
