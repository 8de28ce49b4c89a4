/** The secrets by which an organisation's partners sign booking tokens (specification §5, item 4). */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { BookingTokenSecret, ListedSecret } from "../../schemas/access/BookingTokenSecret.ts"
import type { UnixSeconds } from "../../schemas/fields.ts"
import { type OrganisationUid, SecretUid } from "../../schemas/ids.ts"
import { NotFound } from "../../schemas/problems.ts"
import { DomainClock } from "../DomainClock.ts"
import { SecretBox } from "../SecretBox.ts"
import { newUid } from "../uid.ts"

const notFound = new NotFound({ what: "Booking-token secret" })
const randomSecret = Effect.sync(() => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url"))

interface SealedSecret {
  readonly key_id: string
  readonly secret_sealed: string
  readonly created_at: UnixSeconds
}

export class BookingTokenSecrets extends Effect.Service<BookingTokenSecrets>()("access/BookingTokenSecrets", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const clock = yield* DomainClock
    const box = yield* SecretBox

    /** Every secret that the organisation has had, newest first; the secrets themselves are not in the list. */
    const list = (owner: OrganisationUid) =>
      sql<ListedSecret>`SELECT key_id, created_at, revoked_at FROM booking_token_secrets
        WHERE organisation_uid = ${owner} ORDER BY created_at DESC, key_id DESC`.pipe(
        Effect.orDie,
        Effect.withSpan("BookingTokenSecrets.list")
      )

    /** A secret that still counts, opened. */
    const reveal = Effect.fn("BookingTokenSecrets.reveal")(function* (owner: OrganisationUid, keyId: string) {
      const [row] = yield* sql<SealedSecret>`SELECT key_id, secret_sealed, created_at FROM booking_token_secrets
        WHERE organisation_uid = ${owner} AND key_id = ${keyId} AND revoked_at IS NULL`.pipe(Effect.orDie)
      if (row === undefined) return yield* notFound
      const secret: BookingTokenSecret = {
        key_id: row.key_id,
        secret: yield* box.open(row.secret_sealed),
        created_at: row.created_at
      }
      return secret
    })

    /** Makes a new secret; the earlier ones count until they are revoked, so that a partner can change over. */
    const provision = Effect.fn("BookingTokenSecrets.provision")(function* (owner: OrganisationUid) {
      const now = yield* clock.now
      const key_id = yield* newUid(SecretUid)
      const secret = yield* randomSecret
      yield* sql`INSERT INTO booking_token_secrets (organisation_uid, key_id, secret_sealed, created_at)
        VALUES (${owner}, ${key_id}, ${yield* box.seal(secret)}, to_timestamp(${now}))`.pipe(Effect.orDie)
      return { key_id, secret }
    })

    /** Ends a secret at once: tokens that it signed are refused from now on. */
    const revoke = Effect.fn("BookingTokenSecrets.revoke")(function* (owner: OrganisationUid, keyId: string) {
      const now = yield* clock.now
      const revoked = yield* sql`UPDATE booking_token_secrets SET revoked_at = to_timestamp(${now})
        WHERE organisation_uid = ${owner} AND key_id = ${keyId} AND revoked_at IS NULL RETURNING key_id`.pipe(
        Effect.orDie
      )
      if (revoked.length === 0) return yield* notFound
    })
    return { list, reveal, provision, revoke } as const
  }),
  dependencies: [DomainClock.Default]
}) {}
