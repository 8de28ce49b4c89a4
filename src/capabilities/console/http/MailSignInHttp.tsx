/** Sign-in where there is no identity provider: by a mail code or a passkey, and the page of one's passkeys. Section 17.1. */
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import { refuseCredential } from "../../../http/admission/Admission.ts"
import { seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Routes } from "../../../http/inRequest.ts"
import { isMailAddress } from "../../../schemas/fields.ts"
import { PageNotFound } from "../../../schemas/hosted/errors.ts"
import { MINUTE } from "../../../schemas/seconds.ts"
import { realNow } from "../../../services/DomainClock.ts"
import { SecretBox } from "../../../services/sealing/SecretBox.ts"
import { newCode } from "../../../services/uid.ts"
import { fill } from "../../../texts/fill.ts"
import type { StaffPageContent } from "../../shared/http/pages.ts"
import { queryOf, segment } from "../../shared/http/query.ts"
import {
  AccountPage,
  CodePage,
  InvitationPage,
  MailSignInPage,
  type PasskeyOptions
} from "../pages/MailSignInPages.tsx"
import { MailPeople } from "../services/MailPeople.ts"
import { Passkeys } from "../services/Passkeys.ts"
import { SignInCodes } from "../services/SignInCodes.ts"
import { Operators } from "../services/staff/Operators.ts"
import { StaffPeople } from "../services/staff/StaffPeople.ts"
import type { ConsoleTexts } from "../texts/catalogue.ts"
import { at, Console, FormForged } from "./serving/Console.tsx"
import { readFields, valueIn } from "./serving/formFields.ts"
import { Sessions, type SignedIn } from "./serving/session.ts"
import { notice, ownPage, signInAudit } from "./serving/signingIn.tsx"

/** Lifetime of a sign-in attempt, real time. */
const ATTEMPT_SECONDS = 10 * MINUTE
const Attempt = Schema.parseJson(
  Schema.Struct({
    email: Schema.NullOr(Schema.String),
    /** Of passkeys, base64url; used once. */
    challenge: Schema.String,
    to: Schema.String,
    at: Schema.Number
  })
)
type Attempt = typeof Attempt.Type
const place = { table: "cookies", column: "sign_in_sealed", row: [] } as const

/** Nobody works here with this address. */
class NobodyHere extends Data.TaggedError("NobodyHere") {}
/** The browser has no attempt, or one that is too old. */
class AttemptOver extends Data.TaggedError("AttemptOver") {}

