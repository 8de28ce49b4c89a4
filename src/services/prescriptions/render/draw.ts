/** Draws the texts of a prescription into their boxes, page by page. */
import { Effect } from "effect"
import type * as QRCode from "qrcode"
import { inChunks, yieldToEventLoop } from "../../eventLoop.ts"
import {
  decoration,
  type Pdf,
  printable,
  signatureField,
  type Tag,
  type TagOptions,
  tagged,
  type Weight
} from "./document.ts"
import * as layout from "./layout.ts"
import type { Row, Wording } from "./wording.ts"

const qrCodes = (): typeof QRCode => require("qrcode")

interface Style {
  readonly sizes: ReadonlyArray<number>
  readonly font?: Weight
  readonly align?: "left" | "right"
  readonly color?: string
}

const GREY = "#444444"
const label: Style = { sizes: [7], color: GREY }
const heading: Style = { sizes: [17], font: "bold" }
const name: Style = { sizes: [12, 10, 8, 6, 5, 4], font: "bold" }
const body: Style = { sizes: [9, 8, 7, 6, 5, 4] }
const rowSizes = [9.5, 8.5, 7.5, 6.5, 5.5, 5]
const SIGNATURE = "Unterschrift der verschreibenden Person"

/** The text at the largest size that fits the box. */
const put = (pdf: Pdf, text: string, box: layout.Box, style: Style) => {
  const { shown, isFromRight, options: shaping } = printable(pdf, style.font ?? "regular", text)
  const options = { width: box.width, align: style.align ?? ("left" as const), lineGap: -1, ...shaping }
  const height = (size: number) => pdf.fontSize(size).heightOfString(shown, options)
  const size = layout.largestFitting(style.sizes, box.height + 3, height)
  // Glyphs from right to left stand in the order in which they are seen, and a glyph may belong to several letters
  if (isFromRight) pdf.markContent("Span", { actual: shown })
  pdf
    .fontSize(size)
    .fillColor(style.color ?? "#000000")
    .text(shown, box.x, box.y, options)
  if (isFromRight) pdf.endMarkedContent()
}

const write = (pdf: Pdf, parent: Tag, type: string, text: string, box: layout.Box, style: Style, tag?: TagOptions) =>
  tagged(pdf, parent, type, () => put(pdf, text, box, style), tag)

const line = (pdf: Pdf, y: number, width: number) =>
  decoration(pdf, () =>
    pdf
      .lineWidth(width)
      .strokeColor("#000000")
      .moveTo(layout.tableHead.x, y)
      .lineTo(layout.tableHead.x + layout.tableHead.width, y)
      .stroke()
  )

/** The uid as vector squares, sharp at any print size. */
const qrCode = (pdf: Pdf, parent: Tag, uid: string) => {
  const { modules } = qrCodes().create(uid, { errorCorrectionLevel: "M" })
  const { x, y, width } = layout.qr
  const side = width / modules.size
  const draw = () => {
    for (let r = 0; r < modules.size; r++)
      for (let c = 0; c < modules.size; c++) if (modules.get(r, c)) pdf.rect(x + c * side, y + r * side, side, side)
    pdf.fill("#000000")
  }
  tagged(pdf, parent, "Figure", draw, { alt: `QR-Code: ${uid}`, bbox: [x, y, x + width, y + width] })
}

const header = (pdf: Pdf, parent: Tag, words: Wording) => {
  write(pdf, parent, "H1", "Privatrezept", layout.title, heading)
  write(pdf, parent, "P", words.organisation, layout.organisation, { ...body, color: GREY })
  write(pdf, parent, "P", "Patientin / Patient", layout.patientLabel, label)
  write(pdf, parent, "P", words.patientName, layout.patientName, name)
  write(pdf, parent, "P", words.patientDetails, layout.patientDetails, body)
  qrCode(pdf, parent, words.uid)
  write(pdf, parent, "P", words.uid, layout.uid, { sizes: [6.5, 5, 4], align: "right", color: GREY })
  write(pdf, parent, "P", "Ausstellungsdatum", layout.dateLabel, { ...label, align: "right" })
  write(pdf, parent, "P", words.date, layout.date, { sizes: [11], font: "bold", align: "right" })
}

const cellHeight = (pdf: Pdf, font: Weight, size: number, text: string, width: number) => {
  const { shown, options } = printable(pdf, font, text)
  return pdf.fontSize(size).heightOfString(shown, { width, lineGap: -1, ...options })
}

