import { countdown } from "../countdown.ts"

/** Seconds. Longer waits are shown in hours or days and not counted down. */
export const LAST_HOUR = 3_600

/**
 * Calls `tick` every second with the seconds left. The server gives their number, so a wrong clock on the device does no
 * harm. The wall clock measures them, because the monotonic one stops while a phone sleeps.
 */
export const countSeconds = (remaining: number, tick: (left: number) => void) => {
  const started = Date.now() // real time: the device's, for a difference alone
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
