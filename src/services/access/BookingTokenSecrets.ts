/** The secrets with which an organisation's partners sign booking tokens. Rule 1.7. */
import type { Statement } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import { BookingTokenSecret, ListedSecret } from "../../schemas/access/BookingTokenSecret.ts"
import { SecretNotFound } from "../../schemas/access/errors.ts"
import { OrganisationUid, SecretUid, ShopUid } from "../../schemas/ids.ts"
import type { BookingTokenSecret as SecretEntry } from "../../schemas/provisioning/tenancy.ts"
import { DomainClock } from "../DomainClock.ts"
import { anyOr, columnsOf, rowsOf } from "../database/rows.ts"
import { Sql } from "../database/Sql.ts"
import { ANSWER_LIMITS, ensureBelowLimit, RECORD_LIMITS } from "../recordLimits.ts"
import { type Place, SecretBox } from "../sealing/SecretBox.ts"
import { ofOrganisationWith } from "../tenancy/Tenancy.ts"
import { newUid } from "../uid.ts"

const notFound = () => new SecretNotFound()
const randomSecret = Effect.sync(() => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url"))

const placeOf = (organisation_uid: OrganisationUid, key_id: string): Place => ({
  table: "booking_token_secrets",
  column: "secret_sealed",
  row: [organisation_uid, key_id]
})

const SealedSecret = Schema.Struct({
  organisation_uid: OrganisationUid,
  ...BookingTokenSecret.omit("secret").fields,
  secret_sealed: Schema.String
})

export class BookingTokenSecrets extends Effect.Service<BookingTokenSecrets>()("access/BookingTokenSecrets", {
  effect: Effect.gen(function* () {
    const sql = yield* Sql
    const clock = yield* DomainClock
    const box = yield* SecretBox
    const listed = rowsOf(ListedSecret)
    const sealed = rowsOf(SealedSecret)
    const columns = sql.literal(columnsOf(SealedSecret))

    const found = rowsOf(Schema.Struct({ ...SealedSecret.fields, shop_uid: Schema.NullOr(ShopUid) }))
    const opened = <S extends typeof SealedSecret.Type>({ secret_sealed, ...secret }: S) =>
      Effect.map(box.open(placeOf(secret.organisation_uid, secret.key_id), secret_sealed), (text) => ({
        ...secret,
        secret: text
      }))

    /** The organisation's secrets, newest first, without their texts: all active ones, and the newest revoked ones. */
    const list = (owner: OrganisationUid) =>
      listed.all(sql`SELECT ${sql.literal(columnsOf(ListedSecret))} FROM booking_token_secrets
        WHERE organisation_uid = ${owner} AND (revoked_at IS NULL OR key_id IN (SELECT key_id FROM booking_token_secrets
          WHERE organisation_uid = ${owner} ORDER BY created_at DESC, key_id DESC LIMIT ${ANSWER_LIMITS.inactiveKeys}))
        ORDER BY created_at DESC, key_id DESC`)

    const active = (owner: OrganisationUid, which: Statement.Fragment) =>
      Effect.flatMap(
        sealed.firstOr(
          sql`SELECT ${columns} FROM booking_token_secrets
            WHERE organisation_uid = ${owner} AND revoked_at IS NULL ${which}`,
          notFound
        ),
        opened
      )
    /** An active secret with its text. Fails with `SecretNotFound`, also if it is revoked. Rule 1.7.5. */
    const reveal = (owner: OrganisationUid, keyId: string) => active(owner, sql`AND key_id = ${keyId}`)
    /** The newest active secret of an organisation. Fails with `SecretNotFound`. */
    const newest = (owner: OrganisationUid) => active(owner, sql`ORDER BY created_at DESC, key_id DESC LIMIT 1`)

    /** The active secret of a token's `kid`, of any organisation, with that organisation's shop of this identifier. */
    const find = (keyId: string, shop_identifier: string) =>
      Effect.flatMap(
        ofOrganisationWith({ kind: "booking_token_secret", key: keyId })(
          found.first(sql`SELECT ${columns}, (SELECT s.uid FROM shops s WHERE s.shop_identifier = ${shop_identifier}
            AND s.organisation_uid = booking_token_secrets.organisation_uid) AS shop_uid
          FROM booking_token_secrets WHERE key_id = ${keyId} AND revoked_at IS NULL`)
        ),
        Effect.transposeMapOption(opened)
      )

    const write = Effect.fnUntraced(function* (organisation_uid: OrganisationUid, key_id: SecretUid, secret: string) {
      const secret_sealed = yield* box.seal(placeOf(organisation_uid, key_id), secret)
      yield* sql`INSERT INTO booking_token_secrets (organisation_uid, key_id, secret_sealed, created_at)
        VALUES (${organisation_uid}, ${key_id}, ${secret_sealed}, to_timestamp(${yield* clock.now}))
        ON CONFLICT (organisation_uid, key_id) DO UPDATE SET secret_sealed = excluded.secret_sealed`
    })

    /** Creates or replaces a secret of a provisioning file. An unchanged one is not encrypted again. */
    const put = Effect.fnUntraced(function* ({ organisation_uid, key_id, secret }: SecretEntry) {
      const stored = yield* sealed.first(
        sql`SELECT ${columns} FROM booking_token_secrets WHERE organisation_uid = ${organisation_uid} AND key_id = ${key_id}`
      )
      if (Option.isSome(stored) && (yield* opened(stored.value)).secret === secret) return
      yield* write(organisation_uid, key_id, secret)
    })

    /** Creates a secret. Earlier ones stay valid until they are revoked. Fails with `Invalid` at the limit. Rule 1.7.4. */
    const provision = Effect.fnUntraced(function* (owner: OrganisationUid) {
      yield* ensureBelowLimit(
        sql`SELECT count(*) AS count FROM booking_token_secrets WHERE organisation_uid = ${owner} AND revoked_at IS NULL`,
        RECORD_LIMITS.keys,
        "key_id",
        "secrets",
        "revoke some first"
      )
      const key_id = yield* newUid(SecretUid)
      const secret = yield* randomSecret
      yield* Effect.orDie(write(owner, key_id, secret))
      return { key_id, secret }
    })

    /** Revokes a secret: tokens signed with it are rejected from now on. Fails with `SecretNotFound`. */
    const revoke = Effect.fnUntraced(function* (owner: OrganisationUid, keyId: string) {
      yield* anyOr(
        sql`UPDATE booking_token_secrets SET revoked_at = to_timestamp(${yield* clock.now})
          WHERE organisation_uid = ${owner} AND key_id = ${keyId} AND revoked_at IS NULL RETURNING key_id`,
        notFound
      )
    })
    return { list, reveal, find, newest, put, provision, revoke } as const
  })
}) {}
