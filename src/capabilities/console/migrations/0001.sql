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

-- Codes that were mailed to sign in; of several for one address the newest counts. Domain time.
CREATE TABLE sign_in_codes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email_hash bytea NOT NULL,
  code_hash bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_codes_by_address ON sign_in_codes (email_hash, id DESC);
CREATE INDEX sign_in_codes_age ON sign_in_codes (created_at); -- deleted by the next one

-- WebAuthn credentials of people who sign in by mail.
CREATE TABLE passkeys (
  credential_id text PRIMARY KEY, -- base64url
  email text NOT NULL,
  name text NOT NULL,
  public_key bytea NOT NULL, -- COSE
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX passkeys_by_address ON passkeys (lower(email), created_at);

-- Access tokens of the installation, each of a session. Real time.
CREATE TABLE staff_tokens (
  token_hash text PRIMARY KEY, -- SHA-256 in hex
  session_hash text NOT NULL REFERENCES console_sessions ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX staff_tokens_by_session ON staff_tokens (session_hash);
CREATE INDEX staff_tokens_age ON staff_tokens (expires_at); -- deleted by the next one

-- Forms that were refused, as they were typed. Kept for an hour.
CREATE TABLE refused_forms (
  code text PRIMARY KEY,
  form_sealed text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX refused_forms_age ON refused_forms (expires_at); -- deleted by the next refused form
