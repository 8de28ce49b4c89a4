import { Card, Do, Empty, Field, PageHead, Submit, useTexts } from "../../shared/pages/Desk.tsx"
import type { Choices } from "../../shared/pages/rows.tsx"
import type { BusySource } from "../schemas/BusySource.ts"
import type { CalendarConnection } from "../schemas/connections/CalendarConnection.ts"
import type { EntrySettings } from "../schemas/connections/organisationFields.ts"
import { BusyCalendars, useOwnTexts } from "./BusyCalendars.tsx"
import { ReadOnlyConnections, useConnectionTexts } from "./connections/OwnConnections.tsx"

interface CalendarsProps {
  readonly doctors: Choices
  readonly doctor: string
  readonly sources: ReadonlyArray<BusySource>
  readonly connections: ReadonlyArray<CalendarConnection>
  /** Null: the visitor may not change them. */
  readonly settings: EntrySettings | null
}

/** What is written into the calendars of all doctors. */
const Settings = ({ calendar_entry_title, calendar_entry_details }: EntrySettings) => {
  const { frame } = useTexts()
  const texts = useConnectionTexts()
  return (
    <Card id="entries" title={texts.settings}>
      <Do operation="PATCH /v1/management/organisation" label={texts.settings}>
        <div class="entries">
          <Field label={texts.entryTitle} name="calendar_entry_title" value={calendar_entry_title} required />
          <Field
            label={texts.details}
            name="calendar_entry_details"
            value={calendar_entry_details}
            options={Object.entries(texts.detail)}
          />
        </div>
        <Submit text={frame.save} look="secondary" />
      </Do>
    </Card>
  )
}

/** The calendars that a doctor keeps elsewhere. */
export const CalendarsPage = ({ doctors, doctor, sources, connections, settings }: CalendarsProps) => {
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
        <>
          <ReadOnlyConnections connections={connections} />
          <BusyCalendars path={`/v1/management/scheduling/doctors/${doctor}/busy-sources`} sources={sources} />
        </>
      )}
      {settings === null ? null : <Settings {...settings} />}
      <Card id="feed" title={texts.out}>
        <p class="help">{texts.outOfDoctor}</p>
      </Card>
    </>
  )
}
