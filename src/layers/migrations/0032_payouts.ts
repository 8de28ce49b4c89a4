/**
 * What pharmacies are owed. A row is a preview until its order is completed; then it is the intent to route, written
 * before the provider is asked, and in the end the route. One table, so that a list over both is one index scan each.
 */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

export const payouts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE EXTENSION IF NOT EXISTS pg_trgm`

  yield* sql`CREATE TABLE payouts (
    pharmacy_uid text NOT NULL,
    pharmacy_order_uid text NOT NULL,
    component_type text NOT NULL CHECK (component_type IN ('item_rest', 'item_markup', 'shipping')),
    routing text NOT NULL CHECK (routing IN ('none', 'pending', 'parked', 'routed')),
    status text NOT NULL GENERATED ALWAYS AS (CASE WHEN routing = 'routed' THEN 'routed' ELSE 'projected' END) STORED,
    amount bigint NOT NULL CHECK (amount > 0),
    currency text NOT NULL,
    routing_description text,
    provider_route_id text,
    pharmacy_order_name text NOT NULL,
    pharmacy_order_created_at timestamptz NOT NULL,
    routing_created_at timestamptz,
    parked_reason text,
    attempts integer NOT NULL DEFAULT 0,
    tried_at timestamptz,
    leased_until timestamptz,
    search_text text NOT NULL GENERATED ALWAYS AS (lower(pharmacy_order_uid || E'\n' || pharmacy_order_name || E'\n' ||
      coalesce(provider_route_id, '') || E'\n' || coalesce(routing_description, ''))) STORED,
    PRIMARY KEY (pharmacy_uid, pharmacy_order_uid, component_type),
    FOREIGN KEY (pharmacy_uid, pharmacy_order_uid) REFERENCES pharmacy_orders,
    CHECK ((routing = 'routed') = (routing_created_at IS NOT NULL)),
    CHECK ((routing = 'parked') = (parked_reason IS NOT NULL)),
    CHECK (routing = 'none' OR routing_description IS NOT NULL))`

  // One index per order of the list. The dates that ranges filter by are those that two of them sort by.
  yield* sql`CREATE INDEX payouts_by_order ON payouts
    (pharmacy_uid, status, pharmacy_order_created_at, pharmacy_order_uid, component_type)`
  yield* sql`CREATE INDEX payouts_by_route ON payouts
    (pharmacy_uid, status, routing_created_at NULLS FIRST, pharmacy_order_uid, component_type)`
  yield* sql`CREATE INDEX payouts_by_amount ON payouts
    (pharmacy_uid, status, amount, pharmacy_order_uid, component_type)`
  yield* sql`CREATE INDEX payouts_search ON payouts USING gin (search_text gin_trgm_ops)`
  yield* sql`CREATE INDEX payouts_unrouted ON payouts (tried_at) WHERE routing = 'pending'`
  yield* sql`CREATE INDEX payouts_parked ON payouts (pharmacy_uid, parked_reason) WHERE routing = 'parked'`

  yield* counts
})

/**
 * How many rows a pharmacy has, by status and by the day that ranges go by: a list's total is a sum over days, not a
 * count of rows. The database keeps it, so that no writer can forget to.
 */
const counts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE payout_counts (
    pharmacy_uid text NOT NULL REFERENCES pharmacies,
    status text NOT NULL,
    day integer NOT NULL,
    rows bigint NOT NULL,
    PRIMARY KEY (pharmacy_uid, status, day))`

  for (const [event, change] of [
    ["INSERT", "SELECT r.*, 1 AS n FROM new_rows r"],
    ["DELETE", "SELECT r.*, -1 AS n FROM old_rows r"],
    ["UPDATE", "SELECT r.*, 1 AS n FROM new_rows r UNION ALL SELECT r.*, -1 FROM old_rows r"]
  ] as const) {
    const name = `count_payouts_on_${event.toLowerCase()}`
    const tables = [event !== "DELETE" && "NEW TABLE AS new_rows", event !== "INSERT" && "OLD TABLE AS old_rows"]
    yield* sql.unsafe(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO payout_counts (pharmacy_uid, status, day, rows)
        SELECT pharmacy_uid, status, day, sum(n) FROM (
          SELECT pharmacy_uid, status, n,
            floor(extract(epoch FROM coalesce(routing_created_at, pharmacy_order_created_at)) / 86400)::integer AS day
          FROM (${change}) changed) dated
        GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3
        ON CONFLICT (pharmacy_uid, status, day) DO UPDATE SET rows = payout_counts.rows + excluded.rows;
        RETURN NULL;
      END $$`)
    yield* sql.unsafe(`CREATE TRIGGER ${name} AFTER ${event} ON payouts
      REFERENCING ${tables.filter(Boolean).join(" ")} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`)
  }
})
