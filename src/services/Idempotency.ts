/** `Idempotency-Key`: the same key and body give the first answer again, also when both come at once (24 hours). */

import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Conflict } from "../schemas/conflicts.ts"
import type { OrganisationUid } from "../schemas/ids.ts"
import { DAY } from "../schemas/seconds.ts"
import { DomainClock } from "./DomainClock.ts"
import { transaction } from "./transaction.ts"

const KEPT_SECONDS = DAY

export interface IdempotentRequest<A, I> {
  readonly organisation_uid: OrganisationUid
  /** Whose key it is: the session, the API key or the token's patient. */
  readonly scope: string
  readonly key: string | undefined
  /** The operation and its body: another body under the same key is a conflict. */
  readonly request: unknown
  readonly answer: Schema.Schema<A, I>
}

const otherBody = new Conflict({ reason: "idempotency_key_reused" })

export class Idempotency extends Effect.Service<Idempotency>()("services/Idempotency", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    const claim = (owner: OrganisationUid, scope: string, key: string, hash: Buffer, now: number) => sql`
      INSERT INTO idempotency_keys (organisation_uid, scope, key, body_hash, created_at)
      VALUES (${owner}, ${scope}, ${key}, ${hash}, to_timestamp(${now}))
      ON CONFLICT (organisation_uid, scope, key) DO UPDATE
        SET body_hash = excluded.body_hash, response = NULL, created_at = excluded.created_at
        WHERE idempotency_keys.created_at <= to_timestamp(${now - KEPT_SECONDS})
      RETURNING key`
    const find = (owner: OrganisationUid, scope: string, key: string) => sql<{
      body_hash: Buffer
      response: unknown
    }>`SELECT body_hash, response FROM idempotency_keys
      WHERE organisation_uid = ${owner} AND scope = ${scope} AND key = ${key}`
    const settle = (owner: OrganisationUid, scope: string, key: string, response: string) => sql`
      UPDATE idempotency_keys SET response = ${response}::jsonb
      WHERE organisation_uid = ${owner} AND scope = ${scope} AND key = ${key}`

    /**
     * Runs `work` once for its key, in one transaction with it: a failure leaves the key unused. A second request waits
     * for the first one's commit. Without a key it is just the work.
     */
    const once = <A, I, E, R>(request: IdempotentRequest<A, I>, work: Effect.Effect<A, E, R>) =>
      Effect.gen(function* () {
        const { organisation_uid, scope, key } = request
        if (key === undefined) return yield* work
        const now = yield* clock.now
        const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(request.request)).digest()
        const claimed = yield* Effect.orDie(claim(organisation_uid, scope, key, hash, now))
        if (claimed.length > 0) {
          const answer = yield* work
          const encoded = yield* Effect.orDie(Schema.encode(request.answer)(answer))
          yield* Effect.orDie(settle(organisation_uid, scope, key, JSON.stringify(encoded)))
          return answer
        }
        const [first] = yield* Effect.orDie(find(organisation_uid, scope, key))
        if (first === undefined || !first.body_hash.equals(hash)) return yield* otherBody
        return yield* Effect.orDie(Schema.decodeUnknown(request.answer)(first.response))
      }).pipe(transaction, Effect.provideService(SqlClient.SqlClient, sql))

    return { once } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
