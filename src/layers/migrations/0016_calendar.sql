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

-- Disjoint within a source. Nothing but times is kept.
CREATE TABLE busy_ranges (
  organisation_uid text NOT NULL,
  source_uid text NOT NULL,
  doctor_uid text NOT NULL,
  start_date timestamptz NOT NULL,
  end_date timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, source_uid, start_date),
  FOREIGN KEY (organisation_uid, source_uid) REFERENCES busy_sources ON DELETE CASCADE,
  CHECK (start_date < end_date)
);
CREATE INDEX busy_ranges_of_doctor ON busy_ranges (organisation_uid, doctor_uid, start_date); -- slot search

-- "Come again in six months": a patient is asked to book, some days before a date.
CREATE TABLE recalls (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  patient_uid text NOT NULL,
  appointment_type_uid text NOT NULL,
  doctor_uid text, -- null: any
  due_date date NOT NULL,
  lead_days integer NOT NULL CHECK (lead_days BETWEEN 0 AND 365),
  message_text_encrypted text,
  status text NOT NULL CONSTRAINT recalls_status CHECK (status IN ('waiting', 'sent', 'booked', 'cancelled')),
  appointment_uid text, -- the booking that ended it
  send_at timestamptz NOT NULL, -- 9:00 of the patient's zone, lead_days before the date
  sent_at timestamptz,
  code_hash bytea, -- of the last message's link
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients ON DELETE CASCADE,
  FOREIGN KEY (organisation_uid, appointment_type_uid) REFERENCES appointment_types,
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE SET NULL (appointment_uid),
  CHECK (appointment_uid IS NULL OR status = 'booked')
);
CREATE INDEX recalls_by_date ON recalls (organisation_uid, due_date, uid COLLATE "C") WHERE deleted_at IS NULL; -- lists
CREATE INDEX recalls_open ON recalls (organisation_uid, patient_uid, appointment_type_uid) -- ended by a booking
  WHERE status IN ('waiting', 'sent') AND deleted_at IS NULL;
CREATE INDEX recalls_due ON recalls (send_at) WHERE status = 'waiting' AND deleted_at IS NULL; -- sending job
CREATE INDEX recalls_code ON recalls (code_hash) WHERE code_hash IS NOT NULL;

-- A confirmed appointment of the type ends the patient's recalls, by whatever way it was booked.
CREATE FUNCTION end_recalls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE recalls SET status = 'booked', appointment_uid = NEW.uid, updated_at = NEW.updated_at
    WHERE organisation_uid = NEW.organisation_uid AND patient_uid = NEW.patient_uid
      AND appointment_type_uid = NEW.appointment_type_uid AND status IN ('waiting', 'sent') AND deleted_at IS NULL
      AND created_at <= NEW.confirmed_at AND NEW.previous_meeting_uid IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_recalls AFTER INSERT OR UPDATE OF status ON appointments
  FOR EACH ROW WHEN (NEW.status = 'confirmed') EXECUTE FUNCTION end_recalls();

-- Absences of a doctor or, without one, of all: times in which nothing new is booked. What was booked in them is settled by a job.
CREATE TABLE absences (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  doctor_uid text, -- null: all doctors
  start_date timestamptz NOT NULL,
  end_date timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('vacation', 'illness', 'training', 'other')),
  message_encrypted text, -- the reason that patients of cancelled appointments read
  actor_kind text NOT NULL CONSTRAINT absences_actor_kind
    CHECK (actor_kind IN ('patient', 'api_key', 'action_link', 'doctor', 'admin', 'pharmacy', 'operator', 'system')),
  actor_uid text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, doctor_uid) REFERENCES doctors,
  CHECK (start_date < end_date)
);
CREATE INDEX absences_by_end ON absences (organisation_uid, end_date) WHERE deleted_at IS NULL; -- slot search, lists

-- What is to become of the appointments of an absence, and what became of them. Those that stay as they are have no row.
CREATE TABLE absence_appointments (
  organisation_uid text NOT NULL,
  absence_uid text NOT NULL,
  appointment_uid text NOT NULL,
  place integer NOT NULL, -- order in which they are settled
  step text NOT NULL CHECK (step IN ('move', 'offer', 'cancel')),
  status text NOT NULL CHECK (status IN ('waiting', 'moved', 'offered', 'cancelled', 'left')),
  fault text, -- why it was left
  repeated boolean NOT NULL DEFAULT false, -- the patient was asked before
  PRIMARY KEY (organisation_uid, absence_uid, appointment_uid),
  FOREIGN KEY (organisation_uid, absence_uid) REFERENCES absences ON DELETE CASCADE,
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE,
  CHECK ((fault IS NULL) = (status <> 'left'))
);
