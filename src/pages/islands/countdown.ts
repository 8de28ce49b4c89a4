import { countdown } from "../countdown.ts"

/**
 * Calls `tick` every second with the remaining seconds. The server sends their number, so a wrong device clock does not
 * matter. Elapsed time is measured with the wall clock, because the monotonic clock stops while a phone sleeps.
 */
export const countSeconds = (remaining: number, tick: (left: number) => void) => {
  const started = Date.now() // real time: the device's, only for a difference
  const timer = setInterval(() => {
    const left = Math.max(0, remaining - (Date.now() - started) / 1000) // real time: as above
    tick(left)
    if (left === 0) clearInterval(timer)
  }, 1000)
}

/** Shows the remaining seconds in the page. */
export const showIn = (root: ParentNode) => (left: number) => {
  const shown = root.querySelector("[data-countdown]")
  if (shown !== null) shown.textContent = countdown(left)
}
