const FIRST_PATIENCE_SECONDS = 12
const LONGEST_PATIENCE_SECONDS = 60

/**
 * Looks once a second whether something that should go on stands still, and sets it going: after twelve seconds first,
 * then twice as long each time, so that a slow machine gets its time; until it goes well again.
 */
export const whenStuck = (state: () => "well" | "stuck" | "unclear", setGoing: () => void) => {
  let seconds = 0
  let patience = FIRST_PATIENCE_SECONDS
  setInterval(() => {
    const now = state()
    if (now === "well") patience = FIRST_PATIENCE_SECONDS
    seconds = now === "stuck" ? seconds + 1 : 0
    if (seconds < patience) return
    seconds = 0
    patience = Math.min(patience * 2, LONGEST_PATIENCE_SECONDS)
    setGoing()
  }, 1000)
}
