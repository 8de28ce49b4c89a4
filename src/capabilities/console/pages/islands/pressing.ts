/** In the calendar a press on any time of a doctor's day leads to squeezing somebody in there. */

const STEP = 300

/** The time under the pointer, in steps of five minutes; of one that has just begun the next step. Undefined for the past. */
const timeAt = (lane: HTMLElement, y: number) => {
  const { top, height } = lane.getBoundingClientRect()
  const { from, seconds } = lane.dataset
  const at = Number(from) + ((y - top) / height) * Number(seconds)
  const now = Date.now() / 1000
  const start = Math.max(Math.floor(at / STEP), Math.floor(at) + 3 * STEP > now ? Math.ceil(now / STEP) : 0) * STEP
  return start < now ? undefined : start
}

const laneOf = ({ target }: Event) =>
  target instanceof Element && target.closest("a, button") === null
    ? target.closest<HTMLElement>(".time-lane[data-press]")
    : null

export const pressAnyTime = () => {
  document.addEventListener("click", (event) => {
    const lane = laneOf(event)
    const start = lane === null ? undefined : timeAt(lane, event.clientY)
    if (lane !== null && start !== undefined) location.assign(`${lane.dataset.press}&start=${start}`)
  })
}
