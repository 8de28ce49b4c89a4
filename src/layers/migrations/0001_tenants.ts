/**
 * Organisations and who acts for them. Every table of an organisation starts its keys with organisation_uid, so that the
 * schema can be distributed by organisation; look-ups that do not know the organisation yet use plain indexes.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const tenants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE EXTENSION IF NOT EXISTS btree_gist`

  yield* sql`CREATE TABLE sandbox_clock (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    offset_seconds bigint NOT NULL CHECK (offset_seconds >= 0))`

  yield* sql`CREATE TABLE organisations (
    organisation_uid text PRIMARY KEY,
    name text NOT NULL,
    timezone text NOT NULL,
    return_url_origins text[] NOT NULL,
    embed_origins text[] NOT NULL,
    messages text[] NOT NULL CHECK (messages <@ ARRAY['confirmation', 'cancellation', 'rebooking']),
    visit_reason_in_messages boolean NOT NULL)`

  yield* sql`CREATE TABLE admins (
    organisation_uid text NOT NULL REFERENCES organisations,
    uid text NOT NULL,
    display_name text NOT NULL,
    email text,
    phone text,
    PRIMARY KEY (organisation_uid, uid))`

  yield* sql`CREATE TABLE shops (
    organisation_uid text NOT NULL REFERENCES organisations,
    uid text NOT NULL,
    shop_identifier text NOT NULL,
    name text NOT NULL,
    default_pharmacy_uid text,
    storefront_kind text NOT NULL CHECK (storefront_kind IN ('embedded', 'shopify')),
    storefront_domain text,
    storefront_sealed text NOT NULL,
    PRIMARY KEY (organisation_uid, uid))`
  yield* sql`CREATE INDEX shops_uid ON shops (uid)`
  yield* sql`CREATE INDEX shops_identifier ON shops (shop_identifier)`

  yield* sql`CREATE TABLE doctors (
    organisation_uid text NOT NULL REFERENCES organisations,
    uid text NOT NULL,
    display_name text NOT NULL,
    email text,
    phone text,
    timezone text NOT NULL,
    profession text,
    address text,
    PRIMARY KEY (organisation_uid, uid))`

  yield* sql`CREATE TABLE patients (
    organisation_uid text NOT NULL REFERENCES organisations,
    uid text NOT NULL,
    shop_uid text NOT NULL,
    shop_customer_id text NOT NULL,
    profile jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, uid),
    UNIQUE (organisation_uid, shop_uid, shop_customer_id),
    FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops)`

  yield* sql`CREATE TABLE api_keys (
    uid text PRIMARY KEY,
    key_hash bytea NOT NULL UNIQUE,
    name text NOT NULL,
    permissions text[] NOT NULL,
    organisation_uid text REFERENCES organisations,
    pharmacy_uid text,
    pharmacy_group_uid text,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz,
    CHECK (num_nonnulls(organisation_uid, pharmacy_uid, pharmacy_group_uid) = 1))`
  yield* sql`CREATE INDEX api_keys_organisation ON api_keys (organisation_uid)`

  yield* sql`CREATE TABLE booking_token_secrets (
    organisation_uid text NOT NULL REFERENCES organisations,
    key_id text NOT NULL,
    secret_sealed text NOT NULL,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz,
    PRIMARY KEY (organisation_uid, key_id))`
  yield* sql`CREATE INDEX booking_token_secrets_key ON booking_token_secrets (key_id)`

  yield* sql`CREATE TABLE idempotency_keys (
    organisation_uid text NOT NULL,
    scope text NOT NULL,
    key text NOT NULL,
    body_hash bytea NOT NULL,
    response jsonb,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, scope, key))`
  yield* sql`CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)`
})
