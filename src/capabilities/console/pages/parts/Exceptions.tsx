/** Days off and special hours: the effect of a change is previewed before it is saved. */

import type { StoredOverride } from "../../../../schemas/scheduling/DateOverride.ts"
import { fill } from "../../../../texts/fill.ts"
import { Ask, Card, Do, Field, Hidden, Rows, Submit, useAddress, useDesk } from "../../../shared/pages/Desk.tsx"
import { calendarDate, clockOf, moment } from "../../../shared/pages/format.ts"
import { useTexts } from "../useTexts.ts"

/** The preview that the page's query requests. */
export interface WantedException {
  /** `2026-05-01` */
  readonly day: string
  readonly isDayOff: boolean
  /** `09:00` */
  readonly start: string
  readonly end: string
  /** The override to change; null: a new one. */
  readonly override: StoredOverride | null
}

/** The preview; null if the interface rejects it. */
export interface ShownEffects {
  readonly appearing: ReadonlyArray<number>
  readonly disappearing: ReadonlyArray<number>
  readonly hit: ReadonlyArray<{
    readonly uid: string
    readonly start_date: number
    readonly patient_display_name: string
    /** URL of the appointment's page. */
    readonly address: string
  }>
}

interface ExceptionsProps {
  /** Whether the subject is open at all other times: it is closed from one time to another. */
  readonly isAlways?: boolean
  readonly path: string
  readonly overrides: ReadonlyArray<StoredOverride>
  readonly wanted: WantedException | null
  readonly effects: ShownEffects | null
  readonly keep: Readonly<Record<string, string>>
}

/** Maximum listed times; of more only the number is shown. */
const SHOWN = 36

const Times = ({ title, starts }: { readonly title: string; readonly starts: ReadonlyArray<number> }) => {
  const { practice: texts } = useTexts()
  const { language, zone } = useDesk()
  if (starts.length === 0) return null
  const shown = starts.slice(0, SHOWN).map((start) => moment(language, zone, start))
  const more = starts.length - shown.length
  return (
    <p>
      <strong>{`${title} (${starts.length}): `}</strong>
      {shown.join(" · ")}
      {more > 0 ? ` ${fill(texts.andMore, { n: String(more) })}` : null}
    </p>
  )
}

const Effects = ({ effects }: { readonly effects: ShownEffects }) => {
  const { practice: texts, doctor } = useTexts()
  const { language, zone } = useDesk()
  const { appearing, disappearing, hit } = effects
  return (
    <div role="status">
      {appearing.length + disappearing.length === 0 ? <p class="help">{texts.noTimesChange}</p> : null}
      <Times title={texts.appearing} starts={appearing} />
      <Times title={texts.disappearing} starts={disappearing} />
      <h3>{doctor.hit}</h3>
      {hit.length === 0 ? <p class="help">{doctor.noneHit}</p> : null}
      <ul class="rows">
        {hit.map((one) => (
          <li key={one.uid}>
            <time>{moment(language, zone, one.start_date)}</time>
            <a class="grow" href={one.address}>
              {one.patient_display_name}
            </a>
          </li>
        ))}
      </ul>
      {hit.length === 0 ? null : <p class="help">{doctor.hitStay}</p>}
    </div>
  )
}

/** Open before and after a time of the day for which it is closed: as overrides of the date. */
const around = ({ day, start, end }: WantedException) => {
  const date = Date.parse(`${day}T00:00Z`) / 1000
  const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
  return [
    { date, start_time: 0, end_time: minutes(start) },
    { date, start_time: minutes(end), end_time: 1_440 }
  ].filter(({ start_time, end_time }) => start_time < end_time)
}

