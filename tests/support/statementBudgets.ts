/**
 * The statements of a request of each kind, for a practice that sends mail about appointments (`SENDS_MAIL`): the last two of a confirmation
 * and a booking add the message and its job. One asks whether the change of a time concerns a capability: a recall of the patient, an offer of
 * the time, a calendar that a doctor has connected; only those that it concerns send their own. BEGIN travels with a transaction's first
 * statement, COMMIT with the last one where that is known, and counts otherwise. A cancellation takes what it has opened; reads of the feed
 * and the list add an audit entry, which is a separate statement. A booking reads the patient's other appointments at the time after it has
 * written. The state of entries in connected calendars is one statement of each answer about appointments.
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
