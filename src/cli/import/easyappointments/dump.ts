/** The rows of an SQL dump of MySQL or MariaDB, as mysqldump, mariadb-dump and phpMyAdmin write it. */

export type Row = Readonly<Record<string, string | null>>

const STATEMENT =
  /(CREATE\s+TABLE|(?:INSERT|REPLACE)(?:\s+IGNORE)?\s+INTO)(?:\s+IF\s+NOT\s+EXISTS)?\s+(?:[`"]?\w+[`"]?\.)?[`"]?(\w+)[`"]?\s*/iy
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0", Z: "\x1a", b: "\b" }

/** Reads from a place of the text on. */
const readerOf = (text: string) => {
  let at = 0
  /** The text between quotes; a doubled quote or one after a backslash is part of it. */
  const quoted = (quote: string) => {
    let value = ""
    for (at++; at < text.length; at++) {
      const letter = text[at] ?? ""
      if (letter === "\\" && quote !== "`") {
        const next = text[++at] ?? ""
        value += ESCAPES[next] ?? next
      } else if (letter !== quote) value += letter
      else if (text[at + 1] === quote) value += text[++at]
      else break
    }
    at++
    return value
  }
  const space = () => {
    for (;;) {
      const [found] = /^(?:\s+|--[ \t\r\n].*|--$|#.*|\/\*[\s\S]*?\*\/)/.exec(text.slice(at, at + 10_000)) ?? []
      if (found === undefined) return
      at += found.length
    }
  }
  const take = (letter: string) => {
    space()
    if (text[at] !== letter) return false
    at++
    return true
  }
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const value = (): string | null => {
    space()
    match(/(?:_\w+|N)(?=')/y)
    const letter = text[at] ?? ""
    if (letter === "'" || letter === '"') return quoted(letter)
    const raw = match(/[^,)\s]+/y)?.[0] ?? ""
    if (/^0x/i.test(raw)) return Buffer.from(raw.slice(2), "hex").toString("utf8")
    return /^NULL$/i.test(raw) ? null : raw
  }
  /** To the end of the statement. */
  const rest = () => {
    for (; at < text.length && text[at] !== ";"; ) {
      const letter = text[at] ?? ""
      if (letter === "'" || letter === '"' || letter === "`") quoted(letter)
      else at++
    }
    at++
  }
  return { space, take, match, value, rest, isOver: () => at >= text.length, quoted } as const
}

const listOf = <A>(reader: ReturnType<typeof readerOf>, one: () => A): ReadonlyArray<A> => {
  const found: Array<A> = []
  do found.push(one())
  while (reader.take(","))
  reader.take(")")
  return found
}

/** The rows of each table, by the table's name. */
export const rowsOfDump = (text: string): ReadonlyMap<string, ReadonlyArray<Row>> => {
  const reader = readerOf(text)
  const columns = new Map<string, ReadonlyArray<string>>()
  const rows = new Map<string, Array<Row>>()
  const name = () => {
    reader.space()
    return reader.match(/[`"]?(\w+)[`"]?/y)?.[1] ?? ""
  }
  for (reader.space(); !reader.isOver(); reader.space()) {
    const [, kind = "", table = ""] = reader.match(STATEMENT) ?? []
    if (/^CREATE/i.test(kind)) {
      const definition = reader.match(/\([\s\S]*?\n\)/y)?.[0] ?? ""
      columns.set(
        table,
        [...definition.matchAll(/^\s*[`"](\w+)[`"]/gm)].flatMap(([, column]) => column ?? [])
      )
      rows.set(table, rows.get(table) ?? [])
    } else if (kind !== "") {
      const named = reader.take("(") ? listOf(reader, name) : (columns.get(table) ?? [])
      const into = rows.get(table) ?? []
      rows.set(table, into)
      reader.space()
      if (reader.match(/VALUES?/iy) !== null)
        while (reader.take("(")) {
          const values = listOf(reader, reader.value)
          into.push(Object.fromEntries(named.map((column, i) => [column, values[i] ?? null])))
          reader.take(",")
        }
    }
    reader.rest()
  }
  return rows
}
