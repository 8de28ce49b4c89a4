import { minutesOfPart, partsOfDay } from "../../../pages/days.ts"
import { clockTime, format, fullDay } from "../../../pages/time.ts"
import { AppointmentTime } from "../../../pages/views/bookingParts.tsx"
import { ContactPractice } from "../../../pages/views/ContactPractice.tsx"
import { FactList } from "../../../pages/views/cards.tsx"
import {
  Act,
  Choice,
  DoctorField,
  DoneMark,
  OnlyAct,
  PostForm,
  Said,
  SelectField,
  Unreachable
} from "../../../pages/views/forms.tsx"
import { useLanguage, useTexts } from "../../../pages/views/pageLanguage.ts"
import { DAY } from "../../../schemas/seconds.ts"
import { catalogue } from "../../../texts/catalogue.ts"
import { clockOf, type Language } from "../../../texts/language.ts"
import { PartsOfDay } from "../../shared/pages/PartsOfDay.tsx"
import { pageTextsOf } from "../texts/page.ts"

/** 1970-01-05 was a Monday. */
const MONDAY = 4 * DAY

/** `Monday`, or `Mo`: 0 is Monday. */
const weekdayName = (language: Language, weekday: number, weekdayStyle: "long" | "short") =>
  format(language, "UTC", `weekday ${weekdayStyle}`, { weekday: weekdayStyle }).format((MONDAY + weekday * DAY) * 1000)

/** The clock time of minutes of the day. */
const timeOfMinutes = (language: Language, minutes: number) =>
  format(language, "UTC", "time", clockOf(language)).format((MONDAY + minutes * 60) * 1000)

const useOwnTexts = () => pageTextsOf(useLanguage())

/** An entry as its patient sees it. */
export interface ShownEntry {
  readonly uid: string
  readonly type_name: string
  /** none: any */
  readonly doctor_names: ReadonlyArray<string>
  /** 0 is Monday; none: all */
  readonly weekdays: ReadonlyArray<number>
  /** minutes of the day; none: all */
  readonly times: ReadonlyArray<{ readonly from: number; readonly to: number }>
  readonly to: number
  /** start of the appointment that an earlier time replaces */
  readonly replaced_start: number | null
  readonly status: "waiting" | "offered" | "paused" | "booked" | "ended"
}

/** What the form that led here has done. */
export const entryNotices = ["saved", "changed", "refused", "tooMany"] as const
export type EntryNotice = (typeof entryNotices)[number]

interface EntryProps {
  readonly zone: string
  readonly entry: ShownEntry
  /** URL to which its buttons post */
  readonly post: string
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6]

const timesOf = (language: Language, { times }: ShownEntry) => {
  const { parts } = catalogue[language].booking
  return times.map(({ from, to }) => {
    const part = partsOfDay.find((one) => minutesOfPart[one].from === from && minutesOfPart[one].to === to)
    return part === undefined
      ? `${timeOfMinutes(language, from)}\u2013${timeOfMinutes(language, to % 1440)}`
      : parts[part]
  })
}

/** What an entry waits for, its state, and buttons to pause, to go on and to leave. */
export const Entry = ({ zone, entry, post }: EntryProps) => {
  const language = useLanguage()
  const { facts, entry: texts, goOn, leave, paused } = useOwnTexts()
  const orAny = (words: ReadonlyArray<string>) => (words.length === 0 ? texts.any : words.join(", "))
  const isLive = entry.status !== "booked" && entry.status !== "ended"
  return (
    <section class="notice stack">
      <p>
        <strong>{texts[entry.status]}</strong>
      </p>
      {entry.status === "paused" ? <p>{paused}</p> : null}
      <FactList
        facts={[
          [facts.what, entry.type_name],
          [facts.doctor, entry.doctor_names.length === 0 ? null : entry.doctor_names.join(", ")],
          [texts.days, orAny(entry.weekdays.map((day) => weekdayName(language, day, "long")))],
          [texts.times, orAny(timesOf(language, entry))],
          entry.replaced_start === null
            ? [texts.until, fullDay(language, zone, entry.to)]
            : [texts.sooner, replacedText(language, zone, entry.replaced_start)]
        ]}
      />
      {isLive ? (
        <PostForm action={post}>
          <input type="hidden" name="entry" value={entry.uid} />
          <div class="actions">
            {entry.status === "paused" ? (
              <Act does="go-on" text={goOn} />
            ) : (
              <Act does="pause" look="secondary" text={texts.pause} />
            )}
            <Act does="leave" look="quiet" text={leave} />
          </div>
        </PostForm>
      ) : (
        <ContactPractice />
      )}
    </section>
  )
}

