/** The operator's workspace, for the whole installation, by the operator API. */
import { Array, Effect, FiberRef, Schema } from "effect"
import { Settings } from "../../../../config.ts"
import { recordTags } from "../../../../http/conditional.ts"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import { Routes } from "../../../../http/inRequest.ts"
import type { StaffMember } from "../../../../schemas/access/StaffMember.ts"
import { AdminUid, OrganisationUid, ShopUid, StaffPersonUid } from "../../../../schemas/ids.ts"
import { newUid } from "../../../../services/uid.ts"
import type { Language } from "../../../../texts/language.ts"
import { InProcessApi, whereRefused } from "../../../shared/http/InProcessApi.ts"
import { asPartOfRead } from "../../../shared/http/names.ts"
import { addedStaffPages, type OperatorVisitor, type PageEntry } from "../../../shared/http/pages.ts"
import { pageOf, segment } from "../../../shared/http/query.ts"
import { answerOf, problemIn, type Refused } from "../../../shared/http/refusals.ts"
import { BacklogPage, byOrder } from "../../pages/operator/BacklogPage.tsx"
import { JobsPage } from "../../pages/operator/JobsPage.tsx"
import { OrganisationStatePage } from "../../pages/operator/OrganisationStatePage.tsx"
import { OrganisationsPage } from "../../pages/operator/OrganisationsPage.tsx"
import { OverviewPage } from "../../pages/operator/OverviewPage.tsx"
import { ProvisioningPage } from "../../pages/operator/ProvisioningPage.tsx"
import { ProvisioningRequest, ProvisioningResult } from "../../schemas/Installation.ts"
import type { ConsoleTexts } from "../../texts/catalogue.ts"
import { at, Console, FormRefused, outcomeOfForm, withOutcome } from "../serving/Console.tsx"
import { bodyOf, type Fields, valueIn } from "../serving/formFields.ts"
import type { Visitor } from "../serving/visitor.ts"

const HOME = "/console/operator"
const PER_PAGE = 25
/** Identifiers of one request: its query has at most 10,000 characters. */
const UIDS_PER_READ = 30

const ownLinks = ({ operator: { pages, organisation } }: ConsoleTexts) =>
  [
    [HOME, pages.overview],
    [`${HOME}/jobs`, pages.jobs],
    [`${HOME}/backlog`, pages.backlog],
    [`${HOME}/organisations`, organisation.list],
    [`${HOME}/provisioning`, pages.provisioning]
  ] as const

const overview = Effect.fnUntraced(function* ({ consoleApi, texts: { operator: texts } }: Visitor) {
  const status = yield* consoleApi.operator.status({})
  const { data: letters } = yield* consoleApi.operator.dead_letters({})
  const { data: payouts } = yield* consoleApi.operator.parked_payouts({})
  const { data: orders } = yield* consoleApi.operator.waiting_orders({})
  const { data: webhooks } = yield* consoleApi.operator.webhooks({})
  const todo = [
    { text: texts.deadLetters, count: letters.length, address: `${HOME}/jobs` },
    { text: texts.parked, count: byOrder(payouts).length, address: `${HOME}/backlog#payouts` },
    { text: texts.waitingOrders, count: orders.length, address: `${HOME}/backlog#orders` },
    { text: texts.webhooks, count: webhooks.length, address: `${HOME}/backlog#webhooks` }
  ]
  return { title: texts.pages.overview, body: <OverviewPage status={status} todo={todo} /> }
})

const jobs = Effect.fnUntraced(function* ({ consoleApi, texts }: Visitor) {
  const { data: queues } = yield* consoleApi.operator.queues({})
  const { data: letters } = yield* consoleApi.operator.dead_letters({})
  return { title: texts.operator.pages.jobs, body: <JobsPage queues={queues} letters={letters} /> }
})

