/** Tables as spreadsheets save them: UTF-8, UTF-16 or Windows-1252, divided by semicolons, commas or tabs. */

/** The text of a file, by its byte order mark and by what its bytes can be. */
const textOf = (bytes: Uint8Array) => {
  const [first, second] = bytes
  const [isLittle, isBig] = [first === 0xff || second === 0, first === 0xfe || first === 0]
  if (isLittle || isBig) return new TextDecoder(isLittle ? "utf-16le" : "utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** The rows, each with its first line's number, the header first; a first line such as `sep=;` says what divides. */
export const tableOf = (bytes: Uint8Array) => {
  const text = textOf(bytes).replace(/\r\n?/g, "\n")
  const said = /^sep=(.)\n/i.exec(text)
  const [header = ""] = text.split("\n", 1)
  const [most = ";"] = [";", ",", "\t"].sort((a, b) => header.split(b).length - header.split(a).length)
  const delimiter = said?.[1] ?? most
  const rows: Array<{ readonly line: number; readonly cells: Array<string> }> = []
  let [line, isNew] = [said === null ? 1 : 2, true]
  const others = `[^${delimiter}\\n]*`
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"${others}|(${others}))([${delimiter}\\n]|$)`, "g")
  for (const [whole, quoted, plain = "", end] of text.slice(said?.[0].length ?? 0).matchAll(cell)) {
    if (isNew) rows.push({ line, cells: [] })
    rows.at(-1)?.cells.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    isNew = end !== delimiter
    line += whole.split("\n").length - 1
  }
  return rows.filter(({ cells }) => cells.some((cell) => cell !== ""))
}
