const FIRST_TIMEOUT_SECONDS = 12
const LONGEST_TIMEOUT_SECONDS = 60

/**
 * Checks the connection once a second and calls `reconnect` when it has been stalled for 12 seconds. The time doubles after
 * each attempt, up to 60 seconds, so that a slow machine can succeed; a healthy connection resets it.
 */
export const connectionWatchdog = (health: () => "healthy" | "stalled" | "unknown", reconnect: () => void) => {
  let seconds = 0
  let timeout = FIRST_TIMEOUT_SECONDS
  setInterval(() => {
    const current = health()
    if (current === "healthy") timeout = FIRST_TIMEOUT_SECONDS
    seconds = current === "stalled" ? seconds + 1 : 0
    if (seconds < timeout) return
    seconds = 0
    timeout = Math.min(timeout * 2, LONGEST_TIMEOUT_SECONDS)
    reconnect()
  }, 1000)
}
