-- Fingerprints of provisioning entries as last applied. An entry with an unchanged fingerprint is skipped, even if its record
-- has changed since. The fingerprint is keyed, because entries contain secrets.
CREATE TABLE provisioned_entries (
  list text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  PRIMARY KEY (list, key)
);
