const TIMEOUT_MS = 8_000

/** Whether the service responds. It requests this script; a 404 after an update counts as a response. */
export const isReachable = async () => {
  try {
    const { status } = await fetch(import.meta.url, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })
    return status < 500
  } catch {
    return false
  }
}

/**
 * Submits a form once, however often its button is pressed, and only while the service responds: otherwise the browser's own
 * error page would replace this one and the entered text. After the back button the form can be submitted again.
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

/**
 * Moves the focus to what a form has done, so that it is in view and read first. The address then no longer says it: a reload shows
 * the page without it.
 */
export const showNotice = () => {
  const { address } = document.body.dataset
  if (address !== undefined) history.replaceState(null, "", address)
  document.querySelector<HTMLElement>("[role=alert], [data-notice]")?.focus()
}
