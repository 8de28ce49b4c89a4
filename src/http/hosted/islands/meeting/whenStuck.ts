const FIRST_PATIENCE_SECONDS = 12
const LONGEST_PATIENCE_SECONDS = 60

/**
 * Looks once a second whether something that should go on stands still, and sets it going: after twelve seconds first,
 * then twice as long each time, until it has moved by itself again.
 */
export const whenStuck = (isStuck: () => boolean, setGoing: () => void) => {
  let seconds = 0
  let patience = FIRST_PATIENCE_SECONDS
  setInterval(() => {
    if (!isStuck()) {
      if (seconds === 0) patience = FIRST_PATIENCE_SECONDS
      seconds = 0
      return
    }
    if (++seconds < patience) return
    seconds = 1
    patience = Math.min(patience * 2, LONGEST_PATIENCE_SECONDS)
    setGoing()
  }, 1000)
}
