/** People who operate the installation, where staff sign in by mail; the only writer of their table. Rule 17.1.10. */
import { Effect, Schema } from "effect"
import { OperatorUid } from "../../../../schemas/ids.ts"
import { WEEK } from "../../../../schemas/seconds.ts"
import { realNow } from "../../../../services/DomainClock.ts"
import { rowsOf } from "../../../../services/database/rows.ts"
import { Sql } from "../../../../services/database/Sql.ts"
import { timestamp } from "../../../../services/database/SqlErrors.ts"
import { unaudited } from "../../../../services/tenancy/Tenancy.ts"
import { hashOf, newCode, newUid } from "../../../../services/uid.ts"

const INVITATION_SECONDS = WEEK

export class Operators extends Effect.Service<Operators>()("access/Operators", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const people = rowsOf(Schema.Struct({ email: Schema.String }))

    /** A code by which the person signs in, once within seven days; it ends an earlier one. */
    const invite = Effect.fn("Operators.invite")(function* (email: string) {
      const now = yield* realNow
      const code = yield* newCode("opi")
      const invitation = { invitation_hash: hashOf(code), invitation_expires_at: timestamp(now + INVITATION_SECONDS) }
      const row = { uid: yield* newUid(OperatorUid), email, created_at: timestamp(now), ...invitation }
      yield* Effect.orDie(sql`INSERT INTO operators ${sql.insert(row)}
        ON CONFLICT (lower(email)) DO UPDATE SET ${sql.update(invitation)}`)
      return code
    })

    const open = (code: string, now: number) =>
      sql`invitation_hash = ${hashOf(code)} AND invitation_expires_at > to_timestamp(${now})`

    /** The address of an open invitation. */
    const invited = Effect.fn("Operators.invited")(function* (code: string) {
      return yield* people.first(sql`SELECT email FROM operators WHERE ${open(code, yield* realNow)}`)
    })

    /** Ends an invitation, once; its address. */
    const accept = Effect.fn("Operators.accept")(function* (code: string) {
      const now = yield* realNow
      return yield* people.first(
        unaudited(sql`UPDATE operators SET invitation_hash = NULL WHERE ${open(code, now)} RETURNING email`)
      )
    })
    return { invite, invited, accept } as const
  })
}) {}
