/** The API keys of one organisation, as its administrators manage them. Who presents a key is `ApiKeys`' affair. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { ListedApiKey, NewApiKey } from "../../schemas/access/ApiKey.ts"
import { ApiKeyUid, type OrganisationUid } from "../../schemas/ids.ts"
import { NotFound } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { hashOf, newCode, newUid } from "../uid.ts"

export class OrganisationKeys extends Effect.Service<OrganisationKeys>()("access/OrganisationKeys", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const columns = sql`uid, name, permissions, created_at, last_used_at, revoked_at`

    /** Every key that the organisation has had, newest first. */
    const list = (owner: OrganisationUid) =>
      sql<ListedApiKey>`SELECT ${columns} FROM api_keys
        WHERE organisation_uid = ${owner} ORDER BY created_at DESC, uid DESC`.pipe(
        Effect.orDie,
        Effect.withSpan("OrganisationKeys.list")
      )

    /** Makes a key. Only its hash is stored: the text that comes back cannot be shown again. */
    const create = Effect.fn("OrganisationKeys.create")(function* (owner: OrganisationUid, request: NewApiKey) {
      const now = yield* clock.now
      const key = yield* newCode("spr")
      const permissions = [...new Set(request.permissions)]
      const [row] = yield* sql<ListedApiKey>`
        INSERT INTO api_keys (uid, key_hash, name, permissions, organisation_uid, created_at)
        VALUES (${yield* newUid(ApiKeyUid)}, ${hashOf(key)}, ${request.name}, ${permissions}, ${owner},
          to_timestamp(${now}))
        RETURNING ${columns}`.pipe(Effect.orDie)
      if (row === undefined) return yield* Effect.dieMessage("an insert returns its row")
      return { ...row, key }
    })

    /** Ends a key at once; 404 when there is no such key, or no longer. */
    const revoke = Effect.fn("OrganisationKeys.revoke")(function* (owner: OrganisationUid, uid: ApiKeyUid) {
      const now = yield* clock.now
      const revoked = yield* sql`UPDATE api_keys SET revoked_at = to_timestamp(${now})
        WHERE organisation_uid = ${owner} AND uid = ${uid} AND revoked_at IS NULL RETURNING uid`.pipe(Effect.orDie)
      if (revoked.length === 0) return yield* new NotFound({ what: "API key" })
    })
    return { list, create, revoke } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
