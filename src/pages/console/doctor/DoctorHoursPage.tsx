import type { ComponentChildren } from "preact"
import { fill } from "../../../texts/fill.ts"
import { Card, PageHead, Press, useDesk, useTexts } from "../Desk.tsx"
import { moment } from "../parts/format.ts"

interface HoursProps {
  /** When the calendar feed's URL was created; null without one. */
  readonly feedSince: number | null
  readonly children: ComponentChildren
}

/** The doctor's own hours, and the URL of the calendar feed. */
export const DoctorHoursPage = ({ feedSince, children }: HoursProps) => {
  const { doctor: texts } = useTexts()
  const { language, zone } = useDesk()
  const feed = "/v1/doctor/calendar-feed"
  return (
    <>
      <PageHead title={texts.pages.hours} />
      {children}
      <Card id="feed" title={texts.feed}>
        <p class="help">{texts.feedHelp}</p>
        {feedSince === null ? null : <p>{fill(texts.feedSince, { time: moment(language, zone, feedSince) })}</p>}
        <p class="actions">
          <Press operation={`POST ${feed}`} show="url" text={feedSince === null ? texts.feedMake : texts.feedAgain} />
          {feedSince === null ? null : <Press operation={`DELETE ${feed}`} text={texts.feedEnd} look="quiet" />}
        </p>
      </Card>
    </>
  )
}
