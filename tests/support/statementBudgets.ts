/**
 * The most statements that a request of each kind sends, COMMIT included; BEGIN travels with a transaction's first. A cancellation reads
 * once whether anyone waits for the time; reads of the feed and the list add an audit entry, which is a separate statement.
 */
export const statementBudgets = {
  types: 1,
  search: 1,
  session: 4,
  hold: 5,
  confirm: 6,
  book: 9,
  cancel: 9,
  feed: 3,
  list: 3
}
