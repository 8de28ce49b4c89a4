/** In the calendar the arrow keys go from entry to entry, and its scrolling position is kept from page to page. */

const isWithin = (entry: Element, around: Element) => {
  const [inner, outer] = [entry.getBoundingClientRect(), around.getBoundingClientRect()]
  return (
    inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom
  )
}

/** Found anew each time: a refresh replaces it. */
const scrolledGrid = () => document.querySelector("[data-grid]")?.closest(".table-scroll")

const positionKey = () => `console:scroll:${location.pathname}`

const middleOf = (one: Element) => {
  const { left, top, width, height } = one.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

/** The entry above or below in the column, or the nearest one in the next column that has any. */
const neighbourOf = (entry: HTMLElement, key: string): HTMLElement | undefined => {
  const grid = entry.closest("[data-grid]")
  const columns = [...(grid?.querySelectorAll(".time-column") ?? [])].map((column) =>
    [...column.querySelectorAll<HTMLElement>("[data-entry]")].sort((a, b) => middleOf(a).y - middleOf(b).y)
  )
  const at = columns.findIndex((column) => column.includes(entry))
  const own = columns[at] ?? []
  const isForward = key === "ArrowDown" || key === "ArrowRight"
  if (key === "ArrowUp" || key === "ArrowDown") return own[own.indexOf(entry) + (isForward ? 1 : -1)]
  const others = isForward ? columns.slice(at + 1) : columns.slice(0, at).reverse()
  const next = others.find((column) => column.length > 0) ?? []
  const height = middleOf(entry).y
  return [...next].sort((a, b) => Math.abs(middleOf(a).y - height) - Math.abs(middleOf(b).y - height))[0]
}

export const walkTheGrid = () => {
  document.addEventListener("keydown", (event) => {
    const { target, key } = event
    if (!(target instanceof HTMLElement) || !target.matches("[data-entry]") || !key.startsWith("Arrow")) return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const next = neighbourOf(target, key)
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  })
  const grid = scrolledGrid()
  if (grid === null || grid === undefined) return
  const [left, top] = (sessionStorage.getItem(positionKey()) ?? "").split(" ").map(Number)
  if (top !== undefined) grid.scrollTo(left ?? 0, top)
  else {
    const now = grid.querySelector(".time-now")
    const today = grid.querySelector(".today")
    const middle = middleOf(grid)
    // on a phone a week is wider than the screen
    const right = today === null ? 0 : middleOf(today).x - middle.x
    if (now !== null) grid.scrollTo(Math.max(0, right), Math.max(0, middleOf(now).y - middle.y))
  }
  // while it is moved, the new time stays in sight
  const isOpened = new URLSearchParams(location.search).has("appointment")
  const chosen = isOpened ? grid.querySelector("[data-entry][aria-current]") : null
  if (chosen !== null && !isWithin(chosen, grid)) {
    const [there, here] = [middleOf(chosen), middleOf(grid)]
    grid.scrollBy(there.x - here.x, there.y - here.y)
  }
  addEventListener("pagehide", () => {
    const { scrollLeft = 0, scrollTop = 0 } = scrolledGrid() ?? {}
    sessionStorage.setItem(positionKey(), `${scrollLeft} ${scrollTop}`)
  })
}
