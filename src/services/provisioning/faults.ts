/** What is wrong with a provisioning file, one text for each place in it, named by its JSON path. */
import { ParseResult } from "effect"

type Issue = ParseResult.ArrayFormatterIssue

const pathOf = (path: ReadonlyArray<PropertyKey>) =>
  path.reduce<string>(
    (text, key) => (typeof key === "number" ? `${text}[${key}]` : `${text}${text === "" ? "" : "."}${String(key)}`),
    ""
  )

/** No file can hold undefined: what may be left out is told wrong again for not being that. */
const isTellable = ({ message }: Issue) => !message.startsWith("Expected undefined")

const isWithin = (inner: Issue, outer: Issue) =>
  inner.path.length >= outer.path.length && outer.path.every((key, i) => key === inner.path[i])

/** What may also be null is told wrong again for not being null: worth a word only where nothing else is said. */
const isEcho = (issue: Issue, all: ReadonlyArray<Issue>) =>
  issue.message.startsWith("Expected null") && all.some((other) => other !== issue && isWithin(other, issue))

const literal = /^Expected ("[^"]*"(?: \| "[^"]*")*)/

const textOf = ({ _tag, message }: Issue): string => {
  if (_tag === "Missing") return "is required"
  if (_tag === "Unexpected") return "is not a known field"
  if (message.startsWith("Expected ReadonlyArray")) return "must be a list"
  if (/^Expected (Struct|\(?\{)/.test(message)) return "must be an object"
  return message.replace(/, actual[\s\S]*$/, "")
}

const describe = (issues: ReadonlyArray<Issue>): ReadonlyArray<string> => {
  const words = issues.flatMap(({ message }) => literal.exec(message)?.[1]?.split(" | ") ?? [])
  const others = issues.filter(({ message }) => !literal.test(message)).map(textOf)
  return [...new Set(others), ...(words.length === 0 ? [] : [`must be ${[...new Set(words)].join(" or ")}`])]
}

export const fileFaults = (error: ParseResult.ParseError): ReadonlyArray<string> => {
  const all = ParseResult.ArrayFormatter.formatErrorSync(error).filter(isTellable)
  const places = Map.groupBy(
    all.filter((issue) => !isEcho(issue, all)),
    ({ path }) => (path.length === 0 ? "file" : pathOf(path))
  )
  return [...places].flatMap(([place, issues]) => describe(issues).map((text) => `${place}: ${text}`))
}
