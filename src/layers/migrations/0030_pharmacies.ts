/**
 * Pharmacies and what they sell. Products and SKUs are everybody's; every other table here belongs to one pharmacy and
 * starts its keys with pharmacy_uid.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const pharmacies = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE pharmacy_groups (
    pharmacy_group_uid text PRIMARY KEY,
    name text NOT NULL)`

  yield* sql`CREATE TABLE pharmacies (
    pharmacy_uid text PRIMARY KEY,
    pharmacy_group_uid text REFERENCES pharmacy_groups,
    name text NOT NULL,
    hidden_sku_types text[] NOT NULL CHECK (hidden_sku_types <@ ARRAY['digital', 'physical']),
    currency text NOT NULL,
    commission_bps integer NOT NULL CHECK (commission_bps BETWEEN 0 AND 10000),
    markup_share_bps integer NOT NULL CHECK (markup_share_bps BETWEEN 0 AND 10000),
    shipping_share_bps integer NOT NULL CHECK (shipping_share_bps BETWEEN 0 AND 10000),
    payment_account text)`

  yield* sql`CREATE TABLE products (
    product_uid text PRIMARY KEY,
    display_name text NOT NULL,
    handle text NOT NULL)`

  yield* sql`CREATE TABLE skus (
    sku_uid text PRIMARY KEY,
    product_uid text NOT NULL REFERENCES products,
    display_name text NOT NULL,
    pzn text,
    standard_selling_unit double precision NOT NULL,
    unit text NOT NULL,
    digital boolean NOT NULL,
    selling_price bigint NOT NULL CHECK (selling_price >= 0),
    storefront_variant_id text)`
  yield* sql`CREATE INDEX skus_product ON skus (product_uid)`
  yield* sql`CREATE INDEX skus_variant ON skus (storefront_variant_id)`

  yield* sql`CREATE TABLE pharmacy_skus (
    pharmacy_uid text NOT NULL REFERENCES pharmacies,
    uid text NOT NULL,
    sku_uid text NOT NULL REFERENCES skus,
    external_id text NOT NULL,
    price bigint NOT NULL CHECK (price >= 0),
    stock bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    PRIMARY KEY (pharmacy_uid, uid))`
  yield* sql`CREATE INDEX pharmacy_skus_sku ON pharmacy_skus (pharmacy_uid, sku_uid)`
  yield* sql`CREATE INDEX pharmacy_skus_carriers ON pharmacy_skus (sku_uid)`
})
