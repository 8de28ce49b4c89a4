/** Dates of birth: calendar dates from 1800 to 9999, stored as Unix seconds of their UTC midnight, negative before 1970. */
import { ParseResult, Schema } from "effect"
import { integer } from "./fields.ts"
import { DAY } from "./seconds.ts"

const FIRST = -5_364_662_400
const LAST = 253_402_300_799

/** As in a checkout. */
export const BirthDate = integer(FIRST, LAST, "Unix seconds; before 1970 negative").annotations({
  jsonSchema: { minimum: FIRST, maximum: LAST, format: "unixtime" }
})

/** Whether a text is a date in the form YYYY-MM-DD that exists. */
export const isCalendarDate = (text: string) => {
  const millis = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(millis) && new Date(millis).toISOString().startsWith(text)
}

/** UTC midnight of a date from 1800 on; undefined for other texts. */
export const midnightOf = (text: string): number | undefined => {
  const seconds = isCalendarDate(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN
  return seconds >= FIRST ? seconds : undefined
}

/** The longest life, in years. */
const AGE_MAX = 130

/** Whether somebody alive at `now` (Unix seconds) can be born on this day. */
export const isPlausibleBirth = (text: string, now: number) => {
  const born = midnightOf(text)
  return born !== undefined && born <= now && born > now - AGE_MAX * 365.25 * DAY
}

const EXPECTED = "must be Unix seconds, or a date as YYYY-MM-DD"

/** As in provisioning files: Unix seconds, or a date in the form YYYY-MM-DD. */
export const BirthDateOrText = Schema.transformOrFail(
  Schema.Union(Schema.Number, Schema.String).annotations({ message: () => EXPECTED }),
  BirthDate,
  {
    strict: true,
    decode: (given, _, ast) => {
      const seconds = typeof given === "number" ? given : midnightOf(given)
      return seconds === undefined
        ? ParseResult.fail(new ParseResult.Type(ast, given, EXPECTED))
        : ParseResult.succeed(seconds)
    },
    encode: ParseResult.succeed
  }
)
