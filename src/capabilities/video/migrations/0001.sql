-- Participants whose meeting a doctor has ended: their tokens issued before that time are rejected.

CREATE TABLE meeting_dismissals (
  organisation_uid text NOT NULL,
  room_name text NOT NULL,
  participant_uid text NOT NULL,
  dismissed_at timestamptz NOT NULL,
  PRIMARY KEY (organisation_uid, room_name, participant_uid)
);
CREATE INDEX meeting_dismissals_age ON meeting_dismissals (dismissed_at); -- retention
