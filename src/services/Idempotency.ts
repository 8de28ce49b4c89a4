/** `Idempotency-Key`: the same key and request are answered as the first time, also when both come at once. Section 2.6. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { IdempotencyKeyReused } from "../schemas/access/errors.ts"
import type { OrganisationUid } from "../schemas/ids.ts"
import { DAY } from "../schemas/seconds.ts"
import { Database } from "./Database.ts"
import { DomainClock } from "./DomainClock.ts"
import { rowsOf } from "./rows.ts"

/** Rule 2.6.3. */
const KEPT_SECONDS = DAY

export interface IdempotentRequest<A, I> {
  readonly organisation_uid: OrganisationUid
  /** The caller that the key counts for: the session, the API key or the token's patient. */
  readonly scope: string
  readonly key: string | undefined
  /** The operation and its body: another body under the same key is a conflict. */
  readonly request: unknown
  readonly answer: Schema.Schema<A, I>
  /** What a repetition answers, made of the first answer; by default that itself. */
  readonly repeated?: (first: A) => Effect.Effect<A>
}

const Stored = Schema.Struct({ same: Schema.Boolean, response: Schema.Unknown })

export class Idempotency extends Effect.Service<Idempotency>()("services/Idempotency", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const { transaction } = yield* Database
    const stored = rowsOf(Stored)

    const claim = (owner: OrganisationUid, scope: string, key: string, hash: Buffer, now: number) => sql`
      INSERT INTO idempotency_keys (organisation_uid, scope, key, body_hash, created_at)
      VALUES (${owner}, ${scope}, ${key}, ${hash}, to_timestamp(${now}))
      ON CONFLICT (organisation_uid, scope, key) DO UPDATE
        SET body_hash = excluded.body_hash, response = NULL, created_at = excluded.created_at
        WHERE idempotency_keys.created_at <= to_timestamp(${now - KEPT_SECONDS})
      RETURNING key`
    const find = (owner: OrganisationUid, scope: string, key: string, hash: Buffer) =>
      stored.one(sql`SELECT body_hash = ${hash} AS same, response FROM idempotency_keys
        WHERE organisation_uid = ${owner} AND scope = ${scope} AND key = ${key}`)
    const settle = (owner: OrganisationUid, scope: string, key: string, response: string) => sql`
      UPDATE idempotency_keys SET response = ${response}::jsonb
      WHERE organisation_uid = ${owner} AND scope = ${scope} AND key = ${key}`

    /**
     * Runs `work` once for its key, in one transaction with it: a failure leaves the key unused. A second request waits
     * for the first one's commit. Without a key it runs the work. Fails with `IdempotencyKeyReused` when the key came
     * with another request before.
     */
    const once = <A, I, E, R>(request: IdempotentRequest<A, I>, work: Effect.Effect<A, E, R>) => {
      const { organisation_uid, scope, key } = request
      if (key === undefined) return transaction(work)
      return Effect.gen(function* () {
        const now = yield* clock.now
        const hash = new Bun.CryptoHasher("sha256").update(JSON.stringify(request.request)).digest()
        const claimed = yield* Effect.orDie(claim(organisation_uid, scope, key, hash, now))
        if (claimed.length > 0) {
          const answer = yield* work
          const encoded = yield* Effect.orDie(Schema.encode(request.answer)(answer))
          yield* Effect.orDie(settle(organisation_uid, scope, key, JSON.stringify(encoded)))
          return answer
        }
        const first = yield* find(organisation_uid, scope, key, hash)
        if (!first.same) return yield* new IdempotencyKeyReused()
        const answer = yield* Effect.orDie(Schema.decodeUnknown(request.answer)(first.response))
        return request.repeated === undefined ? answer : yield* request.repeated(answer)
      }).pipe(transaction)
    }

    return { once } as const
  }),
  dependencies: [Database.Default, DomainClock.Default]
}) {}
