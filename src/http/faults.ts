/**
 * What is wrong with a request, field by field, in the interface's own names: `lines[0].quantity: must be …`. The text is
 * built from what was expected; what was sent is never quoted.
 */
import type { ParseResult } from "effect"

type Issue = ParseResult.ArrayFormatterIssue

const fieldOf = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
    ""
  )

const expectations: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Expected null\b/, "null"],
  [/^Expected string\b/, "text"],
  [/^Expected number\b/, "a number"],
  [/^Expected boolean\b/, "true or false"],
  [/^Expected ReadonlyArray|^Expected \[/, "a list"],
  [/^Expected (\(?\{|object|Struct)/, "an object"]
]

/** What should have been there, without a verb; undefined for a text of our own, which is whole already. */
const expected = (message: string): string | undefined => {
  for (const [pattern, text] of expectations) if (pattern.test(message)) return text
  const literal = /^Expected ("(?:[^"\\]|\\.)*")/.exec(message)
  if (literal !== null) return literal[1]
  return message.startsWith("Expected ") ? "of another form" : undefined
}

/** A field that may be left out is a union with undefined, which no JSON can send: not to be asked for. */
const isSendable = ({ message }: Issue) => !message.startsWith("Expected undefined")

const describe = (issues: ReadonlyArray<Issue>): string => {
  if (issues.every(({ _tag }) => _tag === "Missing")) return "is required"
  const texts = [...new Set(issues.filter(({ _tag }) => _tag !== "Missing").map(({ message }) => message))]
  const own = texts.filter((text) => expected(text) === undefined)
  const others = texts.flatMap((text) => expected(text) ?? [])
  const alternatives = [...own.map((text) => text.replace(/^must be /, "")), ...new Set(others)]
  if (own.length === 1 && others.every((text) => text === "null")) return own[0] ?? ""
  return `must be ${alternatives.join(" or ")}`
}

/**
 * A value that may also be null, or left out, is told wrong twice: in a field of its own, and as a whole for not being
 * null. The former is what helps.
 */
const isEcho = (field: string, some: ReadonlyArray<Issue>, fields: ReadonlyArray<string>) =>
  some.every(({ message }) => /^Expected (null|undefined)\b/.test(message)) &&
  fields.some((other) => other.startsWith(`${field}.`) || other.startsWith(`${field}[`))

/** Every fault, one per field. */
export const faultsOf = (issues: ReadonlyArray<Issue>): ReadonlyArray<string> => {
  const byField = new Map<string, Array<Issue>>()
  for (const issue of issues.filter(isSendable)) {
    const field = fieldOf(issue.path)
    byField.set(field, [...(byField.get(field) ?? []), issue])
  }
  const fields = [...byField.keys()]
  return [...byField]
    .filter(([field, some]) => !isEcho(field, some, fields))
    .map(([field, some]) => `${field === "" ? "body" : field}: ${describe(some)}`)
}
