/**
 * API keys: looked up by hash, bound to one organisation, pharmacy or pharmacy group (section 1.3). Managed by the organisation's
 * administrators (rules 8.3.9 to 8.3.11) and by the operator's command line.
 */
import { Effect, Option, Schema } from "effect"
import { ListedApiKey } from "../../schemas/access/ApiKey.ts"
import { ApiKeyNotFound, KeyOwnerNotFound } from "../../schemas/access/errors.ts"
import { organisationPermissions, Permission, pharmacyPermissions } from "../../schemas/access/permissions.ts"
import { UnixSeconds } from "../../schemas/fields.ts"
import { ApiKeyUid, OrganisationUid, PharmacyGroupUid, PharmacyUid } from "../../schemas/ids.ts"
import { invalid, Unauthenticated } from "../../schemas/problems.ts"
import type { ApiKeyEntry } from "../../schemas/provisioning/tenancy.ts"
import { DomainClock } from "../DomainClock.ts"
import { anyOr, columnsOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { timestamp } from "../database/SqlErrors.ts"
import { ANSWER_LIMITS, ensureBelowLimit, RECORD_LIMITS } from "../recordLimits.ts"
import { unaudited } from "../tenancy/Tenancy.ts"
import { hashOf, newCode, newUid } from "../uid.ts"

/** A key; exactly one of the three owners is set. */
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

/** The owner that a key is bound to. */
export interface KeyOwner {
  readonly kind: "organisation" | "pharmacy" | "pharmacy_group"
  readonly uid: string
}

const Key = Schema.Struct({ ...ListedApiKey.fields, permissions: Schema.Array(Permission) })
const OwnedKey = Schema.Struct({ ...Key.fields, owner: Schema.String })

interface KeyRequest<P> {
  readonly name: string
  readonly permissions: ReadonlyArray<P>
}

const tables = {
  organisation: ["organisations", "organisation_uid"],
  pharmacy: ["pharmacies", "pharmacy_uid"],
  pharmacy_group: ["pharmacy_groups", "pharmacy_group_uid"]
} as const

const allowed = ({ kind }: KeyOwner): ReadonlySet<Permission> =>
  new Set<Permission>(kind === "organisation" ? organisationPermissions : pharmacyPermissions)

/** Granularity of `last_used_at`: updating it on every request would cost a row version each. */
const LAST_USED_STEP_SECONDS = 60

export class ApiKeys extends Effect.Service<ApiKeys>()("access/ApiKeys", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const found = rowsOf(ApiKey)
    const own = rowsOf(ListedApiKey)
    const owned = rowsOf(OwnedKey)
    const of = (owner: KeyOwner | undefined) =>
      owner === undefined ? sql`true` : sql`${sql(tables[owner.kind][1])} = ${owner.uid}`

    const find = (hash: Buffer) => found.first(sql`SELECT ${sql.literal(columnsOf(ApiKey))} FROM api_key_with(${hash})`)
    const recordUse = (uid: ApiKeyUid, now: number) =>
      unaudited(Effect.orDie(sql`SELECT api_key_used(${uid}, to_timestamp(${now}))`))

    /** The key with this text. Fails with `Unauthenticated` for a missing, unknown or revoked one. Rule 1.3.6. */
    const authenticate = Effect.fnUntraced(function* (text: string) {
      const key = text === "" ? Option.none() : yield* find(hashOf(text))
      if (Option.isNone(key))
        return yield* new Unauthenticated({ reason: "Send a valid API key in the X-API-Key header" })
      const now = yield* clock.now
      const { uid, last_used_at } = key.value
      if (last_used_at === null || now - last_used_at >= LAST_USED_STEP_SECONDS) yield* recordUse(uid, now)
      return key.value
    })

    /** An organisation's keys, newest first: all active ones, and the newest revoked ones. */
    const listOwn = (owner: OrganisationUid) =>
      own.all(sql`SELECT ${sql.literal(columnsOf(ListedApiKey))} FROM api_keys
        WHERE organisation_uid = ${owner} AND (revoked_at IS NULL OR uid IN (
          SELECT uid FROM api_keys WHERE organisation_uid = ${owner} ORDER BY created_at DESC, uid DESC LIMIT ${ANSWER_LIMITS.inactiveKeys}))
        ORDER BY created_at DESC, uid DESC`)

    /** Every key of one owner, or of all, newest first. */
    const list = (owner: KeyOwner | undefined) =>
      owned.all(sql`SELECT ${sql.literal(columnsOf(Key))}, coalesce(organisation_uid, pharmacy_uid, pharmacy_group_uid) AS owner
        FROM api_keys WHERE ${of(owner)} ORDER BY created_at DESC, uid DESC`)

    /** Creates a key. Only its hash is stored, so only this result contains its text. Fails with `Invalid` at the limit. */
    const create = Effect.fnUntraced(function* <P extends Permission>(owner: KeyOwner, request: KeyRequest<P>) {
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM api_keys WHERE ${of(owner)} AND revoked_at IS NULL`,
        RECORD_LIMITS.keys,
        "name",
        "API keys",
        "revoke some first"
      )
      const key = yield* newCode("spr")
      const made = {
        uid: yield* newUid(ApiKeyUid),
        name: request.name,
        permissions: [...new Set(request.permissions)],
        created_at: yield* clock.now
      }
      yield* sql`INSERT INTO api_keys (uid, key_hash, name, permissions, ${sql(tables[owner.kind][1])}, created_at)
        VALUES (${made.uid}, ${hashOf(key)}, ${made.name}, ${made.permissions}, ${owner.uid},
          to_timestamp(${made.created_at}))`.pipe(Effect.orDie)
      return { ...made, last_used_at: null, revoked_at: null, key }
    })

    /**
     * Creates a key for the named owner. Fails with `KeyOwnerNotFound`, or `Invalid` for permissions of another kind of owner, and as
     * `create`.
     */
    const createFor = Effect.fnUntraced(function* (owner: KeyOwner, request: KeyRequest<Permission>) {
      const foreign = request.permissions.filter((permission) => !allowed(owner).has(permission))
      if (foreign.length > 0) return yield* invalid("permissions", `${foreign.join(", ")}: not for a ${owner.kind}`)
      const [table, column] = tables[owner.kind]
      yield* anyOr(
        sql`SELECT 1 FROM ${sql(table)} WHERE ${sql(column)} = ${owner.uid}`,
        () => new KeyOwnerNotFound(owner)
      )
      return yield* create(owner, request)
    })

    /** Creates or updates a key of a provisioning file, which contains its text. A revoked one stays revoked. */
    const provision = Effect.fnUntraced(function* (entry: ApiKeyEntry) {
      const { key, permissions, ...named } = entry
      const row = { ...named, permissions: [...new Set(permissions)] }
      const made = { uid: yield* newUid(ApiKeyUid), key_hash: hashOf(key), created_at: timestamp(yield* clock.now) }
      yield* sql`INSERT INTO api_keys ${sql.insert({ ...made, ...row })}
        ON CONFLICT (key_hash) DO UPDATE SET ${sql.update(row)}`
    })

    /** Revokes a key, of one owner or of any. Fails with `ApiKeyNotFound`, also if it was already revoked. */
    const revoke = Effect.fnUntraced(function* (uid: string, owner?: KeyOwner) {
      yield* anyOr(
        sql`UPDATE api_keys SET revoked_at = to_timestamp(${yield* clock.now})
          WHERE ${of(owner)} AND uid = ${uid} AND revoked_at IS NULL RETURNING uid`,
        () => new ApiKeyNotFound()
      )
    })

    return { authenticate, listOwn, list, create, createFor, provision, revoke } as const
  })
}) {}
