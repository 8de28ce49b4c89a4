/** SQL assignments that end a storefront order's waiting and erase the waiting data. */
export const NOT_WAITING =
  "waiting_encrypted = NULL, waiting_patients = NULL, waiting_since = NULL, " +
  "waiting_reason = NULL, waiting_name = NULL, waiting_topic = NULL"
