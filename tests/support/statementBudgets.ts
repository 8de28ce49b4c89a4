/**
 * The statements of a request of each kind, for a practice that sends mail about appointments (`SENDS_MAIL`): the last two of a confirmation
 * and a booking add the message and its job, and one before ends the patient's recalls. BEGIN travels with a transaction's first statement, COMMIT with the last one where that is
 * known, and counts otherwise. A cancellation reads once whether anyone waits for the time; reads of the feed and the list add an audit
 * entry, which is a separate statement.
 */
export const statementBudgets = {
  types: 1,
  search: 1,
  session: 4,
  hold: 5,
  confirm: 8,
  book: 13,
  cancel: 11,
  feed: 3,
  list: 3
}