/** Height of a row at a size: two lines of medicine, or more where a column wraps. */
const rowHeight = (pdf: Pdf, row: Row, size: number) => {
  const { product, quantity, dosage } = layout.columns
  const medicine =
    cellHeight(pdf, "bold", size, row.product, product.width) +
    cellHeight(pdf, "regular", size - 1, row.details, product.width)
  const amount = cellHeight(pdf, "bold", size, row.quantity, quantity.width)
  return Math.max(medicine, amount, cellHeight(pdf, "regular", size, row.dosage, dosage.width)) + 6
}

const tableHead = (pdf: Pdf, table: Tag) => {
  const row = pdf.struct("TR")
  table.add(row)
  const titles = { number: "Nr.", product: "Arzneimittel", quantity: "Menge", dosage: "Dosierung" }
  for (const key of ["number", "product", "quantity", "dosage"] as const)
    write(pdf, row, "TH", titles[key], { ...layout.tableHead, ...layout.columns[key] }, label, { scope: "Column" })
  line(pdf, layout.tableHead.y + layout.tableHead.height - 1, 0.8)
}

const tableRow = (pdf: Pdf, table: Tag, row: Row, y: number, size: number, height: number) => {
  const element = pdf.struct("TR")
  table.add(element)
  const sizes = [size]
  const at = (key: keyof typeof layout.columns) => ({ ...layout.columns[key], y, height })
  write(pdf, element, "TD", row.number, at("number"), { sizes })
  const medicine = pdf.struct("TD")
  element.add(medicine)
  const below = y + cellHeight(pdf, "bold", size, row.product, layout.columns.product.width)
  write(pdf, medicine, "P", row.product, at("product"), { sizes, font: "bold" })
  write(pdf, medicine, "P", row.details, { ...at("product"), y: below }, { sizes: [size - 1] })
  write(pdf, element, "TD", row.quantity, at("quantity"), { sizes, font: "bold" })
  write(pdf, element, "TD", row.dosage, at("dosage"), { sizes })
  line(pdf, y + height - 3, 0.3)
}

const signing = (pdf: Pdf, parent: Tag, words: Wording) => {
  const { x, y, width, height } = layout.signature
  write(pdf, parent, "P", "Verschreibende Person", layout.prescriberLabel, label)
  write(pdf, parent, "P", words.prescriberName, layout.prescriberName, { ...name, sizes: [11, 9, 7, 5] })
  if (words.prescriberDetails !== "") write(pdf, parent, "P", words.prescriberDetails, layout.prescriberDetails, body)
  decoration(pdf, () => pdf.lineWidth(0.8).rect(x, y, width, height).stroke("#000000"))
  signatureField(pdf, parent, layout.signature, SIGNATURE)
  write(pdf, parent, "P", SIGNATURE, layout.signatureLabel, label)
}

const footer = (pdf: Pdf, page: number, pages: number) => {
  pdf.markContent("Artifact", { type: "Pagination" })
  put(pdf, `Seite ${page} von ${pages}`, layout.footer, { ...label, align: "right" })
  pdf.endMarkedContent()
}

/** Draws the whole prescription; the signature is on the last page only. Yields between rows. */
export const draw = Effect.fn("draw")(function* (pdf: Pdf, words: Wording) {
  pdf.addPage()
  const sizes: Array<number> = []
  const heights: Array<number> = []
  yield* inChunks(words.rows.length, (at) => {
    const row = words.rows[at]
    if (row === undefined) return
    const size = layout.largestFitting(rowSizes, layout.tableBody.height, (some) => rowHeight(pdf, row, some))
    sizes.push(size)
    heights.push(rowHeight(pdf, row, size))
  })
  const pages = layout.paginate(heights, layout.tableBody.height)
  const root = pdf.struct("Document")
  pdf.addStructure(root)
  for (const [page, rows] of pages.entries()) {
    yield* yieldToEventLoop
    if (page > 0) pdf.addPage()
    header(pdf, root, words)
    const table = pdf.struct("Table")
    root.add(table)
    tableHead(pdf, table)
    let y = layout.tableBody.y
    for (const index of rows) {
      const row = words.rows[index]
      const height = heights[index] ?? 0
      if (row !== undefined) tableRow(pdf, table, row, y, sizes[index] ?? 5, height)
      y += height
    }
    if (page === pages.length - 1) signing(pdf, root, words)
    footer(pdf, page + 1, pages.length)
  }
  root.end()
})
