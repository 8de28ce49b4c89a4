/** Calendars kept elsewhere, whose times are not bookable. Rule 3.12. */
import { Effect, Layer, Option } from "effect"
import { capability } from "../../capability.ts"
import { Settings } from "../../config.ts"
import { dataBody } from "../../http/admission/bodyLimits.ts"
import { extension, jobOf } from "../../services/Extensions.ts"
import { remote } from "../../services/remoteCalls.ts"
import { exampleUids } from "../shared/services/exampleUids.ts"
import { addedList, MISSING, reject } from "../shared/services/provisioning/entry.ts"
import { ownerOfDoctor } from "../shared/services/provisioning/scheduling.ts"
import { CalendarsApi } from "./http/BusySourcesApi.ts"
import { CalendarsHttp } from "./http/BusySourcesHttp.ts"
import { ConnectionsHttp } from "./http/connections/ConnectionsHttp.ts"
import { CalendarProvidersLive } from "./layers/connections/CalendarProvidersLive.ts"
import { CalendarServersLive } from "./layers/reading/CalendarServersLive.ts"
import { CalendarsLink, calendarsPage, differingEntries, ownCalendars } from "./pages/calendarsPage.tsx"
import { BusySourceEntry } from "./schemas/BusySource.ts"
import { calendarEvents, calendarNotices } from "./schemas/calendarEvents.ts"
import { CalendarEntryState } from "./schemas/connections/CalendarConnection.ts"
import { organisationFields } from "./schemas/connections/organisationFields.ts"
import { BusySources, calendarQueues } from "./services/BusySources.ts"
import { CalendarServers } from "./services/CalendarServers.ts"
import { CalendarEntries } from "./services/connections/CalendarEntries.ts"
import { CalendarProviders } from "./services/connections/CalendarProviders.ts"
import { CalendarSync } from "./services/connections/CalendarSync.ts"
import { Connections, connectionQueues } from "./services/connections/Connections.ts"
import { icsImport } from "./services/ics/importIcs.ts"
import { lostNotice, noticeTexts } from "./texts/notice.ts"

export const manifest = capability({
  name: "calendars",
  services: Layer.mergeAll(
    BusySources.Default,
    CalendarEntries.Default,
    CalendarSync.Default,
    Connections.Default
  ).pipe(
    Layer.provide(remote(CalendarProviders, CalendarProvidersLive)),
    Layer.provide(remote(CalendarServers, CalendarServersLive))
  ),
  api: CalendarsApi,
  http: Layer.merge(CalendarsHttp, ConnectionsHttp),
  bodies: { "POST /connect/calendar/": dataBody },
  events: calendarEvents,
  queues: { ...calendarQueues, ...connectionQueues },
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
  organisationFields,
  appointmentFields: { calendar_entry: { schema: CalendarEntryState, absent: "none" } },
  commands: [icsImport],
  notices: calendarNotices,
  noticeTexts,
  tables: {
    busy_sources: "organisation_uid",
    calendar_connections: "organisation_uid",
    connected_calendars: "organisation_uid",
    connected_times: "organisation_uid",
    calendar_entries: "organisation_uid"
  },
  staffPages: {
    pages: [calendarsPage],
    below: { "doctor/calendars": ownCalendars, doctor: differingEntries },
    cards: { doctor: CalendarsLink }
  },
  extension: Effect.gen(function* () {
    const sources = yield* BusySources
    const sync = yield* CalendarSync
    const connections = yield* Connections
    const entries = yield* CalendarEntries
    const ownPage = `${(yield* Settings).baseUrl}/console/doctor/calendars`
    const ownerOf = yield* ownerOfDoctor
    return extension({
      periodic: [
        { name: "maintenance.calendars", every: 1, run: sources.readDue(), onMove: sources.readDue() },
        { name: "maintenance.calendar_connections", every: 1, run: sync.syncDue(), onMove: sync.syncDue() }
      ],
      ofAppointments: {
        isAny: entries.isAny,
        read: (owner, doctor, appointments, isNew) =>
          Effect.map(entries.statesOf(owner, doctor, appointments), (stateOf) => (one) => ({
            calendar_entry: isNew && stateOf(one) !== "none" ? "waiting" : stateOf(one)
          }))
      },
      notices: {
        calendar_lost: {
          find: (_, { language }) => Effect.succeed(Option.some(lostNotice(ownPage, language))),
          sample: ({ url }, { language }) => lostNotice(url, language)
        }
      },
      on: { confirmed: connections.confirmed, released: connections.released },
      // One per organisation: its server or its text may be slow
      jobs: [
        jobOf("calendar.read", (job) => sources.read(job.organisation_uid, job.busy_source_uid), { ofGroup: 1 }),
        jobOf("calendar.sync", ({ organisation_uid, connection_uid: uid }) => sync.sync({ organisation_uid, uid }), {
          concurrency: 16,
          ofGroup: 8
        })
      ],
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
