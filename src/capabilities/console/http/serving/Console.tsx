/** Serves console pages: session, workspace, language and the document around the content. */
import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Clock, Data, Effect, FiberRef, Option } from "effect"
import { renderToString } from "preact-render-to-string"
import { Settings } from "../../../../config.ts"
import { BodyTooLarge, WrongContentType } from "../../../../http/admission/GuardedRequest.ts"
import { signedInStaff } from "../../../../http/credentials/signedInStaff.ts"
import { makeNonce, pageHeaders } from "../../../../http/hosted/serving/headers.ts"
import { seeOther } from "../../../../http/hosted/serving/pageHandler.ts"
import { Respond } from "../../../../http/hosted/serving/Respond.tsx"
import { statusOf } from "../../../../http/problems.ts"
import type { StaffMember } from "../../../../schemas/access/StaffMember.ts"
import { PageNotFound } from "../../../../schemas/hosted/errors.ts"
import { DomainClock } from "../../../../services/DomainClock.ts"
import { Service } from "../../../../services/Service.ts"
import { type Language, languageOfTag, negotiateLanguage } from "../../../../texts/language.ts"
import { ApiRefused, InProcessApi } from "../../../shared/http/InProcessApi.ts"
import { addedStaffPages, type PageEntry, type StaffPageContent } from "../../../shared/http/pages.ts"
import { withQuery } from "../../../shared/http/query.ts"
import { answerOf, problemIn, type Refused, shownProblem } from "../../../shared/http/refusals.ts"
import { readAnswers, versionIn } from "../../../shared/http/versions.ts"
import { Desk, type DeskFrame } from "../../../shared/pages/Desk.tsx"
import type { CalendarSubject } from "../../../shared/schemas/Calendar.ts"
import { type ConsoleFrame, type ConsoleLink, ConsolePage } from "../../pages/ConsolePage.tsx"
import { DoneNotice, ProblemNotice, ShownOnce } from "../../pages/notices.tsx"
import { type RefusedForm, RefusedForms } from "../../services/RefusedForms.ts"
import { type ConsoleTexts, consoleLanguages, consoleTexts } from "../../texts/catalogue.ts"
import { doneIn } from "./done.ts"
import { type Fields, readFields } from "./formFields.ts"
import { Sessions, type SignedIn, type Workspace } from "./session.ts"
import { ownClient, type Visitor } from "./visitor.ts"

/** Path segments of the workspaces. */
export const workspacePaths: Readonly<Record<Workspace, string>> = {
  doctor: "doctor",
  admin: "practice",
  pharmacy: "pharmacy",
  operator: "operator"
}

/** The pages that search people, of the workspaces that have one. */
const searchPages: Readonly<Partial<Record<Workspace, string>>> = {
  admin: "/console/practice/patients",
  doctor: "/console/doctor/patients"
}

/** The outcome of a form, for the page that is rendered after it. */
export interface Outcome {
  readonly status: number
  readonly problem: Refused | null
  readonly fields: Fields
  /** A new key or secret, shown once. */
  readonly shown: string | null
}
/** Set while the page of a submitted form is rendered. */
export const outcomeOfForm = FiberRef.unsafeMake<Outcome | null>(null)

/** Renders a page with the outcome of a form. */
export const withOutcome = <A, E, R>(
  page: Effect.Effect<A, E, R>,
  outcome: Pick<Outcome, "status" | "problem"> & Partial<Outcome>
) => Effect.locally(page, outcomeOfForm, { fields: new Map(), shown: null, ...outcome })

/** A form was refused, or a list in it was changed: its page shows it again, with what was typed. */
export class FormRefused extends Data.TaggedError("FormRefused")<
  RefusedForm & {
    /** Of the page that shows the form's record. */
    readonly address: string
  }
> {}

/** Fails with the interface's refusal of a form's operation. */
export const withRefusal = (
  address: string,
  operation: string,
  response: HttpServerResponse.HttpServerResponse,
  fields: Fields
) =>
  Effect.flatMap(
    answerOf(response),
    (answer) => new FormRefused({ address, status: response.status, problem: problemIn(operation, answer), fields })
  )

export type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The form lacks its session's CSRF token. */
export class FormForged extends Data.TaggedError("FormForged") {}

/** The top-level links, and those of the current page's group. A page without an entry belongs to the one whose path it continues. */
const navigationOf = (entries: ReadonlyArray<PageEntry>, pathname: string) => {
  const [own = pathname, , under] =
    entries
      .filter(([path]) => path === pathname || pathname.startsWith(`${path}/`))
      .toSorted(([a], [b]) => b.length - a.length)[0] ?? []
  const group = under ?? own
  const shown = (some: ReadonlyArray<PageEntry>, current: string) =>
    some.map(
      ([path, text]): ConsoleLink => ({
        address: path,
        text,
        current: path === pathname ? "page" : path === current ? "true" : undefined
      })
    )
  const members = entries.filter(([path, , under]) => under === group || path === group)
  return {
    links: shown(
      entries.filter(([, , under]) => under === undefined),
      group
    ),
    group: members.length > 1 ? shown(members, own) : []
  }
}

