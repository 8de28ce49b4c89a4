/** Orders as shops tell of them, the webhooks that told, and the shop that lives in this database. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const storefronts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE storefront_webhooks (
    organisation_uid text NOT NULL,
    shop_uid text NOT NULL,
    webhook_id text NOT NULL,
    topic text NOT NULL,
    received_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_uid, shop_uid, webhook_id),
    FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops)`
  yield* sql`CREATE INDEX storefront_webhooks_age ON storefront_webhooks (received_at)`

  yield* sql`CREATE TABLE storefront_orders (
    organisation_uid text NOT NULL,
    shop_uid text NOT NULL,
    order_id text NOT NULL,
    cancelled boolean NOT NULL,
    PRIMARY KEY (organisation_uid, shop_uid, order_id),
    FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops)`

  yield* sql`CREATE TABLE storefront_order_parts (
    organisation_uid text NOT NULL,
    shop_uid text NOT NULL,
    order_id text NOT NULL,
    pharmacy_uid text NOT NULL,
    pharmacy_order_uid text NOT NULL,
    PRIMARY KEY (organisation_uid, shop_uid, order_id, pharmacy_uid, pharmacy_order_uid),
    FOREIGN KEY (organisation_uid, shop_uid, order_id) REFERENCES storefront_orders)`

  yield* sql`CREATE TABLE embedded_orders (
    organisation_uid text NOT NULL,
    id text NOT NULL,
    shop_uid text NOT NULL,
    key text NOT NULL,
    order_number bigint,
    email text,
    phone text,
    billing_address jsonb,
    shipping_address jsonb,
    lines jsonb NOT NULL,
    attributes jsonb NOT NULL,
    reserve_until timestamptz,
    invoice_sent_at timestamptz,
    created_at timestamptz NOT NULL,
    paid_at timestamptz,
    PRIMARY KEY (organisation_uid, id),
    UNIQUE (organisation_uid, shop_uid, key),
    UNIQUE (organisation_uid, shop_uid, order_number),
    FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops)`
  yield* sql`CREATE INDEX embedded_orders_id ON embedded_orders (id)`
})
