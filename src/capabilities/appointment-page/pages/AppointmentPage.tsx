import { clockTime, commaIn, dateIn, fullDay, longDay } from "../../../pages/time.ts"
import { AppointmentTime, Calendars, Countdown, MapLink } from "../../../pages/views/bookingParts.tsx"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { DoctorCard, FactList } from "../../../pages/views/cards.tsx"
import { consentValue } from "../../../pages/views/consents.tsx"
import { fillNodes } from "../../../pages/views/fillNodes.tsx"
import { DoneMark, OnlyAct, PostForm, Said, SelectField } from "../../../pages/views/forms.tsx"
import { CameraIcon } from "../../../pages/views/icons.tsx"
import { useLanguage, useTexts } from "../../../pages/views/pageLanguage.ts"
import { DAY, HOUR } from "../../../schemas/seconds.ts"
import { fill } from "../../../texts/fill.ts"
import { type Language, localeOf } from "../../../texts/language.ts"
import { PartsOfDay } from "../../shared/pages/PartsOfDay.tsx"
import type { AddedDates } from "../../shared/schemas/AddedDates.ts"
import { type AppointmentPageData, blockOf, headingOf, type Outcome, outcomeOf } from "./appointmentState.ts"

/** `in 3 days`, or in hours if less than a day. */
const waitUntil = (language: Language, seconds: number) => {
  const days = Math.floor(seconds / DAY)
  const format = new Intl.RelativeTimeFormat(localeOf(language))
  return days > 0 ? format.format(days, "day") : format.format(Math.floor(seconds / HOUR), "hour")
}

interface Part {
  readonly data: AppointmentPageData
}

/** What the form shows: an action on anything else is not carried out. Rule 5.5.12. */
const Shown = ({ data }: { readonly data: AppointmentPageData }) => (
  <>
    <input type="hidden" name="appointment_uid" value={data.uid} />
    <input type="hidden" name="start" value={data.appointment_start} />
  </>
)

const OutcomeText = ({ title, text, good }: Outcome) => (
  <div class="done">
    {good ? <DoneMark /> : null}
    <h1>{title}</h1>
    <p>{text}</p>
  </div>
)

/** When the waiting room opens; a countdown in the last hour. */
const OpeningTime = ({ data }: Part) => {
  const language = useLanguage()
  const texts = useTexts().appointment
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
            remaining < HOUR ? (
              fillNodes(texts.opensIn, { countdown: <Countdown seconds={remaining} /> })
            ) : (
              <strong>{waitUntil(language, remaining)}</strong>
            )
        })}
      </p>
    </div>
  )
}

const Join = ({ data }: Part) => {
  const texts = useTexts().appointment
  if (data.meeting_format === "IN_PERSON") return <p>{texts.onSiteText}</p>
  if (data.join_window.state !== "open") return <OpeningTime data={data} />
  return (
    <>
      <p>{texts.joinOpen}</p>
      <OnlyAct does="join" text={texts.join} icon={<CameraIcon />} />
    </>
  )
}

const Cancel = ({ data }: Part) => {
  const texts = useTexts().appointment
  if (!data.cancel_allowed) return <Blocked text={texts.cancelBlocked} />
  return (
    <>
      <p>{texts.cancelText}</p>
      <div class="field">
        <label for="reason">{texts.cancelReason}</label>
        <textarea id="reason" name="reason" rows={3} maxlength={2000} />
      </div>
      <OnlyAct does="cancel" look="primary danger" text={texts.cancel} />
    </>
  )
}

/** Asking for an earlier time. */
const Sooner = ({ data: { sooner } }: Part) => {
  if (sooner === null) return <></>
  const { isWaiting, texts } = sooner
  return (
    <>
      <p>{isWaiting ? texts.waiting : texts.text}</p>
      {isWaiting ? null : <PartsOfDay />}
      <OnlyAct does={isWaiting ? "stay" : "sooner"} look="secondary" text={isWaiting ? texts.leave : texts.submit} />
    </>
  )
}

const Rebook = ({ data }: Part) => {
  const texts = useTexts().appointment
  if (!data.rebook_allowed) return <Blocked text={texts.rebookBlocked} />
  return (
    <>
      <p>{texts.rebookText}</p>
      <OnlyAct does="rebook" text={texts.rebook} arrow />
    </>
  )
}

