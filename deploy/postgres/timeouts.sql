-- Limits of the service's role. Behind PgBouncer in transaction mode the service cannot set them for its sessions.
-- The image runs this when it makes the database; for an existing one: psql --file deploy/postgres/timeouts.sql
ALTER ROLE sprechstunde SET statement_timeout = '30s';
ALTER ROLE sprechstunde SET lock_timeout = '10s';
ALTER ROLE sprechstunde SET idle_in_transaction_session_timeout = '30s';
