/** Live pages of the console: changes appear by themselves, a cut connection is shown, and appointments are moved by dragging. */
import { moveByDragging } from "./dragging.ts"
import { readFiles } from "./files.ts"
import { liveUpdates } from "./live.ts"
import { pressByKey } from "./shortcuts.ts"

document.querySelector<HTMLElement>("[role=alert]")?.focus()
moveByDragging()
liveUpdates()
pressByKey()
readFiles()
document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || event.target.closest("[data-print]") === null) return
  event.preventDefault()
  print()
})
