-- Calendars kept elsewhere, whose events make a doctor busy. The address, the user name and the password are sealed.
CREATE TABLE busy_sources (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  doctor_uid text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('ics', 'caldav')),
  name text NOT NULL,
  url_sealed text NOT NULL,
  username_sealed text,
  password_sealed text,
  all_day_blocks boolean NOT NULL,
  when_stale text NOT NULL CHECK (when_stale IN ('keep', 'close')),
  active boolean NOT NULL,
  content_tag text, -- of the last reading; null: none, so that the next reading is whole
  last_success_at timestamptz,
  fault text, -- why the last reading failed; null: it did not
  next_read_at timestamptz, -- null while it is not active
  events integer NOT NULL DEFAULT 0,
  all_day_events integer NOT NULL DEFAULT 0,
  skipped_events integer NOT NULL DEFAULT 0,
  notice jsonb, -- {kind, detail}: the first of what the last successful reading could not read
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
  CHECK (active = (next_read_at IS NOT NULL))
);
CREATE INDEX busy_sources_of_doctor ON busy_sources (organisation_uid, doctor_uid) WHERE deleted_at IS NULL;
CREATE INDEX busy_sources_due ON busy_sources (next_read_at) WHERE next_read_at IS NOT NULL; -- reading job

-- The organisations with calendars to read.
CREATE FUNCTION due_busy_sources(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT DISTINCT organisation_uid FROM busy_sources WHERE next_read_at <= moment
$$;
REVOKE EXECUTE ON FUNCTION due_busy_sources FROM PUBLIC;

-- Calendars of doctors at Microsoft, Google or a CalDAV server, read and written. Rule 3.15.
CREATE TABLE calendar_connections (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  doctor_uid text NOT NULL,
  provider text NOT NULL CHECK (provider IN ('microsoft', 'google', 'caldav')),
  account text NOT NULL DEFAULT '',
  access_sealed text, -- JSON: the provider's tokens, or address, user name and password; null: an attempt, or forgotten
  access_until timestamptz, -- when the access token ends
  state_hash bytea, -- of an attempt to connect, until it is used
  verifier_sealed text, -- of PKCE
  connected_at timestamptz, -- null: an attempt, which ends at next_at
  push_hash bytea NOT NULL, -- of the code in the address that the provider calls
  push_code_sealed text NOT NULL,
  fault text, -- why the last contact failed; null: it did not
  last_read_at timestamptz,
  last_write_at timestamptz,
  asked bigint NOT NULL DEFAULT 0, -- how often work was asked for
  leased_until timestamptz, -- a process works on it; real time
  rests_until timestamptz, -- the provider asks for fewer requests
  next_at timestamptz, -- when it is due; null: the permission is lost, or nothing is left to do
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors
);
CREATE INDEX calendar_connections_of_doctor ON calendar_connections (organisation_uid, doctor_uid) WHERE deleted_at IS NULL;
CREATE INDEX calendar_connections_due ON calendar_connections (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX calendar_connections_pushed ON calendar_connections (organisation_uid, push_hash);

CREATE TABLE connected_calendars (
  organisation_uid text NOT NULL,
  connection_uid text NOT NULL,
  id text NOT NULL, -- the provider's
  name text NOT NULL,
  position integer NOT NULL,
  reads boolean NOT NULL,
  writes boolean NOT NULL,
  token text, -- of the last changes read; null: the next reading is whole
  whole_at timestamptz, -- of the last whole reading
  read_at timestamptz, -- when its changes are asked for next
  subscription jsonb, -- {id, resource}: where changes are pushed
  subscription_until timestamptz,
  PRIMARY KEY (organisation_uid, connection_uid, id),
  FOREIGN KEY (organisation_uid, connection_uid) REFERENCES calendar_connections ON DELETE CASCADE
);
CREATE UNIQUE INDEX connected_calendars_written ON connected_calendars (organisation_uid, connection_uid) WHERE writes;

-- Times of foreign entries: no titles.
CREATE TABLE connected_times (
  organisation_uid text NOT NULL,
  connection_uid text NOT NULL,
  calendar_id text NOT NULL,
  entry_id text NOT NULL,
  start_date bigint NOT NULL,
  end_date bigint NOT NULL,
  PRIMARY KEY (organisation_uid, connection_uid, calendar_id, entry_id)
);

-- What is to be, or was, written into a doctor's calendar.
CREATE TABLE calendar_entries (
  organisation_uid text NOT NULL,
  uid text NOT NULL, -- stands in the entry itself
  connection_uid text NOT NULL,
  calendar_id text NOT NULL,
  doctor_uid text NOT NULL,
  appointment_uids text[] NOT NULL, -- several: the seats of one group time
  in_group boolean NOT NULL, -- of a type with several seats
  start_date bigint NOT NULL,
  end_date bigint NOT NULL,
  wanted boolean NOT NULL, -- false: it is to be removed
  version integer NOT NULL DEFAULT 1, -- of what is wanted
  done_version integer NOT NULL DEFAULT 0, -- of what stands there
  begun boolean NOT NULL DEFAULT false, -- a creation was begun: it is looked up before another one
  entry_id text, -- the provider's
  missing boolean NOT NULL DEFAULT false, -- removed there
  moved_to bigint, -- its start there, where that is another one
  due_at timestamptz, -- next attempt; null: nothing to do
  waiting_since timestamptz, -- since when it does not stand there as wanted
  PRIMARY KEY (organisation_uid, connection_uid, uid)
);
CREATE INDEX calendar_entries_of_appointments ON calendar_entries USING gin (appointment_uids);
CREATE INDEX calendar_entries_there ON calendar_entries (organisation_uid, connection_uid, entry_id);

CREATE INDEX calendar_entries_due ON calendar_entries (organisation_uid, connection_uid, due_at) WHERE due_at IS NOT NULL;

-- The organisations with connections that are due.
CREATE FUNCTION due_calendar_connections(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT DISTINCT organisation_uid FROM calendar_connections WHERE next_at <= moment
$$;
REVOKE EXECUTE ON FUNCTION due_calendar_connections FROM PUBLIC;
