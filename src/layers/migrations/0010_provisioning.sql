-- Entries of provisioning files as they were last applied: one whose fingerprint has not changed is left alone, whatever has
-- become of its record since. The fingerprint is keyed, because entries hold secrets.
CREATE TABLE provisioned_entries (
  list text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  PRIMARY KEY (list, key)
);
