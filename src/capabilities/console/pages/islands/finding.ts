import { fetchPage } from "./live.ts"

/** Without typing for this time, in milliseconds, the patients who fit are fetched. */
const PAUSE_MS = 300
/** Shorter texts fit too many people. Each search is an entry in the audit log. */
const SHORTEST = 3

const addressOf = (form: HTMLFormElement) => {
  const address = new URL(form.action)
  for (const [name, value] of new FormData(form))
    if (typeof value === "string") address.searchParams.append(name, value)
  return address.href
}

/** While a patient is searched for, those who fit appear without a press; without JavaScript, after the button. */
export const findWhileTyping = () => {
  let pause: ReturnType<typeof setTimeout> | undefined
  let last = ""
  const find = async (form: HTMLFormElement) => {
    const asked = addressOf(form)
    const { value = "" } = form.querySelector<HTMLInputElement>('[name="search"]') ?? {}
    if (value.trim().length < SHORTEST || asked === last) return
    last = asked
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
