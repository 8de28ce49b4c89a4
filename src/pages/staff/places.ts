/** Classes that place an entry of the calendar: a style attribute is not allowed by the pages' policy. */

/** The digits of a number of steps by their letter, each with how many values it has: hundreds, tens and units. */
const digits = { h: 3, t: 10, u: 10 } as const

type Sign = "at" | "long"

export const placeOf = (steps: number, sign: Sign) => {
  const whole = Math.max(0, Math.min(299, Math.round(steps)))
  const [hundreds, tens, units] = String(whole).padStart(3, "0")
  return `${sign}-h${hundreds} ${sign}-t${tens} ${sign}-u${units}`
}

/** The rules of these classes: each sets one digit, from which `calendar.css` computes the place. */
export const placeRules = (["at", "long"] as const satisfies ReadonlyArray<Sign>)
  .flatMap((sign) =>
    Object.entries(digits).flatMap(([letter, values]) =>
      Array.from({ length: values }, (_, digit) => `.${sign}-${letter}${digit}{--${sign}-${letter}:${digit}}`)
    )
  )
  .join("")
