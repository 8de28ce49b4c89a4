import { Ask, Card, PageHead, Press, useDesk } from "../../../../pages/staff/Desk.tsx"
import { moment } from "../../../../pages/staff/format.ts"
import type { BusySource } from "../../../../schemas/scheduling/BusySource.ts"
import { fill } from "../../../../texts/fill.ts"
import { BusyCalendars } from "../parts/BusyCalendars.tsx"
import { useTexts } from "../useTexts.ts"

interface OwnCalendarsProps {
  readonly sources: ReadonlyArray<BusySource>
  /** When the calendar feed's URL was created; null without one. */
  readonly feedSince: number | null
}

/** The doctor's other calendars, both ways: busy times from them, and the address of the feed for them. */
export const OwnCalendarsPage = ({ sources, feedSince }: OwnCalendarsProps) => {
  const { doctor: texts, planning } = useTexts()
  const { language, zone } = useDesk()
  const feed = "/v1/doctor/calendar-feed"
  return (
    <>
      <PageHead title={planning.pages.calendars} />
      <div class="board two">
        <BusyCalendars path="/v1/doctor/busy-sources" sources={sources} />
        <Card id="feed" title={planning.calendars.out}>
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
      </div>
    </>
  )
}
