/** Tables as spreadsheets save them: UTF-8, UTF-16 or Windows-1252, divided by semicolons, commas or tabs. */

/** The text of a file, by its byte order mark and by what its bytes can be. */
export const textOf = (bytes: Uint8Array) => {
  const [first, second] = bytes
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
  if (isLittle || isBig) return new TextDecoder(isLittle ? "utf-16le" : "utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** The rows of a text, each with its first line's number. */
const rowsOf = (text: string, delimiter: string) => {
  const rows: Array<{ readonly line: number; readonly cells: Array<string> }> = []
  let [line, at] = [1, 0]
  while (at < text.length) {
    const row = { line, cells: [] as string[] }
    for (let isOpen = true; isOpen; ) {
      let cell = ""
      if (text[at] === '"') {
        for (at++; at < text.length && !(text[at] === '"' && text[at + 1] !== '"'); at++) {
          if (text[at] === '"') at++
          if (text[at] === "\n") line++
          cell += text[at]
        }
        at++
      }
      while (at < text.length && text[at] !== delimiter && text[at] !== "\n") cell += text[at++]
      row.cells.push(cell.trim())
      isOpen = text[at] === delimiter
      at++
    }
    line++
    if (row.cells.some((cell) => cell !== "")) rows.push(row)
  }
  return rows
}

/** The table with its header first; a first line such as `sep=;` says what divides. */
export const tableOf = (bytes: Uint8Array) => {
  const text = textOf(bytes).replace(/\r\n?/g, "\n")
  const [, said] = /^sep=(.)\n/i.exec(text) ?? []
  const content = said === undefined ? text : text.slice(6)
  const [header = ""] = content.split("\n", 1)
  const [best = ";"] = [";", ",", "\t"].sort((a, b) => header.split(b).length - header.split(a).length)
  const shift = said === undefined ? 0 : 1
  const [head, ...rows] = rowsOf(content, said ?? best).map(({ line, cells }) => ({ line: line + shift, cells }))
  return { head: head?.cells ?? [], rows }
}
