/** A tagged PDF/A-2a document made by pdfkit with embedded fonts; independent of prescriptions. */
import type PDFDocument from "pdfkit"
import { packageFile } from "../../../paths.ts"
import { normalised } from "../../../schemas/fields.ts"
import type { Box } from "./layout.ts"

// Loaded with the first prescription: it would delay the start by a tenth of a second
const pdfkit = (): typeof PDFDocument => require("pdfkit")

export type Pdf = PDFKit.PDFDocument
export type Tag = ReturnType<Pdf["struct"]>

const font = (file: string) => packageFile(`notosans-fontface/fonts/${file}`)
const REGULAR = font("NotoSans-Regular.ttf")
const BOLD = font("NotoSans-Bold.ttf")

/** Internals of pdfkit that PDF/A needs: the catalogue, and the glyphs of the font. */
interface Internals {
  readonly _root: { readonly data: { readonly AcroForm: { readonly data: Record<string, unknown> } } }
  readonly _font: { readonly font: { readonly hasGlyphForCodePoint: (codePoint: number) => boolean } }
  readonly page: { readonly annotations: ReadonlyArray<unknown>; readonly dictionary: unknown }
}
const internals = (pdf: Pdf) => pdf as unknown as Internals // there is no public API for these

/** An empty document. The file identifier follows from `createdAt`, so that equal content gives equal bytes. */
export const open = (title: string, createdAt: Date): Pdf => {
  const pdf = new (pdfkit())({
    size: "A5",
    layout: "landscape",
    margin: 0,
    autoFirstPage: false,
    pdfVersion: "1.7",
    subset: "PDF/A-2a",
    tagged: true,
    lang: "de-DE",
    displayTitle: true,
    font: REGULAR,
    info: { Title: title, Producer: "Sprechstunde", Creator: "Sprechstunde", CreationDate: createdAt }
  })
  pdf.registerFont("bold", BOLD)
  pdf.registerFont("regular", REGULAR)
  return pdf
}

/**
 * `text` restricted to the embedded font. PDF/A forbids missing glyphs, so a character outside the font (it covers Latin, Greek and
 * Cyrillic) becomes the visible U+FFFD instead of disappearing.
 */
export const printable = (pdf: Pdf, text: string): string => {
  const { font } = internals(pdf.font("regular"))._font
  return [
    ...normalised(text)
      .replace(/\r\n?/g, "\n")
      .replace(/[^\S\n]/g, " ")
  ]
    .map((c) => (c === "\n" || font.hasGlyphForCodePoint(c.codePointAt(0) ?? 0) ? c : "\u{FFFD}"))
    .join("")
}

/** Draws lines and frames as artifacts, which screen readers skip. */
export const decoration = (pdf: Pdf, draw: (pdf: Pdf) => void) => {
  pdf.markContent("Artifact", { type: "Layout" })
  draw(pdf)
  pdf.endMarkedContent()
}

/** An element of the structure tree whose content `draw` puts on the page. */
export const tagged = (pdf: Pdf, parent: Tag, type: string, draw: () => void, options: TagOptions = {}) => {
  const element = pdf.struct(type, options, [draw])
  parent.add(element)
}

/** `bbox` is left, upper, right, lower edge; pdfkit's types lack it and `scope`. */
export interface TagOptions extends PDFKit.Mixins.StructureElementOptions {
  readonly bbox?: ReadonlyArray<number>
  readonly scope?: "Column" | "Row"
}

/** pdfkit writes a `String` object as a PDF string and a primitive one as a name. */
const pdfString = (text: string) => Object(text) as string

/** An empty signature field, so that signing software offers the place to sign. */
export const signatureField = (pdf: Pdf, parent: Tag, { x, y, width, height }: Box, label: string) => {
  const appearance = pdf.ref({ Type: "XObject", Subtype: "Form", BBox: [0, 0, width, height] })
  appearance.end("q Q") // invisible; without content pdfkit would write a dictionary instead of a stream
  const form = pdf.struct("Form", { alt: label })
  parent.add(form)
  const field = {
    Subtype: "Widget",
    FT: "Sig",
    T: pdfString("Unterschrift"),
    TU: pdfString(label),
    Contents: pdfString(label),
    F: 4, // printed
    P: internals(pdf).page.dictionary,
    AP: { N: appearance },
    structParent: form
  }
  pdf.annotate(x, y, width, height, field as PDFKit.Mixins.AnnotationOption) // the types lack widgets
  form.end()
  pdf.font("regular").initForm()
  const { data } = internals(pdf)._root.data.AcroForm
  delete data.NeedAppearances // forbidden in PDF/A: the field has its own appearance
  delete data.DA
  data.Fields = internals(pdf).page.annotations.slice(-1)
}
