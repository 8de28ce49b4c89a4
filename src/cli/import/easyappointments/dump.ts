/** The rows of an SQL dump of MySQL or MariaDB, as mysqldump, mariadb-dump and phpMyAdmin write it. */

import { byWord } from "../../../schemas/byWord.ts"

export type Row = Readonly<Record<string, string | null>>

const TOKEN =
  /--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`[^`]*`|[(),;]|[^\s'"`(),;]+/g
const ESCAPES = byWord({ n: "\n", r: "\r", t: "\t", "0": "\0", Z: "\x1a", b: "\b" })

const nameOf = (token = "") => token.replace(/^.*\.(?=[`"]?\w)/, "").replace(/[`"]/g, "")
const valueOf = (token: string) => {
  if (/^NULL$/i.test(token)) return null
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
    if (/^(?:--|#|\/\*)/.test(token)) continue
    if (token !== ";") {
      tokens.push(token)
      continue
    }
    const isInsert = /^(?:INSERT|REPLACE)$/i.test(tokens[0] ?? "")
    const at = tokens.findIndex((word) => (isInsert ? /^INTO$/i : /^(?:TABLE|EXISTS)$/i).test(word))
    const table = nameOf(tokens[tokens[at + 1]?.toUpperCase() === "IF" ? at + 4 : at + 1])
    const values = tokens.findIndex((word) => /^VALUES?$/i.test(word))
    if (isInsert) {
      const [named] = listsOf(tokens.slice(0, values))
      const names = named?.map(([name]) => nameOf(name)) ?? columns.get(table) ?? []
      const found = listsOf(tokens.slice(values)).map((list) => list.map((value) => valueOf(value.at(-1) ?? "")))
      const made = found.map((list) => Object.fromEntries(names.map((name, i) => [name, list[i] ?? null])))
      rows.set(table, [...(rows.get(table) ?? []), ...made])
    } else if (/^CREATE$/i.test(tokens[0] ?? "")) {
      const definitions = listsOf(tokens)[0]?.map(([first]) => first ?? "") ?? []
      columns.set(table, definitions.filter((first) => /^[`"]/.test(first)).map(nameOf))
      rows.set(table, rows.get(table) ?? [])
    }
    tokens = []
  }
  return rows
}
