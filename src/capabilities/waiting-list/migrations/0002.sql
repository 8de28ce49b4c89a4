-- Without a correlated subquery, which a cluster refuses beside a table that is on every node.
CREATE OR REPLACE FUNCTION due_waitlist(moment timestamptz) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT organisation_uid FROM waitlist_openings
  UNION SELECT organisation_uid FROM waitlist_offers WHERE status = 'offered' AND expires_at <= moment
  UNION SELECT organisation_uid FROM waitlist_entries
    WHERE status IN ('waiting', 'offered', 'paused') AND deleted_at IS NULL AND starts_to <= moment
  UNION (SELECT organisation_uid FROM organisations WHERE lapsed_holds_close
    EXCEPT SELECT organisation_uid FROM waitlist_entries WHERE status IN ('waiting', 'offered') AND deleted_at IS NULL)
$$;
