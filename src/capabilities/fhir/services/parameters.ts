/** Values of search parameters: tokens, references, dates. Rule 20.5. */
import { instantOfWall, zoneOf } from "../../../services/scheduling/slots/zones.ts"
import { badParameter } from "./refused.ts"

/** One occurrence of a parameter: its values are alternatives, several occurrences all apply. */
export interface Given {
  readonly name: string
  readonly modifier: string | undefined
  readonly values: ReadonlyArray<string>
}

/** Most values of one occurrence. */
const VALUES_MAX = 200

/** Splits at a sign that is not escaped, and removes the escapes. */
const splitAt = (text: string, sign: "," | "|"): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let part = ""
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (letter === "\\" && at + 1 < text.length) {
      at += 1
      part += sign === "," ? letter + text.charAt(at) : text.charAt(at)
    } else if (letter === sign) {
      parts.push(part)
      part = ""
    } else part += letter
  }
  return [...parts, part]
}

/** The parameters of a query, without those that have no value. */
export const givenIn = (query: URLSearchParams): ReadonlyArray<Given> =>
  [...query].flatMap(([key, text]) => {
    const values = splitAt(text, ",").filter((value) => value !== "")
    if (values.length === 0) return []
    const colon = key.indexOf(":")
    const name = colon === -1 ? key : key.slice(0, colon)
    if (values.length > VALUES_MAX) throw badParameter(name, `at most ${VALUES_MAX} values`)
    return [{ name, modifier: colon === -1 ? undefined : key.slice(colon + 1), values }]
  })

export interface Token {
  /** Undefined: any; "": none. */
  readonly system: string | undefined
  /** Undefined: any. */
  readonly code: string | undefined
}

export const tokenOf = (value: string): Token => {
  const parts = splitAt(value, "|")
  const [first = "", second = ""] = parts
  return parts.length === 1
    ? { system: undefined, code: first }
    : { system: first, code: second === "" ? undefined : second }
}

export const matchesToken = ({ system, code }: Token, ofSystem: string, ofCode: string) =>
  (system === undefined || system === ofSystem) && (code === undefined || code === ofCode)

/** The plain text of a value. */
export const textOf = (value: string) => splitAt(value, "|").join("|")

/** A type and an id. */
export interface Target {
  /** Undefined: not said. */
  readonly type: string | undefined
  readonly id: string
}

/** `Type/id`, an id alone, or an address below `base`. Undefined for anything else, which no resource here is. */
export const targetOf = (reference: string, base: string): Target | undefined => {
  const local = reference.startsWith(`${base}/`) ? reference.slice(base.length + 1) : reference
  const [, type, id] =
    /^(?:([A-Z][A-Za-z]*)\/)?([A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/.exec(local) ?? []
  return id === undefined ? undefined : { type, id }
}

/** Moments in `[from, to)`; Unix seconds, without an end where it is undefined. */
export interface Range {
  readonly from: number | undefined
  readonly to: number | undefined
}

export const datePrefixes = ["eq", "gt", "lt", "ge", "le", "sa", "eb"] as const

const DATE = /^([a-z]{2})?(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+ -]\d\d:\d\d)?)?)?)?$/

const utc = (year: number, month: number, day: number, hour: number, minute: number, second: number) =>
  Date.UTC(year, month - 1, day, hour, minute, second) / 1000

/** The range that a date or a time names, with its prefix applied; a time without an offset is in the zone. */
export const rangeOf = (name: string, value: string, zone: string): Range => {
  const found = DATE.exec(value)
  if (found === null) throw badParameter(name, "must be a date or a time such as 2035-01-08T09:00:00+01:00")
  const [, prefix = "eq", year = "", month, day, hour, minute, second, offset] = found
  if (!datePrefixes.some((known) => known === prefix))
    throw badParameter(name, `the prefixes are ${datePrefixes.join(", ")}`, "not-supported")
  const numbers = [year, month ?? "1", day ?? "1", hour ?? "0", minute ?? "0", second ?? "0"].map(Number)
  const [y = 0, mo = 1, d = 1, h = 0, mi = 0, s = 0] = numbers
  const first = utc(y, mo, d, h, mi, s)
  const shown = new Date(first * 1000)
  const isReal = y >= 1 && shown.getUTCMonth() + 1 === mo && shown.getUTCDate() === d && h < 24 && mi < 60 && s < 60
  if (!isReal) throw badParameter(name, "is no date or time that there is")
  const next =
    month === undefined
      ? utc(y + 1, 1, 1, 0, 0, 0)
      : day === undefined
        ? utc(y, mo + 1, 1, 0, 0, 0)
        : first + (hour === undefined ? 86_400 : second === undefined ? 60 : 1)
  const instant = (wall: number) => {
    if (offset === undefined) return instantOfWall(zoneOf(zone), wall)
    if (offset === "Z") return wall
    // A plus sign that was not encoded arrives as a space
    const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number)
    return wall - (offset.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
  }
  const [from, to] = [instant(first), instant(next)]
  if (prefix === "gt" || prefix === "sa") return { from: to, to: undefined }
  if (prefix === "ge") return { from, to: undefined }
  if (prefix === "lt" || prefix === "eb") return { from: undefined, to: from }
  if (prefix === "le") return { from: undefined, to }
  return { from, to }
}
