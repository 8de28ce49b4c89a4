-- Mails and text messages about events. Their content is rendered when they are sent and is not stored.

CREATE TABLE messages (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  event_id text NOT NULL,
  kind text NOT NULL CONSTRAINT messages_kind CHECK (kind ~ '^[a-z_]+$'), -- of the table of notices in the code
  appointment_uid text,
  subject_uid text, -- of a message about another record than an appointment
  recipient_role text NOT NULL CHECK (recipient_role IN ('patient', 'doctor', 'admin')),
  recipient_uid text NOT NULL,
  channel text NOT NULL CHECK (channel IN ('email', 'sms')),
  invite text CHECK (invite IN ('REQUEST', 'CANCEL')), -- method of the attached calendar file
  status text NOT NULL CHECK (status IN ('pending', 'sent', 'failed', 'skipped')),
  attempts integer NOT NULL,
  resends integer NOT NULL DEFAULT 0, -- sent again on wish: a mail of its own
  next_attempt_at timestamptz, -- the end of the lease while a process is sending it
  last_error text,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  told_at timestamptz, -- somebody told the recipient otherwise
  PRIMARY KEY (organisation_uid, uid),
  UNIQUE (organisation_uid, event_id, kind, recipient_role, recipient_uid, channel),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK (num_nonnulls(appointment_uid, subject_uid) = 1)
);
CREATE INDEX messages_by_age ON messages (organisation_uid, created_at, uid); -- lists
CREATE INDEX messages_by_status ON messages (organisation_uid, status, created_at, uid); -- lists of one status
CREATE INDEX messages_by_appointment ON messages (organisation_uid, appointment_uid); -- recipients of an invitation
CREATE INDEX messages_by_subject ON messages (organisation_uid, subject_uid) WHERE subject_uid IS NOT NULL;
CREATE INDEX messages_due ON messages (next_attempt_at) WHERE status = 'pending'; -- messages without a job
CREATE INDEX messages_age ON messages (created_at); -- retention