/** Closes a room or a device from one time to another on one date. */
const Closing = ({ path, keep, wanted }: Pick<ExceptionsProps, "path" | "keep" | "wanted">) => {
  const { practice: texts, doctor } = useTexts()
  const { language } = useDesk()
  const address = useAddress()
  const operation = `POST ${path}/availability-date-overrides`
  const [first, second] = wanted === null ? [] : around(wanted)
  return (
    <>
      <form class="stack">
        <Hidden fields={{ ...keep, kind: "closed" }} />
        <div class="entries">
          <Field label={doctor.day} name="day" type="date" value={wanted?.day} required />
          <Field label={texts.start} name="start" type="time" value={wanted?.start ?? "12:00"} required />
          <Field label={texts.end} name="end" type="time" value={wanted?.end ?? "18:00"} required />
        </div>
        <Submit text={doctor.preview} look="secondary" />
      </form>
      {wanted === null ? null : (
        <Do
          operation={operation}
          hidden={{
            ...(first ?? { "date@day": wanted.day, day_off: "true" }),
            "@then": second === undefined ? undefined : `${operation} ${JSON.stringify(second)}`
          }}
          back={address({ day: null, kind: null, start: null, end: null })}
          class="press"
        >
          <Submit
            text={fill(texts.close, {
              day: calendarDate(language, wanted.day),
              from: wanted.start,
              until: wanted.end
            })}
          />
        </Do>
      )}
    </>
  )
}

export const Exceptions = ({ path, overrides, wanted, effects, keep, isAlways = false }: ExceptionsProps) => {
  const { practice: texts, doctor, frame, problems } = useTexts()
  const { language } = useDesk()
  const address = useAddress()
  const records = `${path}/availability-date-overrides`
  const operation = wanted?.override ? `PATCH ${records}/${wanted.override.uid}` : `POST ${records}`
  const times = wanted?.isDayOff === false ? { "start_time@clock": wanted.start, "end_time@clock": wanted.end } : {}
  return (
    <Card id="overrides" title={texts.overrides}>
      <Rows of={overrides} empty={{ what: "overrides" }}>
        {(one) => {
          const date = calendarDate(language, one.date)
          const isDayOff = one.start_time === null || one.end_time === null
          const [start, end] = [clockOf(one.start_time ?? 540), clockOf(one.end_time ?? 720)]
          const name = `${date} ${isDayOff ? texts.dayOff : `${start}–${end}`}`
          const day = new Date(one.date * 1000).toISOString().slice(0, 10)
          return (
            <li key={one.uid}>
              <span class="grow">{name}</span>
              <a
                class="secondary"
                href={address({ override: one.uid, day, kind: isDayOff ? null : "hours", start, end })}
                aria-label={`${texts.change}: ${name}`}
              >
                {texts.change}
              </a>
              <Ask
                operation={`DELETE ${records}/${one.uid}`}
                text={frame.remove}
                label={`${frame.remove}: ${name}`}
                back={address({ override: null, day: null, kind: null, start: null, end: null })}
              />
            </li>
          )
        }}
      </Rows>
      {isAlways && wanted?.override == null ? (
        <>
          {wanted === null || effects === null ? null : <Effects effects={effects} />}
          <Closing path={path} keep={keep} wanted={wanted} />
        </>
      ) : (
        <>
          <form class="stack">
            <Hidden fields={{ ...keep, override: wanted?.override?.uid }} />
            <div class="entries">
              <Field label={doctor.day} name="day" type="date" value={wanted?.day} required />
              <Field
                label={texts.kind}
                name="kind"
                value={wanted?.isDayOff === false ? "hours" : ""}
                options={[
                  ["", texts.dayOff],
                  ["hours", texts.specialHours]
                ]}
              />
              <Field label={texts.start} name="start" type="time" value={wanted?.start ?? "09:00"} />
              <Field label={texts.end} name="end" type="time" value={wanted?.end ?? "12:00"} />
            </div>
            <Submit text={doctor.preview} look="secondary" />
          </form>
          {wanted === null ? null : effects === null ? (
            <p class="notice warn" role="alert">
              {problems.codes.invalid_request}
            </p>
          ) : (
            <>
              <Effects effects={effects} />
              <Do
                operation={operation}
                hidden={{ "date@day": wanted.day, day_off: String(wanted.isDayOff), ...times }}
                back={address({ override: null, kind: null, start: null, end: null })}
                class="press"
              >
                <Submit text={wanted.override ? frame.save : wanted.isDayOff ? doctor.addDayOff : doctor.addHours} />
              </Do>
            </>
          )}
        </>
      )}
    </Card>
  )
}
