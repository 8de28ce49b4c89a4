import { catalogue } from "../../texts/catalogue.ts"
import type { Language } from "../../texts/language.ts"
import { clockTime, dateIn, longDay, waitUntil } from "../time.ts"
import { type AppointmentPageData, headingOf, type Outcome, outcomeOf } from "./appointmentState.ts"
import { AppointmentTime, Countdown, Unreachable } from "./bookingParts.tsx"
import { fillNodes } from "./fillNodes.tsx"
import { ArrowIcon, CheckIcon, VideoIcon } from "./icons.tsx"

interface Part {
  readonly language: Language
  readonly data: AppointmentPageData
}

const OutcomeText = ({ title, text, good }: Outcome) => (
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

/** When the waiting room opens: in the last hour as a countdown. */
const OpeningTime = ({ language, data }: Part) => {
  const texts = catalogue[language].appointment
  const { zone, now } = data
  const { opens_at } = data.join_window
  const remaining = Math.max(0, opens_at - now)
  return (
    <div data-opens-in={remaining}>
      <p>
        {texts.joinEarly} {texts.joinEarlyHelp}
      </p>
      <p class="opens">
        {fillNodes(dateIn(zone, opens_at) === dateIn(zone, now) ? texts.opensToday : texts.opensOn, {
          day: longDay(language, zone, opens_at),
          time: clockTime(language, zone, opens_at),
          wait:
            remaining < 3600 ? (
              fillNodes(texts.opensIn, { countdown: <Countdown seconds={remaining} /> })
            ) : (
              <strong>{waitUntil(language, remaining)}</strong>
            )
        })}
      </p>
    </div>
  )
}

const Join = ({ language, data }: Part) => {
  const texts = catalogue[language].appointment
  if (data.join_window.state !== "open") return <OpeningTime language={language} data={data} />
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
  const texts = catalogue[language].appointment
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
  const texts = catalogue[language].appointment
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
  const texts = catalogue[language].appointment
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
      <AppointmentTime
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
        <OutcomeText {...outcome} />
      )}
    </div>
  )
}
