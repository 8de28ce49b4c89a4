/** The practice's workspace: everything that an organisation's keys may do, by the management and admin APIs. */
import { Effect } from "effect"
import { Settings } from "../../../config.ts"
import type { ConsoleTexts } from "../../../texts/console/catalogue.ts"
import { Routes } from "../../inRequest.ts"
import { at, Console, type PageEntry } from "../serving/Console.tsx"
import { InProcessApi } from "../serving/InProcessApi.ts"
import { absences, enterAbsence } from "./absences.tsx"
import { appointment, calendar } from "./calendar.tsx"
import { audit, organisation, shops } from "./organisation.tsx"
import { createPatient, patient, patients } from "./patients.tsx"
import { prescriptions } from "./prescriptions.tsx"
import { branding, mailPreview, messages, statistics, statisticsFile } from "./reports.tsx"
import { resources } from "./resources.tsx"
import { erase, erased, exportFile, rights } from "./rights.tsx"
import { access, hours, people, types, webhooks } from "./settings.tsx"

const SETTINGS = "/console/practice/settings"

const links = ({ practice: { pages } }: ConsoleTexts): ReadonlyArray<PageEntry> => [
  ["/console/practice", pages.calendar],
  ["/console/practice/patients", pages.patients],
  ["/console/practice/absences", pages.absences],
  ["/console/practice/hours", pages.hours],
  ["/console/practice/types", pages.types],
  ["/console/practice/resources", pages.resources],
  ["/console/practice/messages", pages.messages],
  ["/console/practice/statistics", pages.statistics],
  ["/console/practice/prescriptions", pages.prescriptions],
  [SETTINGS, pages.settings],
  ["/console/practice/people", pages.people, SETTINGS],
  ["/console/practice/shops", pages.shops, SETTINGS],
  ["/console/practice/branding", pages.branding, SETTINGS],
  ["/console/practice/access", pages.access, SETTINGS],
  ["/console/practice/webhooks", pages.webhooks, SETTINGS],
  ["/console/practice/audit", pages.audit, SETTINGS]
]

export const PracticeWorkspace = Routes.use((router) =>
  Effect.gen(function* () {
    const { form, page, signedIn, inWorkspace } = yield* Console
    const api = yield* InProcessApi
    const { send } = api
    const { meetingsUrl } = yield* Settings
    yield* router.get(at("practice"), page("admin", links, calendar))
    yield* router.get(at("practice/appointments/:uid"), page("admin", links, appointment))
    yield* router.get(at("practice/patients"), page("admin", links, patients))
    yield* router.post(
      at("practice/patients"),
      form("admin", (fields) => createPatient(api, fields))
    )
    yield* router.get(at("practice/patients/:uid"), page("admin", links, patient))
    yield* router.get(at("practice/patients/:uid/rights"), page("admin", links, rights))
    yield* router.post(
      at("practice/patients/:uid/export"),
      form("admin", (fields) => exportFile(api, fields))
    )
    yield* router.post(
      at("practice/patients/:uid/erase"),
      form("admin", (fields) => erase(api, fields, (answer) => page("admin", links, erased(answer))))
    )
    yield* router.get(at("practice/absences"), page("admin", links, absences))
    yield* router.post(
      at("practice/absences"),
      form("admin", (fields) => enterAbsence(api, fields))
    )
    yield* router.get(at("practice/hours"), page("admin", links, hours))
    yield* router.get(at("practice/types"), page("admin", links, types))
    yield* router.get(at("practice/resources"), page("admin", links, resources))
    yield* router.get(at("practice/messages"), page("admin", links, messages))
    yield* router.get(at("practice/statistics"), page("admin", links, statistics))
    yield* router.get(at("practice/statistics.csv"), signedIn(inWorkspace("admin", () => statisticsFile(send))))
    yield* router.get(at("practice/mail-preview"), signedIn(inWorkspace("admin", () => mailPreview(send))))
    yield* router.get(at("practice/branding"), page("admin", links, branding(meetingsUrl)))
    yield* router.get(at("practice/settings"), page("admin", links, organisation))
    yield* router.get(at("practice/shops"), page("admin", links, shops(meetingsUrl)))
    yield* router.get(at("practice/audit"), page("admin", links, audit))
    yield* router.get(at("practice/prescriptions"), page("admin", links, prescriptions))
    yield* router.get(at("practice/people"), page("admin", links, people))
    yield* router.get(at("practice/access"), page("admin", links, access(meetingsUrl)))
    yield* router.get(at("practice/webhooks"), page("admin", links, webhooks))
  })
)
