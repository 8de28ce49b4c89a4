-- Shared by all domains: the master key's canary, data keys, the domain's clock, idempotent responses, rate limits, replicas.

-- A random text encrypted with the master key. A process that cannot decrypt it has a wrong key and must not start.
CREATE TABLE master_key_canary (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  canary_sealed text NOT NULL
);

-- Data keys that encrypt health data of an organisation or a pharmacy (columns that end in _encrypted, and files). The
-- newest encrypts. made_in: a process caches a key only after the transaction that created it has ended.
CREATE TABLE data_keys (
  owner_uid text NOT NULL,
  id text NOT NULL CHECK (id ~ '^[0-9a-f]{12}$'),
  wrapped text NOT NULL, -- by the master key or a key service
  made_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (owner_uid, id)
);

-- Has a row only if domain time was moved (SANDBOX=true). It is real time plus this offset.
CREATE TABLE domain_clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  offset_seconds bigint NOT NULL CHECK (offset_seconds >= 0)
);

-- First responses of requests with an Idempotency-Key, encrypted, since some contain secrets. `owner_uid` is an organisation, a pharmacy, or
-- 'installation' for callers that belong to neither (operators, keys of pharmacy groups); '' would be visible to all of them. The
-- response is null while the first request runs; a list in it has at most 1,000 entries.
CREATE TABLE idempotency_keys (
  owner_uid text NOT NULL CHECK (owner_uid <> ''),
  scope text NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  response_sealed text CHECK (length(response_sealed) <= 1048576),
  uid_hashes bigint[], -- of the uids in the response, by which those about an erased patient are found
  created_at timestamptz NOT NULL,
  PRIMARY KEY (owner_uid, scope, key)
);
CREATE INDEX idempotency_keys_uids ON idempotency_keys USING gin (uid_hashes);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at); -- retention

-- Unlogged: after a crash all buckets are full again.
CREATE UNLOGGED TABLE rate_limit_buckets (
  key text PRIMARY KEY,
  full_at double precision NOT NULL
);

-- Processes of the service. Each updates its row once a minute and deletes it on shutdown. Unlogged: after a crash they
-- insert themselves again.
CREATE UNLOGGED TABLE replicas (
  uid text PRIMARY KEY,
  host text NOT NULL,
  role text NOT NULL CHECK (role IN ('all', 'http', 'worker')),
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
