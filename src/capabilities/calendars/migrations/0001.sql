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
