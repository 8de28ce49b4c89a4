import type { ComponentChildren } from "preact"
import type { NoneSuitsTexts } from "../../schemas/hosted/OtherTimes.ts"
import { DAY } from "../../schemas/seconds.ts"
import { fill, plural } from "../../texts/fill.ts"
import { type DayStrip, LISTED_MAX, type OfferedDay, type OfferedSlot } from "../days.ts"
import { clockTime, commaIn, dateIn, fullDay, longDay, tileDay, zoneName } from "../time.ts"
import { Choices, type ChoicesData } from "./bookingChoices.tsx"
import { type BookingSubject, Countdown, Steps, Subject } from "./bookingParts.tsx"
import { ContactPractice } from "./ContactPractice.tsx"
import { type DoctorFacts, doctorLine, fullName, type TypeFacts } from "./cards.tsx"
import { fillNodes } from "./fillNodes.tsx"
import { Unreachable } from "./forms.tsx"
import { ArrowIcon, PersonIcon } from "./icons.tsx"
import { useLanguage, useTexts } from "./pageLanguage.ts"

/** The data of the list of free times. */
export interface BookingTimesData extends ChoicesData {
  readonly subject: BookingSubject
  readonly type: TypeFacts | null
  /** the doctors of the free times, with their profiles */
  readonly cards: ReadonlyArray<DoctorFacts>
  /** URL to which a chosen time is posted */
  readonly action: string
  /** the appointment to move */
  readonly current: OfferedSlot | null
  readonly next: OfferedSlot | null
  /** times are free, if not with this choice of doctor and part of the day */
  readonly filtered: boolean
  readonly strip: DayStrip
  /** the patient has entered a text, which is kept for the next time chosen */
  readonly typed: boolean
  /** holidays on which nothing is offered, within the strip, by 0:00 UTC of their date */
  readonly holidays: ReadonlyArray<{ readonly at: number; readonly name: string }>
  /** the page for those whom no time suits; null: there is none */
  readonly noneSuits: { readonly address: string; readonly texts: NoneSuitsTexts } | null
  readonly notice: "taken" | "superseded" | "ruleBlocked" | "notMovable" | "tooMany" | null
  /** the currently held time, with the URL to continue with it */
  readonly held: { readonly slot: OfferedSlot; readonly remaining: number; readonly address: string } | null
}

const address = (data: BookingTimesData, query: Readonly<Record<string, string>>) =>
  `${data.self}?${new URLSearchParams({ ...data.kept, ...query })}`

/** The page without a choice of doctor and part of the day. */
const allTimes = (data: BookingTimesData) => {
  const { doctor: _, part: __, ...kept } = data.kept
  return `${data.self}?${new URLSearchParams(kept)}`
}

const valueOf = (slot: OfferedSlot) => `${slot.start_date}.${slot.doctor_uid}`

interface PartProps {
  readonly data: BookingTimesData
}

/** The dates with free times as links; the selected one has `aria-current`. */
const Strip = ({ data }: PartProps) => {
  const language = useLanguage()
  const texts = useTexts().booking
  const { dates, day, earlier, later } = data.strip
  return (
    <nav class="strip" aria-label={texts.days}>
      <ul>
        {earlier === null ? null : (
          <li class="pager">
            <a href={address(data, { from: earlier })}>
              <span>
                <ArrowIcon back /> {texts.earlier}
              </span>
            </a>
          </li>
        )}
        {dates.map(({ date, first }) => {
          const [weekday, dayOfMonth] = tileDay(language, data.subject.zone, first)
          return (
            <li key={date}>
              <a href={address(data, { from: date })} aria-current={date === day?.date ? "date" : undefined}>
                <span>{weekday}</span> <strong>{dayOfMonth}</strong>
              </a>
            </li>
          )
        })}
        {later === null ? null : (
          <li class="pager">
            <a href={address(data, { from: later })}>
              <span>
                {texts.later} <ArrowIcon />
              </span>
            </a>
          </li>
        )}
      </ul>
    </nav>
  )
}

