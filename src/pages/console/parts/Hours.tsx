import type { AvailabilityRule } from "../../../schemas/scheduling/Availability.ts"
import type { DateOverride } from "../../../schemas/scheduling/DateOverride.ts"
import { localeOf } from "../../../texts/language.ts"
import { Do, Field, Press, useDesk, useTexts } from "../Desk.tsx"
import { calendarDate, clockOf } from "./format.ts"

/** 1970-01-05 was a Monday. */
const MONDAY = 4 * 86_400_000

export const useWeekdays = (): ReadonlyArray<readonly [value: string, name: string]> => {
  const { language } = useDesk()
  const format = new Intl.DateTimeFormat(localeOf(language), { weekday: "long", timeZone: "UTC" })
  return [0, 1, 2, 3, 4, 5, 6].map((day) => [String(day), format.format(MONDAY + day * 86_400_000)])
}

interface HoursProps {
  /** Where the rules are, e.g. `/v1/doctor`. */
  readonly path: string
  readonly rules: ReadonlyArray<AvailabilityRule>
  readonly overrides: ReadonlyArray<DateOverride>
  /** A day that is looked at before it becomes a day off. */
  readonly day: string | null
  /** Parts of the address that the preview keeps. */
  readonly keep?: Readonly<Record<string, string>>
}

/** Weekly hours, and days that are otherwise. */
export const Hours = ({ path, rules, overrides, day, keep = {} }: HoursProps) => {
  const { practice: texts, doctor, frame } = useTexts()
  const { language } = useDesk()
  const weekdays = useWeekdays()
  const nameOf = (weekday: number) => weekdays[weekday]?.[1] ?? ""
  return (
    <div class="board">
      <section class="card" aria-labelledby="weekly">
        <h2 id="weekly">{texts.weekly}</h2>
        {rules.length === 0 ? <p class="help">{frame.none}</p> : null}
        <ul class="rows">
          {[...rules]
            .sort((a, b) => a.weekday - b.weekday || a.start_time - b.start_time)
            .map((rule) => {
              const text = `${nameOf(rule.weekday)} ${clockOf(rule.start_time)}–${clockOf(rule.end_time)}`
              return (
                <li key={rule.uid}>
                  <details class="grow">
                    <summary>{text}</summary>
                    <Do operation={`PATCH ${path}/availability-rules/${rule.uid}`} class="stack">
                      <div class="entries">
                        <Field label={texts.weekday} name="weekday" options={weekdays} value={rule.weekday} />
                        <Field
                          label={texts.start}
                          name="start_time@clock"
                          type="time"
                          value={clockOf(rule.start_time)}
                          required
                        />
                        <Field
                          label={texts.end}
                          name="end_time@clock"
                          type="time"
                          value={clockOf(rule.end_time)}
                          required
                        />
                        <Field
                          label={texts.buffer}
                          name="buffer_minutes"
                          type="number"
                          value={rule.buffer_minutes}
                          min={0}
                        />
                      </div>
                      <button type="submit" class="secondary">
                        {frame.save}
                      </button>
                    </Do>
                  </details>
                  <Press
                    operation={`DELETE ${path}/availability-rules/${rule.uid}`}
                    text={frame.remove}
                    label={`${frame.remove}: ${text}`}
                    look="quiet"
                  />
                </li>
              )
            })}
        </ul>
        <Do operation={`POST ${path}/availability-rules`} class="stack">
          <div class="entries">
            <Field label={texts.weekday} name="weekday" options={weekdays} />
            <Field label={texts.start} name="start_time@clock" type="time" value="09:00" required />
            <Field label={texts.end} name="end_time@clock" type="time" value="12:00" required />
            <Field label={texts.buffer} name="buffer_minutes" type="number" value={0} min={0} />
          </div>
          <button type="submit" class="primary">
            {texts.add}
          </button>
        </Do>
      </section>
      <section class="card" aria-labelledby="overrides">
        <h2 id="overrides">{texts.overrides}</h2>
        {overrides.length === 0 ? <p class="help">{frame.none}</p> : null}
        <ul class="rows">
          {overrides.map((one) => {
            const date = calendarDate(language, one.date)
            const time =
              one.start_time === null || one.end_time === null
                ? texts.dayOff
                : `${clockOf(one.start_time)}–${clockOf(one.end_time)}`
            return (
              <li key={one.uid}>
                <span class="grow">{`${date} ${time}`}</span>
                <Press
                  operation={`DELETE ${path}/availability-date-overrides/${one.uid}`}
                  text={frame.remove}
                  label={`${frame.remove}: ${date} ${time}`}
                  look="quiet"
                />
              </li>
            )
          })}
        </ul>
        <form class="press">
          {Object.entries(keep).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Field label={doctor.day} name="day" type="date" value={day ?? undefined} required />
          <button type="submit" class="secondary">
            {doctor.preview}
          </button>
        </form>
        {day === null ? null : (
          <>
            <Do operation={`POST ${path}/availability-date-overrides`} hidden={{ "date@day": day, day_off: "true" }}>
              <button type="submit" class="primary">
                {doctor.addDayOff}
              </button>
            </Do>
            <Do operation={`POST ${path}/availability-date-overrides`} hidden={{ "date@day": day }} class="stack">
              <div class="entries">
                <Field label={texts.start} name="start_time@clock" type="time" value="09:00" required />
                <Field label={texts.end} name="end_time@clock" type="time" value="12:00" required />
              </div>
              <button type="submit" class="secondary">
                {doctor.addHours}
              </button>
            </Do>
          </>
        )}
      </section>
    </div>
  )
}
