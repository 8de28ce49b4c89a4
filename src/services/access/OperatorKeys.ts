/** API keys of every kind of owner, as the operator manages them by command line. */
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { ListedApiKey } from "../../schemas/access/ApiKey.ts"
import { ApiKeyNotFound, KeyOwnerNotFound } from "../../schemas/access/errors.ts"
import { organisationPermissions, Permission, pharmacyPermissions } from "../../schemas/access/permissions.ts"
import { ApiKeyUid } from "../../schemas/ids.ts"
import { invalid } from "../../schemas/problems.ts"
import type { ApiKeyEntry } from "../../schemas/provisioning/tenancy.ts"
import { DomainClock } from "../DomainClock.ts"
import { anyOr, columnsOf, rowsOf } from "../rows.ts"
import { hashOf, newCode, newUid } from "../uid.ts"

/** The owner that a key is bound to. */
export interface KeyOwner {
  readonly kind: "organisation" | "pharmacy" | "pharmacy_group"
  readonly uid: string
}

const Key = Schema.Struct({ ...ListedApiKey.fields, permissions: Schema.Array(Permission) })
const OwnedKey = Schema.Struct({ ...Key.fields, owner: Schema.String })

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
    const keys = rowsOf(OwnedKey)

    /** Every key that there has been, of one owner or of all, newest first. */
    const list = Effect.fn("OperatorKeys.list")((owner: KeyOwner | undefined) =>
      keys.all(sql`SELECT ${sql.literal(columnsOf(Key))}, coalesce(organisation_uid, pharmacy_uid, pharmacy_group_uid) AS owner
        FROM api_keys ${owner === undefined ? sql`` : sql`WHERE ${sql(tables[owner.kind][1])} = ${owner.uid}`}
        ORDER BY created_at DESC, uid DESC`)
    )

    /**
     * Makes a key and returns its text, of which only the hash is stored. Fails with `KeyOwnerNotFound`, or `Invalid` for
     * permissions of another kind of owner.
     */
    const create = Effect.fn("OperatorKeys.create")(function* (
      owner: KeyOwner,
      name: string,
      permissions: ReadonlyArray<Permission>
    ) {
      const [table, column] = tables[owner.kind]
      const foreign = permissions.filter((permission) => !allowed(owner).has(permission))
      if (foreign.length > 0) return yield* invalid("permissions", `${foreign.join(", ")}: not for a ${owner.kind}`)
      yield* anyOr(
        sql`SELECT 1 FROM ${sql(table)} WHERE ${sql(column)} = ${owner.uid}`,
        () => new KeyOwnerNotFound(owner)
      )
      const key = yield* newCode("spr")
      const now = yield* clock.now
      const uid = yield* newUid(ApiKeyUid)
      yield* sql`INSERT INTO api_keys (uid, key_hash, name, permissions, ${sql(column)}, created_at)
        VALUES (${uid}, ${hashOf(key)}, ${name}, ${[...new Set(permissions)]}, ${owner.uid}, to_timestamp(${now}))`.pipe(
        Effect.orDie
      )
      return { uid, key }
    })

    /** Creates or changes a key of a provisioning file, which gives its text. A revoked one stays revoked. */
    const provision = Effect.fn("OperatorKeys.provision")(function* (entry: ApiKeyEntry) {
      const now = yield* clock.now
      const uid = yield* newUid(ApiKeyUid)
      yield* sql`INSERT INTO api_keys (uid, key_hash, name, permissions, organisation_uid, pharmacy_uid,
          pharmacy_group_uid, created_at)
        VALUES (${uid}, ${hashOf(entry.key)}, ${entry.name}, ${[...new Set(entry.permissions)]},
          ${entry.organisation_uid}, ${entry.pharmacy_uid}, ${entry.pharmacy_group_uid}, to_timestamp(${now}))
        ON CONFLICT (key_hash) DO UPDATE SET name = excluded.name, permissions = excluded.permissions,
          organisation_uid = excluded.organisation_uid, pharmacy_uid = excluded.pharmacy_uid,
          pharmacy_group_uid = excluded.pharmacy_group_uid`
    })

    /** Revokes a key. Fails with `ApiKeyNotFound`, also when it was revoked before. */
    const revoke = Effect.fn("OperatorKeys.revoke")(function* (uid: string) {
      yield* anyOr(
        sql`UPDATE api_keys SET revoked_at = to_timestamp(${yield* clock.now})
          WHERE uid = ${uid} AND revoked_at IS NULL RETURNING uid`,
        () => new ApiKeyNotFound()
      )
    })
    return { list, create, provision, revoke } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
