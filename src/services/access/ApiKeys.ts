/** API keys: found by the hash of their text, bound to one organisation, pharmacy or pharmacy group. Section 1.3. */
import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { Permission } from "../../schemas/access/permissions.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import { ApiKeyUid, OrganisationUid, PharmacyGroupUid, PharmacyUid } from "../../schemas/ids.ts"
import { Unauthenticated } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { columnsOf, rowsOf } from "../rows.ts"
import { hashOf } from "../uid.ts"

/** A key as found; exactly one of the three owners is set. */
export const ApiKey = Schema.Struct({
  uid: ApiKeyUid,
  name: Schema.String,
  permissions: Schema.Array(Permission),
  organisation_uid: Schema.NullOr(OrganisationUid),
  pharmacy_uid: Schema.NullOr(PharmacyUid),
  pharmacy_group_uid: Schema.NullOr(PharmacyGroupUid),
  last_used_at: Schema.NullOr(UnixSeconds)
})
export type ApiKey = typeof ApiKey.Type

/** `last_used_at` is exact to a minute: writing it with every request would cost a row version each. */
const LAST_USED_STEP_SECONDS = 60

export class ApiKeys extends Effect.Service<ApiKeys>()("access/ApiKeys", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const keys = rowsOf(ApiKey)

    const find = (hash: Buffer) =>
      keys.first(sql`SELECT ${sql.literal(columnsOf(ApiKey))} FROM api_keys
        WHERE key_hash = ${hash} AND revoked_at IS NULL`)
    const recordUse = (uid: ApiKeyUid, now: number) =>
      Effect.orDie(sql`UPDATE api_keys SET last_used_at = to_timestamp(${now}) WHERE uid = ${uid}`)

    /** The key with this text. Fails with `Unauthenticated` for a missing, unknown or revoked one. Rule 1.3.6. */
    const authenticate = Effect.fn("ApiKeys.authenticate")(function* (text: string) {
      const key = text === "" ? Option.none() : yield* find(hashOf(text))
      if (Option.isNone(key))
        return yield* new Unauthenticated({ reason: "Send a valid API key in the X-API-Key header" })
      const now = yield* clock.now
      const { uid, last_used_at } = key.value
      if (last_used_at === null || now - last_used_at >= LAST_USED_STEP_SECONDS) yield* recordUse(uid, now)
      return key.value
    })
    return { authenticate } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