/** The days within which an appointment is wanted. */
export const horizons = ["14", "30", "90", "180"] as const

interface WaitlistPageData {
  readonly zone: string
  readonly post: string
  /** the page of free times */
  readonly back: string
  readonly notice: EntryNotice | null
  readonly entries: ReadonlyArray<ShownEntry>
  /** the doctors to choose from */
  readonly doctors: ReadonlyArray<{ readonly doctor_uid: string; readonly doctor_name: string }>
  /** `new`: a wish can be entered; `own`: that of this page can be changed; null: neither */
  readonly form: "new" | "own" | null
  /** the session moves an appointment: only earlier times are waited for */
  readonly isMove: boolean
}

const Wish = ({ data }: { readonly data: WaitlistPageData }) => {
  const language = useLanguage()
  const texts = useOwnTexts().ask
  return (
    <form method="post" action={data.post} class="stack">
      <DoctorField of={data.doctors} />
      <fieldset class="consents">
        <legend>{texts.weekdays}</legend>
        <div class="ticks">
          {WEEKDAYS.map((day) => (
            <Choice key={day} type="checkbox" name="weekday" value={day}>
              <abbr title={weekdayName(language, day, "long")}>{weekdayName(language, day, "short")}</abbr>
            </Choice>
          ))}
        </div>
      </fieldset>
      <PartsOfDay />
      <p class="help">{texts.open}</p>
      {data.isMove ? null : (
        <SelectField
          name="days"
          label={texts.until}
          of={horizons.map((days) => [days, texts.days[days]])}
          chosen="90"
        />
      )}
      <Unreachable />
      <OnlyAct
        does="ask"
        text={data.form === "own" ? texts.save : data.isMove ? useOwnTexts().sooner.submit : texts.submit}
        arrow
      />
    </form>
  )
}

export const EntryNoticeText = ({ notice }: { readonly notice: EntryNotice | null }) => {
  const isProblem = notice === "refused" || notice === "tooMany"
  return notice === null ? null : <Said isProblem={isProblem} text={useOwnTexts().entry[notice]} />
}

/** `…/booking/{code}/waitlist`: a wish for a time that becomes free, and the patient's entries. */
export const WaitlistPage = ({ data }: { readonly data: WaitlistPageData }) => {
  const { ask, entry: texts, sooner } = useOwnTexts()
  return (
    <div class="card">
      <h1>{data.form === "new" ? (data.isMove ? sooner.title : ask.title) : texts.title}</h1>
      <EntryNoticeText notice={data.notice} />
      {data.form === "new" ? (
        <>
          <p>{data.isMove ? sooner.text : ask.text}</p>
          <Wish data={data} />
        </>
      ) : null}
      {data.entries.map((entry) => (
        <Entry key={entry.uid} zone={data.zone} entry={entry} post={data.post} />
      ))}
      {data.form === "own" ? (
        <details class="folded">
          <summary>{ask.change}</summary>
          <Wish data={data} />
        </details>
      ) : null}
      <p>
        <a href={data.back}>{ask.back}</a>
      </p>
    </div>
  )
}

/** The page of one entry, behind the link of its mail. */
export const EntryPage = ({ notice, ...props }: EntryProps & { readonly notice: EntryNotice | null }) => (
  <div class="card">
    <h1>{useOwnTexts().entry.title}</h1>
    <EntryNoticeText notice={notice} />
    <Entry {...props} />
  </div>
)

