/** Links and texts can also be dragged; this type marks an appointment. */
const KIND = "application/x-appointment"

/** Dropping an appointment on a free time leads to the question whether to move it there; nothing is changed before. */
export const moveByDragging = () => {
  document.addEventListener("dragstart", (event) => {
    const { target } = event
    if (!(target instanceof HTMLElement) || target.dataset.move === undefined) return
    target.classList.add("dragging")
    event.dataTransfer?.setData(KIND, target.dataset.move)
  })
  document.addEventListener("dragend", () => document.querySelector(".dragging")?.classList.remove("dragging"))
  const placeOf = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>("[data-drop]") : null)
  document.addEventListener("dragover", (event) => {
    const place = placeOf(event)
    if (place === null) return
    event.preventDefault()
    place.classList.add("drop")
  })
  document.addEventListener("dragleave", (event) => placeOf(event)?.classList.remove("drop"))
  document.addEventListener("drop", (event) => {
    const place = placeOf(event)
    const form = document.querySelector<HTMLFormElement>("form[data-moves]")
    const uid = event.dataTransfer?.getData(KIND)
    if (place === null || form === null || !uid) return
    event.preventDefault()
    const fields: Readonly<Record<string, string | undefined>> = { move: uid, to: place.dataset.drop }
    for (const [name, value = ""] of Object.entries(fields)) {
      const input = form.querySelector<HTMLInputElement>(`[name="${name}"]`)
      if (input !== null) input.value = value
    }
    form.requestSubmit()
  })
}
