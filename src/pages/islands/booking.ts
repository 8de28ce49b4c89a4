import { submitOnChange } from "./choices.ts"
import { countSeconds, showIn } from "./countdown.ts"
import { postStage, postToParent, startFrame } from "./frame.ts"
import { showNotice, submitOnce } from "./submit.ts"
import { keepFormValues } from "./typed.ts"

/** The browser's name for a zone that the list does not contain, in the page's language. */
const nameOf = (timeZone: string) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { timeZone, timeZoneName: "longGeneric" })
    .formatToParts()
    .find((part) => part.type === "timeZoneName")?.value ?? timeZone

/** Offers the device's zone if its clock differs from the shown one. */
const offerDeviceZone = () => {
  const offer = document.querySelector<HTMLElement>(".device-zone")
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { zone: shown, address } = offer?.dataset ?? {}
  const link = offer?.querySelector("a")
  if (!offer || !link || !shown || !address || !device) return
  const reads = (timeZone: string) => new Intl.DateTimeFormat("en", { timeZone, timeStyle: "long" }).format(0)
  const now = (timeZone: string) => new Date().toLocaleString("en", { timeZone })
  if (reads(device) === reads(shown) && now(device) === now(shown)) return
  const target = new URL(address, location.href)
  target.searchParams.set("zone", device)
  link.href = target.href
  const option = document.querySelector(`option[value="${CSS.escape(device)}"]`)
  link.textContent = option?.textContent ?? nameOf(device)
  offer.hidden = false
}

/** Counts the hold down and announces its last minute and its end, also to screen readers. */
const countHold = () => {
  const held = document.querySelector<HTMLElement>("[data-remaining]")
  if (held === null) return
  const remaining = Number(held.dataset.remaining)
  if (!(remaining > 0)) return
  const show = showIn(held)
  const bar = held.querySelector("progress")
  const status = held.querySelector<HTMLElement>("[data-announce]")
  const announce = (text: string | undefined) => {
    if (status !== null && text !== undefined && status.textContent !== text) status.textContent = text
  }
  countSeconds(remaining, (left) => {
    show(left)
    if (bar !== null) bar.value = left
    if (left > 0 && left <= 60) announce(status?.dataset.announce)
    if (left > 0) return
    announce(status?.dataset.announceOver)
    held.querySelector<HTMLElement>(".held-for")?.setAttribute("hidden", "")
    held.querySelector<HTMLElement>("[data-over]")?.removeAttribute("hidden")
    if (held.matches(".notice")) held.hidden = true
    postStage("expired")
  })
}

const postSlot = (button: HTMLElement | null) => {
  if (!(button instanceof HTMLButtonElement) || button.name !== "slot") return
  const [start, doctor] = [button.value.split(".")[0], button.value.slice(button.value.indexOf(".") + 1)]
  postToParent("slot_selected", { start_date: Number(start), doctor_uid: doctor })
}

offerDeviceZone()
submitOnChange()
keepFormValues()
countHold()
submitOnce(postSlot)
showNotice()
startFrame()
