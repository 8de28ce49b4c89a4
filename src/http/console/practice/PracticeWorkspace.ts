/** The practice's workspace: everything that an organisation's keys may do, by the management and admin APIs. */
import { Effect } from "effect"
import { Settings } from "../../../config.ts"
import type { StaffMember } from "../../../services/access/Staff.ts"
import type { ConsoleTexts } from "../../../texts/console/catalogue.ts"
import { Routes } from "../../inRequest.ts"
import { at, Console, type ConsoleContent, type PageEntry, type Visitor } from "../serving/Console.tsx"
import { ApiRefused, InProcessApi } from "../serving/InProcessApi.ts"
import { absences, enterAbsence } from "./absences.tsx"
import { appointment, calendar } from "./calendar.tsx"
import { audit, organisation, shops } from "./organisation.tsx"
import { createPatient, patient, patients } from "./patients.tsx"
import { calendars, holidays, recalls, series, waitlist, waitlistEntry } from "./planning.tsx"
import { prescriptions } from "./prescriptions.tsx"
import { branding, mailPreview, messages, statistics, statisticsFile } from "./reports.tsx"
import { resources } from "./resources.tsx"
import { erase, erased, exportFile, rights } from "./rights.tsx"
import { maySee, pagesOfRole } from "./roles.ts"
import { access, fhir, hours, people, replaceWeek, types, webhooks } from "./settings.tsx"
import { looked, team } from "./team.tsx"
import { changeTexts, messageTexts, previewStored, previewTyped } from "./texts.tsx"

const SETTINGS = "/console/practice/settings"

const PATIENTS = "/console/practice/patients"
const HOURS = "/console/practice/hours"
const TYPES = "/console/practice/types"

const entries = ({ practice: { pages, own }, planning, team }: ConsoleTexts): ReadonlyArray<PageEntry> => [
  ["/console/practice", pages.calendar],
  [PATIENTS, pages.patients],
  ["/console/practice/waitlist", planning.pages.waitlist, PATIENTS],
  ["/console/practice/recalls", planning.pages.recalls, PATIENTS],
  ["/console/practice/absences", pages.absences],
  [HOURS, pages.hours],
  ["/console/practice/holidays", planning.pages.holidays, HOURS],
  ["/console/practice/calendars", planning.pages.calendars, HOURS],
  [TYPES, pages.types],
  ["/console/practice/resources", pages.resources, TYPES],
  ["/console/practice/messages", pages.messages],
  ["/console/practice/statistics", pages.statistics],
  ["/console/practice/prescriptions", pages.prescriptions],
  [SETTINGS, pages.settings],
  ["/console/practice/texts", own.title, SETTINGS],
  ["/console/practice/people", pages.people, SETTINGS],
  ["/console/practice/team", team.title, SETTINGS],
  ["/console/practice/shops", pages.shops, SETTINGS],
  ["/console/practice/branding", pages.branding, SETTINGS],
  ["/console/practice/access", pages.access, SETTINGS],
  ["/console/practice/fhir", pages.fhir, SETTINGS],
  ["/console/practice/webhooks", pages.webhooks, SETTINGS],
  ["/console/practice/audit", pages.audit, SETTINGS]
]

const links = (texts: ConsoleTexts, staff: StaffMember) => pagesOfRole(entries(texts), staff)

export const PracticeWorkspace = Routes.use((router) =>
  Effect.gen(function* () {
    const { form, page, signedIn, inWorkspace } = yield* Console
    const api = yield* InProcessApi
    const { send } = api
    const { meetingsUrl, baseUrl } = yield* Settings
    /** The handler of a page, for the roles that see it. */
    const shown = <E, R>(make: (visitor: Visitor) => Effect.Effect<ConsoleContent, E, R>) =>
      page(
        "admin",
        links,
        (visitor): Effect.Effect<ConsoleContent, E | ApiRefused, R> =>
          maySee(visitor.address.split("?")[0] ?? "", visitor.staff)
            ? make(visitor)
            : Effect.fail(new ApiRefused({ status: 403 }))
      )
    yield* router.get(at("practice"), shown(calendar))
    yield* router.get(at("practice/appointments/:uid"), shown(appointment))
    yield* router.get(at("practice/patients"), shown(patients))
    yield* router.post(
      at("practice/patients"),
      form("admin", (fields) => createPatient(api, fields))
    )
    yield* router.get(at("practice/patients/:uid"), shown(patient))
    yield* router.get(at("practice/patients/:uid/looked"), shown(looked))
    yield* router.get(at("practice/team"), shown(team))
    yield* router.get(at("practice/patients/:uid/rights"), shown(rights))
    yield* router.post(
      at("practice/patients/:uid/export"),
      form("admin", (fields) => exportFile(api, fields))
    )
    yield* router.post(
      at("practice/patients/:uid/erase"),
      form("admin", (fields) => erase(api, fields, (answer) => shown(erased(answer))))
    )
    yield* router.get(at("practice/absences"), shown(absences))
    yield* router.post(
      at("practice/absences"),
      form("admin", (fields) => enterAbsence(api, fields))
    )
    yield* router.get(at("practice/hours"), shown(hours))
    yield* router.post(
      at("practice/hours"),
      form("admin", (fields) => replaceWeek(api, fields))
    )
    yield* router.get(at("practice/types"), shown(types))
    yield* router.get(at("practice/resources"), shown(resources))
    yield* router.get(at("practice/holidays"), shown(holidays))
    yield* router.get(at("practice/calendars"), shown(calendars))
    yield* router.get(at("practice/recalls"), shown(recalls))
    yield* router.get(at("practice/series"), shown(series))
    yield* router.get(at("practice/waitlist"), shown(waitlist))
    yield* router.get(at("practice/waitlist/:uid"), shown(waitlistEntry))
    yield* router.get(at("practice/messages"), shown(messages))
    yield* router.get(at("practice/texts"), shown(messageTexts))
    yield* router.post(
      at("practice/texts"),
      form("admin", (fields) => changeTexts(api, fields))
    )
    yield* router.get(at("practice/texts/preview"), signedIn(inWorkspace("admin", () => previewStored(api))))
    yield* router.post(
      at("practice/texts/preview"),
      form("admin", (fields) => previewTyped(api, fields))
    )
    yield* router.get(at("practice/statistics"), shown(statistics))
    yield* router.get(at("practice/statistics.csv"), signedIn(inWorkspace("admin", () => statisticsFile(send))))
    yield* router.get(at("practice/mail-preview"), signedIn(inWorkspace("admin", () => mailPreview(send))))
    yield* router.get(at("practice/branding"), shown(branding(meetingsUrl)))
    yield* router.get(at("practice/settings"), shown(organisation))
    yield* router.get(at("practice/shops"), shown(shops(meetingsUrl)))
    yield* router.get(at("practice/audit"), shown(audit))
    yield* router.get(at("practice/prescriptions"), shown(prescriptions))
    yield* router.get(at("practice/people"), shown(people))
    yield* router.get(at("practice/access"), shown(access(meetingsUrl)))
    yield* router.get(at("practice/fhir"), shown(fhir(baseUrl)))
    yield* router.get(at("practice/webhooks"), shown(webhooks))
  })
)
