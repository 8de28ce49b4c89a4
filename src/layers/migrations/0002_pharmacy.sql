-- Pharmacies, their products, orders and payouts. Products and SKUs are shared by all; every other table belongs to
-- one pharmacy and its keys start with pharmacy_uid.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE pharmacy_groups (
  pharmacy_group_uid text PRIMARY KEY,
  name text NOT NULL,
  email text -- of its staff, who sign in by it
);
CREATE INDEX pharmacy_groups_email ON pharmacy_groups (lower(email));

CREATE TABLE pharmacies (
  pharmacy_uid text PRIMARY KEY,
  pharmacy_group_uid text REFERENCES pharmacy_groups,
  name text NOT NULL,
  hidden_sku_types text[] NOT NULL CHECK (hidden_sku_types <@ ARRAY['digital', 'physical']),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  commission_bps integer NOT NULL CHECK (commission_bps BETWEEN 0 AND 10000),
  markup_share_bps integer NOT NULL CHECK (markup_share_bps BETWEEN 0 AND 10000),
  shipping_share_bps integer NOT NULL CHECK (shipping_share_bps BETWEEN 0 AND 10000),
  payment_account text,
  email text -- of its staff, who sign in by it
);
CREATE INDEX pharmacies_email ON pharmacies (lower(email));

CREATE TABLE products (
  product_uid text PRIMARY KEY,
  display_name text NOT NULL,
  handle text NOT NULL
);

CREATE TABLE skus (
  sku_uid text PRIMARY KEY,
  product_uid text NOT NULL REFERENCES products,
  display_name text NOT NULL,
  pzn text,
  standard_selling_unit double precision NOT NULL CHECK (standard_selling_unit > 0),
  unit text NOT NULL,
  digital boolean NOT NULL,
  selling_price bigint NOT NULL CHECK (selling_price BETWEEN 0 AND 10000000000),
  storefront_variant_id text,
  needs_anamnesis boolean NOT NULL DEFAULT false,
  UNIQUE (sku_uid, product_uid, digital)
);
CREATE INDEX skus_product ON skus (product_uid); -- SKUs of a page of products
CREATE INDEX skus_pzn ON skus (pzn) WHERE pzn IS NOT NULL; -- SKUs by name
CREATE INDEX skus_variant ON skus (storefront_variant_id); -- SKUs of a storefront's order

CREATE TABLE pharmacy_skus (
  pharmacy_uid text NOT NULL REFERENCES pharmacies,
  uid text NOT NULL,
  sku_uid text NOT NULL,
  product_uid text NOT NULL, -- this and the next are copies of the SKU's, by which lists filter and count without reading it
  digital boolean NOT NULL,
  external_id text NOT NULL,
  price bigint NOT NULL CHECK (price BETWEEN 0 AND 10000000000),
  stock bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (pharmacy_uid, uid),
  FOREIGN KEY (sku_uid, product_uid, digital) REFERENCES skus (sku_uid, product_uid, digital) ON UPDATE CASCADE
);
-- Lists of SKUs and of products: rows before a page, and totals, are read in the index alone, also with hidden types.
CREATE INDEX pharmacy_skus_listed ON pharmacy_skus (pharmacy_uid, uid) INCLUDE (digital) WHERE deleted_at IS NULL;
CREATE INDEX pharmacy_skus_products ON pharmacy_skus (pharmacy_uid, product_uid) INCLUDE (digital) WHERE deleted_at IS NULL;
CREATE INDEX pharmacy_skus_sku ON pharmacy_skus (pharmacy_uid, sku_uid); -- a pharmacy's SKUs
CREATE INDEX pharmacy_skus_external ON pharmacy_skus (pharmacy_uid, external_id); -- SKUs by name
CREATE INDEX pharmacy_skus_carriers ON pharmacy_skus (sku_uid); -- pharmacies that carry every line of an order

