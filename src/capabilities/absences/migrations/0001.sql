-- Absences of a doctor or, without one, of all: times in which nothing new is booked. What was booked in them is settled by a job.
CREATE TABLE absences (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  doctor_uid text, -- null: all doctors
  start_date timestamptz NOT NULL,
  end_date timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('vacation', 'illness', 'training', 'other')),
  any_specialty boolean NOT NULL DEFAULT false, -- its appointments may move to doctors of another specialty
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
