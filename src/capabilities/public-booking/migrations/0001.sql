-- Bookings without a partner that wait for the code mailed to the patient. The request is encrypted; the hashes are for limits.
CREATE TABLE public_bookings (
  organisation_uid text NOT NULL REFERENCES organisations,
  uid text NOT NULL,
  token_hash bytea NOT NULL,
  request_sealed text, -- once the code was entered its session's launch code; null after an hour, the row still counts towards the limits
  entered boolean NOT NULL DEFAULT false,
  mail_hash bytea NOT NULL,
  network_hash bytea NOT NULL,
  site_hash bytea NOT NULL, -- the site's network
  provider_hash bytea NOT NULL, -- the provider's network
  mail_at timestamptz, -- when its code is mailed; null: never, too many wait
  mail_refused boolean NOT NULL DEFAULT false, -- the address takes no mail
  attempts integer NOT NULL CHECK (attempts >= 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, uid)
);
CREATE INDEX public_bookings_token ON public_bookings (token_hash);
CREATE INDEX public_bookings_recent ON public_bookings (organisation_uid, created_at); -- limits
CREATE INDEX public_bookings_age ON public_bookings (created_at); -- retention
