/** What a search sends, read by the kinds of its parameters: tokens, references, dates. Rule 20.5. */
import { Effect } from "effect"
import { instantOfWall, zoneOf } from "../../../services/scheduling/slots/zones.ts"
import { badParameter } from "./refused.ts"

export type ParameterKind = "token" | "reference" | "date" | "string" | "number"

export interface SearchParameter {
  readonly name: string
  readonly kind: ParameterKind
  readonly definition: string
  /** Modifiers without the colon. */
  readonly modifiers: ReadonlyArray<string>
  readonly documentation: string
  /** Types that a reference may name. */
  readonly targets?: ReadonlyArray<string>
  /** The codes that a token may have; default: any. */
  readonly codes?: ReadonlyArray<string>
  /** A whole date, without a prefix. */
  readonly isDay?: true
  /** One value in each occurrence. */
  readonly isSingle?: true
}

/** One occurrence of a parameter: its values are alternatives, several occurrences all apply. */
export interface Given {
  readonly name: string
  readonly modifier: string | undefined
  readonly values: ReadonlyArray<string>
  /** Of a reference. */
  readonly targets: ReadonlyArray<Target>
  /** Of a date or a time. */
  readonly ranges: ReadonlyArray<Range>
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
const rangeOf = Effect.fnUntraced(function* (name: string, value: string, zone: string) {
  const found = DATE.exec(value)
  if (found === null) return yield* badParameter(name, "must be a date or a time such as 2035-01-08T09:00:00+01:00")
  const [, prefix = "eq", year = "", month, day, hour, minute, second, offset] = found
  if (!datePrefixes.some((known) => known === prefix))
    return yield* badParameter(name, `the prefixes are ${datePrefixes.join(", ")}`, "not-supported")
  const numbers = [year, month ?? "1", day ?? "1", hour ?? "0", minute ?? "0", second ?? "0"].map(Number)
  const [y = 0, mo = 1, d = 1, h = 0, mi = 0, s = 0] = numbers
  const first = utc(y, mo, d, h, mi, s)
  const shown = new Date(first * 1000)
  const isReal = y >= 1 && shown.getUTCMonth() + 1 === mo && shown.getUTCDate() === d && h < 24 && mi < 60 && s < 60
  if (!isReal) return yield* badParameter(name, "is no date or time that there is")
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
  const range: Range = {
    from: ["gt", "sa"].includes(prefix) ? to : ["eq", "ge"].includes(prefix) ? from : undefined,
    to: ["lt", "eb"].includes(prefix) ? from : ["eq", "le"].includes(prefix) ? to : undefined
  }
  return range
})

/** How references and times without an offset are read. */
export interface ReadBy {
  /** Address below which references are absolute. */
  readonly base: string
  readonly timezone: string
}

const targetIn = (name: string, value: string, allowed: ReadonlyArray<string>, base: string) => {
  const target = targetOf(textOf(value), base)
  return target === undefined || (target.type !== undefined && !allowed.includes(target.type))
    ? badParameter(name, `must be a reference to ${allowed.join(" or ")}`)
    : Effect.succeed(target)
}

/** The values of one occurrence. Fails with `FhirRefused` for a modifier or a value that the parameter does not take. */
export const givenOf = Effect.fnUntraced(function* (
  { name, kind, modifiers, targets = [], codes, isDay, isSingle }: SearchParameter,
  modifier: string | undefined,
  text: string,
  { base, timezone }: ReadBy
) {
  const values = splitAt(text, ",").filter((value) => value !== "")
  if (values.length > VALUES_MAX) return yield* badParameter(name, `at most ${VALUES_MAX} values`)
  if (modifier !== undefined && !modifiers.includes(modifier))
    return yield* badParameter(name, `the modifier :${modifier.slice(0, 64)} is not supported`, "not-supported")
  if (codes !== undefined && !values.every((value) => codes.includes(tokenOf(value).code ?? "")))
    return yield* badParameter(name, `must be ${codes.length > 2 ? `one of ${codes.join(", ")}` : codes.join(" or ")}`)
  if (isDay && !values.every((value) => /^\d{4}-\d{2}-\d{2}$/.test(value)))
    return yield* badParameter(name, "must be a date such as 1980-05-17")
  if (isSingle && values.length > 1)
    return yield* badParameter(name, "takes one value; repeat it for a range", "not-supported")
  const given: Given = {
    name,
    modifier,
    values,
    targets: kind === "reference" ? yield* Effect.forEach(values, (one) => targetIn(name, one, targets, base)) : [],
    ranges: kind === "date" && !isDay ? yield* Effect.forEach(values, (one) => rangeOf(name, one, timezone)) : []
  }
  return given
})
