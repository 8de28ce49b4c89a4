import { countdown } from "../time.ts"

/**
 * Calls `tick` every second with the seconds left. Counts from the number that the server gave, on the browser's
 * monotonic clock: a wrongly set clock on the patient's device changes nothing.
 */
export const countSeconds = (remaining: number, tick: (left: number) => void) => {
  const started = performance.now()
  const timer = setInterval(() => {
    const left = Math.max(0, remaining - (performance.now() - started) / 1000)
    tick(left)
    if (left === 0) clearInterval(timer)
  }, 1000)
}

/** Writes the seconds left where the page shows them. */
export const showIn = (root: ParentNode) => (left: number) => {
  const shown = root.querySelector("[data-countdown]")
  if (shown !== null) shown.textContent = countdown(left)
}