-- A payment at the provider belongs to the shop's order that named it first. The provider does not know organisations or shops, so
-- it would route any payment. Only provisioning may assign one payment to several orders; it names no order of a shop.
CREATE TABLE payments (
  organisation_uid text NOT NULL,
  payment_id text NOT NULL,
  provisioned boolean NOT NULL,
  shop_uid text,
  order_id text, -- the shop's id of the order
  PRIMARY KEY (organisation_uid, payment_id),
  CHECK (num_nulls(shop_uid, order_id) = CASE WHEN provisioned THEN 2 ELSE 0 END)
);
CREATE UNIQUE INDEX payments_one_organisation ON payments (payment_id) WHERE NOT provisioned;
CREATE INDEX payments_by_id ON payments (payment_id); -- the organisation of a payment

-- The shop and the prescription belong to an organisation, which is on another shard, so there is no foreign key.
CREATE TABLE pharmacy_orders (
  pharmacy_uid text NOT NULL REFERENCES pharmacies,
  uid text NOT NULL,
  name text NOT NULL,
  status text NOT NULL CONSTRAINT pharmacy_orders_status CHECK (status IN ('new', 'accepted', 'in_preparation',
    'ready_for_pickup', 'shipped', 'completed', 'rejected', 'cancelled')),
  paid boolean NOT NULL,
  organisation_uid text NOT NULL,
  shop_uid text NOT NULL,
  prescription_uid text,
  payment_id text,
  shipping_price bigint NOT NULL CHECK (shipping_price BETWEEN 0 AND 10000000000000),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  paid_amount bigint NOT NULL DEFAULT 0 CHECK (paid_amount >= 0), -- what the buyer has paid for it less what was refunded; the most that is routed
  refunded_amount bigint NOT NULL DEFAULT 0 CHECK (refunded_amount >= 0), -- of the shop's whole order
  shop_change jsonb, -- what the shop changed after the pharmacy began, or what a person has to settle before it goes on
  patient jsonb,
  patient_uid text, -- the prescription's patient
  patient_name text GENERATED ALWAYS AS (lower(patient->>'last_name') || E'\n' || lower(patient->>'first_name')) STORED, -- see prescriptions.patient_name
  shipping_address jsonb,
  tracking jsonb,
  status_reason text,
  problem jsonb, -- {message, missing: [{line_uid, quantity}], since}: what the pharmacy cannot deliver
  undo jsonb, -- {status, until}: the last step, while it can be undone
  takes_stock boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  paid_at timestamptz,
  completed_at timestamptz,
  search_text text NOT NULL GENERATED ALWAYS AS
    (lower(uid || E'\n' || name || E'\n' || coalesce(prescription_uid, ''))) STORED,
  PRIMARY KEY (pharmacy_uid, uid),
  CONSTRAINT pharmacy_orders_payment FOREIGN KEY (organisation_uid, payment_id) REFERENCES payments
);
-- Lists, and lists with a status. The included columns are those of the policy, of `updated_after` and of a search that most orders
-- match: rows before a page, and totals, are read in the index alone.
CREATE INDEX pharmacy_orders_by_age ON pharmacy_orders (pharmacy_uid, created_at, uid)
  INCLUDE (organisation_uid, updated_at, search_text);
CREATE INDEX pharmacy_orders_by_status ON pharmacy_orders (pharmacy_uid, status, created_at, uid)
  INCLUDE (organisation_uid, updated_at, search_text);
CREATE INDEX pharmacy_orders_changed ON pharmacy_orders (pharmacy_uid, updated_at); -- lists by updated_after
CREATE INDEX pharmacy_orders_age ON pharmacy_orders (updated_at) -- retention
  WHERE num_nonnulls(patient, shipping_address, tracking) > 0;
CREATE INDEX pharmacy_orders_prescription ON pharmacy_orders (prescription_uid); -- orders of a prescription
CREATE INDEX pharmacy_orders_patient ON pharmacy_orders (organisation_uid, patient_uid) WHERE patient_uid IS NOT NULL; -- a patient's rights
CREATE INDEX pharmacy_orders_patient_name ON pharmacy_orders (organisation_uid, patient_name) WHERE patient_uid IS NULL; -- the same, by name
CREATE INDEX pharmacy_orders_open ON pharmacy_orders (pharmacy_uid, uid)
  WHERE paid AND status NOT IN ('completed', 'rejected', 'cancelled'); -- payouts to recalculate
