/** Changes within this time, in milliseconds, cause one refresh. */
const GATHER_MS = 300
/** Delay before reconnecting after a response that is not a stream, e.g. of a gateway during a deployment. */
const RETRY_MS = 3_000
/** Delay before the next refresh while the page waits for a job, or the user is busy with it. */
const PENDING_MS = 2_000

/** What a refresh would interrupt: a press that is not released yet would neither click nor drag. */
const BUSY = "main [data-changed], main details[open] form, main .dragging, main :active"

const isBusy = () => {
  const focused = document.activeElement
  const isTyping = focused instanceof HTMLElement && focused.matches("input:not([type=hidden]), textarea, select")
  return isTyping || document.querySelector(BUSY) !== null
}

/** Fetches the current page, parsed by the browser as a document, so that no text is parsed as markup by a script. */
export const fetchPage = (address: string) =>
  new Promise<Document | null>((resolve) => {
    const request = new XMLHttpRequest()
    request.responseType = "document"
    request.open("GET", address)
    request.onload = () =>
      resolve(request.status === 200 && request.responseURL === address ? request.responseXML : null)
    request.onerror = () => resolve(null)
    request.send()
  })

/** Identifies a link or button together with its record: buttons of several records have the same name. */
const purposeOf = (one: HTMLElement) =>
  [
    one.getAttribute("href") ?? one.closest("form")?.querySelector<HTMLInputElement>('[name="@operation"]')?.value,
    one.getAttribute("value"),
    one.getAttribute("aria-label") ?? one.textContent
  ].join(" ")

let waiting: ReturnType<typeof setTimeout> | undefined
const refreshIn = (millis: number) => {
  clearTimeout(waiting)
  waiting = setTimeout(refresh, millis)
}

const refresh = async () => {
  if (isBusy()) return refreshIn(PENDING_MS)
  const main = document.querySelector("main")
  const page = await fetchPage(location.href)
  const fresh = page?.querySelector("main")
  if (main === null || fresh === null || fresh === undefined) return again()
  if (isBusy()) return refreshIn(PENDING_MS)
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const purpose = focused?.matches("main a, main button") ? purposeOf(focused) : null
  const scrolled = () => [...main.querySelectorAll(".table-scroll")]
  const positions = scrolled().map(({ scrollLeft, scrollTop }) => ({ left: scrollLeft, top: scrollTop }))
  main.replaceChildren(...fresh.childNodes)
  // entries of the menu say how much waits there
  const entries = [...(page?.querySelectorAll(".console-pages a") ?? [])]
  for (const [index, one] of document.querySelectorAll(".console-pages a").entries())
    one.textContent = entries[index]?.textContent ?? one.textContent
  for (const [index, one] of scrolled().entries()) one.scrollTo(positions[index] ?? {})
  // if the focused element is gone, the body gets the focus, so that the next key does not act on another record
  if (purpose !== null)
    ([...main.querySelectorAll<HTMLElement>("a, button")].find((one) => purposeOf(one) === purpose) ?? main).focus({
      preventScroll: true
    })
  document.dispatchEvent(new Event("console:refreshed"))
  again()
}

/** Work that a job does is shown until it is done: not each of its steps has an event. */
const again = () => {
  if (document.querySelector("main [data-pending]") !== null) refreshIn(PENDING_MS)
}

/** Refreshes the page when the service reports a change; while a form is being filled in, once that has ended. */
export const liveUpdates = () => {
  const { live } = document.body.dataset
  const cut = document.querySelector<HTMLElement>("[data-cut]")
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLElement) target.dataset.changed = ""
  })
  if (live === undefined || cut === null) return
  let isDue = false
  const soon = () => {
    clearTimeout(waiting)
    // a hidden page is refreshed when it becomes visible
    isDue = document.hidden
    if (!isDue) refreshIn(GATHER_MS)
  }
  document.addEventListener("visibilitychange", () => {
    if (isDue && !document.hidden) soon()
  })
  const connect = () => {
    const source = new EventSource(live)
    source.addEventListener("changed", soon)
    source.addEventListener("open", () => {
      // changes that were missed while disconnected
      if (!cut.hidden) soon()
      cut.hidden = true
    })
    source.addEventListener("error", () => {
      cut.hidden = false
      // the browser reconnects after a network error, but not after a response that is not a stream
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS)
    })
  }
  connect()
  again()
}
