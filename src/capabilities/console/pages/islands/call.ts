/** Opens an address in the frame as a link there does, which saves typed text first. */
const openIn = (frame: HTMLIFrameElement, address: string) => {
  const link = frame.contentDocument?.createElement("a")
  if (link === undefined) {
    frame.src = address
    return
  }
  link.href = address
  frame.contentDocument?.body.append(link)
  link.click()
}

/** The page of a call: the card follows the patient whom the doctor talks with, and the title says who waits. */
export const followTheCall = () => {
  const call = document.querySelector<HTMLIFrameElement>("iframe[data-patient]")
  const card = document.querySelector<HTMLIFrameElement>("iframe[name=patient]")
  if (call === null || card === null) return
  const title = document.title
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== call.contentWindow || origin !== new URL(call.src).origin || data?.type !== "call") return
    document.title = data.waiting > 0 ? `(${data.waiting}) ${title}` : title
    if (data.patient === "" || data.patient === call.dataset.patient) return
    call.dataset.patient = data.patient
    const address = `/console/doctor/patients/${encodeURIComponent(data.patient)}`
    document.querySelector<HTMLAnchorElement>("a[data-card]")?.setAttribute("href", address)
    openIn(card, address)
  })
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[target=patient]") : null
    if (link === null || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    openIn(card, link.href)
  })
}