const Times = ({
  data,
  slots,
  labelledby
}: PartProps & { readonly slots: ReadonlyArray<OfferedSlot>; readonly labelledby: string }) => {
  const language = useLanguage()
  const { seatsLeft } = useTexts().booking
  return (
    <ul class="times" aria-labelledby={labelledby}>
      {slots.map((slot) => (
        <li key={slot.start_date}>
          <button type="submit" class="time" name="slot" value={valueOf(slot)}>
            {clockTime(language, data.subject.zone, slot.start_date)}
            {slot.seats_left === undefined ? null : (
              <span class="seats">{plural(language, seatsLeft, slot.seats_left)}</span>
            )}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Visible times per doctor; the others are shown after one press. */
const TIMES_SHOWN = 8

interface DoctorHeadingProps {
  readonly id: string
  readonly name: string
  readonly card: DoctorFacts | undefined
}

const DoctorHeading = ({ id, name, card }: DoctorHeadingProps) => {
  const language = useLanguage()
  const line = card === undefined ? null : doctorLine(language, card)
  return (
    <div class="doctor-heading">
      {card === undefined || card.picture === null ? (
        <PersonIcon />
      ) : (
        <img src={card.picture} alt="" width={40} height={40} loading="lazy" />
      )}
      <div>
        <h3 id={id}>{card === undefined ? name : fullName(card)}</h3>
        {line === null ? null : <p>{line}</p>}
      </div>
    </div>
  )
}

const Day = ({ data, day }: PartProps & { readonly day: OfferedDay }) => {
  const language = useLanguage()
  const texts = useTexts().booking
  const { zone } = data.subject
  const first = day.doctors[0]?.slots[0]?.start_date ?? data.now
  const near =
    day.date === dateIn(zone, data.now)
      ? texts.today
      : day.date === dateIn(zone, data.now + DAY)
        ? texts.tomorrow
        : null
  return (
    <section class="day" aria-labelledby={`day-${day.date}`}>
      <h2 id={`day-${day.date}`}>
        {near === null ? null : <span class="near">{near}</span>}
        {longDay(language, zone, first)}
        {day.count > LISTED_MAX ? <span class="count">{plural(language, texts.freeTimes, day.count)}</span> : null}
      </h2>
      {day.doctors.map(({ doctor_uid, doctor_name, slots }) => {
        const labelledby = `day-${day.date} ${day.date}-${doctor_uid}`
        return (
          <div key={doctor_uid} class="doctor-times">
            <DoctorHeading
              id={`${day.date}-${doctor_uid}`}
              name={doctor_name}
              card={data.cards.find(({ uid }) => uid === doctor_uid)}
            />
            <div class="slots">
              <Times data={data} slots={slots.slice(0, TIMES_SHOWN)} labelledby={labelledby} />
              {slots.length <= TIMES_SHOWN ? null : (
                <details class="more">
                  <summary>{plural(language, texts.moreTimes, slots.length - TIMES_SHOWN)}</summary>
                  <Times data={data} slots={slots.slice(TIMES_SHOWN)} labelledby={labelledby} />
                </details>
              )}
            </div>
          </div>
        )
      })}
    </section>
  )
}

/** Characters of a description that fit a line of a phone; a longer one is folded, so that the first times are in view. */
const SHORT = 36

const TypeText = ({ type }: { readonly type: TypeFacts }) => {
  const texts = useTexts().appointment
  return (
    <div class="type-text">
      {type.description === null ? null : [...type.description].length <= SHORT ? (
        <p>{type.description}</p>
      ) : (
        <details class="about">
          <summary>{useTexts().booking.about}</summary>
          <p>{type.description}</p>
        </details>
      )}
      {type.price === null && type.cancellation_rule === null ? null : (
        <p class="help">
          {[
            ...(type.price === null ? [] : [`${texts.price}: ${type.price}`]),
            ...(type.cancellation_rule === null ? [] : [`${texts.cancellationRule}: ${type.cancellation_rule}`])
          ].join(" · ")}
        </p>
      )}
    </div>
  )
}

/** A form whose buttons are times. */
const Offer = ({ data, children }: PartProps & { readonly children: ComponentChildren }) => (
  <form method="post" action={data.action} class="offer">
    <input type="hidden" name="zone" value={data.subject.zone} />
    <Unreachable />
    {children}
  </form>
)

/** Step one: the next free time, a strip of days, and the times of one day. Every time is a submit button. */
export const BookingTimes = ({ data }: { readonly data: BookingTimesData }) => {
  const language = useLanguage()
  const texts = useTexts().booking
  const { subject, next, strip } = data
  const heading = texts.headings[subject.mode].choose
  const shownAt = strip.day?.doctors[0]?.slots[0]?.start_date ?? data.now
  return (
    <div class="card">
      <Steps at="time" />
      <Subject subject={subject} />
      <h1>{heading}</h1>
      {data.type === null ? null : <TypeText type={data.type} />}
      {data.notice === null ? null : (
        <p class="notice warn" role="alert" tabindex={-1}>
          {texts.notices[data.notice]} {data.typed ? texts.typedKept : null}
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
          {texts.currentTime}: <strong>{fullDay(language, subject.zone, data.current.start_date)}</strong>
          {commaIn(language)} <strong>{clockTime(language, subject.zone, data.current.start_date)}</strong>
          {commaIn(language)} {fill(texts.with, { doctor: data.current.doctor_name })}. {texts.currentStays}
        </p>
      )}
      {next === null ? (
        <div class="empty">
          <h2>{data.filtered ? texts.noneFiltered : texts.noneFree}</h2>
          {data.filtered ? (
            <div class="actions">
              <a class="primary" href={allTimes(data)}>
                {texts.allTimes}
              </a>
            </div>
          ) : data.noneSuits === null ? (
            <>
              <p>{texts.noneFreeHelp}</p>
              <ContactPractice />
            </>
          ) : (
            <>
              <p>{data.noneSuits.texts.text}</p>
              <div class="actions">
                <a class="primary" href={data.noneSuits.address}>
                  {data.noneSuits.texts.short}
                </a>
              </div>
            </>
          )}
        </div>
      ) : (
        <Offer data={data}>
          <div class="next">
            <p>
              <span class="next-label">{texts.nextAvailable}</span>
              <strong>
                {longDay(language, subject.zone, next.start_date)}
                {commaIn(language)} {clockTime(language, subject.zone, next.start_date)}
              </strong>
              <span>{fill(texts.with, { doctor: next.doctor_name })}</span>
            </p>
            <button type="submit" class="primary" name="slot" value={valueOf(next)}>
              {texts.take}
              <ArrowIcon />
            </button>
          </div>
        </Offer>
      )}
      {next === null && !data.filtered ? null : (
        <>
          <Choices data={data} zone={subject.zone} at={shownAt} />
          <p class="notice device-zone" data-zone={subject.zone} data-address={address(data, { zone: "" })} hidden>
            {texts.deviceZone} <a href={data.self}>{zoneName(language, subject.zone, shownAt)}</a>
          </p>
        </>
      )}
      {strip.day === null ? null : (
        <>
          <Strip data={data} />
          <Offer data={data}>
            <Day data={data} day={strip.day} />
          </Offer>
          {data.holidays.map(({ at, name }) => (
            <p key={at} class="help">
              {fill(texts.holiday, { day: longDay(language, "UTC", at), name })}
            </p>
          ))}
        </>
      )}
      {data.noneSuits === null || (next === null && !data.filtered) ? null : (
        <p>
          <a href={data.noneSuits.address}>{data.noneSuits.texts.link}</a>
        </p>
      )}
    </div>
  )
}
