/** What an appointment's entry says in its doctor's calendar: a title without the patient, and the console's address. Rule 3.15.4. */
import { Effect, Schema } from "effect"
import { Settings } from "../../../../config.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { Service } from "../../../../services/Service.ts"
import { BookingRepo } from "../../../../services/scheduling/booking/BookingRepo.ts"
import { Organisations } from "../../../shared/services/Organisations.ts"
import { EntrySettings } from "../../schemas/connections/organisationFields.ts"
import type { Entry } from "./CalendarEntries.ts"
import type { WrittenEntry } from "./CalendarProviders.ts"

const settingsIn = Schema.decodeUnknown(EntrySettings)
const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((part) => part.slice(0, 1))
    .join("")

export class EntryContent extends Service<EntryContent>()("calendars/EntryContent", {
  effect: Effect.gen(function* () {
    const { baseUrl } = yield* Settings
    const organisations = yield* Organisations
    const appointments = yield* BookingRepo
    const clock = yield* DomainClock
    /** As the organisation's settings are now. */
    const of = Effect.fn("EntryContent.of")(function* (entry: Entry) {
      const { organisation_uid: owner, uid, version, appointment_uids, in_group, start_date, end_date } = entry
      const [appointment_uid = ""] = appointment_uids
      const { calendar_entry_title: title, calendar_entry_details: details } = yield* settingsIn(
        yield* organisations.find(owner)
      )
      const [patient] =
        details === "initials" && !in_group ? yield* appointments.all(owner, appointment_uids, yield* clock.now) : []
      const content: WrittenEntry = {
        key: uid,
        attempt: `${uid}.${version}`,
        title: patient === undefined ? title : `${title} ${initialsOf(patient.patient_display_name)}`,
        url: `${baseUrl}/console/doctor/appointments/${encodeURIComponent(appointment_uid)}`,
        start: start_date,
        end: end_date
      }
      return content
    }, Effect.orDie)
    return { of } as const
  }),
  dependencies: [Organisations.Default, BookingRepo.Default]
}) {}
