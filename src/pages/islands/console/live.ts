/** How long several changes are gathered before the page is asked for again. */
const GATHER_MS = 300
/** When a stream is asked for again that was answered by something else: a gateway whose service is being replaced. */
const RETRY_MS = 3_000

/** Whether somebody is in the middle of something that a new page would take away. */
const isBusy = () => {
  const focused = document.activeElement
  const isTyping = focused instanceof HTMLElement && focused.matches("input:not([type=hidden]), textarea, select")
  return isTyping || document.querySelector("main [data-changed], main details[open] form, main .dragging") !== null
}

/** The page as it is now. Read as a document by the browser itself: no text becomes markup by a script. */
const fetchPage = (address: string) =>
  new Promise<Document | null>((resolve) => {
    const request = new XMLHttpRequest()
    request.responseType = "document"
    request.open("GET", address)
    request.onload = () =>
      resolve(request.status === 200 && request.responseURL === address ? request.responseXML : null)
    request.onerror = () => resolve(null)
    request.send()
  })

/** What a link or button is for: two buttons of the same name are for different records. */
const purposeOf = (one: HTMLElement) =>
  [
    one.getAttribute("href") ?? one.closest("form")?.querySelector<HTMLInputElement>('[name="@operation"]')?.value,
    one.getAttribute("value"),
    one.getAttribute("aria-label") ?? one.textContent
  ].join(" ")

const refresh = async () => {
  const main = document.querySelector("main")
  const fresh = (await fetchPage(location.href))?.querySelector("main")
  if (main === null || fresh === null || fresh === undefined || isBusy()) return
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null
  const purpose = focused?.matches("main a, main button") ? purposeOf(focused) : null
  main.replaceChildren(...fresh.childNodes)
  // what is no longer there leaves the focus to the page, so that the next key does nothing to another record
  if (purpose !== null)
    ([...main.querySelectorAll<HTMLElement>("a, button")].find((one) => purposeOf(one) === purpose) ?? main).focus()
  document.dispatchEvent(new Event("console:refreshed"))
}

/** Shows what has changed as soon as the service says so; a form that is being filled in is left alone. */
export const liveUpdates = () => {
  const { live } = document.body.dataset
  const cut = document.querySelector<HTMLElement>("[data-cut]")
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLElement) target.dataset.changed = ""
  })
  if (live === undefined || cut === null) return
  let waiting: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  const soon = () => {
    clearTimeout(waiting)
    // a page that nobody sees is made anew once it is seen
    isDue = document.hidden
    if (!isDue) waiting = setTimeout(refresh, GATHER_MS)
  }
  document.addEventListener("visibilitychange", () => {
    if (isDue && !document.hidden) soon()
  })
  const connect = () => {
    const source = new EventSource(live)
    source.addEventListener("changed", soon)
    source.addEventListener("open", () => {
      // what changed while the connection was cut
      if (!cut.hidden) soon()
      cut.hidden = true
    })
    source.addEventListener("error", () => {
      cut.hidden = false
      // the browser itself tries a broken connection again, but no answer that is not a stream
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS)
    })
  }
  connect()
}