interface OfferData {
  readonly zone: string
  readonly type_name: string
  readonly doctor_name: string
  readonly start_date: number
  readonly end_date: number
  readonly status: "offered" | "accepted" | "declined" | "lapsed" | "lost"
  /** it can be accepted now */
  readonly canAccept: boolean
  /** until when it is held, or first come, first served; in words */
  readonly until: string
  readonly held: boolean
  /** the appointment that accepting moves, in words */
  readonly replaces: string | null
  readonly entry_status: ShownEntry["status"]
  /** what accepting has booked, while it stands */
  readonly booked: { readonly movable: boolean } | null
  /** its end has passed */
  readonly past: boolean
  readonly post: string
}

/** The state of the offer, or of what accepting it has booked. */
export const offerTitle = (language: Language, { status, booked, past }: OfferData) => {
  const texts = pageTextsOf(language)
  if (status === "offered") return texts.title
  if (status !== "accepted" || booked !== null) return texts[status].title
  return past ? catalogue[language].appointment.over : catalogue[language].appointment.movedOrCancelled
}

/** An offer: day, time, doctor, how long it is held and what it replaces; accepted by one press. Nothing happens on GET. */
export const OfferPage = ({ data }: { readonly data: OfferData }) => {
  const language = useLanguage()
  const texts = useOwnTexts()
  const { manage } = useTexts().booking
  const { status, canAccept, entry_status } = data
  const isOver = entry_status === "booked" || entry_status === "ended"
  const isBooked = data.booked !== null
  /** what follows from the answer, or from the missing one */
  const follows =
    canAccept || status === "accepted"
      ? null
      : isOver
        ? texts.entry[entry_status]
        : entry_status === "paused"
          ? null
          : texts.keeps
  const button = (action: string, text: string, kind: string) => (
    <Act id={action} does={action} look={kind} text={text} />
  )
  return (
    <div class="card">
      {isBooked ? <DoneMark /> : null}
      <h1>{offerTitle(language, data)}</h1>
      {status === "lost" ? <p>{texts.lost.text}</p> : null}
      {status === "lapsed" && canAccept ? <p>{texts.lapsed.text}</p> : null}
      {follows === null ? null : <p>{follows}</p>}
      {canAccept || status === "accepted" ? (
        <>
          <p class="subject">
            <strong>{data.type_name}</strong>
          </p>
          <AppointmentTime
            zone={data.zone}
            start_date={data.start_date}
            end_date={data.end_date}
            doctor_name={data.doctor_name}
            gone={status === "accepted" && !isBooked && !data.past}
          />
        </>
      ) : null}
      {canAccept ? (
        <FactList
          facts={[
            [data.held ? texts.facts.until : texts.facts.first, status === "offered" ? data.until : null],
            [texts.facts.replaces, data.replaces]
          ]}
        />
      ) : null}
      {entry_status === "paused" ? <p class="notice">{texts.paused}</p> : null}
      {data.booked === null ? null : (
        <PostForm action={data.post}>
          <div class="actions">
            {button("view", useTexts().page.toAppointment, "primary")}
            {data.booked.movable ? button("rebook", manage.rebook, "secondary") : null}
            {button("cancel", manage.cancel, "quiet")}
          </div>
        </PostForm>
      )}
      {isOver ? (
        isBooked ? null : (
          <ContactPractice />
        )
      ) : (
        <PostForm action={data.post}>
          <div class="actions">
            {canAccept ? button("accept", texts.accept, "primary") : null}
            {status === "offered" ? button("decline", texts.decline, "secondary") : null}
            {entry_status === "paused" ? button("go-on", texts.goOn, canAccept ? "secondary" : "primary") : null}
            {button("leave", texts.leave, "quiet")}
          </div>
        </PostForm>
      )}
    </div>
  )
}

/** A short text with the date of an appointment, for an offer that replaces it. */
export const replacedText = (language: Language, zone: string, start: number | null) =>
  start === null ? null : `${fullDay(language, zone, start)}, ${clockTime(language, zone, start)}`
