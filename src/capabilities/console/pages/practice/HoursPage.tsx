import type { ComponentChildren } from "preact"
import { clockTime, longDay } from "../../../../pages/time.ts"
import { Card, Empty, Field, PageHead, Submit, useDesk } from "../../../shared/pages/Desk.tsx"
import type { Choices } from "../../../shared/pages/rows.tsx"
import type { FreeTime } from "../parts/Times.tsx"
import { useTexts } from "../useTexts.ts"

interface HoursPageProps {
  readonly doctors: Choices
  readonly doctor: string
  readonly free: ReadonlyArray<FreeTime>
  /** The week as one form. */
  readonly week: ComponentChildren
  readonly children: ComponentChildren
}

/** A doctor's hours, with the resulting free times. */
export const HoursPage = ({ doctors, doctor, free, week, children }: HoursPageProps) => {
  const { practice: texts } = useTexts()
  const { language, zone } = useDesk()
  return (
    <>
      <PageHead title={texts.pages.hours}>
        <form class="press">
          <Field label={texts.doctor} name="doctor" value={doctor} options={doctors} />
          <Submit text={texts.apply} look="secondary" />
        </form>
      </PageHead>
      {doctor === "" ? (
        <Empty what="ofDoctor" to="/console/practice/people" />
      ) : (
        <>
          <div class="board two">
            {week}
            <Card id="slots" title={texts.slotPreview}>
              {free.length === 0 ? (
                <Empty what="slots" to="/console/practice/types" />
              ) : (
                <dl class="facts">
                  {[...Map.groupBy(free, ({ start_date }) => longDay(language, zone, start_date))].map(
                    ([day, times]) => (
                      <div key={day}>
                        <dt>{day}</dt>
                        <dd>{times.map(({ start_date }) => clockTime(language, zone, start_date)).join(", ")}</dd>
                      </div>
                    )
                  )}
                </dl>
              )}
            </Card>
          </div>
          {children}
        </>
      )}
    </>
  )
}
