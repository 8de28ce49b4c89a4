/** API keys of every kind of owner, as the operator manages them by command line. */

import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { ListedApiKey } from "../../schemas/access/ApiKey.ts"
import { organisationPermissions, type Permission, pharmacyPermissions } from "../../schemas/access/permissions.ts"
import { ApiKeyUid } from "../../schemas/ids.ts"
import { invalid, NotFound } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { hashOf, newCode, newUid } from "../uid.ts"

/** Whose key it is. */
export interface KeyOwner {
  readonly kind: "organisation" | "pharmacy" | "pharmacy_group"
  readonly uid: string
}

interface OwnedKey extends ListedApiKey {
  readonly owner: string
}

const tables = {
  organisation: ["organisations", "organisation_uid"],
  pharmacy: ["pharmacies", "pharmacy_uid"],
  pharmacy_group: ["pharmacy_groups", "pharmacy_group_uid"]
} as const

const allowed = ({ kind }: KeyOwner): ReadonlySet<Permission> =>
  new Set<Permission>(kind === "organisation" ? organisationPermissions : pharmacyPermissions)

export class OperatorKeys extends Effect.Service<OperatorKeys>()("access/OperatorKeys", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock

    /** Every key that there has been, of one owner or of all, newest first. */
    const list = Effect.fn("OperatorKeys.list")((owner: KeyOwner | undefined) =>
      sql<OwnedKey>`SELECT uid, name, permissions, created_at, last_used_at, revoked_at,
          coalesce(organisation_uid, pharmacy_uid, pharmacy_group_uid) AS owner
        FROM api_keys ${owner === undefined ? sql`` : sql`WHERE ${sql(tables[owner.kind][1])} = ${owner.uid}`}
        ORDER BY created_at DESC, uid DESC`.pipe(Effect.orDie)
    )

    /** Makes a key and gives its text, which is not stored. 404: no such owner; 400: permissions of another kind. */
    const create = Effect.fn("OperatorKeys.create")(function* (
      owner: KeyOwner,
      name: string,
      permissions: ReadonlyArray<Permission>
    ) {
      const [table, column] = tables[owner.kind]
      const foreign = permissions.filter((permission) => !allowed(owner).has(permission))
      if (foreign.length > 0) return yield* invalid("permissions", `${foreign.join(", ")}: not for a ${owner.kind}`)
      const found = yield* sql`SELECT 1 FROM ${sql(table)} WHERE ${sql(column)} = ${owner.uid}`.pipe(Effect.orDie)
      if (found.length === 0) return yield* new NotFound({ what: `${owner.kind} ${owner.uid}` })
      const key = yield* newCode("spr")
      const now = yield* clock.now
      const uid = yield* newUid(ApiKeyUid)
      yield* sql`INSERT INTO api_keys (uid, key_hash, name, permissions, ${sql(column)}, created_at)
        VALUES (${uid}, ${hashOf(key)}, ${name}, ${[...new Set(permissions)]}, ${owner.uid}, to_timestamp(${now}))`.pipe(
        Effect.orDie
      )
      return { uid, key }
    })

    /** Ends a key at once; 404 when there is no such key, or no longer. */
    const revoke = Effect.fn("OperatorKeys.revoke")(function* (uid: string) {
      const now = yield* clock.now
      const revoked = yield* sql`UPDATE api_keys SET revoked_at = to_timestamp(${now})
        WHERE uid = ${uid} AND revoked_at IS NULL RETURNING uid`.pipe(Effect.orDie)
      if (revoked.length === 0) return yield* new NotFound({ what: `API key ${uid}` })
    })
    return { list, create, revoke } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
