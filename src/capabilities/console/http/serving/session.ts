/** The signed-in person: cookie, session and roles. Section 17.1. */
import { type Cookies, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Array as Arr, Effect, Option, Redacted, Schedule } from "effect"
import { Settings } from "../../../../config.ts"
import { refuseCredential } from "../../../../http/admission/Admission.ts"
import type { Role } from "../../../../schemas/access/Actor.ts"
import type { StaffClaims, StaffMember } from "../../../../schemas/access/StaffMember.ts"
import { Staff } from "../../../../services/access/Staff.ts"
import { Service } from "../../../../services/Service.ts"
import { type ConsoleSession, ConsoleSessions, formToken } from "../../services/ConsoleSessions.ts"
import { MailPeople, type WorkPlace } from "../../services/MailPeople.ts"
import { SignIn, SignInRefused } from "../../services/SignIn.ts"

/** Roles that have a workspace. */
export const workspaces = ["doctor", "admin", "pharmacy", "operator"] as const satisfies ReadonlyArray<Role>
export type Workspace = (typeof workspaces)[number]

export interface WorkspaceMember extends StaffMember {
  readonly role: Workspace
}

/** Waits for a renewal, a tenth of a second each. */
const RENEWAL_POLLS = 50

/** A signed-in browser. */
export interface SignedIn {
  readonly session: ConsoleSession
  /** Required in every form; a form without it is 403. */
  readonly csrf: string
  readonly members: ReadonlyArray<WorkspaceMember>
}

