/** Access tokens of the installation, for the interfaces of staff; the only writer of their table. Rule 1.9.14. */
import { Effect, Option, Schema } from "effect"
import { StaffClaims } from "../../../schemas/access/StaffMember.ts"
import { UnixSeconds } from "../../../schemas/fields.ts"
import { MINUTE } from "../../../schemas/seconds.ts"
import { realNow } from "../../../services/DomainClock.ts"
import { rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { Service } from "../../../services/Service.ts"
import { unaudited } from "../../../services/tenancy/Tenancy.ts"
import { hashOf, newCode } from "../../../services/uid.ts"
import { type ConsoleSession, isLive } from "./ConsoleSessions.ts"
import { MailPeople } from "./MailPeople.ts"

const LIFETIME = 15 * MINUTE
const PREFIX = "stt"
const hexOf = (token: string) => hashOf(token).toString("hex")

export class StaffTokens extends Service<StaffTokens>()("console/StaffTokens", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const people = yield* MailPeople
    const sessions = rowsOf(Schema.Struct({ claims: StaffClaims }))
    const run = <A, E, R>(statement: Effect.Effect<A, E, R>) => unaudited(Effect.orDie(statement))

    /** A token of a session; only this result contains it. */
    const issue = Effect.fn("StaffTokens.issue")(function* ({ token_hash: session_hash }: ConsoleSession) {
      const now = yield* realNow
      const token = yield* newCode(PREFIX)
      const expires_at = UnixSeconds.make(now + LIFETIME)
      yield* run(sql`DELETE FROM staff_tokens WHERE expires_at < ${timestamp(now)}`)
      const row = { token_hash: hexOf(token), session_hash, expires_at: timestamp(expires_at) }
      yield* run(sql`INSERT INTO staff_tokens ${sql.insert(row)}`)
      return { token, expires_at }
    })

    /** Whom a token stands for; none for others, and once it or its session has ended. */
    const claimsOf = Effect.fn("StaffTokens.claimsOf")(function* (token: string) {
      if (!token.startsWith(`${PREFIX}_`)) return []
      const now = yield* realNow
      const found = yield* sessions.first(sql`SELECT s.claims FROM staff_tokens t
        JOIN console_sessions s ON s.token_hash = t.session_hash
        WHERE t.token_hash = ${hexOf(token)} AND t.expires_at > ${timestamp(now)} AND ${isLive(sql, now)}`)
      if (Option.isNone(found)) return []
      const { claims } = found.value
      if (claims.email === undefined) return [claims]
      const places = yield* people.places(claims.email, claims.organisation_uid)
      return places.map((place) => place.claims)
    })
    return { issue, claimsOf } as const
  }),
  dependencies: [MailPeople.Default]
}) {}
