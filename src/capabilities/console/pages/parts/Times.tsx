import type { ComponentChildren } from "preact"
import { clockTime, longDay } from "../../../../pages/time.ts"
import type { Appointment } from "../../../../schemas/scheduling/Appointment.ts"
import type { MeetingFormat } from "../../../../schemas/scheduling/AppointmentType.ts"
import { fill, plural } from "../../../../texts/fill.ts"
import { Field, Hidden, Submit, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { addDays, dayIn, zonedInstant } from "../../../shared/pages/zoned.ts"
import { useTexts } from "../useTexts.ts"

export interface FreeTime {
  readonly doctor_uid: string
  readonly start_date: number
  readonly end_date: number
}

/** What a caller wishes. */
export interface Wishes {
  /** First day of the search, `2026-05-01`. */
  readonly day: string
  readonly part: PartOfDay | ""
  /** By video or in the practice; it is booked so. */
  readonly format: MeetingFormat | ""
}

export const partsOfDay = ["morning", "afternoon", "evening"] as const
export type PartOfDay = (typeof partsOfDay)[number]

interface SearchProps {
  readonly wishes: Wishes
  /** Further fields: the type, the doctor. */
  readonly children?: ComponentChildren
  readonly hidden?: Readonly<Record<string, string | undefined>>
}

/** Asks for free times from any date on, in a part of the day. */
export const TimeSearch = ({ wishes, children, hidden = {} }: SearchProps) => {
  const { practice: texts } = useTexts()
  const { address } = useDesk()
  return (
    <form class="entries" action={address.split("?")[0]}>
      <Hidden fields={hidden} />
      {children}
      <WishFields wishes={wishes} />
      <Submit text={texts.findTimes} look="secondary" />
    </form>
  )
}

interface WishProps extends Pick<SearchProps, "wishes"> {
  /** Whether the place is asked for too. */
  readonly withFormat?: boolean
}

/** The fields of what a caller wishes. */
export const WishFields = ({ wishes, withFormat = false }: WishProps) => {
  const { practice: texts, formats } = useTexts()
  return (
    <>
      <Field label={texts.fromDay} name="day" type="date" value={wishes.day} required />
      <Field
        label={texts.partOfDay}
        name="part"
        value={wishes.part}
        options={[["", texts.anyPart], ...partsOfDay.map((part) => [part, texts.parts[part]] as const)]}
      />
      {withFormat ? (
        <Field
          label={texts.format}
          name="format"
          value={wishes.format}
          options={[
            ["", texts.anyFormat],
            ["DIGITAL", formats.DIGITAL],
            ["IN_PERSON", formats.IN_PERSON]
          ]}
        />
      ) : null}
    </>
  )
}

interface TimesProps {
  readonly free: ReadonlyArray<FreeTime>
  readonly doctorNames?: ReadonlyMap<string, string>
  /** What was asked for: it is said where that day has none. */
  readonly wished?: Wishes
  /** What is to be known before a time is pressed; null: nothing. */
  readonly warningOf?: (time: FreeTime) => string | null
  /** The button's name for screen readers, from `Tuesday 5 May, 09:00`. */
  readonly labelOf: (time: string) => string
  /** The field and its value that a button sends. */
  readonly buttonOf?: (time: FreeTime) => { readonly name: string; readonly value: string; readonly form?: string }
  /** Where a time leads, instead of a button. */
  readonly addressOf?: (time: FreeTime) => string
}

/** Names those of a patient's appointments that lie at the time; null without one. */
export const useOverlapsOf = () => {
  const { atTheSameTime } = useTexts().practice
  const { language, zone } = useDesk()
  return (ahead: ReadonlyArray<Appointment>) => (time: Pick<FreeTime, "start_date" | "end_date">) => {
    const others = ahead.filter((one) => one.start_date < time.end_date && one.end_date > time.start_date)
    const named = others.map((one) => `${clockTime(language, zone, one.start_date)} ${one.doctor_display_name}`)
    return named.length === 0 ? null : fill(atTheSameTime, { others: named.join(", ") })
  }
}
/** The same of one patient. */
export const useOverlaps = (ahead: ReadonlyArray<Appointment>) => useOverlapsOf()(ahead)

/** Doctors of a day that are shown at once: those with the earliest times. */
const DOCTORS_SHOWN = 5
/** Days that are shown at once; a link leads to the next ones. */
const DAYS_SHOWN = 5

/** Free times under their days, each a link, or a button of the form around it; those of several doctors by doctor, the earliest first. */
export const Times = ({ free, doctorNames, wished, labelOf, warningOf, buttonOf, addressOf }: TimesProps) => {
  const { practice: texts } = useTexts()
  const { language, zone } = useDesk()
  const link = useAddress()
  if (free.length === 0) return <p class="help">{texts.noTimes}</p>
  const nameOf = (doctor_uid: string) => doctorNames?.get(doctor_uid) ?? ""
  const sorted = free.toSorted(
    (a, b) => a.start_date - b.start_date || nameOf(a.doctor_uid).localeCompare(nameOf(b.doctor_uid))
  )
  const days = [...Map.groupBy(sorted, ({ start_date }) => dayIn(start_date, zone))].slice(0, DAYS_SHOWN)
  const last = days.at(-1)?.[0]
  const [first] = days[0] ?? []
  const isFull = wished !== undefined && first !== undefined && first > wished.day
  return (
    <>
      {isFull ? (
        <p class="notice">
          {fill(wished.part === "" ? texts.dayFull : texts.partFull, {
            day: longDay(language, zone, zonedInstant(`${wished.day}T12:00`, zone) ?? 0),
            part: wished.part === "" ? "" : texts.parts[wished.part]
          })}
        </p>
      ) : null}
      {days.map(([day, times]) => {
        const named = longDay(language, zone, times[0]?.start_date ?? 0)
        const doctors = [...Map.groupBy(times, ({ doctor_uid }) => doctor_uid)].map(([doctor_uid, own]) => {
          const doctor = nameOf(doctor_uid)
          return (
            <div key={doctor_uid} class="times">
              {doctor === "" ? null : <span>{doctor}</span>}
              {own.map((time) => {
                const text = clockTime(language, zone, time.start_date)
                const warning = warningOf?.(time) ?? null
                const of = labelOf(`${named}, ${[text, doctor].filter(Boolean).join(" · ")}`)
                const label = warning === null ? of : `${of} (${warning})`
                return addressOf === undefined ? (
                  <button
                    key={time.start_date}
                    type="submit"
                    class="secondary"
                    aria-label={label}
                    {...buttonOf?.(time)}
                  >
                    {text}
                    {warning === null ? null : (
                      <span class="badge warn" aria-hidden="true">
                        {warning}
                      </span>
                    )}
                  </button>
                ) : (
                  <a key={time.start_date} class="secondary" href={addressOf(time)} aria-label={label}>
                    {text}
                  </a>
                )
              })}
            </div>
          )
        })
        const more = doctors.slice(DOCTORS_SHOWN)
        return (
          <fieldset key={day} class="day-times">
            <legend>{named}</legend>
            {doctors.slice(0, DOCTORS_SHOWN)}
            {more.length === 0 ? null : (
              <details>
                <summary>{plural(language, texts.moreDoctors, more.length)}</summary>
                {more}
              </details>
            )}
          </fieldset>
        )
      })}
      {last === undefined ? null : (
        <p>
          <a class="quiet" href={link({ day: addDays(last, 1) })}>
            {texts.laterTimes}
          </a>
        </p>
      )}
    </>
  )
}

/** `@slot` of a form, which becomes the operation's start and doctor. */
export const slotButton = ({ start_date, doctor_uid }: Pick<FreeTime, "start_date" | "doctor_uid">) => ({
  name: "@slot",
  value: `${start_date}.${doctor_uid}`
})
