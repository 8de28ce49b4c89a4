import { forgetDraft } from "./drafts.ts"

/** A form whose typed text is saved before its page is left by another form or link: the note of an appointment. */
const FORM = "form[data-saves]"

const isChanged = (form: HTMLFormElement) => form.querySelector("[data-changed]") !== null

/** Whether the service accepted it; a refusal keeps the page, with its text. */
const save = async (form: HTMLFormElement) => {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value)
  try {
    return (await fetch(form.action, { method: "POST", body })).ok
  } catch {
    return false
  }
}

/** Saves typed text before links and other forms lead away; without success the browser asks before it leaves. */
export const keepTyped = () => {
  const changed = () => [...document.querySelectorAll<HTMLFormElement>(FORM)].find(isChanged)
  const savedThen = async (form: HTMLFormElement, go: () => void) => {
    if (!(await save(form))) return form.requestSubmit()
    forgetDraft(form)
    for (const one of form.querySelectorAll<HTMLElement>("[data-changed]")) delete one.dataset.changed
    go()
  }
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
  document.addEventListener("submit", ({ target, defaultPrevented }) => {
    if (defaultPrevented || !(target instanceof HTMLFormElement) || !target.matches(FORM)) return
    for (const one of target.querySelectorAll<HTMLElement>("[data-changed]")) delete one.dataset.changed
  })
  addEventListener("beforeunload", (event) => {
    if (changed() !== undefined) event.preventDefault()
  })
}