export class Sessions extends Service<Sessions>()("console/Sessions", {
  effect: Effect.gen(function* () {
    const { baseUrl, development, staffSignIn } = yield* Settings
    const sessions = yield* ConsoleSessions
    const people = yield* MailPeople
    const staff = yield* Staff
    const signIn = yield* SignIn
    const { issuer } = signIn
    const secure = baseUrl.startsWith("https:")
    /**
     * Browsers accept a `__Host-` cookie only over https. Over plain http, which the console accepts only on a loopback
     * address, the cookie has no prefix and is not `Secure`.
     */
    const name = (plain: string) => (secure ? `__Host-${plain}` : plain)
    const cookie = name("sprechstunde-console")
    const options: Cookies.Cookie["options"] = { httpOnly: true, sameSite: "lax", secure, path: "/" }

    /** The person's roles: those of the claims for which a record exists. */
    const membersOf = (claims: StaffClaims) =>
      Effect.map(
        Effect.forEach(workspaces, (role) =>
          Effect.option(Effect.map(staff.member(claims, role), (member): WorkspaceMember => ({ ...member, role })))
        ),
        (found) => found.flatMap(Option.toArray)
      )

    /**
     * The person's roles now: of those who sign in by mail wherever a record has their address, one of each role. A session whose address
     * nobody has any more is revoked. Rule 17.1.10.
     */
    const membersNow = Effect.fnUntraced(function* (session: ConsoleSession) {
      const { email, organisation_uid, pharmacy_uid, pharmacy_group_uid } = session.claims
      if (email === undefined) return yield* membersOf(session.claims)
      const places = yield* people.places(email, organisation_uid ?? pharmacy_uid ?? pharmacy_group_uid)
      if (places.length === 0) yield* sessions.revoke(session)
      return yield* membersIn(places)
    })
    const membersIn = (places: ReadonlyArray<WorkPlace>) =>
      Effect.map(
        Effect.forEach(places, ({ claims }) => membersOf(claims)),
        (found) => Arr.dedupeWith(found.flat(), (one, other) => one.role === other.role)
      )

    /** Waits while another request or process asks the provider; none if it did not confirm the session in time. */
    const awaitRenewal = (known: string, token: string) =>
      sessions.find(known, token).pipe(
        Effect.filterOrFail(
          (found): found is Option.Some<ConsoleSession> => Option.isSome(found),
          () => "ended" as const
        ),
        Effect.tap(({ value }) =>
          Effect.flatMap(sessions.isStale(value), (stale) => (stale ? Effect.fail("waiting" as const) : Effect.void))
        ),
        Effect.retry({
          times: RENEWAL_POLLS,
          schedule: Schedule.spaced("100 millis"),
          while: (at) => at === "waiting"
        }),
        Effect.orElseSucceed(() => Option.none<ConsoleSession>())
      )

    /**
     * Has the provider confirm the session's roles. One that it no longer confirms is revoked; while it does not answer, the session goes
     * on for a limited time. Rule 17.1.7.
     */
    const renewed = Effect.fnUntraced(function* (session: ConsoleSession, known: string, token: string) {
      const refreshToken = yield* sessions.beginRenewal(session)
      if (Option.isNone(refreshToken)) return yield* awaitRenewal(known, token)
      return yield* Effect.gen(function* () {
        const { access_token, refresh_token } = yield* signIn.refresh(refreshToken.value)
        const claims = yield* staff.verify(access_token)
        if (claims.subject !== session.claims.subject)
          return yield* new SignInRefused({ reason: "the refresh token is another person's" })
        const confirmed = { ...claims, name: session.claims.name }
        yield* sessions.renew(session, confirmed, refresh_token)
        return Option.some({ ...session, claims: confirmed })
      }).pipe(
        Effect.catchTags({
          SignInRefused: ({ reason }) => revoked(session, reason),
          Unauthenticated: () => revoked(session, "the provider's new access token is refused"),
          SignInUnavailable: () => kept(session),
          Unavailable: () => kept(session)
        })
      )
    })
    const revoked = (session: ConsoleSession, reason: string) =>
      Effect.logInfo("a console session was ended by the provider", reason).pipe(
        Effect.zipRight(sessions.revoke(session)),
        Effect.as(Option.none<ConsoleSession>())
      )
    const kept = (session: ConsoleSession) =>
      Effect.map(sessions.isUsable(session), (usable) => (usable ? Option.some(session) : Option.none()))

    /** The browser's session. None without a cookie, or if it is expired, revoked, of another issuer or without a role. */
    const current = Effect.gen(function* () {
      const { cookies } = yield* HttpServerRequest.HttpServerRequest
      const token = cookies[cookie]
      if (issuer === undefined || token === undefined) return Option.none<SignedIn>()
      const found = yield* sessions.find(issuer, token)
      if (Option.isNone(found)) return yield* Effect.as(refuseCredential, Option.none<SignedIn>())
      const session = (yield* sessions.isStale(found.value)) ? yield* renewed(found.value, issuer, token) : found
      if (Option.isNone(session)) return Option.none<SignedIn>()
      const members = yield* membersNow(session.value)
      return members.length === 0
        ? Option.none<SignedIn>()
        : Option.some({ session: session.value, csrf: formToken(token), members })
    })

    const set = (
      response: HttpServerResponse.HttpServerResponse,
      cookieName: string,
      value: string,
      seconds?: number
    ) =>
      HttpServerResponse.unsafeSetCookie(response, cookieName, value, {
        ...options,
        ...(seconds !== undefined && { maxAge: `${seconds} seconds` })
      })

    return {
      current,
      membersOf,
      membersIn,
      isByMail: staffSignIn === "mail",
      prefer: sessions.prefer,
      revoke: sessions.revoke,
      choose: sessions.choose,
      begin: sessions.begin,
      useAttempt: sessions.useAttempt,
      issuer,
      /** Whether the console is enabled: over https, or in development. */
      available: secure || development,
      put: (response: HttpServerResponse.HttpServerResponse, token: Redacted.Redacted<string>) =>
        set(response, cookie, Redacted.value(token)),
      remove: (response: HttpServerResponse.HttpServerResponse) => set(response, cookie, "", 0),
      attempt: name("sprechstunde-sign-in"),
      set
    } as const
  }),
  dependencies: [ConsoleSessions.Default, MailPeople.Default, Staff.Default]
}) {}
