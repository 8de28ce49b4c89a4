import { fill } from "../../../../texts/fill.ts"
import { Ask, Card, PageHead, Press, useDesk } from "../../../shared/pages/Desk.tsx"
import { moment } from "../../../shared/pages/format.ts"
import { useTexts } from "../useTexts.ts"

interface OwnCalendarsProps {
  /** When the calendar feed's URL was created; null without one. */
  readonly feedSince: number | null
}

/** The doctor's other calendars: the address of the feed for them. */
export const OwnCalendarsPage = ({ feedSince }: OwnCalendarsProps) => {
  const { doctor: texts } = useTexts()
  const { language, zone } = useDesk()
  const feed = "/v1/doctor/calendar-feed"
  return (
    <>
      <PageHead title={texts.pages.calendars} />
      <Card id="feed" title={texts.calendarsOut}>
        <p class="help">{texts.feedHelp}</p>
        {feedSince === null ? null : <p>{fill(texts.feedSince, { time: moment(language, zone, feedSince) })}</p>}
        <div class="actions">
          {feedSince === null ? (
            <Press operation={`POST ${feed}`} show="url" text={texts.feedMake} />
          ) : (
            <Ask operation={`POST ${feed}`} show="url" text={texts.feedAgain} />
          )}
          {feedSince === null ? null : <Ask operation={`DELETE ${feed}`} text={texts.feedEnd} />}
        </div>
      </Card>
    </>
  )
}
