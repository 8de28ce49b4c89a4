/** Live pages of the console: changes appear automatically, a disconnection is shown, and appointments can be dragged. */

import { followTheCall } from "./call.ts"
import { keepDrafts } from "./drafts.ts"
import { moveByDragging } from "./dragging.ts"
import { readFiles } from "./files.ts"
import { findWhileTyping } from "./finding.ts"
import { walkTheGrid } from "./grid.ts"
import { keepTyped } from "./keeping.ts"
import { liveUpdates } from "./live.ts"
import { fillByPasskey } from "./passkeys.ts"
import { pressAnyTime } from "./pressing.ts"
import { pressByKey } from "./shortcuts.ts"
import { announceWaiting } from "./waiting.ts"

document.querySelector<HTMLElement>("[role=alert]")?.focus()
moveByDragging()
walkTheGrid()
liveUpdates()
keepTyped()
keepDrafts()
pressByKey()
pressAnyTime()
findWhileTyping()
announceWaiting()
readFiles()
followTheCall()
fillByPasskey()
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-print]") : null
  if (link === null) return
  event.preventDefault()
  const card = link.dataset.print === "card" ? link.closest(".card") : null
  card?.classList.add("printed")
  print()
  card?.classList.remove("printed")
})
