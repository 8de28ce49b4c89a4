/** Sign-in and sign-out with the identity provider, and the redirect to a workspace. Section 17.1. */
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Data, Effect, Option, Redacted, Schema } from "effect"
import { Settings } from "../../../config.ts"
import { refuseCredential } from "../../../http/admission/Admission.ts"
import { seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Routes } from "../../../http/inRequest.ts"
import { MINUTE } from "../../../schemas/seconds.ts"
import { logUnavailable } from "../../../services/access/Identity.ts"
import { Staff } from "../../../services/access/Staff.ts"
import { makeBulkhead } from "../../../services/bulkhead.ts"
import { realNow } from "../../../services/DomainClock.ts"
import { SecretBox } from "../../../services/sealing/SecretBox.ts"
import { fill } from "../../../texts/fill.ts"
import type { StaffPageContent } from "../../shared/http/pages.ts"
import { segment } from "../../shared/http/query.ts"
import { SignIn, SignInRefused } from "../services/SignIn.ts"
import { StaffPeople } from "../services/staff/StaffPeople.ts"
import type { ConsoleTexts } from "../texts/catalogue.ts"
import { at, Console, FormForged, workspacePaths } from "./serving/Console.tsx"
import { readFields } from "./serving/formFields.ts"
import { Sessions } from "./serving/session.ts"
import { notice, ownPage, signInAudit } from "./serving/signingIn.tsx"

/** Lifetime of a sign-in attempt. */
const ATTEMPT_SECONDS = 10 * MINUTE
const Attempt = Schema.parseJson(
  Schema.Struct({
    state: Schema.String,
    nonce: Schema.String,
    verifier: Schema.String,
    to: Schema.String,
    at: Schema.Number
  })
)
const place = { table: "cookies", column: "sign_in_sealed", row: [] } as const

/** Exchanges with the provider at a time, and requests that wait for one. */
const few = makeBulkhead(4, 100)("")

class NotSetUp extends Data.TaggedError("NotSetUp") {}

/** Only console pages are valid redirect targets. */
const invitationIn = (to: string) => /^\/console\/invitation\/(inv_[\w-]+)\/accepted$/.exec(to)?.[1]

