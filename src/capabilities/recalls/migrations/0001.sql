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

-- The organisations with recalls that are due.
CREATE FUNCTION due_recalls(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT DISTINCT organisation_uid FROM recalls WHERE status = 'waiting' AND deleted_at IS NULL AND send_at <= moment
$$;
REVOKE EXECUTE ON FUNCTION due_recalls FROM PUBLIC;
