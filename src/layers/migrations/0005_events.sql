-- Events, their subscribers and deliveries. `owner_uid` is an organisation or a pharmacy; `subject` is the appointment,
-- order or prescription of an event, within which order is kept.
--
-- Only the form of event types is checked: the closed list is the catalogue in the code, and a replica of a new
-- release may write a new type while replicas of the previous release still run.

CREATE TABLE events (
  owner_uid text NOT NULL,
  id text NOT NULL,
  owner_kind text NOT NULL CHECK (owner_kind IN ('organisation', 'pharmacy')),
  position bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL CONSTRAINT events_type CHECK (type ~ '^[a-z_]+(\.[a-z_]+)?$'),
  subject text NOT NULL,
  data_encrypted text, -- null: its patient was erased
  traceparent text, -- the trace of the change, which its webhooks join
  -- The position in the feed, assigned when the feed is read, not when the event is written: writers of one organisation do
  -- not block each other, and a reader's cursor never skips an event whose transaction was still open.
  feed_position bigint,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (owner_uid, id)
);
CREATE UNIQUE INDEX events_feed ON events (owner_uid, feed_position) WHERE feed_position IS NOT NULL;
CREATE INDEX events_feed_by_type ON events (owner_uid, type, feed_position) WHERE feed_position IS NOT NULL AND data_encrypted IS NOT NULL;
CREATE INDEX events_unplaced ON events (owner_uid, position) WHERE feed_position IS NULL;
CREATE INDEX events_subject ON events (owner_uid, subject); -- export and erasure of a patient
CREATE INDEX events_age ON events (created_at); -- retention

CREATE TABLE webhook_subscriptions (
  owner_uid text NOT NULL,
  uid text NOT NULL,
  owner_kind text NOT NULL CHECK (owner_kind IN ('organisation', 'pharmacy')),
  event_types text[] NOT NULL CHECK (cardinality(event_types) > 0),
  url text NOT NULL,
  active boolean NOT NULL,
  secret_sealed text NOT NULL,
  previous_secret_sealed text,
  previous_secret_until timestamptz,
  wake_at timestamptz,
  failing_since timestamptz, -- the first failed attempt since one was accepted
  failing_notified boolean NOT NULL DEFAULT false, -- whether `subscription.failing` was written since then
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (owner_uid, uid)
);

CREATE TABLE webhook_deliveries (
  owner_uid text NOT NULL,
  uid text NOT NULL,
  subscription_uid text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL CONSTRAINT webhook_deliveries_event_type CHECK (event_type ~ '^[a-z_]+(\.[a-z_]+)?$'),
  subject text NOT NULL,
  position bigint NOT NULL,
  example jsonb,
  status text NOT NULL CONSTRAINT webhook_deliveries_status CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts jsonb NOT NULL,
  failed_attempts integer NOT NULL,
  next_attempt_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL, -- of the status and the attempts
  PRIMARY KEY (owner_uid, uid),
  FOREIGN KEY (owner_uid, subscription_uid) REFERENCES webhook_subscriptions,
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_next -- those of a subscription to attempt
  ON webhook_deliveries (owner_uid, subscription_uid, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_in_order
  ON webhook_deliveries (owner_uid, subscription_uid, subject, position) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_by_subscription ON webhook_deliveries (owner_uid, subscription_uid, created_at, uid); -- lists
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (owner_uid, subscription_uid, created_at, uid) WHERE status = 'failed'; -- the same for failed ones
CREATE INDEX webhook_deliveries_changed ON webhook_deliveries (owner_uid, subscription_uid, updated_at); -- lists by updated_after
CREATE INDEX webhook_deliveries_examples ON webhook_deliveries (owner_uid, created_at) WHERE example IS NOT NULL; -- limits of tests
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at); -- retention

-- Number of ended deliveries, by subscription, final status and the UTC month of their creation: a list's total is a sum over
-- months. Maintained by triggers, so that every writer is counted.
CREATE TABLE webhook_delivery_counts (
  owner_uid text NOT NULL,
  subscription_uid text NOT NULL,
  status text NOT NULL CONSTRAINT webhook_delivery_counts_status CHECK (status IN ('delivered', 'failed')),
  month date NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (owner_uid, subscription_uid, status, month)
);

CREATE FUNCTION count_ended_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status IN ('delivered', 'failed') THEN
    INSERT INTO webhook_delivery_counts (owner_uid, subscription_uid, status, month, rows)
    VALUES (OLD.owner_uid, OLD.subscription_uid, OLD.status, date_trunc('month', OLD.created_at AT TIME ZONE 'UTC')::date, -1)
    ON CONFLICT (owner_uid, subscription_uid, status, month) DO UPDATE SET rows = webhook_delivery_counts.rows + excluded.rows;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status IN ('delivered', 'failed') THEN
    INSERT INTO webhook_delivery_counts (owner_uid, subscription_uid, status, month, rows)
    VALUES (NEW.owner_uid, NEW.subscription_uid, NEW.status, date_trunc('month', NEW.created_at AT TIME ZONE 'UTC')::date, 1)
    ON CONFLICT (owner_uid, subscription_uid, status, month) DO UPDATE SET rows = webhook_delivery_counts.rows + excluded.rows;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER count_inserted AFTER INSERT ON webhook_deliveries
  FOR EACH ROW WHEN (NEW.status IN ('delivered', 'failed')) EXECUTE FUNCTION count_ended_deliveries();
CREATE TRIGGER count_deleted AFTER DELETE ON webhook_deliveries
  FOR EACH ROW WHEN (OLD.status IN ('delivered', 'failed')) EXECUTE FUNCTION count_ended_deliveries();
CREATE TRIGGER count_updated AFTER UPDATE OF status ON webhook_deliveries
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_ended_deliveries();
