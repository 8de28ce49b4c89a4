/**
 * What is wrong with a body, a query or a file, place by place in the sender's own names: `lines[0].quantity: must be …`.
 * The text is built from what was expected; what was sent is never quoted.
 */
import { ParseResult } from "effect"
import { type Fault, Invalid } from "./problems.ts"

type Issue = ParseResult.ArrayFormatterIssue

const placeOf = (path: ReadonlyArray<PropertyKey>): string =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "")

const QUOTED = '"(?:[^"\\\\]|\\\\.)*"'
const literals = new RegExp(`^Expected (${QUOTED}(?: \\| ${QUOTED})*)`)
const kinds: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Expected null\b/, "null"],
  [/^Expected string\b/, "text"],
  [/^Expected number\b/, "a number"],
  [/^Expected boolean\b/, "true or false"],
  [/^Expected (ReadonlyArray|\[|readonly \[)/, "a list"],
  [/^Expected (\(?\{|object|Struct)/, "an object"],
  [/^Expected /, "of another form"]
]

/** What should have been there, without a verb; undefined for a text of our own, which is whole already. */
const expected = (message: string): string | undefined =>
  literals.exec(message)?.[1]?.replaceAll('" | "', '" or "') ?? kinds.find(([pattern]) => pattern.test(message))?.[1]

/** A field that may be left out is a union with undefined, which no JSON can send: not to be asked for. */
const isSendable = ({ message }: Issue) => !message.startsWith("Expected undefined")

/** That the first entry is missing is told of the list: it must have one. */
const told = (issue: Issue): Issue => {
  if (issue._tag === "Unexpected") return { ...issue, message: "is not a known field" }
  return issue._tag === "Missing" && issue.path.at(-1) === 0
    ? { _tag: "Refinement", path: issue.path.slice(0, -1), message: "must have at least one entry" }
    : issue
}

/** What is wrong with a value by itself stands before what is wrong with it beside another: the first says enough. */
const describe = (issues: ReadonlyArray<Issue>): string => {
  if (issues.every(({ _tag }) => _tag === "Missing")) return "is required"
  const texts = [...new Set(issues.filter(({ _tag }) => _tag !== "Missing").map(({ message }) => message))]
  const [own] = texts.filter((text) => expected(text) === undefined)
  const others = [...new Set(texts.flatMap((text) => expected(text) ?? []))]
  if (own !== undefined && others.every((text) => text === "null")) return own
  const alternatives = own === undefined ? others : [own.replace(/^must be /, ""), ...others]
  return `must be ${alternatives.join(" or ")}`
}

/**
 * A value that may also be null, or left out, is told wrong twice: in a field of its own, and as a whole for not being
 * null. The former is what helps.
 */
const isEcho = (place: string, some: ReadonlyArray<Issue>, places: ReadonlyArray<string>) =>
  some.every(({ message }) => message.startsWith("Expected null")) &&
  places.some((other) => other.startsWith(`${place}.`) || other.startsWith(`${place}[`))

/** Every fault, one for each place; a fault of the whole value has the field `whole`. */
const listOf = (issues: ReadonlyArray<Issue>, whole: string): ReadonlyArray<Fault> => {
  const places = Map.groupBy(issues.filter(isSendable).map(told), ({ path }) => placeOf(path))
  const names = [...places.keys()]
  return [...places]
    .filter(([place, some]) => !isEcho(place, some, names))
    .map(([place, some]) => ({ field: place === "" ? whole : place, message: describe(some) }))
}

/** Every fault as `place: message`. */
export const faultsOf = (issues: ReadonlyArray<Issue>, whole = "body"): ReadonlyArray<string> =>
  listOf(issues, whole).map(({ field, message }) => `${field}: ${message}`)

/** The same as the error that a caller is answered with. */
export const invalidOf = (error: ParseResult.ParseError, whole = "body") =>
  new Invalid({ faults: listOf(ParseResult.ArrayFormatter.formatErrorSync(error), whole) })

export const faultsOfError = (error: ParseResult.ParseError, whole?: string): ReadonlyArray<string> =>
  faultsOf(ParseResult.ArrayFormatter.formatErrorSync(error), whole)