/** The console's page from which a form was sent, without the query's outcome; the start page if it is none. */
const consolePathOf = (referer: string | undefined) => {
  const page = referer === undefined || referer.length > REFERER_MAX ? null : URL.parse(referer)
  if (page?.pathname.startsWith("/console/") !== true || page.pathname.endsWith("/do")) return "/console"
  // else the page would confirm what was not carried out, and the browser drop what was typed
  page.searchParams.delete("done")
  page.searchParams.delete("on")
  page.searchParams.delete("refused")
  return page.pathname + page.search
}
/** Characters of a referrer that is read. */
const REFERER_MAX = 2_048

/** Whether the page is asked for by a frame: only the page of a call has any, with the patient beside it. */
const isBeside = (headers: Readonly<Record<string, string | undefined>>) => headers["sec-fetch-dest"] === "iframe"

const statusOfFailure = (error: unknown) => {
  if (error instanceof FormForged) return 403
  // A malformed identifier in the page's path
  if (error instanceof ApiRefused) return error.status === 400 ? 404 : error.status
  return statusOf(error) ?? (error instanceof PageNotFound ? 404 : 500)
}

/** @effect-expect-leaking HttpServerRequest: a page belongs to its request */
export class Console extends Service<Console>()("console/Console", {
  effect: Effect.gen(function* () {
    const sessions = yield* Sessions
    const forms = yield* RefusedForms
    const { client, clientOf, send } = yield* InProcessApi
    const respond = yield* Respond
    const clock = yield* DomainClock
    const { baseUrl } = yield* Settings
    const on = yield* addedStaffPages
    const cards = on.map((one) => one.cards)
    const inCalendarOf = (language: Language) => (subject: CalendarSubject) =>
      on.flatMap(({ inCalendar }) => inCalendar(subject, language))
    const namesIn = (language: Language) => {
      const all = on.map(({ names }) => names(language))
      return {
        records: Object.assign({}, ...all.map(({ records }) => records)),
        actions: Object.assign({}, ...all.map(({ actions }) => actions)),
        kept: Object.assign({}, ...all.map(({ kept }) => kept))
      }
    }

    const languageOf = (headers: Readonly<Record<string, string | undefined>>, chosen: string | null | undefined) =>
      negotiateLanguage({
        chosen: chosen ?? undefined,
        acceptLanguage: headers["accept-language"],
        among: consoleLanguages
      })

    const answer = (
      { title, body, status = 200, documents = false, call }: StaffPageContent,
      language: Language,
      address: string,
      signedIn: ConsoleFrame["signedIn"],
      isBesideCall: boolean
    ) => {
      const nonce = makeNonce()
      const inLanguage = (other: Language) => {
        const [path, query] = address.split("?")
        const parameters = new URLSearchParams(query)
        parameters.set("lang", other)
        return `${path}?${parameters}`
      }
      const document = (
        <ConsolePage
          title={title}
          frame={{
            language,
            nonce,
            stylesheet: respond.assetOf("console-stylesheet"),
            script: respond.assetOf("console"),
            isBare: isBesideCall || call !== undefined,
            languages: consoleLanguages.map((other) => ({ language: other, address: inLanguage(other) })),
            signedIn
          }}
        >
          {body}
        </ConsolePage>
      )
      return HttpServerResponse.text(`<!doctype html>${renderToString(document)}`, {
        status,
        contentType: "text/html; charset=utf-8",
        headers: {
          ...pageHeaders({
            nonce,
            ancestors: isBesideCall ? [respond.ownOrigin] : [],
            documents,
            ...(call !== undefined && { call })
          }),
          // Sends the origin with forms to this service, and no referrer elsewhere
          "referrer-policy": "same-origin"
        }
      })
    }

    /** A page that needs no session. */
    const publicPage = (make: (texts: ConsoleTexts, language: Language) => StaffPageContent) =>
      Effect.map(HttpServerRequest.HttpServerRequest, ({ url, headers }) => {
        const { pathname, search, searchParams } = new URL(url, "http://localhost")
        const language = languageOf(headers, searchParams.get("lang"))
        return answer(make(consoleTexts(language), language), language, pathname + search, null, isBeside(headers))
      })

    /** The language of a page that needs no session. */
    const language = Effect.map(HttpServerRequest.HttpServerRequest, ({ url, headers }) =>
      languageOf(headers, new URL(url, "http://localhost").searchParams.get("lang"))
    )

    const failure = (texts: ConsoleTexts, error: unknown): StaffPageContent => {
      const status = statusOfFailure(error)
      const known =
        status === 404
          ? "missing"
          : error instanceof FormForged
            ? "refused"
            : status === 403
              ? "forbidden"
              : status === 429
                ? "tooMany"
                : "failed"
      const { title, text } = texts.failures[known]
      return {
        title,
        status,
        body: (
          <section class="card">
            <h1>{title}</h1>
            <p>{text}</p>
          </section>
        )
      }
    }

    /** Runs the handler as the workspace's staff member. Fails with `PageNotFound` for a person without the role. */
    const inWorkspace =
      <E, R>(workspace: Workspace, handle: (staff: StaffMember, signedIn: SignedIn) => Handled<E, R>) =>
      (signedIn: SignedIn): Handled<E | PageNotFound, R> => {
        const staff = signedIn.members.find(({ role }) => role === workspace)
        return staff === undefined
          ? Effect.fail(new PageNotFound())
          : Effect.locally(handle(staff, signedIn), signedInStaff, staff)
      }

    /** Renders failures and defects as a page. */
    const asPage = <E, R>(handled: Handled<E, R>) =>
      Effect.catchAllCause(handled, (cause) => {
        const error = Cause.squash(cause)
        if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
        if (error instanceof BodyTooLarge || error instanceof WrongContentType) return Effect.die(error)
        const page = publicPage((texts) => failure(texts, error))
        return statusOfFailure(error) < 500
          ? page
          : Effect.zipRight(Effect.logError("a console page failed", cause), page)
      })

    const signInFor = (address: string) => `/console/sign-in?to=${encodeURIComponent(address)}`
    /** Beside a call the provider's pages have no place: they open in a new tab. */
    const signedOutBeside = (address: string) =>
      publicPage(({ failures: { signedOut } }) => ({
        title: signedOut.title,
        status: 401,
        body: (
          <section class="card">
            <h1>{signedOut.title}</h1>
            <p>{signedOut.text}</p>
            <p class="actions">
              <a class="primary" href={signInFor(address)} target="_blank" rel="noreferrer">
                {signedOut.signIn}
              </a>
              <a class="secondary" href={address}>
                {signedOut.again}
              </a>
            </p>
          </section>
        )
      }))

    const signedIn = <E, R>(handle: (signedIn: SignedIn) => Handled<E, R>) =>
      Effect.gen(function* () {
        const found = yield* sessions.current
        if (Option.isSome(found)) return yield* handle(found.value)
        const { url, method, headers } = yield* HttpServerRequest.HttpServerRequest
        // after a form the page with it: the browser restores what was typed
        const address = method === "GET" ? url : consolePathOf(headers.referer)
        return isBeside(headers) ? yield* signedOutBeside(address) : seeOther(signInFor(address))
      }).pipe(asPage)

    /** Of the form that this page answers: rendered with it, or kept under the code in its address. */
    const outcomeOn = Effect.fnUntraced(function* ({ actor }: StaffMember, refused: string | null) {
      if (refused === null) return yield* FiberRef.get(outcomeOfForm)
      const kept = yield* forms.find(actor, refused)
      return Option.getOrNull(Option.map(kept, (form): Outcome => ({ ...form, shown: null })))
    })

    /** Handler of a workspace's page. */
    const page = <E, R>(
      workspace: Workspace,
      links: (texts: ConsoleTexts, staff: StaffMember, language: Language) => ReadonlyArray<PageEntry>,
      make: (visitor: Visitor) => Effect.Effect<StaffPageContent, E, R>
    ) =>
      signedIn(
        inWorkspace(workspace, (staff, { session, csrf, members }) =>
          Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            // no record has NUL in its uid or texts, and PostgreSQL refuses it
            if (request.url.includes("%00")) return yield* new PageNotFound()
            const { pathname, search, searchParams } = new URL(request.url, "http://localhost")
            const chosen = languageOfTag(searchParams.get("lang") ?? "")
            if (chosen !== undefined && chosen !== session.language) yield* sessions.choose(session, chosen)
            searchParams.delete("lang")
            const [action, on] = [searchParams.get("done"), searchParams.get("on")]
            searchParams.delete("done")
            searchParams.delete("on")
            const refused = searchParams.get("refused")
            searchParams.delete("refused")
            const language = languageOf(request.headers, chosen ?? session.language)
            const texts = consoleTexts(language)
            const query = searchParams.size === 0 ? "" : `?${searchParams}`
            const address = search === "" ? pathname : pathname + query
            const now = yield* clock.now
            const madeAt = yield* Clock.currentTimeMillis
            const outcome = yield* outcomeOn(staff, refused)
            const answers = new Map<string, ReadonlyArray<string>>()
            const api = yield* client
            const consoleApi = yield* ownClient(clientOf)
            const done = yield* doneIn({ api, consoleApi, now }, workspace === "doctor", action, on)
            const content = yield* make({
              staff,
              language,
              texts,
              query: searchParams,
              address,
              api,
              consoleApi,
              people: Effect.map(consoleApi["organisation.staff"].list({ urlParams: {} }), ({ data }) => data),
              clientOf,
              baseUrl,
              now
            }).pipe(Effect.locally(readAnswers, answers), Effect.locally(outcomeOfForm, outcome))
            if (content.to !== undefined) return seeOther(content.to)
            const frame: DeskFrame = {
              language,
              workspace: `/console/${workspacePaths[workspace]}`,
              practice: `/console/${workspacePaths.admin}`,
              csrf,
              address,
              zone: content.zone ?? "Europe/Berlin",
              problem: outcome?.problem == null ? null : shownProblem(language, outcome.problem),
              isOwner: staff.practice_role === "owner",
              typed: (name) => outcome?.fields.get(name),
              versionOf: versionIn(answers),
              labels: new Map(),
              cards,
              names: namesIn(language),
              empty: texts.empty,
              reasonOf: (code) =>
                Object.entries(texts.problems.codes).find(([one]) => one === code)?.[1] ?? texts.problems.unknown,
              inCalendar: inCalendarOf(language)
            }
            // The reasons above the forms name fields as the forms below do
            if (frame.problem !== null && frame.problem.faults.length > 0)
              renderToString(<Desk.Provider value={frame}>{content.body}</Desk.Provider>)
            const body = (
              <Desk.Provider value={frame}>
                {done === null ? null : <DoneNotice {...done} />}
                {frame.problem === null ? null : <ProblemNotice problem={frame.problem} />}
                {outcome?.shown == null ? null : <ShownOnce value={outcome.shown} />}
                {content.body}
              </Desk.Provider>
            )
            const workspaces = members.map(
              ({ role }): ConsoleLink => ({
                address: `/console/${workspacePaths[role]}`,
                text: texts.workspaces[role],
                current: role === workspace ? "true" : undefined
              })
            )
            return answer(
              { ...content, body, status: outcome?.status ?? content.status ?? 200 },
              language,
              address,
              {
                person: staff.actor.uid,
                hasAccount: session.claims.email !== undefined,
                name: session.claims.name ?? staff.name ?? staff.actor.uid,
                csrf,
                workspaces,
                ...navigationOf(
                  links(texts, staff, language).map(([path, text, ...under]): PageEntry => {
                    const count = content.counts?.[path] ?? 0
                    return [path, count === 0 ? text : `${text} (${count})`, ...under]
                  }),
                  pathname
                ),
                search: searchPages[workspace] ?? null,
                // what is typed into the page of a form that was sent must not be replaced by a stored record
                live:
                  content.live === false || outcome !== null
                    ? null
                    : `/console/${workspacePaths[workspace]}/live?since=${madeAt}`
              },
              isBeside(request.headers)
            )
          })
        )
      )

    /** Keeps the form and leads to the page that shows it again. */
    const shownAgain = ({ actor }: StaffMember, { address, status, problem, fields }: FormRefused) =>
      Effect.map(forms.keep(actor, { status, problem, fields }), (code) =>
        seeOther(withQuery(address, "refused", code))
      )

    /** Handler of a form in a workspace; checks the CSRF token. */
    const form = <E, R>(workspace: Workspace, handle: (fields: Fields, staff: StaffMember) => Handled<E, R>) =>
      signedIn(
        inWorkspace(workspace, (staff, { csrf }) =>
          Effect.gen(function* () {
            const fields = yield* readFields
            if (fields.get("@csrf")?.[0] !== csrf) return yield* new FormForged()
            return yield* Effect.catchAll(handle(fields, staff), (error) =>
              error instanceof FormRefused ? shownAgain(staff, error) : Effect.fail(error)
            )
          })
        )
      )

    /** Handler of a route in a workspace that redirects to a page. */
    const redirecting = <E, R>(workspace: Workspace, lead: (visitor: Pick<Visitor, "api">) => Handled<E, R>) =>
      signedIn(inWorkspace(workspace, () => Effect.flatMap(client, (api) => lead({ api }))))

    return {
      page,
      redirecting,
      form,
      signedIn,
      inWorkspace,
      publicPage,
      language,
      asPage,
      send,
      now: clock.now
    } as const
  }),
  dependencies: [Sessions.Default, RefusedForms.Default, InProcessApi.Default, Respond.Default]
}) {}

/** The router path of a console route. */
export const at = (path: string) => `/console/${path}` as HttpRouter.PathInput