export const SignInHttp = Routes.use((router) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* Settings
    const signIn = yield* SignIn
    const sessions = yield* Sessions
    const staff = yield* Staff
    const people = yield* StaffPeople
    const box = yield* SecretBox
    const console = yield* Console
    const callback = `${baseUrl}/console/callback`

    const { signIns: audit, denial: auditDenial } = yield* signInAudit

    const shown = (choose: (texts: ConsoleTexts) => StaffPageContent) => console.publicPage(choose)

    const start = Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest
      if (sessions.issuer === undefined || !sessions.available) return yield* new NotSetUp()
      const query = new URL(url, "http://localhost").searchParams
      const to = ownPage(query.get("to"))
      const { address, checks } = yield* signIn.start(callback, query.get("login_hint") ?? undefined)
      const attempt = yield* Effect.orDie(Schema.encode(Attempt)({ ...checks, to, at: yield* realNow }))
      return sessions.set(seeOther(address), sessions.attempt, yield* box.seal(place, attempt), ATTEMPT_SECONDS)
    }).pipe(
      Effect.catchTags({
        NotSetUp: () => shown(({ signIn: texts }) => notice(texts.notSetUp, 503)),
        SignInUnavailable: ({ cause }) =>
          Effect.zipRight(
            logUnavailable(cause),
            shown(({ signIn: texts }) => notice(texts.unavailable, 503))
          )
      })
    )

    const finish = Effect.gen(function* () {
      const { url, cookies } = yield* HttpServerRequest.HttpServerRequest
      const issuer = sessions.issuer
      const sealed = cookies[sessions.attempt]
      if (issuer === undefined || sealed === undefined) return yield* new SignInRefused({ reason: "no attempt" })
      const opened = yield* Effect.catchAllDefect(
        box.open(place, sealed),
        () => new SignInRefused({ reason: "altered" })
      )
      const {
        at: began,
        to,
        ...checks
      } = yield* Effect.mapError(Schema.decode(Attempt)(opened), () => new SignInRefused({ reason: "unreadable" }))
      if ((yield* realNow) - began > ATTEMPT_SECONDS) return yield* new SignInRefused({ reason: "too late" })
      if (new URL(url, baseUrl).searchParams.get("state") !== checks.state)
        return yield* new SignInRefused({ reason: "another attempt's" })
      // Each attempt asks the provider once, and few do at a time: the code in the address may be made up
      if (!(yield* sessions.useAttempt(checks.state, ATTEMPT_SECONDS)))
        return yield* new SignInRefused({ reason: "used before" })
      const { access_token, name, ...tokens } = yield* few(signIn.finish(baseUrl + url, checks))
      const claims = { ...(yield* staff.verify(access_token)), name }
      const invitation = invitationIn(to)
      if (invitation !== undefined) yield* people.accept(invitation, claims)
      const members = yield* sessions.membersOf(claims)
      if (members.length === 0)
        return yield* Effect.zipRight(
          auditDenial,
          shown(({ signIn: texts }) => notice(texts.noRole, 403))
        )
      yield* Effect.forEach(members, (member) => people.seen(member, claims), { discard: true })
      yield* audit("console.sign_in", members)
      const token = yield* sessions.begin(issuer, claims, tokens)
      return sessions.put(sessions.set(seeOther(to), sessions.attempt, "", 0), Redacted.make(token))
    }).pipe(
      Effect.catchTags({
        SignInRefused: ({ reason }) =>
          Effect.zipRight(
            Effect.zipRight(refuseCredential, Effect.logInfo("sign-in refused", reason)),
            shown(({ signIn: texts }) => notice(texts.refused, 400))
          ),
        Unauthenticated: () =>
          Effect.zipRight(
            auditDenial,
            shown(({ signIn: texts }) => notice(texts.refused, 401))
          ),
        StaffPersonNotFound: () => shown(({ signIn: texts }) => notice(texts.invitationGone, 404)),
        SignInUnavailable: () => shown(({ signIn: texts }) => notice(texts.unavailable, 503)),
        Unavailable: () => shown(({ signIn: texts }) => notice(texts.unavailable, 503))
      })
    )

    const home = console.signedIn(({ members: [first] }) =>
      Effect.succeed(seeOther(`/console/${first === undefined ? "sign-in" : workspacePaths[first.role]}`))
    )

    /** Ends the session here, then sends the browser to the provider to end it there. */
    const end = console.signedIn(({ session, csrf, members }) =>
      Effect.gen(function* () {
        const fields = yield* readFields
        if (fields.get("@csrf")?.[0] !== csrf) return yield* new FormForged()
        const idToken = yield* sessions.revoke(session)
        yield* audit("console.sign_out", members)
        if (sessions.isByMail) return sessions.remove(seeOther("/console/signed-out"))
        const onward = yield* signIn
          .endAddress(idToken, `${baseUrl}/console/signed-out`)
          .pipe(Effect.orElseSucceed(() => Option.none<string>()))
        const address = Option.getOrElse(onward, () => "/console/signed-out")
        // A page instead of a redirect: CSP form-action would have to list every host to which the provider redirects
        const page = yield* shown(({ signIn: texts }) => ({
          title: texts.ending,
          body: (
            <section class="card">
              <h1>{texts.ending}</h1>
              <p>
                <a href={address}>{texts.onward}</a>
              </p>
            </section>
          )
        }))
        return sessions.remove(HttpServerResponse.setHeader(page, "refresh", `0;url=${address}`))
      })
    )

    const asPage = console.asPage
    yield* router.get("/console", home)
    yield* router.post(at("sign-out"), end)
    yield* router.get(at("signed-out"), asPage(shown(({ signIn: texts }) => notice(texts.signedOut, 200))))
    if (sessions.isByMail) return
    yield* router.get(at("sign-in"), asPage(start))
    /** What an invitation is for; its link leads to the provider. */
    const invitation = Effect.gen(function* () {
      const code = yield* segment("code")
      const found = yield* people.invited(code)
      return yield* shown(({ signIn: texts }) => {
        if (Option.isNone(found)) return notice(texts.invitationGone, 404)
        const { title, text, accept } = texts.invitation
        const { practice, display_name } = found.value
        const to = `/console/invitation/${code}/accepted`
        return {
          title,
          body: (
            <section class="card">
              <h1>{title}</h1>
              <p>{fill(text, { practice, name: display_name })}</p>
              <p class="actions">
                <a class="primary" href={`/console/sign-in?${new URLSearchParams({ to })}`}>
                  {accept}
                </a>
              </p>
            </section>
          )
        }
      })
    })
    yield* router.get(at("invitation/:code"), asPage(invitation))
    yield* router.get(at("invitation/:code/accepted"), Effect.succeed(seeOther("/console")))
    yield* router.get(at("callback"), asPage(finish))
  })
)
