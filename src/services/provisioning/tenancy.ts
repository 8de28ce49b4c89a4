/** Organisations, shops, doctors, patients, keys and secrets from the file. */

import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { ApiKeyUid } from "../../schemas/ids.ts"
import type { ProvisioningFile } from "../../schemas/provisioning/ProvisioningFile.ts"
import { DomainClock } from "../DomainClock.ts"
import { SecretBox } from "../SecretBox.ts"
import { hashOf, newCode, newUid } from "../uid.ts"
import { eachEntry, reject } from "./entry.ts"

export const provisionTenancy = Effect.fn("provisioning.tenancy")(function* (file: ProvisioningFile) {
  const sql = yield* SqlClient.SqlClient
  const box = yield* SecretBox
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)

  /** Public names (uids by which records are found before the organisation is known) belong to one organisation. */
  const onlyOwner = Effect.fnUntraced(function* (
    table: string,
    column: string,
    value: string,
    owner: string,
    path: string
  ) {
    const rows = yield* sql`SELECT 1 FROM ${sql(table)}
      WHERE ${sql(column)} = ${value} AND organisation_uid <> ${owner} LIMIT 1`
    if (rows.length > 0) return yield* reject(`${path}.${column}`, "belongs to another organisation")
  })

  yield* eachEntry("organisations", file.organisations, (one) =>
    Effect.gen(function* () {
      yield* sql`INSERT INTO organisations ${sql.insert({
        organisation_uid: one.uid,
        name: one.name,
        timezone: one.timezone,
        return_url_origins: [...one.return_url_origins] as never,
        embed_origins: [...one.embed_origins] as never,
        messages: [...one.messages] as never,
        visit_reason_in_messages: one.visit_reason_in_messages
      })} ON CONFLICT (organisation_uid) DO UPDATE SET name = excluded.name, timezone = excluded.timezone,
        return_url_origins = excluded.return_url_origins, embed_origins = excluded.embed_origins,
        messages = excluded.messages, visit_reason_in_messages = excluded.visit_reason_in_messages`
      for (const admin of one.admins) {
        yield* sql`INSERT INTO admins ${sql.insert({ organisation_uid: one.uid, ...admin })}
          ON CONFLICT (organisation_uid, uid) DO UPDATE
          SET display_name = excluded.display_name, email = excluded.email, phone = excluded.phone`
      }
    })
  )

  yield* eachEntry("shops", file.shops, ({ storefront, ...shop }, path) =>
    Effect.gen(function* () {
      yield* onlyOwner("shops", "uid", shop.uid, shop.organisation_uid, path)
      const others = yield* sql`SELECT 1 FROM shops
        WHERE shop_identifier = ${shop.shop_identifier} AND uid <> ${shop.uid} LIMIT 1`
      if (others.length > 0) return yield* reject(`${path}.shop_identifier`, "belongs to another shop")
      const secret = storefront.webhook_secret ?? (yield* newCode("whs"))
      const sealed = yield* box.seal(JSON.stringify({ ...storefront, webhook_secret: secret }))
      // A generated secret stays what it was: provisioning again must not break the shop's webhooks.
      const keep = storefront.kind === "embedded" && storefront.webhook_secret === null
      yield* sql`INSERT INTO shops ${sql.insert({
        ...shop,
        name: shop.name ?? shop.shop_identifier,
        storefront_kind: storefront.kind,
        storefront_domain: storefront.kind === "shopify" ? storefront.shop_domain : null,
        storefront_sealed: sealed
      })} ON CONFLICT (organisation_uid, uid) DO UPDATE SET shop_identifier = excluded.shop_identifier,
        name = excluded.name, default_pharmacy_uid = excluded.default_pharmacy_uid,
        storefront_kind = excluded.storefront_kind, storefront_domain = excluded.storefront_domain,
        storefront_sealed = CASE WHEN ${keep} AND shops.storefront_kind = 'embedded'
          THEN shops.storefront_sealed ELSE excluded.storefront_sealed END`
    })
  )

  yield* eachEntry("doctors", file.doctors, (doctor, path) =>
    Effect.gen(function* () {
      yield* onlyOwner("doctors", "uid", doctor.uid, doctor.organisation_uid, path)
      yield* sql`INSERT INTO doctors (organisation_uid, uid, display_name, email, phone, timezone, profession, address)
        SELECT ${doctor.organisation_uid}::text, ${doctor.uid}::text, ${doctor.display_name}::text,
          ${doctor.email}::text, ${doctor.phone}::text,
          coalesce(${doctor.timezone}, (SELECT timezone FROM organisations
            WHERE organisation_uid = ${doctor.organisation_uid}), 'Europe/Berlin'),
          ${doctor.profession}::text, ${doctor.address}::text
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET display_name = excluded.display_name, email = excluded.email,
          phone = excluded.phone, timezone = excluded.timezone, profession = excluded.profession,
          address = excluded.address`
    })
  )

  yield* eachEntry(
    "patients",
    file.patients,
    ({ profile, ...patient }) =>
      sql`INSERT INTO patients (organisation_uid, uid, shop_uid, shop_customer_id, profile, created_at, updated_at)
        VALUES (${patient.organisation_uid}, ${patient.uid}, ${patient.shop_uid}, ${patient.shop_customer_id},
          jsonb_strip_nulls(${JSON.stringify(profile)}::jsonb), to_timestamp(${now}), to_timestamp(${now}))
        ON CONFLICT (organisation_uid, uid) DO UPDATE SET shop_uid = excluded.shop_uid,
          shop_customer_id = excluded.shop_customer_id, profile = excluded.profile, updated_at = excluded.updated_at`
  )

  yield* eachEntry("booking_token_secrets", file.booking_token_secrets, (secret, path) =>
    Effect.gen(function* () {
      yield* onlyOwner("booking_token_secrets", "key_id", secret.key_id, secret.organisation_uid, path)
      const sealed = yield* box.seal(secret.secret)
      yield* sql`INSERT INTO booking_token_secrets (organisation_uid, key_id, secret_sealed, created_at)
        VALUES (${secret.organisation_uid}, ${secret.key_id}, ${sealed}, to_timestamp(${now}))
        ON CONFLICT (organisation_uid, key_id) DO UPDATE SET secret_sealed = excluded.secret_sealed`
    })
  )
})

/** Last of all, for a key may be bound to a pharmacy that stands in the same file. */
export const provisionApiKeys = Effect.fn("provisioning.apiKeys")(function* (file: ProvisioningFile) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Effect.flatMap(DomainClock, (clock) => clock.now)
  yield* eachEntry("api_keys", file.api_keys, ({ key, permissions, ...entry }) =>
    Effect.gen(function* () {
      const uid = yield* newUid(ApiKeyUid)
      yield* sql`INSERT INTO api_keys (uid, key_hash, name, permissions, organisation_uid, pharmacy_uid,
          pharmacy_group_uid, created_at)
        VALUES (${uid}, ${hashOf(key)}, ${entry.name}, ${[...permissions] as never}, ${entry.organisation_uid},
          ${entry.pharmacy_uid}, ${entry.pharmacy_group_uid}, to_timestamp(${now}))
        ON CONFLICT (key_hash) DO UPDATE SET name = excluded.name, permissions = excluded.permissions,
          organisation_uid = excluded.organisation_uid, pharmacy_uid = excluded.pharmacy_uid,
          pharmacy_group_uid = excluded.pharmacy_group_uid`
    })
  )
})
