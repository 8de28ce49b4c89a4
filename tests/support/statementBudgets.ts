/**
 * The statements of a request of each kind, for a practice that sends mail about appointments (`SENDS_MAIL`): the last two of a confirmation
 * and a booking add the message, unless the practice has not opted in to it, and its job. The statement that changes a time also answers
 * whether this concerns a capability: a recall of the patient, an offer of the time, a calendar that a doctor has connected; only those that
 * it concerns send their own. BEGIN travels with a transaction's first statement, COMMIT with the last one where that is known, and counts
 * otherwise. A cancellation takes what it has opened; reads of the feed and the list add an audit entry, which is a separate statement. The
 * state of entries in connected calendars is one statement of answers about appointments, where there may be any.
 */
export const statementBudgets = {
  types: 1,
  search: 1,
  session: 4,
  hold: 5,
  confirm: 6,
  book: 8,
  cancel: 11,
  feed: 3,
  list: 3
}
