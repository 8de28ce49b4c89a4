/** Live pages of the console: changes appear automatically, a disconnection is shown, and appointments can be dragged. */
import { moveByDragging } from "./dragging.ts"
import { readFiles } from "./files.ts"
import { keepTyped } from "./keeping.ts"
import { liveUpdates } from "./live.ts"
import { pressByKey } from "./shortcuts.ts"

document.querySelector<HTMLElement>("[role=alert]")?.focus()
moveByDragging()
liveUpdates()
keepTyped()
pressByKey()
readFiles()
document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || event.target.closest("[data-print]") === null) return
  event.preventDefault()
  print()
})
