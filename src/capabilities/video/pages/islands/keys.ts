import type { Conversation } from "./Conversation.ts"
import { toggleFullScreen } from "./fullScreen.ts"

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input, select, textarea, [contenteditable]") !== null

/** In a call M mutes, V toggles the camera and F full screen; never with a modifier key. */
export const listenToKeys = (conversation: Conversation) => {
  document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey, repeat, target }) => {
    if (conversation.phase !== "inside" || ctrlKey || metaKey || altKey || repeat || isField(target)) return
    if (key === "m" || key === "M") void conversation.own.toggle("audio")
    if (key === "v" || key === "V") void conversation.own.toggle("video")
    if ((key === "f" || key === "F") && conversation.partner !== null) toggleFullScreen()
  })
}
