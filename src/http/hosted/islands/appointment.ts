import { countSeconds, showIn } from "./countdown.ts"

/** Counts down to the opening of the waiting room, and loads the page again when it opens. */
const waiting = document.querySelector<HTMLElement>("[data-opens-in]")
if (waiting !== null) {
  const show = showIn(waiting)
  countSeconds(Number(waiting.dataset.opensIn), (left) => {
    show(left)
    if (left === 0) location.reload()
  })
}
