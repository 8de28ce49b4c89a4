import type { AvailabilityRule } from "../../../../schemas/scheduling/Availability.ts"
import { Card, Do, Field, Submit, useDesk, useFormValues } from "../../../shared/pages/Desk.tsx"
import { clockOf } from "../../../shared/pages/format.ts"
import type { Choices } from "../../../shared/pages/rows.tsx"
import { useWeekdays } from "../../../shared/pages/weekdays.ts"
import { useTexts } from "../useTexts.ts"

/** Windows of a day in the form: before and after lunch. */
const WINDOWS = 2

/** A rule of the weekly hours for all types, without bounds. */
const isWeekly = ({ appointment_type_uid, valid_from, valid_until }: AvailabilityRule) =>
  appointment_type_uid === null && valid_from === null && valid_until === null

interface WeekFormProps {
  readonly doctor: string
  /** The hours that stand in the fields. */
  readonly rules: ReadonlyArray<AvailabilityRule>
  /** Colleagues whose hours can be copied. */
  readonly colleagues: Choices
  /** The one whose hours stand in the fields; null: the doctor's own. */
  readonly like: string | null
}

/** A doctor's week as one form, in which a colleague's hours can be copied. */
export const WeekForm = ({ doctor, rules, colleagues, like }: WeekFormProps) => {
  const { practice: texts, frame } = useTexts()
  const { address } = useDesk()
  const weekdays = useWeekdays()
  const operation = `PUT /v1/management/scheduling/doctors/${doctor}/availability-rules`
  const typed = useFormValues(operation)
  const own = rules.filter((rule) => isWeekly(rule) && rule.active)
  const of = (weekday: number) =>
    own.filter((rule) => rule.weekday === weekday).toSorted((a, b) => a.start_time - b.start_time)
  const windows = Math.max(WINDOWS, ...weekdays.map((_, weekday) => of(weekday).length))
  return (
    <Card id="week" title={texts.week.title}>
      <p class="help">{texts.week.help}</p>
      {colleagues.length === 0 ? null : (
        <form class="press" action={address.split("?")[0]}>
          <input type="hidden" name="doctor" value={doctor} />
          <Field label={texts.week.like} name="like" value={like ?? ""} options={colleagues} />
          <Submit text={texts.week.copy} look="secondary" />
        </form>
      )}
      <Do
        operation={operation}
        to="hours"
        hidden={{ doctor }}
        back={`/console/practice/hours?${new URLSearchParams({ doctor })}`}
        label={texts.week.title}
      >
        {weekdays.map(([value, name]) => {
          const weekday = Number(value)
          const day = of(weekday)
          return (
            <fieldset key={value} class="day-hours">
              <legend>{name}</legend>
              {Array.from({ length: windows }, (_, index) => {
                const rule = day[index]
                const field = (end: "from" | "to", minutes: number | undefined) => {
                  const key = `${end}.${weekday}.${index}`
                  const label = `${name}, ${end === "from" ? texts.start : texts.end} (${index + 1})`
                  return (
                    <input
                      type="time"
                      name={key}
                      aria-label={label}
                      value={typed(key, minutes === undefined ? "" : clockOf(minutes))}
                    />
                  )
                }
                return (
                  <span key={`${value} ${index}`} class="window">
                    {field("from", rule?.start_time)}
                    {" – "}
                    {field("to", rule?.end_time)}
                  </span>
                )
              })}
            </fieldset>
          )
        })}
        <Field
          label={texts.buffer}
          name="buffer"
          type="number"
          min={0}
          value={typed("buffer", own[0]?.buffer_minutes ?? 0)}
        />
        <Submit text={frame.save} />
      </Do>
    </Card>
  )
}
