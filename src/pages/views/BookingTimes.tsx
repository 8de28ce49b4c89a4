import { catalogue } from "../../texts/catalogue.ts"
import { fill, plural } from "../../texts/fill.ts"
import type { Language } from "../../texts/language.ts"
import type { DayPage, OfferedDay, OfferedSlot } from "../days.ts"
import { clockTime, dateIn, fullDay, longDay, zoneName } from "../time.ts"
import { Choices, type ChoicesData } from "./bookingChoices.tsx"
import { type BookingSubject, Countdown, Steps, Subject, Unreachable } from "./bookingParts.tsx"
import { fillNodes } from "./fillNodes.tsx"
import { ArrowIcon, PersonIcon } from "./icons.tsx"

/** Everything the list of free times shows. */
export interface BookingTimesData extends ChoicesData {
  readonly subject: BookingSubject
  /** where a chosen time is posted to */
  readonly action: string
  /** the appointment that is to be moved */
  readonly current: OfferedSlot | null
  readonly next: OfferedSlot | null
  readonly page: DayPage
  /** what the patient typed before a time was lost */
  readonly visit_reason: string | null
  readonly notice: "taken" | "superseded" | "ruleBlocked" | "notMovable" | null
  /** the time that is held meanwhile, with the address to go on with it */
  readonly held: { readonly slot: OfferedSlot; readonly remaining: number; readonly address: string } | null
}

const address = (data: BookingTimesData, query: Readonly<Record<string, string>>) =>
  `${data.self}?${new URLSearchParams({ ...data.kept, ...query })}`

const valueOf = (slot: OfferedSlot) => `${slot.start_date}.${slot.doctor_uid}`

const Day = ({
  data,
  day,
  language
}: {
  readonly data: BookingTimesData
  readonly day: OfferedDay
  readonly language: Language
}) => {
  const texts = catalogue[language].booking
  const { zone } = data.subject
  const first = day.doctors[0]?.slots[0]?.start_date ?? data.now
  const near =
    day.date === dateIn(zone, data.now)
      ? texts.today
      : day.date === dateIn(zone, data.now + 86_400)
        ? texts.tomorrow
        : null
  return (
    <section class="day" aria-labelledby={`day-${day.date}`}>
      <h2 id={`day-${day.date}`}>
        {near === null ? null : <span class="near">{near}</span>}
        {longDay(language, zone, first)}
        <span class="count">{plural(language, texts.freeTimes, day.count)}</span>
      </h2>
      {day.doctors.map(({ doctor_uid, doctor_name, slots }) => (
        <div key={doctor_uid} class="doctor-times">
          <h3 id={`${day.date}-${doctor_uid}`}>
            <PersonIcon />
            {doctor_name}
          </h3>
          <ul class="times" aria-labelledby={`day-${day.date} ${day.date}-${doctor_uid}`}>
            {slots.map((slot) => (
              <li key={slot.start_date}>
                <button type="submit" class="time" name="slot" value={valueOf(slot)}>
                  {clockTime(language, zone, slot.start_date)}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

/** Step one: days with free times under headings, the next one first. Every time is a submit button. */
export const BookingTimes = ({ language, data }: { readonly language: Language; readonly data: BookingTimesData }) => {
  const texts = catalogue[language].booking
  const { subject, next, page } = data
  const heading = texts.headings[subject.mode].choose
  const shownAt = page.days[0]?.doctors[0]?.slots[0]?.start_date ?? data.now
  const kept = data.visit_reason !== null && data.visit_reason !== ""
  return (
    <div class="card">
      <Steps language={language} at="time" />
      <Subject language={language} subject={subject} />
      <h1>{heading}</h1>
      {data.notice === null ? null : (
        <p class="notice warn" role="alert" tabindex={-1}>
          {texts.notices[data.notice]} {kept ? texts.typedKept : null}
        </p>
      )}
      {data.held === null ? null : (
        <p class="notice held" data-remaining={data.held.remaining}>
          <span>
            {fillNodes(texts.reserved, {
              day: longDay(language, subject.zone, data.held.slot.start_date),
              time: clockTime(language, subject.zone, data.held.slot.start_date),
              doctor: data.held.slot.doctor_name,
              countdown: <Countdown seconds={data.held.remaining} />
            })}
          </span>
          <a href={data.held.address}>{texts.continueWith}</a>
        </p>
      )}
      {data.current === null ? null : (
        <p class="notice">
          {texts.currentTime}: <strong>{fullDay(language, subject.zone, data.current.start_date)}</strong>,{" "}
          <strong>{clockTime(language, subject.zone, data.current.start_date)}</strong>,{" "}
          {fill(texts.with, { doctor: data.current.doctor_name })}. {texts.currentStays}
        </p>
      )}
      <Choices data={data} zone={subject.zone} at={shownAt} language={language} />
      <p class="notice device-zone" data-zone={subject.zone} data-address={address(data, { zone: "" })} hidden>
        {texts.deviceZone} <a href={data.self}>{zoneName(language, subject.zone, shownAt)}</a>
      </p>
      <form method="post" action={data.action} class="offer">
        {kept ? <input type="hidden" name="visit_reason" value={data.visit_reason ?? ""} /> : null}
        <input type="hidden" name="zone" value={subject.zone} />
        <Unreachable language={language} />
        {next === null ? (
          <div class="empty">
            <h2>{texts.noneFree}</h2>
            <p>{texts.noneFreeHelp}</p>
          </div>
        ) : (
          <div class="next">
            <p>
              <span class="next-label">{texts.nextAvailable}</span>
              <strong>
                {longDay(language, subject.zone, next.start_date)}, {clockTime(language, subject.zone, next.start_date)}
              </strong>
              <span>{fill(texts.with, { doctor: next.doctor_name })}</span>
            </p>
            <button type="submit" class="primary" name="slot" value={valueOf(next)}>
              {texts.take}
              <ArrowIcon />
            </button>
          </div>
        )}
        {page.days.map((day) => (
          <Day key={day.date} data={data} day={day} language={language} />
        ))}
      </form>
      {page.earlier === null && page.later === null ? null : (
        <nav class="pager" aria-label={heading}>
          {page.earlier === null ? <span /> : <a href={address(data, { from: page.earlier })}>← {texts.earlier}</a>}
          {page.later === null ? <span /> : <a href={address(data, { from: page.later })}>{texts.later} →</a>}
        </nav>
      )}
    </div>
  )
}
