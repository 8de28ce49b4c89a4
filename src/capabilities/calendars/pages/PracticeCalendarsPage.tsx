import { Card, Empty, Field, PageHead, Submit, useTexts } from "../../../pages/staff/Desk.tsx"
import type { Choices } from "../../../pages/staff/rows.tsx"
import type { BusySource } from "../schemas/BusySource.ts"
import { BusyCalendars, useOwnTexts } from "./BusyCalendars.tsx"

interface CalendarsProps {
  readonly doctors: Choices
  readonly doctor: string
  readonly sources: ReadonlyArray<BusySource>
}

/** The calendars that a doctor keeps elsewhere. */
export const CalendarsPage = ({ doctors, doctor, sources }: CalendarsProps) => {
  const { words } = useTexts()
  const texts = useOwnTexts()
  return (
    <>
      <PageHead title={texts.title}>
        <form class="press">
          <Field label={words.doctor} name="doctor" value={doctor} options={doctors} />
          <Submit text={words.apply} look="secondary" />
        </form>
      </PageHead>
      {doctor === "" ? (
        <Empty what={{ name: "ofDoctor", ...texts.ofDoctor }} to="/console/practice/people" />
      ) : (
        <BusyCalendars path={`/v1/management/scheduling/doctors/${doctor}/busy-sources`} sources={sources} />
      )}
      <Card id="feed" title={texts.out}>
        <p class="help">{texts.outOfDoctor}</p>
      </Card>
    </>
  )
}
