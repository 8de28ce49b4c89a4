/**
 * Keeps the entered text in this tab, by the page's path, which contains the link's code, so that a reload, another
 * language or the back button lose nothing. It is removed after it was submitted.
 */
const key = () => `sprechstunde:${location.pathname}`
const answersKey = () => `${key()}:answers`

/** In frames of other sites a browser may deny storage; it then behaves as if it were empty. */
const storage = (): Storage | undefined => {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}

const countCharacters = (field: HTMLTextAreaElement) => {
  const shown = field.parentElement?.querySelector<HTMLElement>("[data-characters]")
  const { left } = field.dataset
  if (!shown || left === undefined) return
  const count = field.maxLength - field.value.length
  shown.hidden = count > field.maxLength / 2
  shown.textContent = left.replace("{n}", String(count))
}

const keepField = (field: HTMLTextAreaElement) => {
  const kept = storage()?.getItem(key())
  if (kept) field.value = kept
  countCharacters(field)
  field.addEventListener("input", () => {
    storage()?.setItem(key(), field.value)
    countCharacters(field)
  })
}

/** Ticked consents and completed profile fields are kept until the booking, like the text. */
const keepAnswers = () => {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    "input[type=checkbox][name=consent], [name^=profile_]"
  )
  const isTick = (field: Element) => field instanceof HTMLInputElement && field.type === "checkbox"
  const kept: Readonly<Record<string, unknown>> = JSON.parse(storage()?.getItem(answersKey()) ?? "{}")
  for (const field of fields) {
    const answer = kept[isTick(field) ? field.value : field.name]
    if (typeof answer === "string") field.value = answer
    if (field instanceof HTMLInputElement && typeof answer === "boolean") field.checked = answer
    field.addEventListener("input", () => {
      const answers = [...fields].map((one) =>
        one instanceof HTMLInputElement && isTick(one) ? [one.value, one.checked] : [one.name, one.value]
      )
      storage()?.setItem(answersKey(), JSON.stringify(Object.fromEntries(answers)))
    })
  }
}

const texts = (form: HTMLFormElement): Readonly<Record<string, string>> =>
  Object.fromEntries([...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === "string"))

/** The form of a booking without a partner, with all its fields; removed when its list of times is reached. */
const keepForm = (form: HTMLFormElement) => {
  const kept: Readonly<Record<string, unknown>> = JSON.parse(storage()?.getItem(key()) ?? "{}")
  for (const field of form.querySelectorAll("input")) {
    const text = kept[field.name]
    if (typeof text !== "string") continue
    if (field.type === "radio") field.checked = field.value === text
    // newer than what a refused form brought back
    else field.value = text
    if (field.value !== "" && field.type !== "radio") field.closest("details")?.setAttribute("open", "")
  }
  form.addEventListener("input", () => storage()?.setItem(key(), JSON.stringify(texts(form))))
}

const forgetForms = () => {
  for (const name of Object.keys(storage() ?? {}))
    if (/^sprechstunde:.*\/book\//.test(name)) storage()?.removeItem(name)
}

/** A list of times has no field: the entered text is sent with the chosen time. */
const submitWithValues = (form: HTMLFormElement) => {
  const kept = storage()?.getItem(key())
  if (!kept || form.elements.namedItem("visit_reason") !== null) return
  const field = document.createElement("input")
  Object.assign(field, { type: "hidden", name: "visit_reason", value: kept })
  form.append(field)
}

/** Restores the entered text, stores changes, and removes it when there is nothing left to submit. */
export const keepFormValues = () => {
  const field = document.querySelector<HTMLTextAreaElement>("textarea[name]")
  const offers = document.querySelectorAll<HTMLFormElement>("form.offer")
  const readOnly = document.querySelector<HTMLElement>("[data-typed]")
  const form = document.querySelector<HTMLFormElement>("form[data-keep]")
  keepAnswers()
  // a page that could not be shown: what was typed is for the one that follows
  if (document.body.dataset.stage === "error" && field === null && offers.length === 0) return
  if (form !== null) return keepForm(form)
  if (field !== null) return keepField(field)
  for (const offer of offers) submitWithValues(offer)
  if (offers.length > 0) return forgetForms()
  const kept = storage()?.getItem(key())
  if (readOnly === null || !kept) {
    storage()?.removeItem(answersKey())
    return storage()?.removeItem(key())
  }
  readOnly.hidden = false
  const shown = readOnly.querySelector("textarea")
  if (shown !== null) shown.value = kept
}
