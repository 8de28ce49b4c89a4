/** What a statement does, in a few words of low cardinality, as OpenTelemetry's conventions for databases have it. */

export interface QuerySummary {
  /** `INSERT`, `SELECT` … of the statement's first part that is named. */
  readonly operation: string
  /** The table or the function that it is about; undefined where there is none. */
  readonly collection: string | undefined
  /** Every part: `INSERT events INSERT webhook_deliveries`. */
  readonly summary: string
}

interface Part {
  readonly operation: string
  readonly target: string | undefined
}

/** Texts vary with the number of values in a list: those seen last are kept, so that each is read once. */
const KEPT = 1_000
const LONGEST = 255

const NAME = /("?[a-z_][\w.]*"?)/.source
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//g
const TEXT = /'(?:[^']|'')*'/g
const WRITES = new RegExp(
  `\\b(INSERT)\\s+INTO\\s+${NAME}|(?<!\\bFOR(?:\\s+NO\\s+KEY)?\\s+|\\bDO\\s+)\\b(UPDATE)\\s+${NAME}|\\b(DELETE)\\s+FROM\\s+${NAME}`,
  "gi"
)
const CALLED = new RegExp(`^\\s*(?:SELECT|CALL)\\s+(?!EXISTS\\b)${NAME}\\s*\\(`, "i")

const plain = (name: string | undefined) => name?.replaceAll('"', "")

/** The text outside of all parentheses: of `WITH … SELECT`, the main statement. */
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
    summary: [...new Set(parts.map(wordsOf))].join(" ").slice(0, LONGEST)
  }
}

const known = new Map<string, QuerySummary>()

export const querySummary = (statement: string): QuerySummary => {
  const found = known.get(statement)
  if (found !== undefined) return found
  if (known.size >= KEPT) known.clear()
  const made = summarise(statement)
  known.set(statement, made)
  return made
}
