-- Partitions by month. Events, deliveries and messages are not partitioned at first; `cli partition` partitions one of them by the month of created_at.
-- Retention then drops a month instead of deleting its rows (Rule 12.6.6). Rows without a month's partition, because a clock
-- was moved, are in the partition <table>_default.

CREATE FUNCTION month_tables() RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'p'
    AND relname IN ('events', 'messages', 'webhook_deliveries')
$$;

-- Creates a month's partition and moves its rows from the default partition, without firing the triggers that count and audit.
CREATE FUNCTION add_month(parent text, month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := parent || '_' || to_char(month, 'YYYY_MM');
  low timestamptz := month::timestamp AT TIME ZONE 'UTC';
  high timestamptz := (month + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', name, parent);
  EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', parent || '_default');
  EXECUTE format('WITH moved AS (DELETE FROM %I WHERE created_at >= %L AND created_at < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
    parent || '_default', low, high, name);
  EXECUTE format('ALTER TABLE %I ENABLE TRIGGER USER', parent || '_default');
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name, low, high);
END $$;

-- Creates the last month and the next two. Runs at every start-up and every day; if a table is locked for long, the next run does it.
CREATE FUNCTION add_months() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('sprechstunde/tables', 0));
  FOR parent IN SELECT month_tables() LOOP
    FOR ahead IN -1 .. 2 LOOP
      PERFORM add_month(parent, (date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') + make_interval(months => ahead))::date);
    END LOOP;
  END LOOP;
EXCEPTION WHEN lock_not_available THEN NULL;
END $$;

-- Drops the months of a table that end before this time, and returns their first days. A month with pending deliveries stays, and
-- one with messages: each of those is deleted together with its copies first.
CREATE FUNCTION drop_months(parent text, before timestamptz) RETURNS date[] LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  name text;
  kept text := CASE parent WHEN 'webhook_deliveries' THEN $q$status = 'pending'$q$ WHEN 'messages' THEN 'true' ELSE 'false' END;
  is_kept boolean;
  dropped date[] := '{}';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('sprechstunde/tables', 0));
  FOR name IN SELECT c.relname FROM month_tables() t JOIN pg_inherits i ON i.inhparent = t::regclass JOIN pg_class c ON c.oid = i.inhrelid
    WHERE t = parent AND c.relname ~ '_\d{4}_\d{2}$'
      AND (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' <= before
  LOOP
    -- first without a lock, so that a month that stays holds nobody up; then again where no delivery can become pending
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE %s)', name, kept) INTO is_kept;
    CONTINUE WHEN is_kept;
    EXECUTE format('LOCK TABLE ONLY %I, ONLY %I', parent, name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE %s)', name, kept) INTO is_kept;
    CONTINUE WHEN is_kept;
    EXECUTE format('DROP TABLE %I', name);
    IF parent = 'webhook_deliveries' THEN
      DELETE FROM webhook_delivery_counts WHERE month = to_date(right(name, 7), 'YYYY_MM');
    END IF;
    dropped := dropped || to_date(right(name, 7), 'YYYY_MM');
  END LOOP;
  RETURN dropped;
EXCEPTION WHEN lock_not_available THEN RETURN '{}';
END $$;

-- Partitions a table with its rows; returns whether it was not partitioned before. created_at is added to unique keys, as PostgreSQL requires; an
-- identity becomes a default from a sequence, since partitioned tables support identities only from version 17.
CREATE FUNCTION partition_by_month(parent text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  whole text := parent || '_whole';
  one record;
  later text[] := '{}';
  month date;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('sprechstunde/tables', 0));
  IF parent IN (SELECT month_tables()) THEN RETURN false; END IF;
  IF parent NOT IN ('events', 'messages', 'webhook_deliveries') THEN RAISE EXCEPTION '% is no table by month', parent; END IF;
  EXECUTE format('LOCK TABLE %I', parent);
  FOR one IN SELECT conname AS name, contype AS kind, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE conrelid = parent::regclass AND contype IN ('p', 'u', 'f')
  LOOP
    later := later || format('ALTER TABLE %I ADD CONSTRAINT %I %s', parent, one.name,
      CASE one.kind WHEN 'f' THEN one.definition ELSE regexp_replace(one.definition, '\)$', ', created_at)') END);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', parent, one.name);
  END LOOP;
  FOR one IN SELECT indexrelid::regclass AS name, indisunique AS forbids, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = parent::regclass
  LOOP
    later := later || CASE WHEN one.forbids THEN regexp_replace(one.definition, '\)( WHERE |$)', ', created_at)\1') ELSE one.definition END;
    EXECUTE format('DROP INDEX %s', one.name);
  END LOOP;
  FOR one IN SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger
    WHERE tgrelid = parent::regclass AND NOT tgisinternal AND tgname NOT LIKE 'audit\_%'
  LOOP
    later := later || one.definition;
  END LOOP;
  FOR one IN SELECT attname AS name, parent || '_' || attname || '_next' AS sequence,
      pg_sequence_last_value(pg_get_serial_sequence(parent, attname)::regclass) AS last FROM pg_attribute
    WHERE attrelid = parent::regclass AND attidentity <> ''
  LOOP
    EXECUTE format('CREATE SEQUENCE %I START %s', one.sequence, coalesce(one.last, 0) + 1);
    EXECUTE format('GRANT USAGE ON SEQUENCE %I TO sprechstunde_service, sprechstunde_operator', one.sequence);
    later := later || format('ALTER TABLE %I ALTER %I SET DEFAULT nextval(%L)', parent, one.name, one.sequence);
  END LOOP;

  EXECUTE format('ALTER TABLE %I RENAME TO %I', parent, whole);
  EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', whole); -- its owner copies all tenants' rows
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE) PARTITION BY RANGE (created_at)',
    parent, whole);
  EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', parent || '_default', parent);
  FOR month IN EXECUTE format($q$SELECT date_trunc('month', at AT TIME ZONE 'UTC')::date FROM (SELECT min(created_at) AS first FROM %I) f,
      generate_series(greatest(coalesce(first, clock_timestamp()), clock_timestamp() - interval '10 years'), clock_timestamp() + interval '1 month', interval '1 month') at
      ORDER BY 1$q$, whole)
  LOOP
    PERFORM add_month(parent, month);
  END LOOP;
  PERFORM add_months();
  EXECUTE format('INSERT INTO %I SELECT * FROM %I', parent, whole);
  EXECUTE format('DROP TABLE %I', whole);
  FOR number IN 1 .. cardinality(later) LOOP
    EXECUTE later[number];
  END LOOP;
  PERFORM separate_tenants(), audit_writes();
  EXECUTE format('ANALYZE %I', parent);
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION add_month, drop_months, partition_by_month FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_months TO sprechstunde_worker;
