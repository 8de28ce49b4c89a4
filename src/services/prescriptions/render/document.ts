/** A tagged PDF/A-2a document of pdfkit with embedded fonts: everything about the format, nothing about prescriptions. */
import type PDFDocument from "pdfkit"
import { packageFile } from "../../../paths.ts"
import type { Box } from "./layout.ts"

// Loaded with the first prescription: a tenth of a second that no start needs to wait for
const pdfkit = (): typeof PDFDocument => require("pdfkit")

export type Pdf = PDFKit.PDFDocument
export type Tag = ReturnType<Pdf["struct"]>

const font = (file: string) => packageFile(`notosans-fontface/fonts/${file}`)
const REGULAR = font("NotoSans-Regular.ttf")
const BOLD = font("NotoSans-Bold.ttf")

/** What pdfkit keeps to itself and PDF/A needs: the catalogue, and the font's own idea of what it can draw. */
interface Internals {
  readonly _root: { readonly data: { readonly AcroForm: { readonly data: Record<string, unknown> } } }
  readonly _font: { readonly font: { readonly hasGlyphForCodePoint: (codePoint: number) => boolean } }
  readonly page: { readonly annotations: ReadonlyArray<unknown>; readonly dictionary: unknown }
}
const internals = (pdf: Pdf) => pdf as unknown as Internals // no public way to any of the three

/** An empty document. The same `createdAt` gives the same file identifier, so equal content gives equal bytes. */
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
 * `text` as the embedded font can show it. PDF/A forbids glyphs that are missing, so a character outside the font (it
 * covers Latin, Greek and Cyrillic) becomes U+FFFD, which is seen, instead of nothing, which is not.
 */
export const printable = (pdf: Pdf, text: string): string => {
  const { font } = internals(pdf.font("regular"))._font
  return [
    ...text
      .normalize("NFC")
      .replace(/\r\n?/g, "\n")
      .replace(/[^\S\n]/g, " ")
  ]
    .map((c) => (c === "\n" || font.hasGlyphForCodePoint(c.codePointAt(0) ?? 0) ? c : "\u{FFFD}"))
    .join("")
}

/** Lines and frames mean nothing to a screen reader: they are artifacts. */
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

/** `bbox` is left, upper, right, lower edge; pdfkit's types leave out it and `scope`. */
export interface TagOptions extends PDFKit.Mixins.StructureElementOptions {
  readonly bbox?: ReadonlyArray<number>
  readonly scope?: "Column" | "Row"
}

/** pdfkit writes a `String` object as a PDF string and a plain one as a name. */
const pdfString = (text: string) => Object(text) as string

/** An empty signature field, so that signing software offers the place to sign. */
export const signatureField = (pdf: Pdf, parent: Tag, { x, y, width, height }: Box, label: string) => {
  const appearance = pdf.ref({ Type: "XObject", Subtype: "Form", BBox: [0, 0, width, height] })
  appearance.end("q Q") // nothing to see, yet a stream: an empty one would become a mere dictionary
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
  pdf.annotate(x, y, width, height, field as PDFKit.Mixins.AnnotationOption) // the types know no widgets
  form.end()
  pdf.font("regular").initForm()
  const { data } = internals(pdf)._root.data.AcroForm
  delete data.NeedAppearances // PDF/A forbids it: the field brings its appearance along
  delete data.DA
  data.Fields = internals(pdf).page.annotations.slice(-1)
}