CREATE INDEX pharmacy_orders_search ON pharmacy_orders USING gin (search_text gin_trgm_ops);

CREATE TABLE pharmacy_order_lines (
  pharmacy_uid text NOT NULL,
  pharmacy_order_uid text NOT NULL,
  uid text NOT NULL,
  position integer NOT NULL,
  sku_uid text NOT NULL REFERENCES skus,
  pharmacy_sku_uid text,
  quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 100000),
  total_price bigint NOT NULL CHECK (total_price BETWEEN 0 AND 1000000000000000), -- paid for all of the quantity, after discounts
  digital boolean NOT NULL,
  PRIMARY KEY (pharmacy_uid, pharmacy_order_uid, uid),
  FOREIGN KEY (pharmacy_uid, pharmacy_order_uid) REFERENCES pharmacy_orders,
  FOREIGN KEY (pharmacy_uid, pharmacy_sku_uid) REFERENCES pharmacy_skus
);

-- A row is a projection until its order is completed. Then it is the intent to route, written before the provider is called,
-- and finally the route. One table, so that a list of projections and routes is one index scan for each.
CREATE TABLE payouts (
  pharmacy_uid text NOT NULL,
  pharmacy_order_uid text NOT NULL,
  component_type text NOT NULL CHECK (component_type IN ('item_rest', 'item_markup', 'shipping')),
  routing text NOT NULL CHECK (routing IN ('none', 'pending', 'parked', 'routed')),
  status text NOT NULL GENERATED ALWAYS AS (CASE WHEN routing = 'routed' THEN 'routed' ELSE 'projected' END) STORED
    CONSTRAINT payouts_status CHECK (status IN ('projected', 'routed')),
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  routing_description text,
  provider_route_id text,
  pharmacy_order_name text NOT NULL,
  pharmacy_order_created_at timestamptz NOT NULL,
  routing_created_at timestamptz,
  parked_reason text,
  attempts integer NOT NULL DEFAULT 0,
  tried_at timestamptz,
  leased_until timestamptz,
  updated_at timestamptz NOT NULL, -- of the fields in the list
  search_text text NOT NULL GENERATED ALWAYS AS (lower(pharmacy_order_uid || E'\n' || pharmacy_order_name || E'\n' ||
    coalesce(provider_route_id, '') || E'\n' || coalesce(routing_description, ''))) STORED,
  PRIMARY KEY (pharmacy_uid, pharmacy_order_uid, component_type),
  FOREIGN KEY (pharmacy_uid, pharmacy_order_uid) REFERENCES pharmacy_orders,
  CHECK ((routing = 'routed') = (routing_created_at IS NOT NULL)),
  CHECK ((routing = 'parked') = (parked_reason IS NOT NULL)),
  CHECK (routing = 'none' OR routing_description IS NOT NULL)
);
-- One index for each sort order of the list. Two of them sort by the dates by which ranges filter.
CREATE INDEX payouts_by_order ON payouts
  (pharmacy_uid, status, pharmacy_order_created_at, pharmacy_order_uid, component_type);
-- The included columns allow index-only scans of a range of days that is sorted by another column.
CREATE INDEX payouts_by_route ON payouts
  (pharmacy_uid, status, routing_created_at NULLS FIRST, pharmacy_order_uid, component_type)
  INCLUDE (pharmacy_order_created_at, amount);
CREATE INDEX payouts_by_amount ON payouts (pharmacy_uid, status, amount, pharmacy_order_uid, component_type);
CREATE INDEX payouts_changed ON payouts (pharmacy_uid, status, updated_at); -- lists by updated_after
CREATE INDEX payouts_search ON payouts USING gin (search_text gin_trgm_ops);
CREATE INDEX payouts_unrouted ON payouts (tried_at) WHERE routing = 'pending'; -- the sweep
CREATE INDEX payouts_parked ON payouts (pharmacy_uid, parked_reason) WHERE routing = 'parked';

