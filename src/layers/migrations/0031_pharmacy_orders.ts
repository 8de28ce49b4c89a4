/** What patients bought, order by order. The shop is an organisation's, so no foreign key leads there. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const pharmacyOrders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE pharmacy_orders (
    pharmacy_uid text NOT NULL REFERENCES pharmacies,
    uid text NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    paid boolean NOT NULL,
    organisation_uid text NOT NULL,
    shop_uid text NOT NULL,
    prescription_uid text,
    payment_id text,
    shipping_price bigint NOT NULL CHECK (shipping_price >= 0),
    currency text NOT NULL,
    patient jsonb,
    shipping_address jsonb,
    tracking jsonb,
    status_reason text,
    takes_stock boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    paid_at timestamptz,
    completed_at timestamptz,
    PRIMARY KEY (pharmacy_uid, uid))`
  yield* sql`CREATE INDEX pharmacy_orders_by_age ON pharmacy_orders (pharmacy_uid, created_at, uid)`
  yield* sql`CREATE INDEX pharmacy_orders_by_status ON pharmacy_orders (pharmacy_uid, status, created_at, uid)`
  yield* sql`CREATE INDEX pharmacy_orders_prescription ON pharmacy_orders (prescription_uid)`
  yield* sql`CREATE INDEX pharmacy_orders_open ON pharmacy_orders (pharmacy_uid, uid)
    WHERE paid AND status NOT IN ('completed', 'rejected', 'cancelled')`

  yield* sql`CREATE TABLE pharmacy_order_lines (
    pharmacy_uid text NOT NULL,
    pharmacy_order_uid text NOT NULL,
    uid text NOT NULL,
    position integer NOT NULL,
    sku_uid text NOT NULL REFERENCES skus,
    pharmacy_sku_uid text,
    quantity integer NOT NULL CHECK (quantity > 0),
    unit_price bigint NOT NULL CHECK (unit_price >= 0),
    digital boolean NOT NULL,
    PRIMARY KEY (pharmacy_uid, pharmacy_order_uid, uid),
    FOREIGN KEY (pharmacy_uid, pharmacy_order_uid) REFERENCES pharmacy_orders,
    FOREIGN KEY (pharmacy_uid, pharmacy_sku_uid) REFERENCES pharmacy_skus)`
})
