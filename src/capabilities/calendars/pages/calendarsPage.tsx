/** The pages of staff about calendars kept elsewhere. */
import { Effect, Schema } from "effect"
import { DoctorUid } from "../../../schemas/ids.ts"
import { choicesOf, chosenOf } from "../../shared/http/choices.ts"
import type { AddedPage, Visitor } from "../../shared/http/pages.ts"
import type { AddedCardProps } from "../../shared/pages/added.ts"
import { Card, Do, Empty, Field, PageHead, Submit, useTexts } from "../../shared/pages/Desk.tsx"
import type { Choices } from "../../shared/pages/rows.tsx"
import { CalendarsApi } from "../http/BusySourcesApi.ts"
import { EntrySettings } from "../schemas/connections/organisationFields.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { BusyCalendars, useOwnTexts } from "./BusyCalendars.tsx"
import { DifferingEntries, OwnConnections, ReadOnlyConnections } from "./connections/OwnConnections.tsx"

const ChooseDoctor = ({ doctors, doctor }: { readonly doctors: Choices; readonly doctor: string }) => {
  const { words } = useTexts()
  return (
    <PageHead title={useOwnTexts().title}>
      <form class="press">
        <Field label={words.doctor} name="doctor" value={doctor} options={doctors} />
        <Submit text={words.apply} look="secondary" />
      </form>
    </PageHead>
  )
}

/** What is written into the calendars of all doctors. */
const Settings = ({ calendar_entry_title, calendar_entry_details }: EntrySettings) => {
  const { frame } = useTexts()
  const texts = useOwnTexts().own
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

const settingsIn = Schema.decodeUnknown(Schema.typeSchema(EntrySettings))

/** The calendars that a doctor keeps elsewhere, for the practice. */
export const calendarsPage: AddedPage = {
  path: "calendars",
  entry: { text: (language) => deskTextsOf(language).title, under: "/console/practice/hours" },
  hiddenFrom: ["reception", "doctor_assistant", "billing", "read_only"],
  show: Effect.fn("console.calendars")(function* (visitor) {
    const { clientOf, query, language, staff } = visitor
    const api = yield* clientOf(CalendarsApi)
    const { doctors, zone } = yield* choicesOf(visitor)
    const doctor = chosenOf(doctors, query.get("doctor"))
    const texts = deskTextsOf(language)
    const ofDoctor = Effect.gen(function* () {
      const request = { path: { doctor_uid: DoctorUid.make(doctor) }, urlParams: {} }
      const { data: connections } = yield* api["management.calendar_connections"].list(request)
      const { data: sources } = yield* api["management.busy_sources"].list(request)
      return (
        <>
          <ReadOnlyConnections connections={connections} />
          <BusyCalendars path={`/v1/management/scheduling/doctors/${doctor}/busy-sources`} sources={sources} />
        </>
      )
    })
    // who owns the practice may change them
    const settings =
      staff.practice_role === "owner" ? yield* settingsIn(yield* visitor.api["organisation.settings"].one({})) : null
    const calendars =
      doctor === "" ? (
        <Empty what={{ name: "ofDoctor", ...texts.ofDoctor }} to="/console/practice/people" />
      ) : (
        yield* ofDoctor
      )
    return {
      title: texts.title,
      zone,
      body: (
        <>
          <ChooseDoctor doctors={doctors} doctor={doctor} />
          {calendars}
          {settings === null ? null : <Settings {...settings} />}
          <Card id="feed" title={texts.out}>
            <p class="help">{texts.outOfDoctor}</p>
          </Card>
        </>
      )
    }
  })
}

/** The doctor's own, below the address of the own calendar. */
export const ownCalendars = Effect.fn("console.ownCalendars")(function* ({ clientOf, query }: Visitor) {
  const api = yield* clientOf(CalendarsApi)
  const sources = yield* api["doctor.busy_sources"].list({ urlParams: {} })
  const connections = yield* api["doctor.calendar_connections"].list({ urlParams: {} })
  const offered = yield* api["doctor.calendar_connections"].providers({})
  return (
    <>
      <OwnConnections connections={connections.data} offered={offered.data} connected={query.get("connected")} />
      <BusyCalendars path="/v1/doctor/busy-sources" sources={sources.data} />
    </>
  )
})

/** On the doctor's day: what their own calendar has otherwise. */
export const differingEntries = Effect.fn("console.differingEntries")(function* ({ clientOf }: Visitor) {
  const api = yield* clientOf(CalendarsApi)
  const entries = yield* api["doctor.calendar_connections"].entries({})
  const connections = yield* api["doctor.calendar_connections"].list({ urlParams: {} })
  return <DifferingEntries entries={entries.data} connections={connections.data} />
})

/** On a doctor's page. */
export const CalendarsLink = ({ doctor_uid }: AddedCardProps["doctor"]) => (
  <a class="secondary" href={`/console/practice/calendars?${new URLSearchParams({ doctor: doctor_uid })}`}>
    {useOwnTexts().title}
  </a>
)
