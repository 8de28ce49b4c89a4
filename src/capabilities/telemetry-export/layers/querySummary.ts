/** Low-cardinality summary of a statement, by OpenTelemetry's semantic conventions for databases. */

export interface QuerySummary {
  /** Operation of the statement's first part, e.g. `INSERT`. */
  readonly operation: string
  /** The table or function of the first part, if any. */
  readonly collection: string | undefined
  /** All parts, e.g. `INSERT events INSERT webhook_deliveries`. */
  readonly summary: string
}

interface Part {
  readonly operation: string
  readonly target: string | undefined
}

/** Cached summaries; texts vary with the number of values in a list. */
const CACHE_MAX = 1_000
const SUMMARY_MAX_LENGTH = 255

const NAME = /("?[a-z_][\w.]*"?)/.source
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g
const TEXT = /'(?:[^']|'')*'/g
const WRITES = new RegExp(
  `\\b(INSERT)\\s+INTO\\s+${NAME}|(?<!\\bFOR(?:\\s+NO\\s+KEY)?\\s+|\\bDO\\s+)\\b(UPDATE)\\s+${NAME}|\\b(DELETE)\\s+FROM\\s+${NAME}`,
  "gi"
)
const CALLED = new RegExp(`^\\s*(?:SELECT|CALL)\\s+(?!EXISTS\\b)${NAME}\\s*\\(`, "i")

const plain = (name: string | undefined) => name?.replaceAll('"', "")

/** The text outside of parentheses, i.e. the main statement of `WITH … SELECT`. */
const outermost = (text: string) => {
  let depth = 0
  let kept = ""
  for (const character of text) {
    if (character === "(") depth++
    if (depth === 0) kept += character
    if (character === ")") depth--
  }
  return kept
}

const firstTable = (text: string, named: ReadonlySet<string>) =>
  [...text.matchAll(new RegExp(`\\b(?:FROM|JOIN)\\s+${NAME}`, "gi"))]
    .map(([, name]) => plain(name) ?? "")
    .find((name) => !named.has(name))

const readOf = (text: string): Part => {
  const named = new Set([...text.matchAll(/\b([a-z_]\w*)(?:\s*\([^()]*\))?\s+AS\s*\(/gi)].map(([, name = ""]) => name))
  const target =
    firstTable(outermost(text), named) ??
    plain(CALLED.exec(text)?.[1]) ??
    firstTable(text, named) ??
    /\bpg_\w+/.exec(text)?.[0]
  return { operation: "SELECT", target }
}

const partsOf = (text: string): ReadonlyArray<Part> => {
  const writes = [...text.matchAll(WRITES)].map(([, insert, into, update, changed, remove, from]) => ({
    operation: (insert ?? update ?? remove ?? "").toUpperCase(),
    target: plain(into ?? changed ?? from)
  }))
  if (writes.length > 0) return writes
  return /^\s*(WITH|SELECT)\b/i.test(text)
    ? [readOf(text)]
    : [{ operation: /\w+/.exec(text)?.[0].toUpperCase() ?? "", target: undefined }]
}

const wordsOf = ({ operation, target }: Part) => (target === undefined ? operation : `${operation} ${target}`)

const summarise = (statement: string): QuerySummary => {
  const parts = partsOf(statement.replaceAll(COMMENT, " ").replaceAll(TEXT, "''"))
  return {
    operation: parts[0]?.operation ?? "",
    collection: parts[0]?.target,
    summary: [...new Set(parts.map(wordsOf))].join(" ").slice(0, SUMMARY_MAX_LENGTH)
  }
}

const known = new Map<string, QuerySummary>()

export const querySummary = (statement: string): QuerySummary => {
  const found = known.get(statement)
  if (found !== undefined) return found
  if (known.size >= CACHE_MAX) known.clear()
  const made = summarise(statement)
  known.set(statement, made)
  return made
}
