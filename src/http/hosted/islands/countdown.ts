import { countdown } from "../time.ts"

/** Before its last hour, a wait is told in hours and days, and counted by nobody. */
export const LAST_HOUR = 3_600

/**
 * Calls `tick` every second with the seconds left. Counts from the number that the server gave, so that a wrongly set
 * clock on the patient's device changes nothing; but on that clock, since the monotonic one stands still while a phone
 * sleeps.
 */
export const countSeconds = (remaining: number, tick: (left: number) => void) => {
  const started = Date.now() // real time: the patient's own, of which only the passing counts
  const timer = setInterval(() => {
    const left = Math.max(0, remaining - (Date.now() - started) / 1000) // real time: as above
    tick(left)
    if (left === 0) clearInterval(timer)
  }, 1000)
}

/** Writes the seconds left where the page shows them. */
export const showIn = (root: ParentNode) => (left: number) => {
  const shown = root.querySelector("[data-countdown]")
  if (shown !== null) shown.textContent = countdown(left)
}
