/**
 * The statements of a request of each kind, for a practice that sends mail about appointments (`SENDS_MAIL`): the last two of a confirmation
 * and a booking add the message and its job, and two before end the patient's recalls and offers of the time. BEGIN travels with a
 * transaction's first statement, COMMIT with the last one where that is known, and counts otherwise. A cancellation reads whether anyone waits
 * for the time, and takes what it has opened; reads of the feed and the list add an audit entry, which is a separate statement. A booking
 * reads the patient's other appointments at the time after it has written. Calendars that doctors have connected
 * add one to each change of a confirmed time, and their state one to each answer about appointments.
 */
export const statementBudgets = {
  types: 1,
  search: 1,
  session: 4,
  hold: 5,
  confirm: 10,
  book: 16,
  cancel: 14,
  feed: 3,
  list: 4
}
