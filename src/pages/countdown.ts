/** `4:09`, the remaining time of a countdown; never negative. */
export const countdown = (seconds: number) => {
  const left = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`
}
