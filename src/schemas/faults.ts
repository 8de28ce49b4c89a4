/**
 * What is wrong with a body, a query or a file, place by place in the sender's own names: `lines[0].quantity: must be …`.
 * The text is built from what was expected; what was sent is never quoted.
 */
import { Option, type ParseResult, SchemaAST } from "effect"
import { type Fault, Invalid } from "./problems.ts"

type Issue = ParseResult.ParseIssue
type Path = ReadonlyArray<PropertyKey>

/** At most so many faults are listed; one more line says how many are left out. */
const MAX_FAULTS = 50

/** One finding of the decoder: a text of ours, which is whole, or the name of what was expected there. */
interface Finding {
  readonly path: Path
  readonly kind: "missing" | "unexpected" | "message" | "expected"
  readonly text: string
}

const isPath = (path: ParseResult.Path): path is Exclude<ParseResult.Path, PropertyKey> => Array.isArray(path)
const keysOf = (path: ParseResult.Path): Path => (isPath(path) ? path : [path])
const issuesOf = ({ issues }: ParseResult.Composite): ReadonlyArray<Issue> => ("_tag" in issues ? [issues] : issues)

const WHOLE = Symbol.for("schemas/faults/whole")

/** The text that a schema's `message` gives for an issue. */
const messageOf = (issue: Exclude<Issue, ParseResult.Pointer | ParseResult.Missing | ParseResult.Unexpected>) => {
  if (issue.ast.annotations[WHOLE] === true) return undefined
  const message = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))?.(issue)
  return typeof message === "string" ? message : undefined
}

/** What a value of the type is, without a verb; undefined for `undefined`, which no JSON can send. */
const nameOf = (ast: SchemaAST.AST): string | undefined => {
  if (SchemaAST.isLiteral(ast)) return ast.literal === null ? "null" : JSON.stringify(ast.literal)
  if (SchemaAST.isUndefinedKeyword(ast)) return undefined
  if (SchemaAST.isStringKeyword(ast)) return "text"
  if (SchemaAST.isNumberKeyword(ast)) return "a number"
  if (SchemaAST.isBooleanKeyword(ast)) return "true or false"
  if (SchemaAST.isTupleType(ast)) return "a list"
  if (SchemaAST.isTypeLiteral(ast)) return "an object"
  if (SchemaAST.isDeclaration(ast))
    return nameOf(
      Option.getOrElse(SchemaAST.getSurrogateAnnotation(ast), () => ast.typeParameters[0] ?? SchemaAST.unknownKeyword)
    )
  if (SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast)) return nameOf(ast.from)
  return "of another form"
}

const expected = (path: Path, text: string | undefined): ReadonlyArray<Finding> =>
  text === undefined ? [] : [{ path, kind: "expected", text }]

const findings = (issue: Issue, path: Path): ReadonlyArray<Finding> => {
  switch (issue._tag) {
    case "Pointer":
      return findings(issue.issue, [...path, ...keysOf(issue.path)])
    case "Missing":
      return [{ path, kind: "missing", text: "is required" }]
    case "Unexpected":
      return [{ path, kind: "unexpected", text: "is not a known field" }]
    case "Composite":
      return issuesOf(issue).flatMap((inner) => findings(inner, path))
    case "Refinement":
      if (issue.kind === "From") return findings(issue.issue, path)
      break
    case "Transformation":
      if (issue.kind !== "Transformation") return findings(issue.issue, path)
      break
  }
  const text = messageOf(issue) ?? ("message" in issue ? issue.message : undefined)
  if (text !== undefined) return [{ path, kind: "message", text }]
  return "issue" in issue ? findings(issue.issue, path) : expected(path, nameOf(issue.ast))
}

/** A list without its first entry is described as a whole: it must have one. */
const ofEmptyList = (finding: Finding): Finding =>
  finding.kind === "missing" && finding.path.at(-1) === 0
    ? { path: finding.path.slice(0, -1), kind: "message", text: "must have at least one entry" }
    : finding

const textsOf = (some: ReadonlyArray<Finding>, kind: Finding["kind"]) => [
  ...new Set(some.filter((finding) => finding.kind === kind).map(({ text }) => text))
]

/** What is wrong with a value by itself stands before what is wrong with it beside another: the first says enough. */
const describe = (some: ReadonlyArray<Finding>): string => {
  const [unexpected] = textsOf(some, "unexpected")
  if (unexpected !== undefined) return unexpected
  if (some.every(({ kind }) => kind === "missing")) return "is required"
  const [own] = textsOf(some, "message")
  const others = textsOf(some, "expected")
  if (own !== undefined && others.every((text) => text === "null")) return own
  const alternatives = own === undefined ? others : [own.replace(/^must be /, ""), ...others]
  return `must be ${alternatives.join(" or ")}`
}

const placeOf = (path: Path): string =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "")

/**
 * A value that may also be null, or left out, is found wrong twice: in a field of its own, and as a whole for not being
 * null. The former is what helps.
 */
const isEcho = (place: string, some: ReadonlyArray<Finding>, places: ReadonlyArray<string>) =>
  some.every(({ kind, text }) => kind === "expected" && text === "null") &&
  places.some((other) => other.startsWith(`${place}.`) || other.startsWith(`${place}[`))

/** At most 50 faults; the last line then says how many more there are. */
const capped = (faults: ReadonlyArray<string>): ReadonlyArray<string> =>
  faults.length <= MAX_FAULTS ? faults : [...faults.slice(0, MAX_FAULTS), `and ${faults.length - MAX_FAULTS} more`]

/** Every fault, one for each place; a fault of the whole value has the field `whole`. */
const locate = (issue: Issue, whole: string): ReadonlyArray<Fault> => {
  const places = Map.groupBy(findings(issue, []).map(ofEmptyList), ({ path }) => placeOf(path))
  const names = [...places.keys()]
  return [...places]
    .filter(([place, some]) => !isEcho(place, some, names))
    .map(([place, some]) => ({ field: place === "" ? whole : place, message: describe(some) }))
}

/** Every fault as `place: message`. */
export const faultsOf = (issue: Issue, whole = "body"): ReadonlyArray<string> =>
  capped(locate(issue, whole).map(({ field, message }) => `${field}: ${message}`))

export const faultsOfError = ({ issue }: ParseResult.ParseError, whole?: string): ReadonlyArray<string> =>
  faultsOf(issue, whole)

/** The same as the error that a caller is answered with. */
export const invalidOf = ({ issue }: ParseResult.ParseError, whole = "body") =>
  new Invalid({ faults: locate(issue, whole) })

/**
 * For a schema that an endpoint decodes as a whole: all faults are found, and its one message lists them line by line.
 * Effect hands the edge nothing but that message.
 */
export const listingFaults = {
  parseOptions: { errors: "all" },
  message: (issue: Issue) => ({ message: faultsOf(issue).join("\n"), override: true }),
  [WHOLE]: true
} as const

/** The faults that the message of a schema lists; those of other places stand by themselves. */
export const listedFaults = (issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>): ReadonlyArray<string> =>
  capped(
    issues.flatMap(({ path, message }) => (path.length === 0 ? message.split("\n") : [`${placeOf(path)}: ${message}`]))
  )
