// SPDX-License-Identifier: Apache-2.0
/**
 * The booking widget: one script, without dependencies. Place it where the booking is to appear:
 *
 *   <script src="https://…/meet/booking-widget.js" data-launch-code="blc_…" data-target="#booking"></script>
 *
 * or call `SprechstundeBooking.mount({ launchCode, target, baseUrl })`, which returns a handle with `destroy()`
 * and `renew(launchCode)`, which goes on with another launch code, e.g. after `sprechstunde:expired`.
 * What happens inside is reported by bubbling events `sprechstunde:<type>` on the target.
 */
import type { Texts } from "../../texts/de.ts"
import { type Language, languageAmong, languages } from "../../texts/language.ts"

/** Set by the build: the widget contains only its own texts. */
declare const WIDGET_TEXTS: Readonly<Record<Language, Texts["widget"]>>

interface MountOptions {
  readonly launchCode: string
  /** selector or element; default: the script's parent */
  readonly target: string | Element
  /** URL of the hosted pages; default: the origin of the script */
  readonly baseUrl?: string | undefined
  readonly language?: string | undefined
  /** "light" or "dark", for a site that has only one; default: the device's */
  readonly theme?: string | undefined
}

const eventTypes = ["ready", "resize", "slot_selected", "hold_created", "confirmed", "expired", "error"]
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript : null
const scriptFolder = script === null ? location.href : new URL(".", script.src).href

const known = Object.keys(WIDGET_TEXTS) as ReadonlyArray<Language> // its keys
const languageOfTag = (tag: string) => languageAmong(known, tag)

/** The requested language, else that of the host page; undefined: the browser's. */
const languageFor = (asked: string | undefined) =>
  [asked ?? "", document.documentElement.lang].map(languageOfTag).find((known) => known !== undefined)

const mount = ({ launchCode, target, baseUrl = scriptFolder, language: asked, theme }: MountOptions) => {
  const found = typeof target === "string" ? document.querySelector(target) : target
  if (found === null) throw new Error(`booking-widget: nothing matches ${String(target)}`)
  const language = languageFor(asked)
  const texts = WIDGET_TEXTS[language ?? languageOfTag(navigator.language) ?? languages[0]]
  const host = found.appendChild(document.createElement("div"))
  const root = host.attachShadow({ mode: "open" })
  const link = document.createElement("a")
  link.textContent = texts.fallback
  link.style.cssText = "display:block;padding:12px;font:16px/1.5 system-ui,sans-serif;color:inherit"
  const frame = document.createElement("iframe")
  frame.title = texts.title
  frame.setAttribute("referrerpolicy", "no-referrer")

  const origins = [baseUrl, scriptFolder].map((url) => new URL(url).origin)
  const sent = new Set<string>()
  let stage: unknown
  let loadTimeout: ReturnType<typeof setTimeout>

  const dispatch = (type: string, detail: unknown) =>
    found.dispatchEvent(new CustomEvent(`sprechstunde:${type}`, { detail, bubbles: true }))

  /** A reloaded page reports its stage again: each stage is dispatched once per hold or appointment. */
  const isRepeated = ({ type, hold_uid, appointment_uid }: Readonly<Record<string, unknown>>) => {
    if (type === "resize" || type === "slot_selected" || type === "error") return false
    const stage = `${type} ${hold_uid ?? appointment_uid ?? ""}`
    return sent.has(stage) || !sent.add(stage)
  }

  const onMessage = ({ source, origin, data }: MessageEvent) => {
    if (source !== frame.contentWindow || !origins.includes(origin)) return
    if (data?.source !== "sprechstunde" || !eventTypes.includes(data.type)) return
    clearTimeout(loadTimeout)
    link.remove()
    if (data.type === "resize" && data.height > 0) frame.style.height = `${Math.min(data.height, 20000)}px`
    if (data.type === "ready") showStage(data.stage)
    if (!isRepeated(data)) dispatch(data.type, data)
  }

  /** A new step starts at its heading, wherever the button of the last one was; another day or filter stays in place. */
  const showStage = (next: unknown) => {
    if (stage !== undefined && (stage !== next || next === "error") && host.getBoundingClientRect().top < 0)
      host.scrollIntoView()
    stage = next
  }

  /** Shows the page of a launch code; can be called again with another code. */
  const renew = (code: string) => {
    const address = new URL(`booking/${encodeURIComponent(code)}`, baseUrl.replace(/\/*$/, "/"))
    if (language !== undefined) address.searchParams.set("lang", language)
    if (theme !== undefined) address.searchParams.set("theme", theme)
    link.href = address.href
    address.searchParams.set("parent", location.origin)
    sent.clear()
    stage = undefined
    frame.style.cssText =
      "display:block;width:100%;height:640px;border:0;border-radius:16px;box-shadow:0 0 0 1px #8886;color-scheme:normal"
    frame.src = address.href
    clearTimeout(loadTimeout)
    // A frame that a policy blocks fires no error: if no message arrives in time, a plain link replaces it.
    loadTimeout = setTimeout(() => {
      Object.assign(frame.style, { height: "0", boxShadow: "none" })
      root.append(link)
      dispatch("error", { type: "error", reason: "blocked" })
    }, 8000)
  }

  addEventListener("message", onMessage)
  renew(launchCode)
  root.append(frame)
  return {
    renew,
    destroy: () => {
      clearTimeout(loadTimeout)
      removeEventListener("message", onMessage)
      host.remove()
    }
  }
}

Object.assign(window, { SprechstundeBooking: { mount } })

const { launchCode, target, baseUrl, lang, theme } = script?.dataset ?? {}
if (script !== null && launchCode !== undefined) {
  const start = () => {
    const place = target ?? script.parentElement
    if (place !== null)
      Object.assign(script, { widget: mount({ launchCode, target: place, baseUrl, language: lang, theme }) })
  }
  if (document.readyState === "loading" && target !== undefined && document.querySelector(target) === null)
    addEventListener("DOMContentLoaded", start)
  else start()
}
