/** Reads a PDF with MuPDF: forbidden content, and the dictionaries of its signatures. */
import type { PDFDocument, PDFObject } from "mupdf"
import type { Danger } from "../services/SignatureExaminer.ts"
import type { MuPdf } from "./mupdf.ts"
import { NotExaminable } from "./NotExaminable.ts"

/** A signature as its dictionary states it. */
export interface StatedSignature {
  /** `/ByteRange`: offset and length of each covered part. */
  readonly range: ReadonlyArray<number>
  /** `/Contents`: the message, zero padding included. */
  readonly contents: Uint8Array
}

export type Reading =
  | { readonly danger: Danger; readonly signatures?: undefined }
  | { readonly danger?: undefined; readonly signatures: ReadonlyArray<StatedSignature> }

/** Strings, which may contain anything, and names, in the form in which MuPDF prints objects: without escapes. */
const TOKENS = /\((?:[^\\()]|\\.)*\)|<[0-9A-Fa-f]*>|\/[^\s()<>[\]{}/%]+/gs
const SCRIPT = /<(?:[^\s<>/:]+:)?script[\s>/]/
/** Names that end the examination, and names that do so together. */
const WANTED = ["/JavaScript", "/Launch", "/Rendition", "/JS", "/XFA", "/ByteRange"] as const
type Wanted = (typeof WANTED)[number]

const namesIn = (text: string): ReadonlySet<string> => {
  // Most objects have none of the names: a search for these is cheaper than one for all
  if (!WANTED.some((name) => text.includes(name))) return new Set()
  return new Set(text.match(TOKENS))
}

/** A dictionary's and an array's direct values. References are not followed: each object is read by itself. */
const directValues = (object: PDFObject): ReadonlyArray<PDFObject> => {
  const found: Array<PDFObject> = []
  object.forEach((value) => {
    if (!value.isIndirect()) found.push(value)
  })
  return found
}

/** All dictionaries of an object that have the key. */
const holders = (object: PDFObject, key: string): ReadonlyArray<PDFObject> => [
  ...(object.isDictionary() && !object.get(key).isNull() ? [object] : []),
  ...directValues(object).flatMap((value) => holders(value, key))
]

const stated = (dictionary: PDFObject): StatedSignature => {
  const [range, contents] = [dictionary.get("ByteRange"), dictionary.get("Contents")]
  return {
    range: Array.from({ length: range.length }, (_, at) => range.get(at).asNumber()),
    contents: contents.isString() ? contents.asByteString() : new Uint8Array()
  }
}

/** The form's XML is a stream, or an array of names and streams. It may be UTF-16, whose zero bytes are left out. */
const isScripted = (form: PDFObject): boolean => {
  const parts = form.isArray() ? Array.from({ length: form.length }, (_, at) => form.get(at)) : [form]
  const xml = (part: PDFObject) => Buffer.from(part.readStream().asUint8Array()).toString("latin1").replaceAll("\0", "")
  return parts.some((part) => part.isStream() && SCRIPT.test(xml(part)))
}

const readObjects = (document: PDFDocument): Reading => {
  const signatures: Array<StatedSignature> = []
  const seen = new Set<Wanted>()
  const dangerIn = (object: PDFObject): Danger | undefined => {
    const names = namesIn(object.toString(true, true))
    for (const name of WANTED) if (names.has(name)) seen.add(name)
    if (seen.has("/JavaScript") || (seen.has("/Rendition") && seen.has("/JS"))) return "javascript"
    if (seen.has("/Launch")) return "launch"
    if (names.has("/ByteRange")) signatures.push(...holders(object, "ByteRange").map(stated))
    const forms = names.has("/XFA") ? holders(object, "XFA") : []
    return forms.some((holder) => isScripted(holder.get("XFA"))) ? "javascript" : undefined
  }
  const trailer = document.getTrailer()
  if (!trailer.get("Encrypt").isNull()) return { danger: "encrypted" }
  const danger = dangerIn(trailer)
  if (danger !== undefined) return { danger }
  const count = document.countObjects()
  for (let number = 1; number < count; number++) {
    const reference = document.newIndirect(number)
    const object = reference.resolve()
    const found = dangerIn(object)
    if (found !== undefined) return { danger: found }
    object.destroy()
    reference.destroy()
  }
  return { signatures }
}

export const readPdf = (pdf: Uint8Array, { Document, met }: MuPdf): Reading => {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  // A file without the keyword of an object has none: no reader shows anything of it
  if (!bytes.includes("obj")) return { signatures: [] }
  met.clear()
  let document: PDFDocument | undefined
  try {
    // The cast: opened with this type it is a PDF's, which the declaration does not say
    document = Document.openDocument(pdf, "application/pdf") as PDFDocument
    const reading = readObjects(document)
    if (reading.danger === undefined) for (const limit of met) throw new NotExaminable(limit)
    return reading
  } catch (error) {
    if (error instanceof NotExaminable) throw error
    if (met.has("memory")) throw new NotExaminable("memory")
    // Encryption that MuPDF does not know is an error before it shows the trailer
    if (document === undefined && bytes.includes("/Encrypt")) return { danger: "encrypted" }
    throw new NotExaminable("structure") // MuPDF's errors have nothing but a text
  } finally {
    document?.destroy()
  }
}
