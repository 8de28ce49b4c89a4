/** API keys: found by the hash of their text, bound to one organisation, pharmacy or pharmacy group. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Permission } from "../../schemas/access/permissions.ts"
import type { ApiKeyUid, OrganisationUid, PharmacyGroupUid, PharmacyUid } from "../../schemas/ids.ts"
import { Unauthenticated } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { hashOf } from "../uid.ts"

/** A key as found; exactly one of the three bounds is set. */
export interface ApiKey {
  readonly uid: ApiKeyUid
  readonly name: string
  readonly permissions: ReadonlyArray<Permission>
  readonly organisation_uid: OrganisationUid | null
  readonly pharmacy_uid: PharmacyUid | null
  readonly pharmacy_group_uid: PharmacyGroupUid | null
}

const USE_RECORDED_EVERY_SECONDS = 60

export class ApiKeys extends Effect.Service<ApiKeys>()("access/ApiKeys", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    const find = (hash: Buffer) => sql<ApiKey & { last_used_at: number | null }>`
      SELECT uid, name, permissions, organisation_uid, pharmacy_uid, pharmacy_group_uid, last_used_at
      FROM api_keys WHERE key_hash = ${hash} AND revoked_at IS NULL`
    const recordUse = (uid: string, now: number) =>
      sql`UPDATE api_keys SET last_used_at = to_timestamp(${now}) WHERE uid = ${uid}`

    /** The key with this text. Unknown and revoked keys fail alike. */
    const authenticate = Effect.fn("ApiKeys.authenticate")(function* (text: string) {
      const [key] = text === "" ? [] : yield* Effect.orDie(find(hashOf(text)))
      if (key === undefined)
        return yield* new Unauthenticated({ reason: "Send a valid API key in the X-API-Key header" })
      const now = yield* clock.now
      if (key.last_used_at === null || now - key.last_used_at >= USE_RECORDED_EVERY_SECONDS)
        yield* Effect.orDie(recordUse(key.uid, now))
      const { last_used_at: _, ...found } = key
      return found as ApiKey
    })
    return { authenticate } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
