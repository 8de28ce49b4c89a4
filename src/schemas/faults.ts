/**
 * Validation errors of a body, a query or a file, by path in the sender's field names: `lines[0].quantity: must be …`.
 * The message is built from the expected value and never quotes the received one.
 */
import { Option, type ParseResult, SchemaAST } from "effect"
import { type Fault, Invalid } from "./problems.ts"

type Issue = ParseResult.ParseIssue
type Path = ReadonlyArray<PropertyKey>

/** Maximum number of listed errors; one more line says that there are more. */
const MAX_FAULTS = 50

/** A finding of the decoder: a complete message of ours, or the name of the expected value. */
interface Finding {
  readonly path: Path
  readonly kind: "missing" | "unexpected" | "message" | "expected"
  readonly text: string
}

const isPath = (path: ParseResult.Path): path is Exclude<ParseResult.Path, PropertyKey> => Array.isArray(path)
const keysOf = (path: ParseResult.Path): Path => (isPath(path) ? path : [path])
const issuesOf = ({ issues }: ParseResult.Composite): ReadonlyArray<Issue> => ("_tag" in issues ? [issues] : issues)

const WHOLE = Symbol.for("schemas/faults/whole")

/** The message of a schema's `message` annotation for an issue. */
const messageOf = (issue: Exclude<Issue, ParseResult.Pointer | ParseResult.Missing | ParseResult.Unexpected>) => {
  if (issue.ast.annotations[WHOLE] === true) return undefined
  const message = Option.getOrUndefined(SchemaAST.getMessageAnnotation(issue.ast))?.(issue)
  return typeof message === "string" ? message : undefined
}

/** The noun for a type of value; undefined for `undefined`, which JSON cannot contain. */
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

/** The issue of a missing first entry describes the list as a whole: it must not be empty. */
const ofEmptyList = (finding: Finding): Finding =>
  finding.kind === "missing" && finding.path.at(-1) === 0
    ? { path: finding.path.slice(0, -1), kind: "message", text: "must have at least one entry" }
    : finding

const textsOf = (some: ReadonlyArray<Finding>, kind: Finding["kind"]) => [
  ...new Set(some.filter((finding) => finding.kind === kind).map(({ text }) => text))
]

/** Errors of single values come before those across fields; for one path the first is kept. */
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
 * A nullable or optional value has two errors: one of the value itself, and one of the union for not being
 * null. The first one is more useful.
 */
const isEcho = (place: string, some: ReadonlyArray<Finding>, places: ReadonlyArray<string>) =>
  some.every(({ kind, text }) => kind === "expected" && text === "null") &&
  places.some((other) => other.startsWith(`${place}.`) || other.startsWith(`${place}[`))

/** At most 50 errors, and then a line without the number of the others: lists are capped in more than one place. */
const capped = (faults: ReadonlyArray<string>): ReadonlyArray<string> =>
  faults.length <= MAX_FAULTS ? faults : [...faults.slice(0, MAX_FAULTS), "and more"]

/** All errors, one per path; an error of the whole value has the field `whole`. */
const locate = (issue: Issue, whole: string): ReadonlyArray<Fault> => {
  const places = Map.groupBy(findings(issue, []).map(ofEmptyList), ({ path }) => placeOf(path))
  const names = [...places.keys()]
  return [...places]
    .filter(([place, some]) => !isEcho(place, some, names))
    .map(([place, some]) => ({ field: place === "" ? whole : place, message: describe(some) }))
}

/** All errors as `path: message`. */
export const faultsOf = (issue: Issue, whole = "body"): ReadonlyArray<string> =>
  capped(locate(issue, whole).map(({ field, message }) => `${field}: ${message}`))

export const faultsOfError = ({ issue }: ParseResult.ParseError, whole?: string): ReadonlyArray<string> =>
  faultsOf(issue, whole)

/** The same as the error with which a request is answered. */
export const invalidOf = ({ issue }: ParseResult.ParseError, whole = "body") =>
  new Invalid({ faults: locate(issue, whole) })

/**
 * For a schema that an endpoint decodes as a whole: all errors are collected, and its message lists them line by line.
 * Effect passes only that message to the HTTP layer.
 */
export const listingFaults = {
  parseOptions: { errors: "all" },
  message: (issue: Issue) => ({ message: faultsOf(issue).join("\n"), override: true }),
  [WHOLE]: true
} as const

/** The errors that a schema's message lists; those of other paths are separate. */
export const listedFaults = (issues: ReadonlyArray<ParseResult.ArrayFormatterIssue>): ReadonlyArray<string> =>
  capped(
    issues.flatMap(({ path, message }) => (path.length === 0 ? message.split("\n") : [`${placeOf(path)}: ${message}`]))
  )
