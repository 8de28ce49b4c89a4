/** Console sessions: rows identified by a cookie, so that each can be revoked. Section 17.1. */
import { Effect, Option, Schema } from "effect"
import { StaffClaims } from "../../../schemas/access/StaffMember.ts"
import { HOUR, MINUTE } from "../../../schemas/seconds.ts"
import { realNow } from "../../../services/DomainClock.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { type Place, SecretBox } from "../../../services/sealing/SecretBox.ts"
import { unaudited } from "../../../services/tenancy/Tenancy.ts"
import { hashOf, newCode } from "../../../services/uid.ts"
import type { SignInTokens } from "./SignIn.ts"

/** Seconds after sign-in, and after the last request, at which a session expires. Rule 17.1.4. */
const LIFETIME_SECONDS = 8 * HOUR
const IDLE_SECONDS = 30 * MINUTE
const USED_STEP_SECONDS = MINUTE
/** Age of the claims from which the provider is asked for them again: a withdrawn role ends within five minutes. Rule 17.1.7. */
const CLAIMS_SECONDS = 4 * MINUTE
/** How long claims are used while the provider does not answer. */
const CLAIMS_MAX_SECONDS = 30 * MINUTE
/** Time after which another process may ask the provider. */
const RENEWAL_SECONDS = 20

const Stored = Schema.Struct({
  token_hash: Schema.String,
  claims: StaffClaims,
  id_token_sealed: Schema.String,
  language: Schema.NullOr(Schema.String),
  used_at: Schema.Number,
  refresh_sealed: Schema.NullOr(Schema.String),
  verified_at: Schema.Number
})
export type ConsoleSession = typeof Stored.Type

const placeOf = (token_hash: string, column: "id_token_sealed" | "refresh_sealed" = "id_token_sealed"): Place => ({
  table: "console_sessions",
  column,
  row: [token_hash]
})
const hexOf = (token: string) => hashOf(token).toString("hex")

/** CSRF token of every form of the session: it cannot be derived without the cookie. */
export const formToken = (token: string) => hashOf(`form ${token}`).toString("base64url")

/** The condition that a session (`s`) has not ended. */
export const isLive = (sql: Effect.Effect.Success<typeof Sql>, now: number) =>
  sql`s.revoked_at IS NULL AND s.expires_at > to_timestamp(${now}) AND s.used_at > to_timestamp(${now - IDLE_SECONDS})`