-- Number of payouts of a pharmacy, by status and the UTC day by which ranges filter: a list's total is a sum over days, not a
-- count of rows. Maintained by triggers, so that every writer is counted.
CREATE TABLE payout_counts (
  pharmacy_uid text NOT NULL REFERENCES pharmacies,
  status text NOT NULL CONSTRAINT payout_counts_status CHECK (status IN ('projected', 'routed')),
  day date NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (pharmacy_uid, status, day)
);

-- No more is routed than was paid for the order. Checked when a payout is about to be routed; a refund that comes later is a fact.
CREATE FUNCTION payouts_within_paid() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid bigint;
  routed bigint;
BEGIN
  SELECT o.paid_amount INTO paid FROM pharmacy_orders o
    WHERE o.pharmacy_uid = NEW.pharmacy_uid AND o.uid = NEW.pharmacy_order_uid FOR NO KEY UPDATE;
  SELECT sum(p.amount) INTO routed FROM payouts p WHERE p.pharmacy_uid = NEW.pharmacy_uid
    AND p.pharmacy_order_uid = NEW.pharmacy_order_uid AND p.routing IN ('pending', 'routed');
  IF routed > paid THEN
    RAISE EXCEPTION 'payouts of % are more than was paid for it', NEW.pharmacy_order_uid
      USING ERRCODE = 'check_violation', CONSTRAINT = 'payouts_within_paid';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER within_paid_inserted AFTER INSERT ON payouts
  FOR EACH ROW WHEN (NEW.routing IN ('pending', 'routed')) EXECUTE FUNCTION payouts_within_paid();
CREATE TRIGGER within_paid_updated AFTER UPDATE OF routing, amount ON payouts
  FOR EACH ROW WHEN (NEW.routing IN ('pending', 'routed') AND (OLD.routing NOT IN ('pending', 'routed') OR NEW.amount > OLD.amount))
  EXECUTE FUNCTION payouts_within_paid();

CREATE FUNCTION count_payouts_on_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payout_counts (pharmacy_uid, status, day, rows)
  SELECT pharmacy_uid, status, (coalesce(routing_created_at, pharmacy_order_created_at) AT TIME ZONE 'UTC')::date, count(*)
  FROM new_rows
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (pharmacy_uid, status, day) DO UPDATE SET rows = payout_counts.rows + excluded.rows;
  RETURN NULL;
END $$;

CREATE FUNCTION count_payouts_on_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payout_counts (pharmacy_uid, status, day, rows)
  SELECT pharmacy_uid, status, (coalesce(routing_created_at, pharmacy_order_created_at) AT TIME ZONE 'UTC')::date, -count(*)
  FROM old_rows
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (pharmacy_uid, status, day) DO UPDATE SET rows = payout_counts.rows + excluded.rows;
  RETURN NULL;
END $$;

CREATE FUNCTION count_payouts_on_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payout_counts (pharmacy_uid, status, day, rows)
  SELECT pharmacy_uid, status, (coalesce(routing_created_at, pharmacy_order_created_at) AT TIME ZONE 'UTC')::date, sum(n)
  FROM (SELECT r.*, 1 AS n FROM new_rows r UNION ALL SELECT r.*, -1 FROM old_rows r) changed
  GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3
  ON CONFLICT (pharmacy_uid, status, day) DO UPDATE SET rows = payout_counts.rows + excluded.rows;
  RETURN NULL;
END $$;

CREATE TRIGGER count_payouts_on_insert AFTER INSERT ON payouts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_payouts_on_insert();
CREATE TRIGGER count_payouts_on_delete AFTER DELETE ON payouts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_payouts_on_delete();
CREATE TRIGGER count_payouts_on_update AFTER UPDATE ON payouts
  REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_payouts_on_update();
