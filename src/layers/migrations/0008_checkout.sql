-- Partners' checkouts into shops, storefronts' orders, and the embedded shop.

CREATE TABLE checkouts (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  shop_uid text NOT NULL,
  draft_order_id text,
  created_at timestamptz NOT NULL,
  accepted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops
);
CREATE INDEX checkouts_age ON checkouts (created_at); -- retention
CREATE INDEX checkouts_unfinished ON checkouts (created_at) WHERE accepted_at IS NULL;

-- An accepted row blocks its prescription's id. Until then the row only keeps the uid for a repeated
-- request.
CREATE TABLE accepted_prescriptions (
  organisation_uid text NOT NULL,
  id text NOT NULL,
  prescription_uid text NOT NULL,
  checkout_uid text NOT NULL,
  accepted_at timestamptz,
  PRIMARY KEY (organisation_uid, id),
  UNIQUE (organisation_uid, prescription_uid),
  FOREIGN KEY (organisation_uid, checkout_uid) REFERENCES checkouts ON DELETE CASCADE
);
CREATE INDEX accepted_prescriptions_age ON accepted_prescriptions (accepted_at); -- retention
CREATE INDEX accepted_prescriptions_checkout ON accepted_prescriptions (organisation_uid, checkout_uid);

-- Abandoned checkouts, with the uids of the prescriptions that they would have created: leftovers in the file
-- store and in the shop are found by these. A row is deleted after the clean-up.
CREATE TABLE abandoned_checkouts (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  shop_uid text NOT NULL,
  prescription_uids jsonb NOT NULL,
  abandoned_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops
);
CREATE INDEX abandoned_checkouts_age ON abandoned_checkouts (abandoned_at);

CREATE TABLE reservations (
  organisation_uid text NOT NULL,
  shop_uid text NOT NULL,
  draft_order_id text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, shop_uid, draft_order_id),
  FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops
);

CREATE INDEX reservations_age ON reservations (expires_at); -- retention

CREATE TABLE storefront_webhooks (
  organisation_uid text NOT NULL,
  shop_uid text NOT NULL,
  webhook_id text NOT NULL,
  topic text NOT NULL CONSTRAINT storefront_webhooks_topic
    CHECK (topic IN ('orders/create', 'orders/updated', 'orders/paid', 'orders/cancelled', 'refunds/create')),
  body_sha256 text NOT NULL CHECK (body_sha256 ~ '^[0-9a-f]{64}$'),
  received_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, shop_uid, webhook_id),
  UNIQUE (organisation_uid, shop_uid, body_sha256), -- a body is processed once, whatever its headers
  FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops
);
CREATE INDEX storefront_webhooks_age ON storefront_webhooks (received_at); -- retention

-- `waiting_encrypted` is the latest webhook of an order of which no pharmacy order can be made yet, `waiting_name` and `waiting_topic`
-- what an operator's list shows of it; `updated_at` is the shop's own time of its latest webhook, and `progress` decides between
-- webhooks of one time. `received` is what the buyer has paid according to the latest webhook, `refunds` what was given back:
-- `{<id of the refund>: {amount, listed}}`, `listed` where the latest webhook of the order has it.
CREATE TABLE storefront_orders (
  organisation_uid text NOT NULL,
  shop_uid text NOT NULL,
  order_id text NOT NULL,
  cancelled boolean NOT NULL,
  updated_at timestamptz,
  progress smallint NOT NULL DEFAULT 0,
  received bigint NOT NULL DEFAULT 0 CHECK (received >= 0),
  refunds jsonb NOT NULL DEFAULT '{}',
  anamnesis_waived boolean NOT NULL DEFAULT false, -- a person has decided that it needs none
  waiting_encrypted text,
  waiting_patients text[], -- those whom it names, known before it is sealed
  waiting_since timestamptz,
  waiting_reason text CONSTRAINT storefront_orders_waiting_reason
    CHECK (waiting_reason IN ('no_pharmacy', 'prescription_not_usable', 'anamnesis_required')),
  waiting_name text CHECK (length(waiting_name) <= 255),
  waiting_topic text CONSTRAINT storefront_orders_waiting_topic
    CHECK (waiting_topic IN ('orders/create', 'orders/updated', 'orders/paid', 'orders/cancelled')),
  PRIMARY KEY (organisation_uid, shop_uid, order_id),
  FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops,
  CHECK (num_nonnulls(waiting_encrypted, waiting_since, waiting_reason, waiting_name, waiting_topic) IN (0, 5))
);
CREATE INDEX storefront_orders_waiting ON storefront_orders (waiting_since) WHERE waiting_since IS NOT NULL;

-- `prescription` is the one that the shop's lines name, empty for lines that name none; `removed`: the shop has removed all of its lines.
CREATE TABLE storefront_order_parts (
  organisation_uid text NOT NULL,
  shop_uid text NOT NULL,
  order_id text NOT NULL,
  pharmacy_uid text NOT NULL,
  pharmacy_order_uid text NOT NULL,
  prescription text NOT NULL,
  removed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organisation_uid, shop_uid, order_id, pharmacy_uid, pharmacy_order_uid),
  FOREIGN KEY (organisation_uid, shop_uid, order_id) REFERENCES storefront_orders
);

CREATE TABLE embedded_orders (
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
  FOREIGN KEY (organisation_uid, shop_uid) REFERENCES shops
);
CREATE INDEX embedded_orders_unpaid ON embedded_orders (created_at) WHERE paid_at IS NULL; -- retention
CREATE INDEX embedded_orders_paid ON embedded_orders (paid_at); -- retention
CREATE INDEX embedded_orders_id ON embedded_orders (id); -- the checkout page
