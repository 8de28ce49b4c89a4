-- Forms, what patients answer, their files, and requests in writing.
CREATE TABLE forms (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  title jsonb NOT NULL, -- a text, or {language: text}
  version integer NOT NULL,
  items jsonb NOT NULL,
  active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid)
);

-- What was asked: answers name their version.
CREATE TABLE form_versions (
  organisation_uid text NOT NULL,
  form_uid text NOT NULL,
  version integer NOT NULL,
  items jsonb NOT NULL,
  PRIMARY KEY (organisation_uid, form_uid, version),
  FOREIGN KEY (organisation_uid, form_uid) REFERENCES forms ON DELETE CASCADE
);

CREATE TABLE form_responses (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  patient_uid text NOT NULL,
  door text NOT NULL CONSTRAINT form_responses_door CHECK (door IN ('entry', 'intake', 'request')),
  subject_uid text NOT NULL, -- the booking session; the first of a chain of moved appointments; the request
  asked_by text NOT NULL, -- the appointment type of an entry, else the form
  form_uid text, -- null: an entry without a form
  form_version integer NOT NULL, -- 0: an entry without a form
  answers_encrypted text NOT NULL, -- JSON by link_id
  complete boolean NOT NULL,
  outcome text, -- of an entry
  appointment_uid text, -- the first of the chain of moved appointments of an intake, or that an entry led to once its session is deleted
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid),
  UNIQUE (organisation_uid, door, subject_uid, asked_by) -- no reference to the patient, whose row may go before
);
CREATE INDEX form_responses_of_appointment ON form_responses (organisation_uid, appointment_uid) WHERE appointment_uid IS NOT NULL;
CREATE INDEX form_responses_of_patient ON form_responses (organisation_uid, patient_uid);
CREATE INDEX form_responses_age ON form_responses (updated_at); -- retention

-- The answers before a booking are found by its session, which costs no booking a statement, and once that is deleted by the appointment.
-- Those that led to none, and drafts of requests, go with the session.
CREATE FUNCTION end_session_forms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE form_responses r SET appointment_uid = a.slot_group FROM appointments a
    WHERE a.organisation_uid = OLD.organisation_uid AND a.booking_session_uid = OLD.uid AND a.confirmed_at IS NOT NULL
      AND r.organisation_uid = OLD.organisation_uid AND r.door = 'entry' AND r.subject_uid = OLD.uid;
  UPDATE form_files f SET status = 'expired', scan_after = OLD.kept_until
    WHERE f.organisation_uid = OLD.organisation_uid AND f.door IN ('entry', 'request') AND f.subject_uid = OLD.uid
      AND NOT EXISTS (SELECT FROM form_responses r WHERE r.organisation_uid = OLD.organisation_uid AND r.door = f.door
        AND r.subject_uid = OLD.uid AND r.asked_by = f.asked_by AND r.appointment_uid IS NOT NULL);
  DELETE FROM form_responses r WHERE r.organisation_uid = OLD.organisation_uid AND r.door IN ('entry', 'request')
    AND r.subject_uid = OLD.uid AND r.appointment_uid IS NULL;
  RETURN OLD;
END $$;
CREATE TRIGGER forms_of_session BEFORE DELETE ON booking_sessions FOR EACH ROW EXECUTE FUNCTION end_session_forms();

-- Patients whom the doctor lets in although a form that blocks joining is not complete.
CREATE TABLE intake_let_ins (
  organisation_uid text NOT NULL,
  appointment_uid text NOT NULL, -- the first of a chain of moved appointments
  actor_uid text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, appointment_uid),
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE
);

-- When doctors have looked at the answers of an appointment: what is new since then, they are told.
CREATE TABLE intake_looks (
  organisation_uid text NOT NULL,
  appointment_uid text NOT NULL, -- the first of a chain of moved appointments
  doctor_uid text NOT NULL,
  looked_at timestamptz NOT NULL,
  before timestamptz, -- until when, before the look that lasts; null: it is the first
  PRIMARY KEY (organisation_uid, appointment_uid, doctor_uid),
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE
);

