/** Mail codes by which staff sign in; the only writer of their table. Rule 17.1.11. */
import { timingSafeEqual } from "node:crypto"
import { Effect, Option, Schema } from "effect"
import { HOUR, MINUTE } from "../../../schemas/seconds.ts"
import { DomainClock } from "../../../services/DomainClock.ts"
import { countOf, rowsOf } from "../../../services/database/rows.ts"
import { Sql } from "../../../services/database/Sql.ts"
import { timestamp } from "../../../services/database/SqlErrors.ts"
import { Service } from "../../../services/Service.ts"
import { unaudited } from "../../../services/tenancy/Tenancy.ts"
import { hashOf, newCode } from "../../../services/uid.ts"
import type { Language } from "../../../texts/language.ts"
import { MailPeople } from "./MailPeople.ts"
import { StaffMails } from "./StaffMails.ts"

const LIFETIME = 10 * MINUTE
const ATTEMPTS_MAX = 5
/** Codes within an hour to one address; of further ones none is mailed. */
const HOURLY_MAX = 5

/** Eight random digits, with negligible bias. */
const newDigits = Effect.sync(() =>
  String(crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n)
    .padStart(20, "0")
    .slice(-8)
)
const addressHash = (email: string) => hashOf(`sign in ${email.toLowerCase()}`)
const codeHash = (email: string, code: string) => hashOf(`${email.toLowerCase()} ${code}`)

export class SignInCodes extends Service<SignInCodes>()("console/SignInCodes", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const people = yield* MailPeople
    const mails = yield* StaffMails
    const tried = rowsOf(Schema.Struct({ code_hash: Schema.Uint8ArrayFromSelf }))
    const run = <A, E, R>(statement: Effect.Effect<A, E, R>) => unaudited(Effect.orDie(statement))

    /** Mails a code to an address that somebody has; the work is the same for others. */
    const send = Effect.fn("SignInCodes.send")(function* (email: string, language: Language) {
      const now = yield* clock.now
      yield* run(sql`DELETE FROM sign_in_codes WHERE created_at < ${timestamp(now - HOUR)}`)
      const code = yield* newDigits
      const email_hash = addressHash(email)
      const recent = yield* countOf(
        sql`SELECT count(*)::int AS count FROM sign_in_codes WHERE email_hash = ${email_hash}`
      )
      if (recent >= HOURLY_MAX) return
      const times = { created_at: timestamp(now), expires_at: timestamp(now + LIFETIME) }
      yield* run(
        sql`INSERT INTO sign_in_codes ${sql.insert({ email_hash, code_hash: codeHash(email, code), ...times })}`
      )
      const places = yield* people.places(email)
      if (places.length > 0) yield* mails.code({ to: email, code, language, message_id: yield* newCode("code") })
    })

    /** Whether it is the newest code of the address; counts the attempt, and ends the address's codes if it is. */
    const redeem = Effect.fn("SignInCodes.redeem")(function* (email: string, code: string) {
      const now = yield* clock.now
      const email_hash = addressHash(email)
      const newest = yield* tried.first(
        unaudited(sql`UPDATE sign_in_codes SET attempts = attempts + 1
          WHERE id = (SELECT id FROM sign_in_codes WHERE email_hash = ${email_hash} ORDER BY id DESC LIMIT 1)
            AND attempts < ${ATTEMPTS_MAX} AND expires_at > ${timestamp(now)} RETURNING code_hash`)
      )
      const isRight = Option.exists(newest, ({ code_hash }) => timingSafeEqual(code_hash, codeHash(email, code)))
      if (!isRight) return false
      const ended = yield* run(sql`DELETE FROM sign_in_codes WHERE email_hash = ${email_hash} RETURNING id`)
      return ended.length > 0
    })
    return { send, redeem } as const
  }),
  dependencies: [MailPeople.Default, StaffMails.Default]
}) {}