export class ConsoleSessions extends Effect.Service<ConsoleSessions>()("access/ConsoleSessions", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const box = yield* SecretBox
    const stored = rowsOf(Stored)
    const renewals = rowsOf(Schema.Struct({ refresh_sealed: Schema.String }))
    const sealRefresh = (token_hash: string, token: string | null) =>
      token === null ? Effect.succeed(null) : box.seal(placeOf(token_hash, "refresh_sealed"), token)
    const run = <A, E, R>(statement: Effect.Effect<A, E, R>) => unaudited(Effect.orDie(statement))

    /** Creates a session; only this result contains its token. Deletes expired sessions. */
    const begin = Effect.fn("ConsoleSessions.begin")(function* (
      issuer: string,
      claims: StaffClaims,
      { id_token, refresh_token }: Pick<SignInTokens, "id_token" | "refresh_token">
    ) {
      const now = yield* realNow
      const token = yield* newCode("con")
      const hash = hexOf(token)
      const sealed = yield* box.seal(placeOf(hash), id_token)
      const refresh = yield* sealRefresh(hash, refresh_token)
      yield* run(sql`DELETE FROM console_sessions WHERE expires_at < to_timestamp(${now})`)
      yield* run(sql`INSERT INTO console_sessions
        (token_hash, issuer, claims, id_token_sealed, refresh_sealed, created_at, used_at, verified_at, expires_at)
        VALUES (${hash}, ${issuer}, ${JSON.stringify(claims)}::jsonb, ${sealed}, ${refresh}, to_timestamp(${now}),
          to_timestamp(${now}), to_timestamp(${now}),
          to_timestamp(${now + LIFETIME_SECONDS}))`)
      return token
    })

    /** The live session of this issuer with this token. */
    const find = Effect.fn("ConsoleSessions.find")(function* (issuer: string, token: string) {
      const now = yield* realNow
      const hash = hexOf(token)
      const found = yield* stored.first(sql`SELECT token_hash, claims, id_token_sealed, language,
          extract(epoch FROM used_at)::bigint AS used_at, refresh_sealed,
          extract(epoch FROM verified_at)::bigint AS verified_at FROM console_sessions s
        WHERE token_hash = ${hash} AND issuer = ${issuer} AND ${isLive(sql, now)}`)
      if (Option.isSome(found) && now - found.value.used_at >= USED_STEP_SECONDS)
        yield* run(sql`UPDATE console_sessions SET used_at = to_timestamp(${now}) WHERE token_hash = ${hash}`)
      return found
    })

    /** Whether the provider must confirm the session's claims before they are used. */
    const isStale = ({ refresh_sealed, verified_at }: ConsoleSession) =>
      Effect.map(realNow, (now) => refresh_sealed !== null && now - verified_at >= CLAIMS_SECONDS)

    /** Whether the claims may still be used although the provider does not answer. */
    const isUsable = ({ verified_at }: ConsoleSession) =>
      Effect.map(realNow, (now) => now - verified_at < CLAIMS_MAX_SECONDS)

    /**
     * The refresh token, for one process at a time: a provider takes a second use of a rotated token for theft. None if another process
     * is asking.
     */
    const beginRenewal = Effect.fn("ConsoleSessions.beginRenewal")(function* ({
      token_hash,
      verified_at
    }: ConsoleSession) {
      const now = yield* realNow
      const claimed = yield* renewals.first(
        unaudited(sql`UPDATE console_sessions SET renewing_at = to_timestamp(${now}) WHERE token_hash = ${token_hash}
          AND verified_at <= to_timestamp(${verified_at + 1}) AND revoked_at IS NULL
          AND coalesce(renewing_at, '-infinity') < to_timestamp(${now - RENEWAL_SECONDS}) RETURNING refresh_sealed`)
      )
      return yield* Effect.transposeMapOption(claimed, ({ refresh_sealed }) =>
        box.open(placeOf(token_hash, "refresh_sealed"), refresh_sealed)
      )
    })

    /** Stores the claims that the provider has confirmed, and its next refresh token. */
    const renew = Effect.fn("ConsoleSessions.renew")(function* (
      { token_hash }: ConsoleSession,
      claims: StaffClaims,
      refresh_token: string | null
    ) {
      const now = yield* realNow
      const sealed = yield* sealRefresh(token_hash, refresh_token)
      yield* run(sql`UPDATE console_sessions SET claims = ${JSON.stringify(claims)}::jsonb, refresh_sealed = ${sealed},
          verified_at = to_timestamp(${now}), renewing_at = NULL WHERE token_hash = ${token_hash}`)
    })

    /** Stores where a person who works in several places wants to work. */
    const prefer = Effect.fn("ConsoleSessions.prefer")(({ token_hash }: ConsoleSession, claims: StaffClaims) =>
      run(sql`UPDATE console_sessions SET claims = ${JSON.stringify(claims)}::jsonb WHERE token_hash = ${token_hash}`)
    )

    /** False for a sign-in attempt that was used before: each asks the provider once. */
    const useAttempt = Effect.fn("ConsoleSessions.useAttempt")(function* (state: string, lifetime: number) {
      const now = yield* realNow
      yield* run(sql`DELETE FROM used_sign_ins WHERE expires_at < to_timestamp(${now})`)
      const used = yield* run(sql`INSERT INTO used_sign_ins (state_hash, expires_at)
        VALUES (${hexOf(state)}, to_timestamp(${now + lifetime})) ON CONFLICT DO NOTHING RETURNING state_hash`)
      return used.length > 0
    })

    const choose = Effect.fn("ConsoleSessions.choose")(({ token_hash }: ConsoleSession, language: string) =>
      run(sql`UPDATE console_sessions SET language = ${language} WHERE token_hash = ${token_hash}`)
    )

    /** Revokes the session, and returns the provider's ID token for ending the provider's session. */
    const revoke = Effect.fn("ConsoleSessions.revoke")(function* ({ token_hash, id_token_sealed }: ConsoleSession) {
      const now = yield* realNow
      yield* run(sql`UPDATE console_sessions SET revoked_at = to_timestamp(${now}) WHERE token_hash = ${token_hash}`)
      return yield* box.open(placeOf(token_hash), id_token_sealed)
    })

    return { begin, find, isStale, isUsable, beginRenewal, renew, useAttempt, choose, prefer, revoke } as const
  })
}) {}
