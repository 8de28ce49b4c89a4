/** What was typed into a form is kept by the service alone: on a shared device it may be read. */
import { startFrame } from "../../../../pages/islands/frame.ts"
import { showNotice, submitOnce } from "../../../../pages/islands/submit.ts"

submitOnce()
showNotice()
startFrame()
