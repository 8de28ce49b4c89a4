/** The rows of an SQL dump of MySQL or MariaDB, as mysqldump, mariadb-dump and phpMyAdmin write it. */
import { byWord } from "../../../../schemas/byWord.ts"

/** The values by column; NULL is empty. */
export type Row = Readonly<Record<string, string>>

const TOKEN =
  /--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`[^`]*`|[(),;]|[^\s'"`(),;]+/g
const ESCAPES = byWord({ n: "\n", r: "\r", t: "\t", "0": "\0", Z: "\x1a", b: "\b" })

const nameOf = (token = "") => token.replace(/^.*\.(?=[`"]?\w)/, "").replace(/[`"]/g, "")
const valueOf = (token: string) => {
  if (/^NULL$/i.test(token)) return ""
  if (/^0x/i.test(token)) return Buffer.from(token.slice(2), "hex").toString("utf8")
  const quote = token[0] === "'" || token[0] === '"' ? token[0] : undefined
  if (quote === undefined) return token
  const unescaped = (_: string, letter: string | undefined) =>
    letter === undefined ? quote : (ESCAPES[letter] ?? letter)
  return token.slice(1, -1).replace(/\\([\s\S])|''|""/g, unescaped)
}

/** The tokens of each pair of outer parentheses, divided by their commas. */
const listsOf = (tokens: ReadonlyArray<string>) => {
  const lists: Array<Array<Array<string>>> = []
  let depth = 0
  for (const token of tokens) {
    if (token === ")") depth--
    if (depth === 1 && token === ",") lists.at(-1)?.push([])
    else if (depth > 0) lists.at(-1)?.at(-1)?.push(token)
    else if (token === "(") lists.push([[]])
    if (token === "(") depth++
  }
  return lists
}

/** The rows of each table, by the table's name. */
export const rowsOfDump = (text: string): ReadonlyMap<string, ReadonlyArray<Row>> => {
  const columns = new Map<string, ReadonlyArray<string>>()
  const rows = new Map<string, Array<Row>>()
  let tokens: Array<string> = []
  for (const [token] of text.matchAll(TOKEN)) {
    if (token !== ";") {
      if (!/^(?:--|#|\/\*)/.test(token)) tokens.push(token)
      continue
    }
    const [verb = ""] = tokens
    const afterName = tokens.findIndex((word) => /^(?:\(|VALUES?)$/i.test(word))
    const table = nameOf(tokens[afterName - 1])
    const [first = [], ...others] = listsOf(tokens.slice(afterName))
    const found = rows.get(table) ?? []
    if (/^(?:CREATE|INSERT|REPLACE)$/i.test(verb)) rows.set(table, found)
    const quoted = first.flatMap(([name = ""]) => (/^[`"]/.test(name) ? nameOf(name) : []))
    if (/^CREATE$/i.test(verb)) columns.set(table, quoted)
    else if (/^(?:INSERT|REPLACE)$/i.test(verb)) {
      const isNamed = tokens[afterName] === "("
      const names = isNamed ? first.map(([name]) => nameOf(name)) : (columns.get(table) ?? [])
      for (const list of isNamed ? others : [first, ...others])
        found.push(Object.fromEntries(names.map((name, i) => [name, valueOf(list[i]?.at(-1) ?? "")])))
    }
    tokens = []
  }
  return rows
}
