/**
 * The page's side of the widget: posts events to the embedding page. Messages go to only one origin: the
 * one that the server found in the organisation's `embed_origins`.
 */

/** Messages to the embedding page; `source` distinguishes them from those of other frames. */
export interface FrameMessage {
  readonly source: "sprechstunde"
  readonly type: "ready" | "resize" | "slot_selected" | "hold_created" | "confirmed" | "expired" | "error" | "call"
  readonly [fact: string]: string | number
}

const parentOrigin = () => document.body.dataset.parent

/** Posts to the embedding page, if there is one that may embed this page. */
export const postToParent = (type: FrameMessage["type"], facts: Readonly<Record<string, string | number>> = {}) => {
  const origin = parentOrigin()
  if (origin === undefined || window.parent === window) return
  const message: FrameMessage = { ...facts, source: "sprechstunde", type }
  window.parent.postMessage(message, origin)
}

const postHeight = () => postToParent("resize", { height: Math.ceil(document.body.getBoundingClientRect().height) })

const stageMessages: Readonly<Record<string, FrameMessage["type"]>> = {
  held: "hold_created",
  confirmed: "confirmed",
  expired: "expired",
  error: "error"
}

/** Posts the stage of the booking, with the data in the page. */
export const postStage = (stage = document.body.dataset.stage ?? "") => {
  const type = stageMessages[stage]
  if (type === undefined) return
  const facts = JSON.parse(document.body.dataset.facts ?? "{}")
  if (type === "confirmed" && isReported(facts.appointment_uid)) return
  postToParent(type, facts)
}

/** Whether this tab has reported the booking: the host's page may be loaded again. A browser may deny storage to a frame. */
const isReported = (appointment_uid: string) => {
  const key = `sprechstunde:confirmed:${appointment_uid}`
  try {
    if (sessionStorage.getItem(key) !== null) return true
    sessionStorage.setItem(key, "")
  } catch (cause) {
    console.info("The booking is reported again when the page is", cause)
  }
  return false
}

/** Posts `ready`, the height now and after each change, and the stage of the booking. */
export const startFrame = () => {
  if (parentOrigin() === undefined || window.parent === window) return
  postToParent("ready", { stage: document.body.dataset.stage ?? "" })
  new ResizeObserver(postHeight).observe(document.body)
  postStage()
}
