-- What every domain uses: the master key's canary, the sandbox's clock, replayed answers, rate limits.

-- A random text sealed under the master key: a process that cannot open it has another key and must not start.
CREATE TABLE master_key_canary (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  canary_sealed text NOT NULL
);

-- Keys under which an organisation's or a pharmacy's health data are sealed (columns that end in _encrypted, and files). The
-- newest seals. made_in: a key is kept by a process only once the transaction that made it is over.
CREATE TABLE data_keys (
  owner_uid text NOT NULL,
  id text NOT NULL CHECK (id ~ '^[0-9a-f]{12}$'),
  wrapped text NOT NULL, -- under the master key, or by a key service
  made_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (owner_uid, id)
);

-- Present only where the sandbox has moved the clock. Domain time is real time plus this offset.
CREATE TABLE sandbox_clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  offset_seconds bigint NOT NULL CHECK (offset_seconds >= 0)
);

-- First answers of requests with an Idempotency-Key, sealed, since some hold secrets. `owner_uid` is an organisation, a pharmacy, or
-- 'installation' for who belongs to neither (operators, keys of pharmacy groups): an empty one would be every such caller's. The
-- answer is null while the first request runs; a list in it has at most 1,000 entries.
CREATE TABLE idempotency_keys (
  owner_uid text NOT NULL CHECK (owner_uid <> ''),
  scope text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  response_sealed text CHECK (length(response_sealed) <= 1048576),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (owner_uid, scope, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at); -- retention

-- Unlogged: a crash empties the buckets, which then count from zero.
CREATE UNLOGGED TABLE rate_limit_buckets (
  key text PRIMARY KEY,
  full_at double precision NOT NULL
);

-- Processes of the service. Each reports itself once a minute and deletes its row when it ends. Unlogged: after a crash they
-- report themselves again.
CREATE UNLOGGED TABLE replicas (
  uid text PRIMARY KEY,
  host text NOT NULL,
  role text NOT NULL CHECK (role IN ('all', 'http', 'worker')),
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
