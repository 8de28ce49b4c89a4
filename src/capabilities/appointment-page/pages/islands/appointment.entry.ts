import { countSeconds, showIn } from "../../../../pages/islands/countdown.ts"
import { startFrame } from "../../../../pages/islands/frame.ts"
import { isReachable, showNotice, submitOnce } from "../../../../pages/islands/submit.ts"
import { keepFormValues } from "../../../../pages/islands/typed.ts"

/** Seconds. Longer waits are shown in hours or days without a countdown. */
const LAST_HOUR = 3_600

/** Counts down to the opening of the waiting room, and reloads the page when it opens or the last hour begins. */
const waiting = document.querySelector<HTMLElement>("[data-opens-in]")
if (waiting !== null) {
  const show = showIn(waiting)
  const remaining = Number(waiting.dataset.opensIn)
  const goal = remaining < LAST_HOUR ? 0 : LAST_HOUR
  countSeconds(remaining - goal, (left) => {
    show(left + goal)
    if (left === 0) void reload()
  })
}

/** A phone that has just woken up may be offline. */
const reload = async () => {
  while (!(await isReachable())) await new Promise((later) => setTimeout(later, 2_000))
  location.reload()
}

keepFormValues()
submitOnce()
showNotice()
startFrame()
