-- Erased patients, only by uid: applied again to a restored backup, and to orders that were in progress at the time.
CREATE TABLE erasures (
  organisation_uid text NOT NULL REFERENCES organisations,
  patient_uid text NOT NULL,
  prescription_uids text[] NOT NULL,
  orders jsonb NOT NULL, -- [{pharmacy_uid, pharmacy_order_uid}]
  shop_order_ids text[] NOT NULL,
  merged_uids text[] NOT NULL, -- earlier records of the patient: a backup from before the merge still has them
  reason_encrypted text, -- null: from an erasure list
  erased_at timestamptz NOT NULL,
  orders_in_progress integer NOT NULL CHECK (orders_in_progress >= 0), -- not erased yet; where it has become another number, more of them can be
  PRIMARY KEY (organisation_uid, patient_uid)
);
CREATE INDEX erasures_pending ON erasures (erased_at) WHERE orders_in_progress > 0;
CREATE INDEX erasures_age ON erasures (erased_at); -- retention

-- Records of erased patients that the law requires: encrypted, in no list or search, until the retention period ends.
CREATE TABLE retained_records (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  patient_uid text NOT NULL,
  what text NOT NULL CHECK (what IN ('treatments', 'files', 'orders')),
  content_encrypted text NOT NULL,
  kept_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid)
);
CREATE INDEX retained_records_of_patient ON retained_records (organisation_uid, patient_uid);
CREATE INDEX retained_records_age ON retained_records (kept_until); -- retention

-- The organisations with erased patients of whom orders were in progress.
CREATE FUNCTION due_erasures(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT DISTINCT organisation_uid FROM erasures WHERE orders_in_progress > 0 AND erased_at <= moment
$$;
REVOKE EXECUTE ON FUNCTION due_erasures FROM PUBLIC;
