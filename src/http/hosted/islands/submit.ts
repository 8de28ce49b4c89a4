const PATIENCE_MS = 8_000

/** Whether the service answers now, and be it that this script, which is asked for, has a new name since. */
export const isReachable = async () => {
  try {
    const { status } = await fetch(import.meta.url, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS)
    })
    return status < 500
  } catch {
    return false
  }
}

/**
 * Sends a form once, however often its button is pressed, and only while the service answers: else the browser would put
 * its own error in the page's place, and what was typed would be gone. Coming back by the back button frees it again.
 */
export const submitOnce = (sending: (button: HTMLElement | null) => void = () => {}) => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]')) {
    const unreachable = form.querySelector<HTMLElement>("[data-unreachable]")
    form.addEventListener("submit", async (event) => {
      if (form.dataset.sent === "now") return
      event.preventDefault()
      if (form.dataset.sent !== undefined) return
      form.dataset.sent = "soon"
      const reachable = await isReachable()
      if (unreachable !== null) unreachable.hidden = reachable
      if (!reachable) {
        delete form.dataset.sent
        return unreachable?.focus()
      }
      sending(event.submitter)
      form.dataset.sent = "now"
      form.requestSubmit(event.submitter)
      form.dataset.sent = "before"
    })
  }
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sent]")) delete form.dataset.sent
  })
}

/** What went wrong comes first, for those who see it and for those to whom it is read. */
export const focusProblem = () => document.querySelector<HTMLElement>("[role=alert]")?.focus()
