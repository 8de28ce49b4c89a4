/** Server-side time-outs of the service's sessions, milliseconds. */
export const timeouts = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000
}
