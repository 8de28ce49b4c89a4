import { Card, Empty, Field, PageHead, Submit } from "../../../../pages/staff/Desk.tsx"
import type { Choices } from "../../../../pages/staff/rows.tsx"
import type { BusySource } from "../../../../schemas/scheduling/BusySource.ts"
import { BusyCalendars } from "../parts/BusyCalendars.tsx"
import { useTexts } from "../useTexts.ts"

interface CalendarsProps {
  readonly doctors: Choices
  readonly doctor: string
  readonly sources: ReadonlyArray<BusySource>
}

/** The calendars that a doctor keeps elsewhere. */
export const CalendarsPage = ({ doctors, doctor, sources }: CalendarsProps) => {
  const { planning, practice } = useTexts()
  return (
    <>
      <PageHead title={planning.pages.calendars}>
        <form class="press">
          <Field label={practice.doctor} name="doctor" value={doctor} options={doctors} />
          <Submit text={practice.apply} look="secondary" />
        </form>
      </PageHead>
      {doctor === "" ? (
        <Empty what="ofDoctor" to="/console/practice/people" />
      ) : (
        <BusyCalendars path={`/v1/management/scheduling/doctors/${doctor}/busy-sources`} sources={sources} />
      )}
      <Card id="feed" title={planning.calendars.out}>
        <p class="help">{planning.calendars.outOfDoctor}</p>
      </Card>
    </>
  )
}
