/**
 * The hosted page's side of the widget: tells the page that embeds this one what happens. Speaks to exactly one
 * origin, the one that the server found on the organisation's list, and listens to that one alone.
 */

/** Messages to the embedding page; `source` tells them from anybody else's. */
export interface FrameMessage {
  readonly source: "sprechstunde"
  readonly type: "ready" | "resize" | "slot_selected" | "hold_created" | "confirmed" | "expired" | "error"
  readonly [fact: string]: string | number
}

const parentOrigin = () => document.body.dataset.parent

/** Tells the embedding page, if there is one that may know. */
export const tellParent = (type: FrameMessage["type"], facts: Readonly<Record<string, string | number>> = {}) => {
  const origin = parentOrigin()
  if (origin === undefined || window.parent === window) return
  const message: FrameMessage = { ...facts, source: "sprechstunde", type }
  window.parent.postMessage(message, origin)
}

const tellHeight = () => tellParent("resize", { height: Math.ceil(document.body.getBoundingClientRect().height) })

const stageMessages: Readonly<Record<string, FrameMessage["type"]>> = {
  held: "hold_created",
  confirmed: "confirmed",
  expired: "expired",
  error: "error"
}

const tellStage = () => {
  const { stage = "", facts = "{}" } = document.body.dataset
  const type = stageMessages[stage]
  if (type !== undefined) tellParent(type, JSON.parse(facts))
}

/** Starts the conversation: ready, then its height whenever that changes, then what this page stands for. */
export const startFrame = () => {
  const origin = parentOrigin()
  if (origin === undefined || window.parent === window) return
  const greet = () => {
    tellParent("ready")
    tellHeight()
    tellStage()
  }
  addEventListener("message", (event) => {
    if (event.source === window.parent && event.origin === origin && event.data?.type === "hello") greet()
  })
  new ResizeObserver(tellHeight).observe(document.body)
  greet()
}
