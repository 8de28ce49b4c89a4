-- Participants whose meeting a doctor has ended: tokens of theirs issued before that time are rejected.
CREATE TABLE meeting_dismissals (
  organisation_uid text NOT NULL,
  appointment_uid text NOT NULL,
  participant text NOT NULL, -- a guest's uid, or 'patient'
  dismissed_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, appointment_uid, participant),
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE
);

-- Guests of appointments, which an erasure leaves without a name. Their link's code is derived from the uid.
CREATE TABLE meeting_guests (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  appointment_uid text NOT NULL,
  role text NOT NULL CHECK (role IN ('interpreter', 'relative', 'care')),
  name text,
  email text,
  phone text,
  language text,
  code_hash bytea NOT NULL,
  agreed_at timestamptz, -- to keep secret what they hear
  invite_due_at timestamptz, -- null: invited, or without an address
  created_at timestamptz NOT NULL,
  removed_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE
);
CREATE INDEX meeting_guests_by_appointment ON meeting_guests (organisation_uid, appointment_uid, created_at);
CREATE INDEX meeting_guests_by_code ON meeting_guests (code_hash);
CREATE INDEX meeting_guests_due ON meeting_guests (invite_due_at) WHERE invite_due_at IS NOT NULL; -- sending job

-- The organisations with guests to invite.
CREATE FUNCTION due_guests(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT DISTINCT organisation_uid FROM meeting_guests WHERE invite_due_at <= moment
$$;
REVOKE EXECUTE ON FUNCTION due_guests FROM PUBLIC;
