/** Console sessions: rows identified by a cookie, so that each can be revoked. Section 17.1. */
import { SqlClient } from "@effect/sql"
import { Clock, Effect, Option, Schema } from "effect"
import { HOUR, MINUTE } from "../../schemas/seconds.ts"
import { rowsOf } from "../database/rows.ts"
import { type Place, SecretBox } from "../sealing/SecretBox.ts"
import { unaudited } from "../tenancy/Tenancy.ts"
import { hashOf, newCode } from "../uid.ts"
import { StaffClaims } from "./Staff.ts"

/** Seconds after sign-in, and after the last request, at which a session expires. Rule 17.1.4. */
const LIFETIME_SECONDS = 8 * HOUR
const IDLE_SECONDS = 30 * MINUTE
const USED_STEP_SECONDS = MINUTE

const Stored = Schema.Struct({
  token_hash: Schema.String,
  claims: StaffClaims,
  id_token_sealed: Schema.String,
  language: Schema.NullOr(Schema.String),
  used_at: Schema.Number
})
export type ConsoleSession = typeof Stored.Type

const placeOf = (token_hash: string): Place => ({
  table: "console_sessions",
  column: "id_token_sealed",
  row: [token_hash]
})
const hexOf = (token: string) => hashOf(token).toString("hex")
// real time: sessions are credentials, like tokens
const realNow = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

/** CSRF token of every form of the session: it cannot be derived without the cookie. */
export const formToken = (token: string) => hashOf(`form ${token}`).toString("base64url")

export class ConsoleSessions extends Effect.Service<ConsoleSessions>()("access/ConsoleSessions", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const box = yield* SecretBox
    const stored = rowsOf(Stored)
    const run = <A, E, R>(statement: Effect.Effect<A, E, R>) => unaudited(Effect.orDie(statement))

    /** Creates a session; only this result contains its token. Deletes expired sessions. */
    const begin = Effect.fn("ConsoleSessions.begin")(function* (issuer: string, claims: StaffClaims, idToken: string) {
      const now = yield* realNow
      const token = yield* newCode("con")
      const hash = hexOf(token)
      const sealed = yield* box.seal(placeOf(hash), idToken)
      yield* run(sql`DELETE FROM console_sessions WHERE expires_at < to_timestamp(${now})`)
      yield* run(sql`INSERT INTO console_sessions
        (token_hash, issuer, claims, id_token_sealed, created_at, used_at, expires_at)
        VALUES (${hash}, ${issuer}, ${JSON.stringify(claims)}::jsonb, ${sealed}, to_timestamp(${now}), to_timestamp(${now}),
          to_timestamp(${now + LIFETIME_SECONDS}))`)
      return token
    })

    /** The live session of this issuer with this token. */
    const find = Effect.fn("ConsoleSessions.find")(function* (issuer: string, token: string) {
      const now = yield* realNow
      const hash = hexOf(token)
      const found = yield* stored.first(sql`SELECT token_hash, claims, id_token_sealed, language,
          extract(epoch FROM used_at)::bigint AS used_at FROM console_sessions
        WHERE token_hash = ${hash} AND issuer = ${issuer} AND revoked_at IS NULL
          AND expires_at > to_timestamp(${now}) AND used_at > to_timestamp(${now - IDLE_SECONDS})`)
      if (Option.isSome(found) && now - found.value.used_at >= USED_STEP_SECONDS)
        yield* run(sql`UPDATE console_sessions SET used_at = to_timestamp(${now}) WHERE token_hash = ${hash}`)
      return found
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

    return { begin, find, choose, revoke } as const
  })
}) {}
