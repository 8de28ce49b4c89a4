/** The API keys of one organisation, as its administrators manage them. Rules 8.3.9 to 8.3.11. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { ListedApiKey, type NewApiKey } from "../../schemas/access/ApiKey.ts"
import { ApiKeyNotFound } from "../../schemas/access/errors.ts"
import { ApiKeyUid, type OrganisationUid } from "../../schemas/ids.ts"
import { DomainClock } from "../DomainClock.ts"
import { anyOr, columnsOf, rowsOf } from "../rows.ts"
import { hashOf, newCode, newUid } from "../uid.ts"

export class OrganisationKeys extends Effect.Service<OrganisationKeys>()("access/OrganisationKeys", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const keys = rowsOf(ListedApiKey)
    const columns = sql.literal(columnsOf(ListedApiKey))

    /** Every key that the organisation has had, newest first. */
    const list = Effect.fn("OrganisationKeys.list")((owner: OrganisationUid) =>
      keys.all(sql`SELECT ${columns} FROM api_keys
        WHERE organisation_uid = ${owner} ORDER BY created_at DESC, uid DESC`)
    )

    /** Makes a key. Only its hash is stored, so its text is in this answer alone. */
    const create = Effect.fn("OrganisationKeys.create")(function* (owner: OrganisationUid, request: NewApiKey) {
      const now = yield* clock.now
      const key = yield* newCode("spr")
      const permissions = [...new Set(request.permissions)]
      const row = yield* keys.one(sql`
        INSERT INTO api_keys (uid, key_hash, name, permissions, organisation_uid, created_at)
        VALUES (${yield* newUid(ApiKeyUid)}, ${hashOf(key)}, ${request.name}, ${permissions}, ${owner},
          to_timestamp(${now}))
        RETURNING ${columns}`)
      return { ...row, key }
    })

    /** Revokes a key. Fails with `ApiKeyNotFound`, also when it was revoked before. */
    const revoke = Effect.fn("OrganisationKeys.revoke")(function* (owner: OrganisationUid, uid: ApiKeyUid) {
      yield* anyOr(
        sql`UPDATE api_keys SET revoked_at = to_timestamp(${yield* clock.now})
          WHERE organisation_uid = ${owner} AND uid = ${uid} AND revoked_at IS NULL RETURNING uid`,
        () => new ApiKeyNotFound()
      )
    })
    return { list, create, revoke } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
