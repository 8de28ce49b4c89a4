/** Renders an export as a printable page: HTML without scripts and external resources. */
import { Predicate } from "effect"
import { LATEST } from "../../../schemas/fields.ts"
import type { PatientExport } from "../schemas/PatientRights.ts"

const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ")

/** A partner's own field may have such a name without being a valid time. */
const isTime = (name: string, value: unknown): value is number =>
  /(_at|_date|_until|^timestamp)$/.test(name) && typeof value === "number" && Math.abs(value) <= LATEST
const isAddress = (text: string) => /^https?:\/\//.test(text)

const leaf = (name: string, value: unknown) => {
  if (value === null || value === undefined) return "–"
  if (isTime(name, value)) return `${new Date(value * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`
  const text = Bun.escapeHTML(typeof value === "string" ? value : JSON.stringify(value))
  return isAddress(text) ? `<a href="${text}">${text}</a>` : text
}

/** Objects become description lists, arrays become ordered lists; no field is left out. */
const shown = (name: string, value: unknown): string => {
  if (Array.isArray(value))
    return value.length === 0 ? "<p>–</p>" : `<ol>${value.map((one) => `<li>${shown(name, one)}</li>`).join("")}</ol>`
  if (!Predicate.isRecord(value)) return leaf(name, value)
  const rows = Object.entries(value).map(
    ([key, one]) => `<dt>${Bun.escapeHTML(titleOf(key))}</dt><dd>${shown(key, one)}</dd>`
  )
  return `<dl>${rows.join("")}</dl>`
}

const STYLE =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111}" +
  "dl{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr;gap:.2rem 1rem;margin:0}dd{margin:0;overflow-wrap:anywhere}" +
  "dt{color:#444}li{margin:.5rem 0;break-inside:avoid}h2{border-bottom:1px solid #999}"

/** Characters after which a piece of the page is complete. */
const PIECE_LENGTH = 65_536

/** As `shown`, a record at a time. */
function* texts(name: string, value: unknown): Generator<string, void> {
  if (!Array.isArray(value) || value.length === 0) {
    yield shown(name, value)
    return
  }
  yield "<ol>"
  for (const one of value) yield `<li>${shown(name, one)}</li>`
  yield "</ol>"
}

function* page({ exported_at, ...parts }: typeof PatientExport.Encoded) {
  yield `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Export of a patient's data</title><style>${STYLE}</style></head><body><main><h1>Export of a patient's data</h1>
<p>${leaf("exported_at", exported_at)}</p>`
  for (const [name, value] of Object.entries(parts)) {
    yield `<section><h2>${titleOf(name)}</h2>`
    yield* texts(name, value)
    yield "</section>"
  }
  yield "</main></body></html>"
}

/** The whole export, complete as the JSON, in pieces: its text is several times as large as the records. */
export function* documentOf(found: typeof PatientExport.Encoded) {
  let piece = ""
  for (const text of page(found)) {
    piece += text
    if (piece.length < PIECE_LENGTH) continue
    yield piece
    piece = ""
  }
  yield piece
}