const backlog = Effect.fnUntraced(function* ({ consoleApi, texts }: Visitor) {
  const { data: webhooks } = yield* consoleApi.operator.webhooks({})
  const { data: payouts } = yield* consoleApi.operator.parked_payouts({})
  const { data: orders } = yield* consoleApi.operator.waiting_orders({})
  const uids = [...webhooks.map(({ owner_uid }) => owner_uid), ...payouts.map(({ pharmacy_uid }) => pharmacy_uid)]
  const named = yield* Effect.forEach(Array.chunksOf([...new Set(uids)], UIDS_PER_READ), (some) =>
    consoleApi.operator.owners({ urlParams: { uids: some.join(","), page: 0, limit: some.length } })
  )
  const names = new Map(named.flatMap(({ data }) => data.map(({ uid, name }) => [uid, name] as const)))
  return {
    title: texts.operator.pages.backlog,
    body: <BacklogPage webhooks={webhooks} payouts={payouts} orders={orders} names={names} />
  }
})

/** Where the audit log of an owner is. */
const auditOf = (owner: string) => `${HOME}/audit?${new URLSearchParams({ owner })}`

const organisation = (hasLog: boolean) =>
  Effect.fnUntraced(function* ({ consoleApi: api }: Visitor) {
    const organisation_uid = OrganisationUid.make(yield* segment("uid"))
    const state = yield* api.operator.organisation({ path: { organisation_uid } })
    const { data: webhooks } = yield* api.operator.webhooks({})
    return {
      title: state.name,
      live: false,
      body: (
        <OrganisationStatePage
          state={state}
          webhooks={webhooks.filter(({ owner_uid }) => owner_uid === state.uid)}
          auditOf={hasLog ? auditOf : null}
        />
      )
    }
  })

/** Owners by uid or by part of their names, for pages that capabilities add. */
const ownersFound =
  ({ consoleApi }: Pick<Visitor, "consoleApi">): OperatorVisitor["owners"] =>
  (by, limit) =>
    Effect.map(consoleApi.operator.owners({ urlParams: { ...by, page: 0, limit } }), ({ data }) => data)

/** Whose names an audit log has; the read is part of the log's. */
const membersFound =
  ({ consoleApi }: Pick<Visitor, "consoleApi">): OperatorVisitor["membersOf"] =>
  (owner) =>
    consoleApi.operator.organisation({ path: { organisation_uid: OrganisationUid.make(owner) } }).pipe(
      Effect.map(({ members }) => members),
      whereRefused(404, []),
      asPartOfRead
    )

/** `byMail`: whether people sign in with their mail address; `hasLog`: whether there is a page of audit logs. */
const organisations = (byMail: boolean, hasLog: boolean) =>
  Effect.fnUntraced(function* ({ consoleApi, query, texts }: Visitor) {
    const search = query.get("search")?.trim() ?? ""
    const page = pageOf(query)
    const asked = { kind: "organisation", limit: PER_PAGE } as const
    const found = yield* consoleApi.operator.owners({
      urlParams: { ...asked, page, ...(search !== "" && { search }) }
    })
    const uid = query.get("made")
    const made =
      uid === null ? [] : (yield* consoleApi.operator.owners({ urlParams: { ...asked, uids: uid, page: 0 } })).data
    return {
      title: texts.operator.organisation.list,
      live: false,
      body: (
        <OrganisationsPage
          organisations={found.data}
          search={search}
          page={page}
          pages={found.totalPages}
          total={found.totalRegistries}
          made={made[0] ?? null}
          auditOf={hasLog ? auditOf : null}
          byMail={byMail}
        />
      )
    }
  })

/** A provisioning file with an organisation, its first shop, and who gets its notices. */
const organisationFile = (fields: Fields) =>
  Effect.gen(function* () {
    const uid = yield* newUid(OrganisationUid)
    const shop = yield* newUid(ShopUid)
    const admin = yield* newUid(AdminUid)
    const person = yield* newUid(StaffPersonUid)
    const value = valueIn(fields)
    const email = value("email")
    const name = value("name")
    const head = value("admin") || email
    return {
      uid,
      file: {
        organisations: [
          {
            uid,
            name,
            timezone: value("timezone"),
            messages: ["confirmation", "cancellation", "rebooking"],
            admins: head === "" ? [] : [{ uid: admin, display_name: head, email: email === "" ? null : email }]
          }
        ],
        shops: [
          {
            uid: shop,
            organisation_uid: uid,
            name,
            shop_identifier: value("shop_identifier"),
            storefront: { kind: "embedded" }
          }
        ],
        staff: email === "" ? [] : [{ uid: person, organisation_uid: uid, display_name: head, email, role: "owner" }]
      }
    }
  })

