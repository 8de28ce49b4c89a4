import type { AvailabilityRule } from "../../../../schemas/scheduling/Availability.ts"
import type { StoredOverride } from "../../../../schemas/scheduling/DateOverride.ts"
import { Ask, Card, Do, Field, Rows, Submit, YesNoField } from "../../../shared/pages/Desk.tsx"
import { clockOf } from "../../../shared/pages/format.ts"
import { useWeekdays } from "../../../shared/pages/weekdays.ts"
import { useTexts } from "../useTexts.ts"
import { Exceptions, type ShownEffects, type WantedException } from "./Exceptions.tsx"

type Window = Pick<AvailabilityRule, "weekday" | "start_time" | "end_time" | "buffer_minutes">

/** When a rule applies. */
const WindowFields = ({ weekday, start_time, end_time, buffer_minutes }: Window) => {
  const { practice: texts } = useTexts()
  return (
    <>
      <Field label={texts.weekday} name="weekday" options={useWeekdays()} value={weekday} />
      <Field label={texts.start} name="start_time@clock" type="time" value={clockOf(start_time)} required />
      <Field label={texts.end} name="end_time@clock" type="time" value={clockOf(end_time)} required />
      <Field label={texts.buffer} name="buffer_minutes" type="number" value={buffer_minutes} min={0} />
    </>
  )
}

interface HoursProps {
  /** Path of the rules, e.g. `/v1/doctor`. */
  readonly path: string
  readonly rules: ReadonlyArray<Omit<AvailabilityRule, "doctor_uid">>
  readonly overrides: ReadonlyArray<StoredOverride>
  /** A previewed day off or special hours. */
  readonly wanted: WantedException | null
  readonly effects: ShownEffects | null
  /** Query parameters that the preview keeps. */
  readonly keep?: Readonly<Record<string, string>>
  /** Whether it is open at all times, but for its overrides: it has no weekly hours. */
  readonly isAlways?: boolean
}

/** Weekly hours, and overrides. */
export const Hours = ({ path, rules, overrides, wanted, effects, keep = {}, isAlways = false }: HoursProps) => {
  const { practice: texts, frame } = useTexts()
  const weekdays = useWeekdays()
  const nameOf = (weekday: number) => weekdays[weekday]?.[1] ?? ""
  return (
    <div class="board">
      {isAlways ? null : (
        <Card id="weekly" title={texts.weekly}>
          <Rows
            of={[...rules].sort((a, b) => a.weekday - b.weekday || a.start_time - b.start_time)}
            empty={{ what: "hours" }}
          >
            {(rule) => {
              const text = `${nameOf(rule.weekday)} ${clockOf(rule.start_time)}–${clockOf(rule.end_time)}`
              return (
                <li key={rule.uid}>
                  <details class="grow">
                    <summary>{text}</summary>
                    <Do operation={`PATCH ${path}/availability-rules/${rule.uid}`}>
                      <div class="entries">
                        <WindowFields {...rule} />
                        <YesNoField label={texts.counts} name="active" value={rule.active} />
                      </div>
                      <Submit text={frame.save} look="secondary" />
                    </Do>
                  </details>
                  <Ask
                    operation={`DELETE ${path}/availability-rules/${rule.uid}`}
                    text={frame.remove}
                    label={`${frame.remove}: ${text}`}
                  />
                </li>
              )
            }}
          </Rows>
          <Do operation={`POST ${path}/availability-rules`}>
            <div class="entries">
              <WindowFields weekday={0} start_time={9 * 60} end_time={12 * 60} buffer_minutes={0} />
            </div>
            <Submit text={texts.add} />
          </Do>
        </Card>
      )}
      <Exceptions path={path} overrides={overrides} wanted={wanted} effects={effects} keep={keep} isAlways={isAlways} />
    </div>
  )
}
