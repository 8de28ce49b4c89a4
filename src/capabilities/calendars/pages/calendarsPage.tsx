/** The pages of staff about calendars kept elsewhere. */
import { Effect } from "effect"
import { choicesOf, chosenOf } from "../../../http/staff/choices.ts"
import type { AddedPage, Visitor } from "../../../http/staff/pages.ts"
import type { AddedCardProps } from "../../../pages/staff/added.ts"
import { DoctorUid } from "../../../schemas/ids.ts"
import { CalendarsApi } from "../http/BusySourcesApi.ts"
import { deskTextsOf } from "../texts/desk.ts"
import { BusyCalendars, useOwnTexts } from "./BusyCalendars.tsx"
import { CalendarsPage } from "./PracticeCalendarsPage.tsx"

export const calendarsPage: AddedPage = {
  path: "calendars",
  entry: { text: (language) => deskTextsOf(language).title, under: "/console/practice/hours" },
  hiddenFrom: ["reception", "doctor_assistant", "billing", "read_only"],
  show: Effect.fn("console.calendars")(function* (visitor) {
    const { clientOf, query, language } = visitor
    const api = yield* clientOf(CalendarsApi)
    const { doctors, zone } = yield* choicesOf(visitor)
    const doctor = chosenOf(doctors, query.get("doctor"))
    const { data } =
      doctor === ""
        ? { data: [] }
        : yield* api["management.busy_sources"].list({ path: { doctor_uid: DoctorUid.make(doctor) }, urlParams: {} })
    return {
      title: deskTextsOf(language).title,
      zone,
      body: <CalendarsPage doctors={doctors} doctor={doctor} sources={data} />
    }
  })
}

/** The doctor's own, below the address of the own calendar. */
export const ownCalendars = Effect.fn("console.ownCalendars")(function* ({ clientOf }: Visitor) {
  const api = yield* clientOf(CalendarsApi)
  const { data } = yield* api["doctor.busy_sources"].list({ urlParams: {} })
  return <BusyCalendars path="/v1/doctor/busy-sources" sources={data} />
})

/** On a doctor's page. */
export const CalendarsLink = ({ doctor_uid }: AddedCardProps["doctor"]) => (
  <a class="secondary" href={`/console/practice/calendars?${new URLSearchParams({ doctor: doctor_uid })}`}>
    {useOwnTexts().title}
  </a>
)