/** Faults of the file, whose places are those of the form's fields. */
const faultsOfForm = ({ details, ...refused }: Refused): Refused => ({
  ...refused,
  details: details.map((detail) => detail.replace(/^file\.(?:organisations|shops|staff)\[0\]\./, ""))
})

/** The result of a dry run, for the page that shows it. */
const dryRunResult = FiberRef.unsafeMake<ProvisioningResult | null>(null)

const { tagOf: tagOfResult } = recordTags(ProvisioningResult)

const provisioning = Effect.fnUntraced(function* ({ texts }: Visitor) {
  const sent = (yield* FiberRef.get(outcomeOfForm))?.fields
  const found = yield* FiberRef.get(dryRunResult)
  return {
    title: texts.operator.pages.provisioning,
    live: false,
    body: (
      <ProvisioningPage
        file={sent?.get("file")?.at(-1) ?? ""}
        reset={sent?.get("reset")?.at(-1) === "true"}
        found={found}
        version={found && tagOfResult(found)}
      />
    )
  }
})

export const OperatorWorkspace = Routes.use((router) =>
  Effect.gen(function* () {
    const { page, form } = yield* Console
    const { page: shown, send } = yield* InProcessApi
    const added = (yield* addedStaffPages).flatMap(({ operatorPages }) => operatorPages)
    const links = (texts: ConsoleTexts, _: StaffMember, language: Language): ReadonlyArray<PageEntry> => [
      ...ownLinks(texts),
      ...added.map(({ path, text }) => [`${HOME}/${path}`, text(language)] as const)
    ]
    yield* router.get(at("operator"), page("operator", links, overview))
    yield* router.get(at("operator/jobs"), page("operator", links, jobs))
    yield* router.get(at("operator/backlog"), page("operator", links, backlog))
    yield* router.get(at("operator/provisioning"), page("operator", links, provisioning))
    const { staffSignIn } = yield* Settings
    const hasLog = added.some(({ path }) => path === "audit")
    const shownOrganisations = organisations(staffSignIn === "mail", hasLog)
    yield* router.get(at("operator/organisations"), page("operator", links, shownOrganisations))
    yield* router.get(at("operator/organisations/:uid"), page("operator", links, organisation(hasLog)))
    /** Applies the file that the form stands for, and shows the new organisation's identifier. */
    yield* router.post(
      at("operator/organisations"),
      form("operator", (fields) =>
        Effect.gen(function* () {
          const operation = "POST /v1/operator/provisioning"
          const address = `${HOME}/organisations`
          const { uid, file } = yield* organisationFile(fields)
          const response = yield* send("POST", "/v1/operator/provisioning", { file, dry_run: false })
          if (response.status < 300)
            return seeOther(`${HOME}/organisations?${new URLSearchParams({ made: uid, done: "1" })}`)
          const problem = faultsOfForm(problemIn(operation, yield* answerOf(response)))
          return yield* new FormRefused({ address, status: response.status, problem, fields })
        })
      )
    )
    for (const { path, show } of added)
      yield* router.get(
        at(`operator/${path}`),
        page("operator", links, (visitor) =>
          show({ ...visitor, owners: ownersFound(visitor), membersOf: membersFound(visitor) })
        )
      )
    /** Runs a dry run and shows its result on the form's page. */
    yield* router.post(
      at("operator/provisioning"),
      form("operator", (fields) =>
        Effect.gen(function* () {
          const operation = "POST /v1/operator/provisioning"
          const response = yield* send("POST", "/v1/operator/provisioning", bodyOf(ProvisioningRequest, fields))
          const answer = yield* answerOf(response)
          const isDone = response.status < 300
          const problem = isDone ? null : problemIn(operation, answer)
          return yield* withOutcome(shown(`${HOME}/provisioning`), { status: response.status, problem, fields }).pipe(
            Effect.locally(dryRunResult, isDone ? yield* Schema.decodeUnknown(ProvisioningResult)(answer) : null)
          )
        })
      )
    )
  })
)
