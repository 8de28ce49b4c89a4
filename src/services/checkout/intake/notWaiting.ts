/** Assignments (SQL) by which an order of a storefront waits no more, and nothing is left of what waited. */
export const NOT_WAITING =
  "waiting_encrypted = NULL, waiting_since = NULL, waiting_reason = NULL, waiting_name = NULL, waiting_topic = NULL"
