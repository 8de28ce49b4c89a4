/** Recurrence rules (RFC 5545, 3.3.10) on wall-clock times: seconds since 1970-01-01T00:00 of the series' own zone. */
import type { RRuleTemporal } from "rrule-temporal"
import { CalendarUnreadable } from "./unreadable.ts"

/** Periods and times that are looked at for one rule. */
const [PERIODS_MAX, TIMES_MAX] = [100_000, 1_000_000]
/** Letters of a rule: real ones have some hundred. */
const LENGTH_MAX = 2_000

const temporal = (): { readonly RRuleTemporal: typeof RRuleTemporal } => require("rrule-temporal")

/** As text, without its `UNTIL`. */
export type Rule = string

const made = (rule: Rule, start: number, strict = false) => {
  const at = new Date(start * 1000).toISOString().replace(/[-:]|\.\d+/g, "")
  const bounds = { maxIterations: PERIODS_MAX, maxCandidateEvaluations: TIMES_MAX, cache: false }
  return new (temporal().RRuleTemporal)({ rruleString: `DTSTART:${at}\nRRULE:${rule}`, strict, ...bounds })
}

/** Also one with parts that the standard does not combine: programs write them. The library takes any text for a number then. */
const isRule = (text: string) =>
  !/(?:COUNT|INTERVAL)=(?!\d+(?:;|$))/.test(text) &&
  [true, false].some((strict) => {
    try {
      made(text, 0, strict)
      return true
    } catch {
      return false
    }
  })

/** A rule, and its `UNTIL` as it stands there; the rule is undefined for what is none. */
export const ruleOf = (text: string): { readonly rule: Rule | undefined; readonly until: string | undefined } => {
  const parts = text
    .toUpperCase()
    .split(";")
    .map((part) => part.trim())
  const until = parts.find((part) => /^UNTIL=./.test(part))?.slice(6)
  // programs write empty parts, and an interval of 0 where they mean 1
  const rule = parts.filter((part) => !/^(?:[^=]*=?|UNTIL=.*|INTERVAL=0+)$/.test(part)).join(";")
  return { rule: rule.length <= LENGTH_MAX && isRule(rule) ? rule : undefined, until }
}

/** Wall times of a series from one to another, ascending; its start only if the rule says so. Throws `CalendarUnreadable`. */
export const wallsOf = (rule: Rule, start: number, from: number, to: number): ReadonlyArray<number> => {
  if (start > to) return []
  try {
    const series = made(rule, start)
    return series.between(new Date(from * 1000), new Date(to * 1000), true).map((one) => one.epochMilliseconds / 1000)
  } catch {
    throw new CalendarUnreadable("too_large") // the library throws where it has looked at as many as it may
  }
}
