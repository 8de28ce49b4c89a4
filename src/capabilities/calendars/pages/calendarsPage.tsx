/** The pages of staff about calendars kept elsewhere. */
import { Effect, Schema } from "effect"
import { DoctorUid } from "../../../schemas/ids.ts"
import { choicesOf, chosenOf } from "../../shared/http/choices.ts"
import type { AddedPage, Visitor } from "../../shared/http/pages.ts"
import type { AddedCardProps } from "../../shared/pages/added.ts"
import { CalendarsApi } from "../http/BusySourcesApi.ts"
import { EntrySettings } from "../schemas/connections/organisationFields.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { BusyCalendars, useOwnTexts } from "./BusyCalendars.tsx"
import { DifferingEntries, OwnConnections } from "./connections/OwnConnections.tsx"
import { CalendarsPage } from "./PracticeCalendarsPage.tsx"

const NONE = { data: [] }
const settingsIn = Schema.decodeUnknown(Schema.typeSchema(EntrySettings))

export const calendarsPage: AddedPage = {
  path: "calendars",
  entry: { text: (language) => deskTextsOf(language).title, under: "/console/practice/hours" },
  hiddenFrom: ["reception", "doctor_assistant", "billing", "read_only"],
  show: Effect.fn("console.calendars")(function* (visitor) {
    const { clientOf, query, language, staff } = visitor
    const api = yield* clientOf(CalendarsApi)
    const { doctors, zone } = yield* choicesOf(visitor)
    const doctor = chosenOf(doctors, query.get("doctor"))
    const ofDoctor = (doctor_uid: DoctorUid) =>
      Effect.all({
        sources: api["management.busy_sources"].list({ path: { doctor_uid }, urlParams: {} }),
        connections: api["management.calendar_connections"].list({ path: { doctor_uid }, urlParams: {} })
      })
    const { sources, connections } =
      doctor === "" ? { sources: NONE, connections: NONE } : yield* ofDoctor(DoctorUid.make(doctor))
    const settings =
      staff.practice_role === "owner" ? yield* settingsIn(yield* visitor.api["organisation.settings"].one({})) : null
    return {
      title: deskTextsOf(language).title,
      zone,
      body: (
        <CalendarsPage
          doctors={doctors}
          doctor={doctor}
          sources={sources.data}
          connections={connections.data}
          settings={settings}
        />
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
