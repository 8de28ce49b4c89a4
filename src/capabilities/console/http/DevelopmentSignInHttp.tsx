/**
 * Sign-in pages of the development issuer: the user picks a person from a list. Enabled only with that issuer, i.e. on
 * loopback addresses or with DEMO=true; without DEMO only for direct callers, since a proxy on this machine makes a
 * loopback address public.
 */
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect, Layer, Option } from "effect"
import { Settings } from "../../../config.ts"
import { seeOther } from "../../../http/hosted/serving/pageHandler.ts"
import { Respond } from "../../../http/hosted/serving/Respond.tsx"
import { readForm, readVisit } from "../../../http/hosted/serving/visit.ts"
import { Routes } from "../../../http/inRequest.ts"
import { isDirectLoopback } from "../../../http/system/health.ts"
import { NoticePage } from "../../../pages/views/NoticePage.tsx"
import { byWord } from "../../../schemas/byWord.ts"
import { MINUTE } from "../../../schemas/seconds.ts"
import { hashOf, newCode } from "../../../services/uid.ts"
import {
  DevelopmentIssuer,
  DevelopmentIssuerLive,
  DevelopmentIssuerNotFound,
  type IssuedPerson
} from "../../shared/services/DevelopmentIssuer.ts"
import { DemoPeople, type DemoPerson } from "../services/DemoPeople.ts"
import { consoleTexts } from "../texts/catalogue.ts"

interface Grant {
  readonly person: IssuedPerson
  readonly client_id: string
  readonly nonce: string
  readonly challenge: string
  readonly redirect_uri: string
  readonly until: number
}

const CODE_MILLIS = MINUTE * 1_000

const personOf = ({ role, uid, owner }: Pick<DemoPerson, "role" | "uid" | "owner">): IssuedPerson => {
  if (role === "doctor") return { role, doctor_uid: uid, organisation_uid: owner }
  if (role === "operator") return { role }
  if (role !== "pharmacy") return { role, organisation_uid: uid }
  return owner === "group" ? { role, pharmacy_group_uid: uid } : { role, pharmacy_uid: uid }
}

const json = (body: unknown, status = 200) => HttpServerResponse.unsafeJson(body, { status })

const routes = Routes.use((router) =>
  Effect.gen(function* () {
    const found = yield* DevelopmentIssuer
    const { baseUrl, demo } = yield* Settings
    const respond = yield* Respond
    const people = yield* DemoPeople
    const grants = new Map<string, Grant>()
    const issuer = Effect.gen(function* () {
      const isAllowed = demo || isDirectLoopback(yield* HttpServerRequest.HttpServerRequest)
      if (!isAllowed || Option.isNone(found)) return yield* new DevelopmentIssuerNotFound()
      return found.value
    })
    const callback = `${baseUrl}/console/callback`

    const choose = Effect.gen(function* () {
      yield* issuer
      const visit = yield* readVisit
      const { developmentIssuer: texts, workspaces, team } = consoleTexts(visit.language)
      const roleName = byWord<string>({ ...team.roles, ...workspaces })
      const everybody = yield* people.list(visit.query.get("only"))
      const hint = visit.query.get("login_hint")
      const hinted = everybody.filter(({ role, uid }) => `${role}/${uid}` === hint)
      const offered = hinted.length > 0 ? hinted : everybody
      return respond.page(visit, null, {
        title: texts.title,
        body: (
          <NoticePage title={texts.title} text={texts.text}>
            <form method="post" action={`/dev-idp/authorize?${visit.query}`} class="stack">
              {offered.map((person) => (
                <button
                  key={`${person.role}${person.uid}`}
                  type="submit"
                  class="secondary"
                  name="person"
                  value={JSON.stringify([person.role, person.uid, person.owner])}
                >
                  {`${roleName[person.role]}: ${person.name}`}
                </button>
              ))}
            </form>
          </NoticePage>
        )
      })
    })

    const authorise = Effect.gen(function* () {
      yield* issuer
      const { query } = yield* readVisit
      const field = yield* readForm
      const parameter = (name: string) => query.get(name) ?? ""
      const chosen = field("person") ?? ""
      const person = (yield* people.list(query.get("only"))).find(
        ({ role, uid, owner }) => JSON.stringify([role, uid, owner]) === chosen
      )
      const redirect_uri = parameter("redirect_uri")
      if (person === undefined || redirect_uri !== callback || parameter("code_challenge") === "")
        return yield* new DevelopmentIssuerNotFound()
      const code = yield* newCode("dev")
      const now = yield* Clock.currentTimeMillis
      for (const [old, { until }] of grants) if (until < now) grants.delete(old)
      grants.set(code, {
        person: personOf(person),
        client_id: parameter("client_id"),
        nonce: parameter("nonce"),
        challenge: parameter("code_challenge"),
        redirect_uri,
        until: now + CODE_MILLIS
      })
      return seeOther(
        `${redirect_uri}?${new URLSearchParams({ code, state: parameter("state"), iss: `${baseUrl}/dev-idp` })}`
      )
    })

    const token = Effect.gen(function* () {
      const { issue } = yield* issuer
      const field = yield* readForm
      const code = field("code") ?? ""
      const grant = grants.get(code)
      grants.delete(code)
      const isGranted =
        grant !== undefined &&
        grant.until >= (yield* Clock.currentTimeMillis) &&
        grant.challenge === hashOf(field("code_verifier") ?? "").toString("base64url") &&
        grant.redirect_uri === field("redirect_uri") &&
        grant.client_id === field("client_id")
      if (!isGranted) return json({ error: "invalid_grant" }, 400)
      return json({ ...(yield* issue(grant.person, grant)), token_type: "Bearer", expires_in: 300 })
    })

    const end = Effect.gen(function* () {
      yield* issuer
      const { query } = yield* readVisit
      const back = query.get("post_logout_redirect_uri") ?? ""
      return seeOther(back.startsWith(`${baseUrl}/`) ? back : "/console/signed-out")
    })

    yield* router.get("/dev-idp/authorize", choose)
    yield* router.post("/dev-idp/authorize", authorise)
    yield* router.post("/dev-idp/token", token)
    yield* router.get("/dev-idp/end-session", end)
  })
)

/** Empty with a real identity provider. */
export const DevelopmentSignInHttp = Layer.unwrapEffect(
  Effect.map(DevelopmentIssuer, (issuer) => (Option.isSome(issuer) ? routes : Layer.empty))
).pipe(Layer.provide([Respond.Default, DemoPeople.Default, DevelopmentIssuerLive]))
