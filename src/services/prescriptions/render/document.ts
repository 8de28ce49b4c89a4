/** A tagged PDF/A-2a document made by pdfkit with embedded fonts; independent of prescriptions. */
import type PDFDocument from "pdfkit"
import { packageFile } from "../../../paths.ts"
import { normalised } from "../../../schemas/fields.ts"
import type { Box } from "./layout.ts"

// Loaded with the first prescription: it would delay the start by a tenth of a second
const pdfkit = (): typeof PDFDocument => require("pdfkit")

export type Pdf = PDFKit.PDFDocument
export type Tag = ReturnType<Pdf["struct"]>

export type Weight = "regular" | "bold"

const latin = (file: string) => packageFile(`notosans-fontface/fonts/${file}`)
const arabic = (file: string) => packageFile(`@expo-google-fonts/noto-sans-arabic/${file}`)
const REGULAR = latin("NotoSans-Regular.ttf")
/** Noto Sans covers Latin, Greek and Cyrillic; the Arabic one covers Latin too. Only fonts that are used are embedded. */
const FONTS = {
  regular: REGULAR,
  bold: latin("NotoSans-Bold.ttf"),
  "regular arabic": arabic("400Regular/NotoSansArabic_400Regular.ttf"),
  "bold arabic": arabic("700Bold/NotoSansArabic_700Bold.ttf")
}

/** Internals of pdfkit that PDF/A needs: the catalogue, and the glyphs of the font. */
interface Internals {
  readonly _root: { readonly data: { readonly AcroForm: { readonly data: Record<string, unknown> } } }
  readonly _font: { readonly font: { readonly hasGlyphForCodePoint: (codePoint: number) => boolean } }
  readonly page: { readonly annotations: ReadonlyArray<unknown>; readonly dictionary: unknown }
}
const internals = (pdf: Pdf) => pdf as unknown as Internals // there is no public API for these

/** An empty document. The file identifier follows from `createdAt`, so that equal content gives equal bytes. */
export const open = (title: string, createdAt: Date): Pdf => {
  return new (pdfkit())({
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
}

const ARABIC = /\p{Script=Arabic}/u
const LETTERS = /[\p{L}\p{M}\p{N}]/u

const characters = (text: string) => [
  ...normalised(text)
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]/g, " ")
]

/** Sets the font in which the text is drawn: by its file, since pdfkit reads the document's first font again for each use of another name. */
const setFont = (pdf: Pdf, weight: Weight, text: string) =>
  pdf.font(FONTS[ARABIC.test(text) ? (`${weight} arabic` as const) : weight])

const lacks = (pdf: Pdf, character: string) =>
  character !== "\n" && !internals(pdf)._font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)

/**
 * The letters and digits of the text that cannot be drawn: those without a glyph, and in a text from right to left those that are
 * written from left to right, since pdfkit does not order both in one line.
 */
export const undrawable = (pdf: Pdf, text: string): ReadonlyArray<string> => {
  setFont(pdf, "regular", text)
  const letters = characters(text).filter((character) => LETTERS.test(character))
  const isForeign = (character: string) => ARABIC.test(text) && (!ARABIC.test(character) || /\p{Nd}/u.test(character))
  return letters.filter((character) => lacks(pdf, character) || isForeign(character))
}

/**
 * Sets the font, and returns the text restricted to it and its options. PDF/A forbids missing glyphs, so a symbol that the font lacks
 * becomes the visible U+FFFD. With `features` pdfkit shapes a line in one piece: from right to left, its words would be in the wrong
 * order by themselves.
 */
export const printable = (pdf: Pdf, weight: Weight, text: string) => {
  setFont(pdf, weight, text)
  const shown = characters(text)
    .map((character) => (lacks(pdf, character) ? "\u{FFFD}" : character))
    .join("")
  return { shown, isFromRight: ARABIC.test(text), options: ARABIC.test(text) ? { features: [] } : {} }
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
  pdf.font(FONTS.regular).initForm()
  const { data } = internals(pdf)._root.data.AcroForm
  delete data.NeedAppearances // forbidden in PDF/A: the field has its own appearance
  delete data.DA
  data.Fields = internals(pdf).page.annotations.slice(-1)
}
