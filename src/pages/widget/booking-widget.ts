/**
 * The booking widget: one script, no dependencies. Put it where the booking is to appear:
 *
 *   <script src="https://…/meet/booking-widget.js" data-launch-code="blc_…" data-target="#booking"></script>
 *
 * or call `SprechstundeBooking.mount({ launchCode, target, baseUrl })`, which returns a handle with `destroy()`.
 * What happens inside is reported by bubbling events `sprechstunde:<type>` on the target.
 */

import type { Texts } from "../../texts/de.ts"
import type { Language } from "../../texts/language.ts"
import { languageOfTag, languages } from "../../texts/language.ts"

/** Put in by the build: of all texts the widget carries its own alone. */
declare const WIDGET_TEXTS: Readonly<Record<Language, Texts["widget"]>>

interface MountOptions {
  readonly launchCode: string
  /** selector or element; default: where the script stands */
  readonly target: string | Element
  /** address of the hosted pages; default: where the script came from */
  readonly baseUrl?: string | undefined
  readonly language?: string | undefined
}

const eventTypes = ["ready", "resize", "slot_selected", "hold_created", "confirmed", "expired", "error"]
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null
const scriptFolder = script === null ? location.href : new URL(".", script.src).href

/** The language of the host page or, where it names none, of the browser. */
const textsIn = (language: string | undefined) => {
  const tags = [language ?? "", document.documentElement.lang, navigator.language]
  return WIDGET_TEXTS[tags.map(languageOfTag).find((known) => known !== undefined) ?? languages[0]]
}

const mount = ({ launchCode, target, baseUrl = scriptFolder, language }: MountOptions) => {
  const found = typeof target === "string" ? document.querySelector(target) : target
  if (found === null) throw new Error(`booking-widget: nothing matches ${String(target)}`)
  const texts = textsIn(language)
  const host = found.appendChild(document.createElement("div"))
  const root = host.attachShadow({ mode: "open" })
  const address = new URL(`booking/${encodeURIComponent(launchCode)}`, baseUrl.replace(/\/*$/, "/"))
  if (language !== undefined) address.searchParams.set("lang", language)

  const link = document.createElement("a")
  link.href = address.href
  link.textContent = texts.fallback
  link.style.cssText = "display:block;padding:12px;font:16px/1.5 system-ui,sans-serif;color:inherit"

  const frame = document.createElement("iframe")
  address.searchParams.set("parent", location.origin)
  frame.src = address.href
  frame.title = texts.title
  frame.style.cssText =
    "display:block;width:100%;height:640px;border:0;border-radius:16px;box-shadow:0 0 0 1px #8886;color-scheme:normal"
  frame.setAttribute("referrerpolicy", "no-referrer")

  const dispatch = (type: string, detail: unknown) =>
    found.dispatchEvent(new CustomEvent(`sprechstunde:${type}`, { detail, bubbles: true }))

  const origins = [address.origin, new URL(scriptFolder).origin]
  const onMessage = ({ source, origin, data }: MessageEvent) => {
    if (source !== frame.contentWindow || !origins.includes(origin)) return
    if (data?.source !== "sprechstunde" || !eventTypes.includes(data.type)) return
    clearTimeout(loadTimeout)
    link.remove()
    if (data.type === "resize" && data.height > 0) frame.style.height = `${Math.min(data.height, 20000)}px`
    dispatch(data.type, data)
  }
  addEventListener("message", onMessage)
  frame.addEventListener("load", () => {
    for (const origin of new Set(origins)) frame.contentWindow?.postMessage({ type: "hello" }, origin)
  })

  // a frame that a policy forbids fires no error: where no message arrives in time, a plain link replaces it
  const loadTimeout = setTimeout(() => {
    Object.assign(frame.style, { height: "0", boxShadow: "none" })
    root.append(link)
    dispatch("error", { type: "error", reason: "blocked" })
  }, 8000)

  root.append(frame)
  return {
    destroy: () => {
      clearTimeout(loadTimeout)
      removeEventListener("message", onMessage)
      host.remove()
    }
  }
}

Object.assign(window, { SprechstundeBooking: { mount } })

const { launchCode, target, baseUrl, lang } = script?.dataset ?? {}
if (script !== null && launchCode !== undefined) {
  const start = () => {
    const place = target ?? script.parentElement
    if (place !== null) Object.assign(script, { widget: mount({ launchCode, target: place, baseUrl, language: lang }) })
  }
  if (document.readyState === "loading" && target !== undefined && document.querySelector(target) === null)
    addEventListener("DOMContentLoaded", start)
  else start()
}
