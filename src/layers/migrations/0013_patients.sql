-- Patients' consents and the texts of these; which records replaced others.

-- All consent texts of an organisation, by purpose and version. Immutable: another text is
-- another version, so that it remains known to what a patient agreed. At most one version of a purpose is active.
CREATE TABLE consent_texts (
  organisation_uid text NOT NULL REFERENCES organisations,
  purpose text NOT NULL CONSTRAINT consent_texts_purpose CHECK (purpose IN ('data_processing', 'video')),
  version text NOT NULL CHECK (version <> ''),
  texts jsonb NOT NULL, -- [{language, text}], the first is for every other language
  required boolean NOT NULL,
  in_force boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, purpose, version)
);
CREATE UNIQUE INDEX consent_texts_in_force ON consent_texts (organisation_uid, purpose) WHERE in_force;

CREATE TABLE consents (
  organisation_uid text NOT NULL,
  uid text NOT NULL,
  patient_uid text NOT NULL,
  purpose text NOT NULL,
  version text NOT NULL,
  language text, -- of the text that was shown; null: not known
  given_at timestamptz NOT NULL,
  withdrawn_at timestamptz,
  updated_at timestamptz NOT NULL GENERATED ALWAYS AS (coalesce(withdrawn_at, given_at)) STORED,
  PRIMARY KEY (organisation_uid, uid),
  FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients ON DELETE CASCADE,
  FOREIGN KEY (organisation_uid, purpose, version) REFERENCES consent_texts,
  CHECK (withdrawn_at >= given_at)
);
CREATE UNIQUE INDEX consents_standing -- one active consent to a version; another one only after it was withdrawn
  ON consents (organisation_uid, patient_uid, purpose, version) WHERE withdrawn_at IS NULL;
CREATE INDEX consents_of_patient ON consents (organisation_uid, patient_uid, given_at);
CREATE INDEX consents_age ON consents (withdrawn_at) WHERE withdrawn_at IS NOT NULL; -- retention

-- Records that were merged into another, only by uid: says what replaced them.
CREATE TABLE patient_merges (
  organisation_uid text NOT NULL,
  merged_uid text NOT NULL,
  patient_uid text NOT NULL, -- the record that stays
  merged_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, merged_uid),
  FOREIGN KEY (organisation_uid, patient_uid) REFERENCES patients ON DELETE CASCADE
);
CREATE INDEX patient_merges_of_patient ON patient_merges (organisation_uid, patient_uid);
