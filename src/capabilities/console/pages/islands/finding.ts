import { fetchPage } from "./live.ts"

/** Without typing for this time, in milliseconds, the patients who fit are fetched. */
const PAUSE_MS = 300

const addressOf = (form: HTMLFormElement) => {
  const address = new URL(form.action)
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") address.searchParams.append(name, value)
  return address.href
}

/** While a patient is searched for, those who fit appear without a press; without JavaScript, after the button. */
export const findWhileTyping = () => {
  let pause: ReturnType<typeof setTimeout> | undefined
  const find = async (form: HTMLFormElement) => {
    const asked = addressOf(form)
    const fresh = (await fetchPage(asked))?.querySelector("[data-found]")
    // what was typed meanwhile has a search of its own
    if (fresh && addressOf(form) === asked) document.querySelector("[data-found]")?.replaceWith(fresh)
  }
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof HTMLInputElement ? target.closest<HTMLFormElement>("form[data-finds]") : null
    if (form === null) return
    clearTimeout(pause)
    pause = setTimeout(() => find(form), PAUSE_MS)
  })
}
