-- Patients whose meeting a doctor has ended: tokens of theirs issued before that time are rejected.
CREATE TABLE meeting_dismissals (
  organisation_uid text NOT NULL,
  appointment_uid text NOT NULL,
  dismissed_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, appointment_uid),
  FOREIGN KEY (organisation_uid, appointment_uid) REFERENCES appointments ON DELETE CASCADE
);