const routes = Routes.use((router) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const people = yield* MailPeople
    const staff = yield* StaffPeople
    const operators = yield* Operators
    const codes = yield* SignInCodes
    const passkeys = yield* Passkeys
    const box = yield* SecretBox
    const { publicPage, signedIn, asPage, language } = yield* Console
    const audit = yield* signInAudit

    const shown = (choose: (texts: ConsoleTexts) => StaffPageContent) => publicPage(choose)

    const newAttempt = (email: string | null, to: string) =>
      Effect.gen(function* () {
        const challenge = (yield* newCode("")).slice(1)
        const attempt: Attempt = { email, challenge, to, at: yield* realNow }
        const sealed = yield* box.seal(place, yield* Effect.orDie(Schema.encode(Attempt)(attempt)))
        const keep = (response: HttpServerResponse.HttpServerResponse) =>
          sessions.set(response, sessions.attempt, sealed, ATTEMPT_SECONDS)
        return { challenge, keep }
      })

    /** The browser's attempt. Fails with `AttemptOver`. */
    const attempted = Effect.gen(function* () {
      const { cookies } = yield* HttpServerRequest.HttpServerRequest
      const sealed = cookies[sessions.attempt]
      if (sealed === undefined) return yield* new AttemptOver()
      const opened = yield* Effect.catchAllDefect(box.open(place, sealed), () => new AttemptOver())
      const attempt = yield* Effect.mapError(Schema.decode(Attempt)(opened), () => new AttemptOver())
      return (yield* realNow) - attempt.at > ATTEMPT_SECONDS ? yield* new AttemptOver() : attempt
    })
    /** The challenge of the attempt, for one answer of the browser. */
    const challenged = Effect.gen(function* () {
      const attempt = yield* attempted
      return (yield* sessions.useAttempt(attempt.challenge, ATTEMPT_SECONDS)) ? attempt : yield* new AttemptOver()
    })

    /** Begins the session of somebody who has shown that the address is theirs. */
    const enter = Effect.fnUntraced(function* (email: string, to: string) {
      const places = yield* people.entering(email)
      const members = yield* sessions.membersIn(places)
      const [first] = places
      if (first === undefined || members.length === 0) return yield* new NobodyHere()
      for (const { claims } of places)
        for (const member of yield* sessions.membersOf(claims)) yield* staff.seen(member, claims)
      yield* audit.signIns("console.sign_in", members)
      const token = yield* sessions.begin("mail", first.claims, { id_token: "", refresh_token: null })
      const owners = new Set(places.flatMap(({ claims }) => claims.organisation_uid ?? []))
      const next = owners.size > 1 && to === "/console" ? "/console/account" : to
      return sessions.put(sessions.set(seeOther(next), sessions.attempt, "", 0), Redacted.make(token))
    })
    const refusals = {
      AttemptOver: () => Effect.succeed(seeOther("/console/sign-in")),
      NobodyHere: () =>
        Effect.zipRight(
          audit.denial,
          shown(({ signIn: texts }) => notice(texts.noRole, 403))
        )
    }

    const askPage = (to: string, problem: "invalid" | "passkeyRefused" | null, status = 200) =>
      Effect.gen(function* () {
        const { challenge, keep } = yield* newAttempt(null, to)
        const options: PasskeyOptions | null = passkeys.available
          ? { challenge, rpId: passkeys.rpId, userVerification: "required" }
          : null
        const page = yield* shown(({ signIn: { byMail } }) => ({
          title: byMail.title,
          status,
          body: <MailSignInPage texts={byMail} options={options} problem={problem === null ? null : byMail[problem]} />
        }))
        return keep(page)
      })

    const ask = Effect.gen(function* () {
      if (!sessions.available) return yield* shown(({ signIn: texts }) => notice(texts.notSetUp, 503))
      return yield* askPage(ownPage((yield* queryOf).get("to")), null)
    })

    const sendCode = Effect.gen(function* () {
      const email = valueIn(yield* readFields)("email")
      const { to } = yield* Effect.orElseSucceed(attempted, () => ({ to: "/console" }))
      if (!isMailAddress(email)) return yield* askPage(to, "invalid", 400)
      yield* codes.send(email, yield* language)
      const { keep } = yield* newAttempt(email, to)
      return keep(seeOther("/console/sign-in/code"))
    })

    const codePage = (email: string, isWrong: boolean) =>
      shown(({ signIn: { byMail } }) => ({
        title: byMail.codeTitle,
        status: isWrong ? 400 : 200,
        body: <CodePage texts={byMail} text={fill(byMail.codeText, { email })} isWrong={isWrong} />
      }))
    const askCode = Effect.flatMap(attempted, ({ email }) =>
      email === null ? new AttemptOver() : codePage(email, false)
    )
    const enterCode = Effect.gen(function* () {
      const code = valueIn(yield* readFields)("code").replace(/\D/g, "")
      const { email, to } = yield* attempted
      if (email === null) return yield* new AttemptOver()
      if (yield* codes.redeem(email, code)) return yield* enter(email, to)
      yield* refuseCredential
      return yield* codePage(email, true)
    })

    const enterPasskey = Effect.gen(function* () {
      const credential = valueIn(yield* readFields)("credential")
      const { challenge, to } = yield* challenged
      const email = yield* passkeys.use(challenge, credential)
      return yield* Effect.tapErrorTag(enter(email, to), "NobodyHere", () => passkeys.forget(email))
    }).pipe(
      Effect.catchTag("PasskeyRefused", ({ reason }) =>
        Effect.logInfo("a passkey was refused", reason).pipe(
          Effect.zipRight(refuseCredential),
          Effect.zipRight(askPage("/console", "passkeyRefused", 400))
        )
      )
    )

    const gone = shown(({ signIn: texts }) => notice(texts.invitationGone, 404))
    const isOfOperator = (code: string) => code.startsWith("opi_")
    const invitation = Effect.gen(function* () {
      const code = yield* segment("code")
      const operator = isOfOperator(code) ? yield* operators.invited(code) : Option.none()
      const found = isOfOperator(code) ? Option.none() : yield* staff.invited(code)
      if (Option.isNone(operator) && Option.isNone(found)) return yield* gone
      return yield* shown(({ signIn: { byMail, invitation: texts } }) => {
        const invited = Option.getOrNull(found)
        const text =
          invited === null
            ? byMail.operator
            : fill(texts.text, { practice: invited.practice, name: invited.display_name })
        return { title: texts.title, body: <InvitationPage title={texts.title} text={text} accept={byMail.accept} /> }
      })
    })
    const accept = Effect.gen(function* () {
      const code = yield* segment("code")
      const email = isOfOperator(code)
        ? yield* Effect.map(Effect.flatten(operators.accept(code)), ({ email }) => email)
        : yield* staff.acceptByMail(code)
      return yield* enter(email, "/console")
    }).pipe(Effect.catchTags({ StaffPersonNotFound: () => gone, NoSuchElementException: () => gone }))

    const addressOf = ({ session }: SignedIn) =>
      session.claims.email === undefined ? Effect.fail(new PageNotFound()) : Effect.succeed(session.claims.email)

    const accountPage = (person: SignedIn, isRefused: boolean) =>
      Effect.gen(function* () {
        const email = yield* addressOf(person)
        const { session, csrf } = person
        const { challenge, keep } = yield* newAttempt(email, "/console/account")
        const known = yield* passkeys.list(email)
        const options = passkeys.available
          ? yield* passkeys.offer(email, session.claims.name ?? email, challenge)
          : null
        const places = yield* people.places(email)
        const owners = new Map(places.map(({ owner_uid, name }) => [owner_uid, name]))
        const page = yield* publicPage(({ account: texts }, language) => ({
          title: texts.title,
          status: isRefused ? 400 : 200,
          body: <AccountPage {...{ texts, language, csrf, known, options, isRefused }} places={[...owners]} />
        }))
        return keep(page)
      })

    /** Handler of a form of the account's page. */
    const changing = <E, R>(
      change: (person: SignedIn, email: string, value: (name: string) => string) => Effect.Effect<unknown, E, R>,
      next = "/console/account"
    ) =>
      signedIn((person) =>
        Effect.gen(function* () {
          const email = yield* addressOf(person)
          const fields = yield* readFields
          if (fields.get("@csrf")?.[0] !== person.csrf) return yield* new FormForged()
          yield* change(person, email, valueIn(fields))
          return seeOther(next)
        })
      )
    const addPasskey = signedIn((person) =>
      Effect.gen(function* () {
        const email = yield* addressOf(person)
        const fields = yield* readFields
        if (fields.get("@csrf")?.[0] !== person.csrf) return yield* new FormForged()
        const { challenge, email: asked } = yield* challenged
        if (asked !== email) return yield* new AttemptOver()
        const value = valueIn(fields)
        yield* passkeys.add(email, value("name").slice(0, 255) || "Passkey", challenge, value("credential"))
        return seeOther("/console/account")
      }).pipe(
        Effect.catchTags({
          PasskeyRefused: ({ reason }) =>
            Effect.zipRight(Effect.logInfo("a passkey was not added", reason), accountPage(person, true)),
          AttemptOver: () => accountPage(person, true)
        })
      )
    )

    const answered = <E, R>(handled: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      asPage(Effect.catchTags(handled as never, refusals) as typeof handled)
    yield* router.get(at("sign-in"), answered(ask))
    yield* router.post(at("sign-in"), answered(sendCode))
    yield* router.get(at("sign-in/code"), answered(askCode))
    yield* router.post(at("sign-in/code"), answered(enterCode))
    yield* router.post(at("sign-in/passkey"), answered(enterPasskey))
    yield* router.get(at("invitation/:code"), answered(invitation))
    yield* router.post(at("invitation/:code"), answered(accept))
    yield* router.get(
      at("account"),
      signedIn((person) => accountPage(person, false))
    )
    yield* router.post(at("account/passkeys"), addPasskey)
    yield* router.post(
      at("account/passkeys/remove"),
      changing((_, email, value) => passkeys.remove(email, value("credential")))
    )
    yield* router.post(
      at("account/place"),
      changing(
        ({ session }, email, value) =>
          Effect.flatMap(people.places(email, value("owner")), ([first]) =>
            first === undefined ? Effect.void : sessions.prefer(session, first.claims)
          ),
        "/console"
      )
    )
  })
)

/** Empty where staff sign in at a provider. */
export const MailSignInHttp = Layer.unwrapEffect(
  Effect.map(Sessions, ({ isByMail }) => (isByMail ? routes : Layer.empty))
).pipe(Layer.provide([MailPeople.Default, Operators.Default, Passkeys.Default, SignInCodes.Default]))
