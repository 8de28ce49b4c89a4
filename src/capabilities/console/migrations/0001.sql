-- Sessions of the console, found by the hash of their cookie. A session has no tenant: which records it may access is
-- derived from the claims at each request. Times are real time, like those of tokens.
CREATE TABLE console_sessions (
  token_hash text PRIMARY KEY, -- SHA-256 in hex
  issuer text NOT NULL,
  claims jsonb NOT NULL,
  id_token_sealed text NOT NULL, -- ends the session at the provider
  language text, -- chosen in the console; null: the browser's
  created_at timestamptz NOT NULL,
  refresh_sealed text, -- the provider's refresh token; null: it issues none
  verified_at timestamptz NOT NULL, -- when the provider last confirmed the claims
  renewing_at timestamptz, -- when a process last began to ask it again
  used_at timestamptz NOT NULL, -- to the minute
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX console_sessions_age ON console_sessions (expires_at); -- retention

-- Sign-in attempts that were used: each asks the provider once. Kept while the attempt is valid.
CREATE TABLE used_sign_ins (
  state_hash text PRIMARY KEY, -- SHA-256 in hex
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_sign_ins_age ON used_sign_ins (expires_at); -- deleted by the next attempt

-- Forms that were refused, as they were typed. Kept for an hour.
CREATE TABLE refused_forms (
  code text PRIMARY KEY,
  form_sealed text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX refused_forms_age ON refused_forms (expires_at); -- deleted by the next refused form