const Blocked = ({ text }: { readonly text: string }) => (
  <p>
    {text} {useTexts().appointment.callPractice}
  </p>
)

const LATE_MINUTES = [5, 10, 15, 20, 30]

const Late = ({ data }: Part) => {
  const texts = useTexts().appointment
  return (
    <>
      {data.late.minutes === null || data.notice === "saved" ? null : (
        <p class="notice" role="status">
          {fill(texts.lateSaid, { n: String(data.late.minutes) })}
        </p>
      )}
      <SelectField
        name="minutes"
        label={texts.lateLabel}
        of={LATE_MINUTES.map((minutes) => [minutes, fill(texts.lateMinutes, { n: String(minutes) })])}
        chosen={data.late.minutes ?? 10}
      />
      <OnlyAct does="late" look="secondary" text={texts.late} />
    </>
  )
}

const parts = { join: Join, cancel: Cancel, rebook: Rebook }

/** A further action, collapsed: the link's own action comes first. */
const Folded = ({
  data,
  title,
  part: Action,
  open = false
}: Part & { readonly title: string; readonly part: typeof Join; readonly open?: boolean }) => (
  <details class="folded" open={open}>
    <summary>{title}</summary>
    <PostForm action={data.post}>
      <Shown data={data} />
      <Action data={data} />
    </PostForm>
  </details>
)

/** The actions that the code permits beside the one shown first. */
const Others = ({ data }: Part) => {
  const language = useLanguage()
  const texts = useTexts().appointment
  const joinable = data.can.join && data.action !== "join" && data.meeting_format === "DIGITAL"
  return (
    <div class="others">
      {joinable ? (
        <Folded
          data={data}
          title={headingOf(language, { ...data, action: "join" })}
          part={Join}
          open={data.join_window.state === "open"}
        />
      ) : null}
      {data.late.offered ? (
        <Folded data={data} title={texts.lateTitle} part={Late} open={data.late.minutes !== null} />
      ) : null}
      {data.sooner === null ? null : (
        <Folded data={data} title={data.sooner.texts.title} part={Sooner} open={data.sooner.isWaiting} />
      )}
      {data.action === "rebook" || !data.can.rebook ? null : (
        <Folded data={data} title={texts.rebookTitle} part={Rebook} />
      )}
      {data.action === "cancel" || !data.can.cancel ? null : (
        <Folded data={data} title={texts.cancelTitle} part={Cancel} />
      )}
      <Consents data={data} />
    </div>
  )
}

const Tools = ({ data }: Part) => {
  return (
    <div class="stack">
      {data.preparation === null ? null : (
        <p>
          <a href={data.preparation.url}>{data.preparation.text}</a>
        </p>
      )}
      <Calendars calendars={data.calendars} />
    </div>
  )
}

/** Given consents, each with a button to withdraw it, and consents that are asked for. */
const Consents = ({ data }: Part) => {
  const texts = useTexts().consent
  const { given, asked } = data.consents
  return given.length + asked.length === 0 ? null : (
    <details class="folded" open={data.notice === "consents"}>
      <summary>{texts.title}</summary>
      <div class="stack">
        {given.map((one) => (
          <PostForm key={one.uid} action={data.post}>
            <p>{fill(texts.given[one.purpose], { day: one.given })}</p>
            <input type="hidden" name="consent" value={one.uid} />
            <OnlyAct does="withdraw" look="secondary" text={texts.withdraw} />
          </PostForm>
        ))}
        {asked.map((one) => (
          <PostForm key={one.purpose} action={data.post}>
            <p>{one.text}</p>
            <input type="hidden" name="consent" value={consentValue(one)} />
            <OnlyAct does="agree" look="secondary" text={texts.agree} />
          </PostForm>
        ))}
      </div>
    </details>
  )
}

const Again = ({ data }: Part) => (
  <PostForm action={data.post}>
    <OnlyAct does="again" text={useTexts().appointment.again} arrow />
  </PostForm>
)

