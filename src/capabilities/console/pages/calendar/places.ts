/**
 * Classes that place an entry of the calendar: a style attribute is not allowed by the pages' policy. Each sets one digit of a number of
 * steps in places.css, from which calendar.css computes the place.
 */

type Sign = "at" | "long"

export const placeOf = (steps: number, sign: Sign) => {
  const whole = Math.max(0, Math.min(299, Math.round(steps)))
  const [hundreds, tens, units] = String(whole).padStart(3, "0")
  return `${sign}-h${hundreds} ${sign}-t${tens} ${sign}-u${units}`
}
