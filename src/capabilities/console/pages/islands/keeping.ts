import { forgetDraft } from "./drafts.ts"

/** A form whose typed text saves itself: the note of an appointment. */
const FORM = "form[data-saves]"
/** Without typing for this time, in milliseconds, the text is saved. */
const PAUSE_MS = 3_000

const isChanged = (form: HTMLFormElement) => form.querySelector("[data-changed]") !== null
const unchanged = (form: HTMLFormElement) => {
  for (const one of form.querySelectorAll<HTMLElement>("[data-changed]")) delete one.dataset.changed
}

const bodyOf = (form: HTMLFormElement) => {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value)
  return body
}

/** The saves under way: one after the other, each with the version that the one before has made. */
let saving: Promise<boolean> | null = null

/** Whether the service accepted it; a refusal keeps the page, with its text. */
const send = async (form: HTMLFormElement) => {
  if (!isChanged(form)) return true
  const sent = bodyOf(form)
  try {
    const answer = await fetch(form.action, { method: "POST", body: sent })
    const [, fresh = ""] = (answer.ok ? await answer.text() : "").split(` id="${form.id}"`)
    // without the form it is the page of the sign-in, to which the end of the session leads
    const isSaved = fresh !== ""
    const [, version] = /name="@version" value="([^"]*)"/.exec(fresh) ?? []
    const field = form.querySelector<HTMLInputElement>('[name="@version"]')
    if (field !== null && version !== undefined) field.value = version.replaceAll("&quot;", '"')
    sent.delete("@version")
    const now = bodyOf(form)
    now.delete("@version")
    if (isSaved && String(now) === String(sent)) {
      unchanged(form)
      forgetDraft(form)
    }
    const note = form.querySelector("[data-saved]")
    if (note !== null) note.textContent = isSaved ? (form.dataset.saves ?? "") : ""
    return isSaved
  } catch {
    return false
  }
}

const save = async (form: HTMLFormElement) => {
  const own = (saving ?? Promise.resolve()).then(() => send(form))
  saving = own
  const isSaved = await own
  if (saving === own) saving = null
  return isSaved
}

/** Saves typed text after a pause, and before links and other forms lead away; without success the browser asks before it leaves. */
export const keepTyped = () => {
  const changed = () => [...document.querySelectorAll<HTMLFormElement>(FORM)].find(isChanged)
  let pause: ReturnType<typeof setTimeout> | undefined
  const savedThen = async (form: HTMLFormElement, go: () => void) => {
    if (!(await save(form))) return form.requestSubmit()
    unchanged(form)
    go()
  }
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>(FORM) : null
    if (form === null) return
    const note = form.querySelector("[data-saved]")
    if (note !== null) note.textContent = ""
    clearTimeout(pause)
    pause = setTimeout(() => save(form), PAUSE_MS)
  })
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null
    const form = changed()
    if (link === null || form === undefined || link.target !== "" || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    savedThen(form, () => location.assign(link.href))
  })
  document.addEventListener("submit", (event) => {
    const form = changed()
    const { target, submitter } = event
    if (form === undefined || target === form || !(target instanceof HTMLFormElement)) return
    event.preventDefault()
    savedThen(form, () => target.requestSubmit(submitter))
  })
  document.addEventListener("submit", async (event) => {
    const { target, submitter } = event
    if (event.defaultPrevented || !(target instanceof HTMLFormElement) || !target.matches(FORM)) return
    clearTimeout(pause)
    if (saving === null) return unchanged(target)
    // its version is that of the save under way
    event.preventDefault()
    await saving
    target.requestSubmit(submitter)
  })
  addEventListener("beforeunload", (event) => {
    if (changed() !== undefined) event.preventDefault()
  })
}