/** Dates that belong to it, folded. */
const Dates = ({ zone, of: { title, more, dates } }: { readonly zone: string; readonly of: AddedDates }) => {
  const language = useLanguage()
  return (
    <details class="folded dates">
      <summary>
        {title} · <span>{more}</span>
      </summary>
      <ol>
        {dates.map(({ start_date, gone, note }) => (
          <li key={start_date} class={gone ? "gone" : undefined}>
            <span class="moment-day">
              {fullDay(language, zone, start_date)}
              {commaIn(language)} <time>{clockTime(language, zone, start_date)}</time>
            </span>
            {note === null ? null : ` (${note})`}
          </li>
        ))}
      </ol>
    </details>
  )
}

/** What is to be done before, with how far it is. */
const ToDo = ({ of: { title, tasks } }: { readonly of: AppointmentPageData["toDo"][number] }) => (
  <section class="notice">
    <h2>{title}</h2>
    <ul>
      {tasks.map(({ url, text, state }) => (
        <li key={url}>
          <a href={url}>{text}</a> ({state})
        </li>
      ))}
    </ul>
  </section>
)

/** What the form that led here has done, first on the page and read first. */
const Notice = ({ data }: Part) => {
  const texts = useTexts().appointment
  const { notice } = data
  const blocked = data.toDo.find((one) => one.blocked !== null)?.blocked ?? null
  if (
    notice === null ||
    (notice === "saved" && data.late.minutes === null) ||
    (notice === "waiting" && data.sooner === null) ||
    (notice === "blocked" && blocked === null)
  )
    return null
  const isProblem = notice === "refused" || notice === "changed" || notice === "blocked"
  const said = {
    refused: texts.noLonger,
    changed: texts.changed,
    mailed: texts.againSent,
    saved: fill(texts.lateSaid, { n: String(data.late.minutes) }),
    consents: texts.consentsSaved,
    waiting: data.sooner?.texts.waiting ?? "",
    blocked: blocked ?? ""
  }
  return <Said isProblem={isProblem} text={said[notice]} />
}

/** One appointment: when, with whom, how to prepare, and all actions. Nothing happens before a button is pressed. */
export const AppointmentPage = ({ data }: Part) => {
  const language = useLanguage()
  const texts = useTexts().appointment
  const Action = parts[data.action]
  const outcome = outcomeOf(language, data)
  return (
    <div class="card">
      {outcome === null ? <h1>{texts.title}</h1> : null}
      <Notice data={data} />
      {outcome === null ? null : <OutcomeText {...outcome} />}
      {data.doctor_late === null ? null : (
        <p class="notice">{fill(texts.doctorLate, { name: data.doctor.display_name, n: String(data.doctor_late) })}</p>
      )}
      {data.moved && data.fate === null ? <p class="notice">{texts.movedHere}</p> : null}
      <p class="subject">
        <strong>{data.appointment_type_name}</strong>
        <span>{useTexts().booking.formats[data.meeting_format]}</span>
      </p>
      <AppointmentTime
        zone={data.zone}
        start_date={data.appointment_start}
        end_date={data.appointment_end}
        doctor_name={null}
        gone={data.fate === "cancelled"}
      />
      <DoctorCard doctor={data.doctor} />
      {data.dates.map((one) => (
        <Dates key={one.title} zone={data.zone} of={one} />
      ))}
      {outcome === null ? (
        <>
          {data.toDo.map((one) => (
            <ToDo key={one.title} of={one} />
          ))}
          <PostForm action={data.post}>
            <Shown data={data} />
            <h2>{blockOf(language, data) === null ? headingOf(language, data) : texts[`${data.action}Title`]}</h2>
            <Action data={data} />
          </PostForm>
          <FactList
            facts={[
              [texts.further, data.further.length === 0 ? null : data.further.join(", ")],
              [texts.preparation, data.type?.preparation ?? null],
              [texts.place, data.place],
              [texts.cancellationRule, data.type?.cancellation_rule ?? null],
              [texts.price, data.type?.price ?? null]
            ]}
          />
          {data.map === null ? null : (
            <p>
              <MapLink map={data.map} />
            </p>
          )}
          <Tools data={data} />
          <Others data={data} />
        </>
      ) : (
        <>
          {data.again ? <Again data={data} /> : <ContactPractice />}
          <Consents data={data} />
        </>
      )}
    </div>
  )
}