CREATE TABLE form_files (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  patient_uid text NOT NULL,
  door text NOT NULL CHECK (door IN ('entry', 'intake', 'request')),
  subject_uid text NOT NULL, -- as of responses; of a request its booking session
  asked_by text NOT NULL,
  name_encrypted text NOT NULL,
  media_type text NOT NULL CHECK (media_type IN ('application/pdf', 'image/jpeg', 'image/png')),
  size integer NOT NULL, -- of what is stored, bytes
  sha256 text NOT NULL, -- the same
  data_key text NOT NULL, -- that seals the file
  status text NOT NULL CONSTRAINT form_files_status CHECK (status IN ('scanning', 'clean', 'rejected', 'expired')),
  scan_after timestamptz, -- when it is scanned, or deleted if it is expired; null: neither
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid) -- no reference to the patient, whose row may go before
);
CREATE INDEX form_files_of_subject ON form_files (organisation_uid, door, subject_uid, asked_by);
CREATE INDEX form_files_of_patient ON form_files (organisation_uid, patient_uid);
CREATE INDEX form_files_scanning ON form_files (scan_after) WHERE scan_after IS NOT NULL; -- scanning job
CREATE INDEX form_files_age ON form_files (updated_at); -- retention

CREATE TABLE request_types (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  name jsonb NOT NULL, -- a text, or {language: text}
  kind text NOT NULL CHECK (kind IN ('prescription', 'referral', 'certificate', 'callback', 'other')),
  form_uid text NOT NULL,
  answer_within_minutes integer NOT NULL CHECK (answer_within_minutes > 0),
  recipient text NOT NULL CHECK (recipient IN ('practice', 'doctor')),
  active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, form_uid) REFERENCES forms
);

CREATE TABLE requests (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  patient_uid text NOT NULL,
  request_type_uid text NOT NULL,
  doctor_uid text, -- to whom it goes; null: the practice
  status text NOT NULL CONSTRAINT requests_status CHECK (status IN ('open', 'taken', 'answered', 'closed')),
  outcome text CHECK (outcome IN ('done', 'refused', 'appointment', 'prescription')),
  taken_by text, -- uid of the actor
  answer_encrypted text, -- what the practice has written
  prescription_uid text,
  code_hash bytea NOT NULL, -- of the link to the patient's page
  code_encrypted text NOT NULL, -- the same, to send it again
  due_at timestamptz NOT NULL, -- overdue from then on, while it is open or taken
  warn_at timestamptz, -- when staff are told that its time runs out; null: they were
  answered_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients ON DELETE CASCADE,
  FOREIGN KEY (organisation_uid, request_type_uid) REFERENCES request_types,
  CHECK (outcome IS NOT NULL OR status <> 'closed')
);
CREATE INDEX requests_by_age ON requests (organisation_uid, created_at, uid COLLATE "C"); -- lists
CREATE INDEX requests_of_patient ON requests (organisation_uid, patient_uid);
CREATE UNIQUE INDEX requests_code ON requests (organisation_uid, code_hash);
CREATE INDEX requests_warning ON requests (warn_at) WHERE warn_at IS NOT NULL AND status IN ('open', 'taken'); -- task
CREATE INDEX requests_unfinished ON requests (organisation_uid) WHERE status <> 'closed'; -- counts of the menu
CREATE INDEX requests_age ON requests (updated_at); -- retention

-- The organisations with files that wait to be scanned.
CREATE FUNCTION due_form_files(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT DISTINCT organisation_uid FROM form_files WHERE scan_after <= moment
$$;
REVOKE EXECUTE ON FUNCTION due_form_files FROM PUBLIC;

-- The organisations with requests whose time runs out.
CREATE FUNCTION due_requests(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT DISTINCT organisation_uid FROM requests WHERE warn_at <= moment AND status IN ('open', 'taken')
$$;
REVOKE EXECUTE ON FUNCTION due_requests FROM PUBLIC;
