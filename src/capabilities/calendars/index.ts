/** Calendars kept elsewhere, whose times are not bookable. Rule 3.12. */
import { Effect } from "effect"
import { capability } from "../../capability.ts"
import { extension, jobOf } from "../../services/Extensions.ts"
import { addedList, MISSING, reject } from "../../services/provisioning/entry.ts"
import { exampleUids } from "../../services/provisioning/example.ts"
import { ownerOfDoctor } from "../../services/provisioning/scheduling.ts"
import { CalendarsApi } from "./http/BusySourcesApi.ts"
import { CalendarsHttp } from "./http/BusySourcesHttp.ts"
import calendars from "./migrations/0001.sql" with { type: "text" }
import { CalendarsLink, calendarsPage, ownCalendars } from "./pages/calendarsPage.tsx"
import { BusySourceEntry } from "./schemas/BusySource.ts"
import { busySourceEvents } from "./schemas/busySourceEvents.ts"
import { BusySources, calendarQueues } from "./services/BusySources.ts"

export const calendarsCapability = capability({
  name: "calendars",
  migrations: [{ name: "calendars/0001", text: calendars }],
  services: BusySources.Default,
  api: CalendarsApi,
  http: CalendarsHttp,
  events: busySourceEvents,
  queues: calendarQueues,
  lists: {
    busy_sources: {
      entry: BusySourceEntry,
      example: [
        {
          uid: "bsy_rota",
          doctor_uid: exampleUids.doctor_uid,
          kind: "ics",
          name: "Hospital rota",
          url: "https://calendar.example.org/private/basic.ics",
          active: false
        }
      ]
    }
  },
  tables: { busy_sources: "organisation_uid" },
  staffPages: {
    pages: [calendarsPage],
    below: { "doctor/calendars": ownCalendars },
    cards: { doctor: CalendarsLink }
  },
  extension: Effect.gen(function* () {
    const sources = yield* BusySources
    const ownerOf = yield* ownerOfDoctor
    return extension({
      periodic: [{ name: "maintenance.calendars", every: 1, run: sources.readDue(), onMove: sources.readDue() }],
      // One per organisation: its server or its text may be slow
      jobs: [jobOf("calendar.read", (job) => sources.read(job.organisation_uid, job.busy_source_uid), { ofGroup: 1 })],
      provisioning: [
        addedList<BusySourceEntry>("busy_sources", {
          key: ({ uid, doctor_uid }) => `${doctor_uid}/${uid}`,
          write: ({ uid, ...source }, path, found) =>
            Effect.flatMap(ownerOf(source.doctor_uid, path, found), (organisation_uid) =>
              sources.provision(organisation_uid, source.doctor_uid, source, uid)
            ).pipe(Effect.catchTag("DoctorNotFound", () => reject(`${path}.doctor_uid`, MISSING))),
          rows: ({ uid, doctor_uid }) => [["busy_sources", { doctor_uid, uid }]]
        })
      ]
    })
  })
})
