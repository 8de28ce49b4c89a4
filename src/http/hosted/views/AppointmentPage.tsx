import { appointmentTexts } from "../texts/appointment.ts"
import { type Language, localeOf } from "../texts/language.ts"
import { clockTime, countdown } from "../time.ts"
import { Moment } from "./bookingParts.tsx"
import { ArrowIcon, CheckIcon, VideoIcon } from "./icons.tsx"

/** The context of an action link (specification §2.10) with what the page adds. */
export interface AppointmentPageData {
  readonly action: "join" | "cancel" | "rebook"
  readonly appointment_start: number
  readonly appointment_end: number
  readonly doctor_display_name: string
  readonly appointment_type_name: string | null
  readonly join_window: { readonly state: "too_early" | "open" | "too_late"; readonly opens_at: number }
  readonly rebook_allowed: boolean
  readonly cancel_allowed: boolean
  readonly already_actioned: boolean
  readonly zone: string
  readonly now: number
  /** where the button posts to */
  readonly post: string
  /** the button was pressed, and the service said no */
  readonly refused: boolean
}

interface Part {
  readonly language: Language
  readonly data: AppointmentPageData
}

const Outcome = ({ title, text, good }: { readonly title: string; readonly text: string; readonly good: boolean }) => (
  <div class={good ? "done" : "done muted"}>
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
  if (days > 0) return appointmentTexts[language].days(days)
  const hours = Math.floor(seconds / 3600)
  return hours > 0
    ? new Intl.NumberFormat(localeOf(language), { style: "unit", unit: "hour", unitDisplay: "long" }).format(hours)
    : countdown(seconds)
}

const Join = ({ language, data }: Part) => {
  const texts = appointmentTexts[language]
  const { state, opens_at } = data.join_window
  if (state === "too_late") return <Outcome good={false} title={texts.joinLate} text={texts.callPractice} />
  const remaining = Math.max(0, opens_at - data.now)
  return (
    <form method="post" action={data.post} class="stack">
      <h2>{texts.joinTitle}</h2>
      {state === "open" ? (
        <>
          <p>{texts.joinOpen}</p>
          <div class="actions">
            <button type="submit" class="primary">
              <VideoIcon />
              {texts.join}
            </button>
          </div>
        </>
      ) : (
        <div data-opens-in={remaining}>
          <p>
            {texts.joinEarly} {texts.joinEarlyHelp}
          </p>
          <p class="opens">
            {texts.opensIn}{" "}
            <strong role="timer" data-countdown={remaining < 3600 ? "" : undefined}>
              {untilOpen(language, remaining)}
            </strong>{" "}
            · {texts.opensAt} {clockTime(language, data.zone, opens_at)}
          </p>
        </div>
      )}
    </form>
  )
}

const Cancel = ({ language, data }: Part) => {
  const texts = appointmentTexts[language]
  if (data.already_actioned) return <Outcome good title={texts.cancelled} text={texts.cancelledText} />
  if (!data.cancel_allowed) return <Outcome good={false} title={texts.cancelBlocked} text={texts.callPractice} />
  return (
    <form method="post" action={data.post} class="stack">
      <h2>{texts.cancelTitle}</h2>
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
    </form>
  )
}

const Rebook = ({ language, data }: Part) => {
  const texts = appointmentTexts[language]
  if (data.already_actioned) return <Outcome good title={texts.rebooked} text={texts.rebookedText} />
  if (!data.rebook_allowed) return <Outcome good={false} title={texts.rebookBlocked} text={texts.callPractice} />
  return (
    <form method="post" action={data.post} class="stack">
      <h2>{texts.rebookTitle}</h2>
      <p>{texts.rebookText}</p>
      <div class="actions">
        <button type="submit" class="primary">
          {texts.rebook}
          <ArrowIcon />
        </button>
      </div>
    </form>
  )
}

const parts = { join: Join, cancel: Cancel, rebook: Rebook }

/** One appointment and the one thing its link is for. Nothing happens before the button is pressed. */
export const AppointmentPage = ({ language, data }: Part) => {
  const texts = appointmentTexts[language]
  const Action = parts[data.action]
  return (
    <div class="card">
      <h1>{texts.title}</h1>
      {data.refused ? (
        <p class="notice warn" role="alert">
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
      <Action language={language} data={data} />
    </div>
  )
}
