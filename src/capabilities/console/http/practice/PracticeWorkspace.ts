/** The practice's workspace: everything that an organisation's keys may do, by the management and admin APIs. */
import { Effect } from "effect"
import { Settings } from "../../../../config.ts"
import { type InRequest, Routes } from "../../../../http/inRequest.ts"
import type { StaffMember } from "../../../../schemas/access/StaffMember.ts"
import type { Language } from "../../../../texts/language.ts"
import { ApiRefused, InProcessApi } from "../../../shared/http/InProcessApi.ts"
import { addedStaffPages, type PageEntry, type StaffPageContent } from "../../../shared/http/pages.ts"
import type { ConsoleTexts } from "../../texts/catalogue.ts"
import { at, Console, type Handled, withRefusal } from "../serving/Console.tsx"
import { bodyOf, type Fields } from "../serving/formFields.ts"
import type { Visitor } from "../serving/visitor.ts"
import { withBelow } from "../serving/withBelow.ts"
import { appointment, calendar } from "./calendar.tsx"
import { organisation, shops } from "./organisation.tsx"
import { createPatient, patient, patients } from "./patients.tsx"
import { prescriptions } from "./prescriptions.tsx"
import { branding, calls, mailPreview, messages } from "./reports.tsx"
import { resources } from "./resources.tsx"
import { rolesWith } from "./roles.ts"
import { access, hours, people, replaceWeek, types, webhooks } from "./settings.tsx"
import { team } from "./team.tsx"
import { changeTexts, messageTexts, previewStored, previewTyped } from "./texts.tsx"

const SETTINGS = "/console/practice/settings"

const PATIENTS = "/console/practice/patients"
const HOURS = "/console/practice/hours"
const TYPES = "/console/practice/types"

const MESSAGES = "/console/practice/messages"

const entries = ({ practice: { pages, own, calls }, team }: ConsoleTexts): ReadonlyArray<PageEntry> => [
  ["/console/practice", pages.calendar],
  [PATIENTS, pages.patients],
  [HOURS, pages.hours],
  [TYPES, pages.types],
  ["/console/practice/resources", pages.resources, TYPES],
  [MESSAGES, pages.messages],
  ["/console/practice/calls", calls.title, MESSAGES],
  ["/console/practice/prescriptions", pages.prescriptions],
  [SETTINGS, pages.settings],
  ["/console/practice/texts", own.title, SETTINGS],
  ["/console/practice/people", pages.people, SETTINGS],
  ["/console/practice/team", team.title, SETTINGS],
  ["/console/practice/shops", pages.shops, SETTINGS],
  ["/console/practice/branding", pages.branding, SETTINGS],
  ["/console/practice/access", pages.access, SETTINGS],
  ["/console/practice/webhooks", pages.webhooks, SETTINGS]
]

export const PracticeWorkspace = Routes.use((router) =>
  Effect.gen(function* () {
    const { form, page, signedIn, inWorkspace } = yield* Console
    const additions = yield* addedStaffPages
    const added = additions.flatMap(({ pages }) => pages)
    const { maySee, pagesOfRole } = rolesWith(added)
    const links = (texts: ConsoleTexts, staff: StaffMember, language: Language) => {
      const more = added.flatMap(({ path, entry }): ReadonlyArray<PageEntry> => {
        if (entry === undefined) return []
        const [address, text] = [`/console/practice/${path}`, entry.text(language)]
        return [entry.under === undefined ? [address, text] : [address, text, entry.under]]
      })
      const own = entries(texts)
      const end = own.findIndex(([address]) => address === SETTINGS)
      return pagesOfRole([...own.slice(0, end), ...more, ...own.slice(end)], staff)
    }
    const api = yield* InProcessApi
    const { send } = api
    const { meetingsUrl } = yield* Settings
    /** What waits on the pages that this person sees. */
    const countsFor = Effect.fnUntraced(function* (visitor: Visitor) {
      const counts = yield* Effect.forEach(added, ({ path, entry }) => {
        const address = `/console/practice/${path}`
        return entry?.count === undefined || !maySee(address, visitor.staff)
          ? Effect.succeed([])
          : Effect.map(entry.count(visitor), (count) => [[address, count] as const])
      })
      return Object.fromEntries(counts.flat())
    })
    /** The handler of a page, for the roles that see it. */
    const shown = <E, R>(make: (visitor: Visitor) => Effect.Effect<StaffPageContent, E, R>) =>
      page(
        "admin",
        links,
        (visitor): Effect.Effect<StaffPageContent, unknown, R | InRequest> =>
          maySee(visitor.address.split("?")[0] ?? "", visitor.staff)
            ? Effect.zipWith(make(visitor), countsFor(visitor), (content, counts) => ({ ...content, counts }))
            : Effect.fail(new ApiRefused({ status: 403 }))
      )
    const get = <E>(path: string, make: (visitor: Visitor) => Effect.Effect<StaffPageContent, E, InRequest>) =>
      router.get(at(path), shown(withBelow(additions, path.slice("practice/".length), make)))
    const post = <E>(path: string, handle: (api: InProcessApi, fields: Fields) => Handled<E, InRequest>) =>
      router.post(
        at(path),
        form("admin", (fields) => handle(api, fields))
      )
    yield* get("practice", calendar)
    yield* get("practice/appointments/:uid", appointment)
    yield* get("practice/patients", patients)
    yield* post("practice/patients", createPatient)
    yield* get("practice/patients/:uid", patient)
    yield* get("practice/team", team)
    yield* get("practice/hours", hours)
    yield* post("practice/hours", replaceWeek)
    yield* get("practice/types", types)
    yield* get("practice/resources", resources)
    yield* get("practice/messages", messages)
    yield* get("practice/calls", calls)
    yield* get("practice/texts", messageTexts)
    yield* post("practice/texts", changeTexts)
    yield* router.get(at("practice/texts/preview"), signedIn(inWorkspace("admin", () => previewStored(api))))
    yield* post("practice/texts/preview", previewTyped)
    yield* router.get(at("practice/mail-preview"), signedIn(inWorkspace("admin", () => mailPreview(send))))
    yield* get("practice/branding", branding(meetingsUrl))
    yield* get("practice/settings", organisation)
    yield* get("practice/shops", shops(meetingsUrl))
    yield* get("practice/prescriptions", prescriptions)
    yield* get("practice/people", people)
    yield* get("practice/access", access(meetingsUrl))
    yield* get("practice/webhooks", webhooks)
    for (const { path, show } of added) yield* get(`practice/${path}`, show)
    for (const [path, { operation, body, page, answered }] of additions.flatMap(({ forms }) => Object.entries(forms)))
      yield* post(`practice/${path}`, (_, fields) =>
        Effect.gen(function* () {
          const [to, address] = [yield* operation(fields), yield* page]
          const response = yield* send("POST", to, bodyOf(body, fields))
          if (response.status >= 300) return yield* withRefusal(address, `POST ${to}`, response, fields)
          return yield* answered(response, (make) => shown((visitor) => Effect.succeed(make(visitor))))
        })
      )
    for (const [path, read] of additions.flatMap(({ files }) => Object.entries(files)))
      yield* router.get(at(`practice/${path}`), signedIn(inWorkspace("admin", () => read(send))))
  })
)
