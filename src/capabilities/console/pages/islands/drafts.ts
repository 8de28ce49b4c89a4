/**
 * What was typed into a form stays in this tab until it was accepted: it survives a reload, the back button and the end of the session.
 * Another person's is not shown, and signing out removes it. Rule 17.2.10.
 */
const PREFIX = "console:draft:"
const SENT = "console:sent"

type Draft = Readonly<Record<string, ReadonlyArray<string>>>
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isControl = (one: Element): one is Control =>
  (one instanceof HTMLInputElement && !/^(hidden|password|file|submit|button)$/.test(one.type)) ||
  one instanceof HTMLTextAreaElement ||
  one instanceof HTMLSelectElement

const controlsOf = (form: HTMLFormElement) => [...form.elements].filter(isControl).filter(({ name }) => name !== "")

const operationOf = (form: HTMLFormElement) =>
  form.querySelector<HTMLInputElement>('[name="@operation"]')?.value ?? form.getAttribute("action")

const keyOf = (form: HTMLFormElement) =>
  // what was typed into a list belongs to its records in their order
  `${PREFIX}${document.body.dataset.person} ${location.pathname} ${operationOf(form)} ${form.dataset.list ?? ""}`

const isKept = (form: Element | null): form is HTMLFormElement =>
  // attributes, since a field named `action` or `method` hides the form's own property
  form instanceof HTMLFormElement && form.getAttribute("method") === "post" && form.closest("main") !== null

const valuesOf = (one: Control): ReadonlyArray<string> => {
  if (one instanceof HTMLInputElement && /^(checkbox|radio)$/.test(one.type)) return one.checked ? [one.value] : []
  return one instanceof HTMLSelectElement ? [...one.selectedOptions].map(({ value }) => value) : [one.value]
}

const fill = (one: Control, values: ReadonlyArray<string>) => {
  if (one instanceof HTMLInputElement && /^(checkbox|radio)$/.test(one.type)) one.checked = values.includes(one.value)
  else if (one instanceof HTMLSelectElement)
    for (const option of one.options) option.selected = values.includes(option.value)
  else one.value = values[0] ?? ""
}

/** Fields of one name, as of a list, by their order. */
const named = (form: HTMLFormElement) => Map.groupBy(controlsOf(form), ({ name }) => name)

export const forgetDraft = (form: HTMLFormElement) => sessionStorage.removeItem(keyOf(form))

const keep = (form: HTMLFormElement) => {
  const draft = Object.fromEntries(
    [...named(form)].map(([name, all]) => [name, all.map((one) => valuesOf(one).join("\n"))])
  )
  sessionStorage.setItem(keyOf(form), JSON.stringify(draft))
}

/** Says that typed text is back, with a button that drops it. */
const announce = (form: HTMLFormElement) => {
  const { restored = "", discard = "" } = document.body.dataset
  const note = document.createElement("p")
  note.className = "notice"
  note.setAttribute("role", "status")
  const drop = document.createElement("button")
  drop.type = "button"
  drop.className = "quiet"
  drop.textContent = discard
  drop.addEventListener("click", () => {
    forgetDraft(form)
    for (const one of form.querySelectorAll<HTMLElement>("[data-changed]")) delete one.dataset.changed
    form.reset()
    note.remove()
  })
  note.append(`${restored} `, drop)
  form.prepend(note)
}

const restore = (form: HTMLFormElement) => {
  const text = sessionStorage.getItem(keyOf(form))
  if (text === null) return
  const draft: Draft = JSON.parse(text)
  let isDifferent = false
  for (const [name, all] of named(form))
    for (const [at, one] of all.entries()) {
      const value = draft[name]?.[at]
      if (value === undefined || value === valuesOf(one).join("\n")) continue
      fill(one, value === "" ? [] : value.split("\n"))
      if (one instanceof HTMLTextAreaElement) one.value = value
      one.dataset.changed = ""
      isDifferent = true
    }
  if (!isDifferent) return forgetDraft(form)
  for (let fold = form.closest("details"); fold !== null; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true
  announce(form)
}

export const keepDrafts = () => {
  if (document.body.dataset.person === undefined) return
  const sent = sessionStorage.getItem(SENT)
  sessionStorage.removeItem(SENT)
  const isAccepted = document.querySelector("main [data-done], main output.code, main [data-unsent]") !== null
  if (sent !== null && isAccepted) sessionStorage.removeItem(sent)
  // a refused form has what was entered already
  if (document.querySelector("main [role=alert]") === null)
    for (const form of document.querySelectorAll("main form")) if (isKept(form)) restore(form)
  const onInput = ({ target }: Event) => {
    const form = target instanceof HTMLElement && isControl(target) ? target.form : null
    if (isKept(form)) keep(form)
  }
  document.addEventListener("input", onInput)
  document.addEventListener("change", onInput)
  document.addEventListener("submit", ({ target }) => {
    if (target instanceof Element && isKept(target)) return sessionStorage.setItem(SENT, keyOf(target))
    if (!(target instanceof HTMLFormElement) || target.getAttribute("action")?.endsWith("/sign-out") !== true) return
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  })
}
